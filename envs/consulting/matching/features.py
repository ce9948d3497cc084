"""Features of a question: words, pairs of neighbours, ideas, pairs of ideas, and fours of letters."""

from __future__ import annotations

from itertools import combinations

from .text import Words

_LETTERS = 4
WEIGHTS = {"w": 1.0, "b": 0.7, "i": 1.0, "p": 0.3, "c": 0.5}
MOST_FEATURES = 400


def features(words: Words) -> list[str]:
    """Return the features of a question, each once, in a fixed order, 400 at most.

    The letter before the colon is the feature's family, a key of `WEIGHTS`: `w` a stem, `b` two neighbours (`^` before
    the first, `$` after the last), `i` an idea, `p` two ideas, `c` four letters of a word with its ends marked.
    """
    stems, ideas = words.stems, sorted(words.ideas)
    found = [f"w:{each}" for each in stems]
    found += [f"b:{a} {b}" for a, b in zip(("^", *stems), (*stems, "$"), strict=True)]
    found += [f"i:{each}" for each in ideas]
    found += [f"p:{a} {b}" for a, b in combinations(ideas, 2)]
    for word in words.surface:
        marked = f"<{word}>"
        found += [f"c:{marked[k : k + _LETTERS]}" for k in range(len(marked) - _LETTERS + 1)]
    return list(dict.fromkeys(found))[:MOST_FEATURES]
