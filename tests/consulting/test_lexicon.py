"""The lexicon: enough phrasings of every type, no line twice, and a stored model that was made of it."""

import re
from collections import Counter

import numpy as np
import pytest
from bizgym.envs.consulting.fact_types import fact_types
from bizgym.envs.consulting.matching.lexicon import NEAR, NEGATIVES, PURPOSELESS, Phrasings, lines, phrasings, synonyms
from bizgym.envs.consulting.matching.model import fingerprint, stored
from bizgym.envs.consulting.matching.training import _PENALTY, _dual, train
from pydantic import ValidationError

LINES = lines()
LEAST = 40
LEAST_NEAR = 2


def plain(text):
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


@pytest.mark.parametrize("fact_type", list(fact_types().types))
def test_every_type_has_forty_phrasings_by_several_speakers_and_what_comes_close(fact_type):
    spoken = phrasings()[fact_type]
    assert len({plain(text) for text in spoken.all}) >= LEAST
    assert len(spoken.near) >= LEAST_NEAR
    lengths = {
        manner: np.mean([len(text.split()) for text in getattr(spoken, manner)])
        for manner in ("terse", "plain", "long")
    }
    assert lengths["terse"] < lengths["plain"] < lengths["long"]


def test_no_line_stands_twice():
    twice = [text for text, count in Counter(plain(each.text) for each in LINES).items() if count > 1]
    assert twice == []


def test_every_kind_of_negative_has_examples():
    kinds = Counter(each.label for each in LINES if "." not in each.label)
    assert set(kinds) == {*NEGATIVES, PURPOSELESS, NEAR}
    assert min(kinds.values()) >= LEAST_NEAR * 10


def test_a_type_with_too_few_phrasings_is_refused():
    spoken = {**phrasings()["price.own"].model_dump(), "heard": []}
    spoken["plain"] = spoken["plain"][: len(spoken["plain"]) + 39 - len(Phrasings.model_construct(**spoken).all)]
    with pytest.raises(ValidationError, match="39 phrasings; 40 are needed"):
        Phrasings.model_validate(spoken)


def test_a_word_of_a_trade_has_one_idea():
    owners = Counter(plain(word) for group in synonyms().industry.values() for word in group)
    assert [word for word, count in owners.items() if count > 1] == []


def test_the_stored_model_was_made_of_the_lexicon_as_it_stands():
    assert stored().source == fingerprint(LINES), "run python -m bizgym.envs.consulting.matching"


def test_training_ends_where_the_penalised_loss_is_flat():
    rng = np.random.Generator(np.random.PCG64(7))
    vectors = rng.normal(size=(30, 12)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    wanted = np.full((30, 3), 0.1, dtype=np.float32)
    wanted[np.arange(30), rng.integers(0, 3, 30)] += 0.7
    gram = vectors @ vectors.T
    multipliers = _dual(gram, wanted)
    scores = gram @ multipliers
    likely = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    gradient = vectors.T @ ((likely - wanted) / 30 + _PENALTY * multipliers)
    start = vectors.T @ ((1 / 3 - wanted) / 30)
    assert np.abs(gradient).max() < 0.01 * np.abs(start).max()


def test_trained_weights_are_whole_and_tell_two_labels_apart():
    found = [["w:price", "w:our"], ["w:price", "w:their"], ["w:volume", "w:our"], ["w:volume", "w:their"]]
    weights = train(found, ["a", "a", "b", "b"])
    assert weights.table.dtype == np.int8
    assert weights.features == ("w:our", "w:price", "w:their", "w:volume")
    by_feature = dict(zip(weights.features, weights.table.tolist(), strict=True))
    assert by_feature["w:price"][0] > 0 > by_feature["w:price"][1]
    assert by_feature["w:volume"] == by_feature["w:price"][::-1]
    assert by_feature["w:our"] == [0, 0]
