"""Workflows of a payments company: documents, business tools, a customer and a clock.

kernel/          records, rules, tools, the event log and the engine: no business
records/         the kinds of record of the company
modules/         its business tools, by module, and the catalogue of all
documents/       its documents, rendered from rules, and how they are searched
user/            the customer
checks/          what strict success requires, judged on the event log
tasks.py         tasks as data
content.py       a folder of worlds, rules, documents and tasks
episode.py       one episode: an engine and a customer
surface.py       the agent's tools
observation.py   what the agent reads
scoring.py       the score of an episode, and of a record
env.py           the Gymnasium face
proofs/          what the prover needs to know, and what it is shown of each task
"""
