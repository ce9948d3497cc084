"""The customer: a card of what it knows and wants, ten tools, and four kinds of driver behind one protocol.

vocabulary.py    what can be asked, told and refused: public, the same for every task
aliases.py       what a message without typed asks asks for
card.py          what one customer knows, wants, agrees to, and when it changes its mind
script.py        a card that has been checked and compiled
lints.py         what a card must not hold
desk.py          how the company's records hold requests, approvals, consents and papers
company.py       the company's own desk
memory.py        what has been asked, told and seen so far, from the event log alone
view.py          what a driver of the customer sees
seat.py          where it sits: what it sees, and the desk at which it acts
tools.py         the ten tools
turns.py         the protocol of drivers, drafts of turns, and what happens to bad ones
validator.py     PV1 to PV7, the ways in which a turn can be bad
wording.py       values in prose: how they are said, and how they are found
scripted.py      the driver that follows the card to the letter
llm.py           the driver that is a language model
prompt.py        the card as a text, for drivers that read
drivers.py       the drivers that repeat a record or ask a person, and all four by name
messages.py      what the agent says, in typed form, and what it is answered
conversation.py  one conversation on an engine
agreement.py     how often another driver decides as the script does
"""
