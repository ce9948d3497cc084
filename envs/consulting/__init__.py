"""Case interviews: hidden facts, an interviewer that gives them out one at a time, a recommendation that is scored.

units.py, formulas.py, model.py      the causal model of a case, with the dimension of every formula
blueprint.py, words.py, building.py  what a model asks and hides, its words in three industries, and cases of both
interviewer.py, state.py, play.py    the interview: one fact a turn, prerequisites first, a question back where unsure
scoring.py, recommendation.py        the score, every point with the step that earned it
gates.py, trials.py, check.py        what every blueprint must hold
"""
