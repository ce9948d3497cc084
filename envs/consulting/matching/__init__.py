"""Reading a candidate's free question: which type of fact it asks for, and whether that is certain enough.

lexicon.py    the phrasings, synonyms and cues, `data/consulting/lexicon/`
text.py       a question to words: bounded, spelling mended, synonyms and words of a trade named by their idea
features.py   words to numbered features
training.py   the phrasings to weights, a linear model over all types and kinds
model.py      the weights as stored, `data/consulting/lexicon/model.json`, and the scores of a question
matcher.py    scores and cues to a decision: release one fact, offer topics, or neither
wording.py    whether words are a question at all, or a choice from a menu
measure.py    `python -m bizgym.envs.consulting.matching.measure FILE`: the gates on a set of questions
"""

from .matcher import ideas as ideas
from .matcher import match as match
