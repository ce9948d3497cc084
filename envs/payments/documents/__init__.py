"""The company's documents: rendered from rule rows through authored skeletons, searched by words.

calendar.py     minutes of the episode as dates, and back
forms.py        the one readable form of each value of a rule, and back
slots.py        what a skeleton leaves open, and its grammar
head.py         the head of a skeleton file
skeleton.py     what people write: a head, sections, and several revisions of one text
corpus.py       a folder of skeletons with its calendar and its defined terms
edition.py      what slots are filled from: rules, calendar, tools, terms, worked examples
application.py  the standard lines that say when a rule applies and who keeps it, and back
render.py       documents as the company keeps them
extract.py      the rule rows that a rendered document states, read back from its text
literals.py     numbers, dates and amounts where a slot belongs
checked.py      a corpus under check
lints.py        what every corpus must satisfy
words.py        words of a text as the index knows them
index.py        BM25 in a fixed order, built once for a corpus and process
desk.py         what an agent may ask for: search, read, and what it is handed at the start
"""
