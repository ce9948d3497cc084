"""Finding texts: against bm25s as a peer, and by hand."""

import bm25s
import numpy as np
import pytest
from bizgym.agents.memory.ranking import overlap, rank, words

WORDS = ["bond", "coupon", "duration", "yield", "price", "option", "put", "call", "euro", "dollar", "hedge", "lease"]


def drawn(rng: np.random.Generator, most: int) -> str:
    return " ".join(rng.choice(WORDS, size=rng.integers(1, most)))


@pytest.mark.parametrize("seed", range(20))
def test_the_order_is_that_of_bm25s(seed: int) -> None:
    rng = np.random.default_rng(seed)
    texts = [drawn(rng, 30) for _ in range(12)]
    query = list(dict.fromkeys(drawn(rng, 8).split()))
    vocabulary = {word: k for k, word in enumerate(WORDS)}
    peer = bm25s.BM25(k1=1.5, b=0.75, method="lucene", dtype="float64", backend="numpy")
    numbered = [[vocabulary[word] for word in text.split()] for text in texts]
    peer.index((numbered, vocabulary), create_empty_token=False, show_progress=False)
    scores = np.round(peer.get_scores_from_ids([vocabulary[word] for word in query]), 7)
    expected = sorted((k for k in range(12) if scores[k] > 0), key=lambda k: (-scores[k], -k))
    assert rank(" ".join(query), texts, 12) == expected


def test_the_later_of_two_equals_comes_first_and_a_stranger_never() -> None:
    assert rank("a bond", ["a bond", "an option", "a bond"], 5) == [2, 0]
    assert rank("a bond", ["a bond", "an option", "a bond"], 1) == [2]
    assert rank("Äpfel", ["äpfel", "apfel"], 5) == [0]
    assert rank("", ["a"], 5) == rank("a", [], 5) == rank("a", ["", "!"], 5) == []


def test_words_are_lower_case() -> None:
    assert words("The EURO, 3.5 % (Q2)") == ["the", "euro", "3", "5", "q2"]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("a b c", "A, b; c.", 1.0),
        ("a b c", "a b d", 3 / 7),  # a, b, "a b" of a, b, c, d, "a b", "b c", "b d"
        ("order 400 when demand is 100", "order 100 when demand is 400", 0.0),
        ("order at 5 % or more", "order at 5.5 % or more", 0.0),
        ("always order more", "never order more", 0.0),
        ("you should order more", "you shouldn't order more", 0.0),
        ("it isn't so", "it is not so", 2 / 12),  # words and pairs of: it isn t so, it is not so
        ("", "a", 0.0),
    ],
)
def test_overlap_by_hand(first: str, second: str, expected: float) -> None:
    assert overlap(first, second) == pytest.approx(expected)
    assert overlap(second, first) == pytest.approx(expected)
