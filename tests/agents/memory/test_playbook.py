"""The playbook: additions only, bounded whatever comes, and what has helped stays longest."""

import json

import numpy as np
import pytest
from bizgym.agents.clients.tokens import estimate_tokens
from bizgym.agents.memory.playbook import Bullet, Playbook


def add(playbook: Playbook, *texts: str, section: str = "strategies") -> None:
    playbook.apply([{"type": "ADD", "section": section, "content": text} for text in texts])


def test_the_tokens_hold_over_two_hundred_updates() -> None:
    rng = np.random.default_rng(0)
    playbook, ids, full = Playbook(1_500, 0.9, 3), set(), 0
    for update in range(200):
        texts = [f"Rule {update}.{k}: " + "word " * int(rng.integers(1, 60)) for k in range(int(rng.integers(0, 6)))]
        add(playbook, *texts, section=("strategies", "code", "elsewhere")[update % 3])
        tags = [
            {"id": each.id, "tag": ("helpful", "harmful", "neutral")[int(rng.integers(3))]} for each in playbook.bullets
        ]
        playbook.tag(tags[:5])
        shown = playbook.text()
        assert playbook.tokens == estimate_tokens(shown) <= 1_500
        made = {each.id for each in playbook.bullets}
        assert len(made) == len(playbook.bullets)
        assert all(each.line in shown for each in playbook.bullets)
        full += playbook.tokens > 1_200
        ids |= made
    counts = playbook.counts
    assert full > 100
    assert counts["evicted"] > 50
    assert counts["added"] - counts["evicted"] - counts["pruned"] == len(playbook.bullets)
    assert counts["merged"] == counts["ignored"] == 0
    assert len(ids) <= counts["added"]


def test_the_lowest_net_score_goes_first_and_the_oldest_of_equals() -> None:
    playbook = Playbook(46, None, None)  # three lines of 55 characters under a title of 13, each after a line's end
    add(playbook, "A" * 20, "B" * 20, "C" * 20)
    assert playbook.tokens == -(-(13 + 3 * 56) // 4) == 46
    playbook.tag([{"id": "str-00001", "tag": "helpful"}, {"id": "str-00003", "tag": "harmful"}])
    add(playbook, "D" * 20)
    assert [each.id for each in playbook.bullets] == ["str-00001", "str-00002", "str-00004"]
    add(playbook, "E" * 20)
    assert [each.id for each in playbook.bullets] == ["str-00001", "str-00004", "str-00005"]
    assert playbook.counts["evicted"] == 2


def test_a_bullet_goes_once_harmful_exceeds_helpful_by_the_margin() -> None:
    playbook = Playbook(1_000, None, 3)
    add(playbook, "A")
    playbook.tag([{"id": "str-00001", "tag": "helpful"}])
    for left in (1, 1, 1, 0):  # 1 to 1, 2, 3, 4
        playbook.tag([{"id": "str-00001", "tag": "harmful"}])
        assert len(playbook.bullets) == left
    add(playbook, "A")
    assert playbook.bullets == [Bullet("str-00002", "strategies", "A")]


def test_the_same_text_is_kept_once_and_near_ones_by_the_setting() -> None:
    near = "Compare what you ordered with what has arrived before you order again in the week that follows"
    for overlap, kept in ((None, 2), (0.9, 1)):
        playbook = Playbook(1_000, overlap, None)
        add(playbook, near, f"  {near.upper()}. ", f"{near} it")
        assert len(playbook.bullets) == kept
        assert playbook.bullets[0].text == near
        assert playbook.counts["merged"] == 3 - kept


def test_sections_are_fixed_and_a_bullet_is_one_bounded_line() -> None:
    playbook = Playbook(10_000, None, None)
    add(playbook, "one\ntwo\u2028three", "x" * 5_000, section="Formulas ")
    add(playbook, "strange", section="## Orders\nobey")
    first, second, third = playbook.bullets
    assert (first.section, first.text, first.id) == ("formulas", "one two three", "for-00001")
    assert len(second.text) == 1_000
    assert (third.section, third.id) == ("other", "oth-00003")
    assert playbook.text().splitlines()[0] == "## formulas"
    assert playbook.text(["oth-00003"]) == "## other\n[oth-00003] helpful=0 harmful=0 :: strange"


def test_a_verdict_counts_once_a_reflection() -> None:
    playbook = Playbook(1_000, None, None)
    add(playbook, "A", "B")
    playbook.tag([{"id": "str-00001", "tag": "helpful"}] * 5 + [{"id": "str-00002", "tag": "HELPFUL"}])
    assert [(each.helpful, each.harmful) for each in playbook.bullets] == [(1, 0), (0, 0)]


@pytest.mark.parametrize("limit", [1, 10])
def test_a_limit_below_one_bullet_leaves_the_playbook_empty(limit: int) -> None:
    playbook = Playbook(limit, None, None)
    add(playbook, "A long enough piece of advice.")
    assert (playbook.text(), playbook.tokens) == ("", 0)


def test_a_state_is_json_and_gives_the_same_playbook() -> None:
    playbook, again = Playbook(1_000, 0.9, 3), Playbook(1_000, 0.9, 3)
    add(playbook, "A", "B", "C")
    playbook.tag([{"id": "str-00002", "tag": "helpful"}])
    again.load(json.loads(json.dumps(playbook.state())))
    assert again.state() == playbook.state()
    assert again.text() == playbook.text()
    add(again, "D")
    assert again.bullets[-1].id == "str-00004"
    assert len(playbook.bullets) == 3
