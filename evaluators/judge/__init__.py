"""A model as the judge of recorded case interviews.

transcript.py   what the judge is shown: the case with its solution, and the interview, every text fenced as data
verdict.py      what it has to answer: one JSON object, or nothing that counts
judging.py      one interview judged: a verdict, or `unscored` with a reason after one request to repair
runs.py         a run judged, several interviews at a time, in their order
rows.py         `judged.jsonl` beside a run: append-only, one line a judgement
standings.py    what the lines of a run come to, agent by agent, beside the verifiable score
"""
