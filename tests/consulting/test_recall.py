"""How often paraphrases are recognised that were written without sight of the words; the data card says so too."""

from collections import Counter
from importlib.resources import files

import pytest
from bizgym.envs.consulting.blueprints import blueprint_ids
from bizgym.envs.consulting.recall import HELD_OUT, TUNED, main, rates, sentences_of

README = files("bizgym.data").joinpath("consulting", "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("skins", [TUNED, HELD_OUT])
def test_the_sets_speak_of_every_industry(skins):
    kinds = Counter((each.blueprint, each.skin, each.kind) for each in sentences_of(skins))
    places = [(name, skin) for name in blueprint_ids() for skin in skins]
    for place in places:
        assert kinds[(*place, "root")] == 3
        assert kinds[(*place, "constraint")] == 2
    assert sum(kinds.values()) == 10 * len(places)


@pytest.mark.parametrize(
    ("skins", "least"),
    [
        (
            TUNED,
            {"root": 0.95, "constraint": 0.93, "denied": 0.97, "forfeits": 0.92, "spared": 0.95, "neighbour": 0.85},
        ),
        (
            HELD_OUT,
            {"root": 0.82, "constraint": 0.88, "denied": 0.82, "forfeits": 0.88, "spared": 0.8, "neighbour": 0.7},
        ),
    ],
)
def test_the_rates_are_those_of_the_data_card(skins, least):
    found = rates(sentences_of(skins))._asdict()
    assert {name: value for name, value in found.items() if value < least[name]} == {}
    column = 2 if skins == TUNED else 3
    lines = README.partition("held out |")[2].splitlines()[2:8]
    told = [line.split("|")[column + 1].strip() for line in lines]
    assert told == [f"{value:.1%}".replace("%", " %") for value in found.values()]


def test_the_command_prints_them(capsys):
    main()
    out = capsys.readouterr().out
    assert "looked at" in out
    assert "held out" in out
