"""What a page carries of an episode: all of it, once, and harmless."""

import pytest
from bizgym.agents.base import AgentTurn
from bizgym.evaluators import report_runs
from bizgym.evaluators.report import write_report
from bizgym.evaluators.report_episodes import EpisodeBook, parts

HOSTILE = "</script><script>alert(1)</script><!-- \u2028\u2029 \ud800 \u202eevil \u05e9\u05dc\u05d5\u05dd " + "x" * 500


def test_every_step_of_every_record_can_be_read_back(page, lineup):
    assert len(page.index["rows"]) == len(lineup)
    for listed, row in zip(page.index["rows"], lineup, strict=True):
        assert listed[3:] == [
            *(row.agent["name"], row.task_id, row.trial, str(row.seed), row.reward, None),
            *(row.n_steps, row.errors, row.stop_reason.value),
        ]
        found = page.steps_of(listed[0])
        assert (found["first"], found["error"], found["metrics"]) == (row.first_observation, row.error, row.metrics)
        for packed, step in zip(found["steps"], row.steps, strict=True):
            results = packed.get("r", [])
            assert results == [[r.id, r.name, r.ok, r.code, r.content] for r in step.results]
            read = "".join(results[p][4] if isinstance(p, int) else p for p in packed.get("o", []))
            assert read == step.observation
            assert packed.get("t", "") == (step.turn.text if step.turn else "")
            assert (packed["w"], packed.get("e", "")) == (step.reward, step.error)
            assert sum(packed.get("p", {}).values()) == pytest.approx(step.reward)


def test_no_text_is_stored_twice(page):
    steps = page.steps_of(page.index["rows"][0][0])["steps"]
    assert all(step["o"] == [0] for step in steps)
    assert page.html.count("You manage the retailer") == 0


@pytest.mark.parametrize(
    ("observation", "contents", "expected"),
    [
        ("abc", ["abc"], [0]),
        ("[1] abc\n\n[2] d", ["abc", "d"], ["[1] ", 0, "\n\n[2] ", 1]),
        ("clipped", ["a long result"], ["clipped"]),
        ("", ["", ""], []),
        ("aa", ["a", "a"], [0, 1]),
    ],
)
def test_observations_are_told_by_their_results(observation, contents, expected):
    assert parts(observation, contents) == expected


def test_calls_stand_as_they_were_sent_and_compare_by_what_they_ask(play, make_run, read_page, tmp_path):
    openai = {"id": "c9", "type": "function", "function": {"name": "place_order", "arguments": '{"quantity":300}'}}
    turns = [
        '{"name": "place_order", "arguments": {"quantity": 300}}',
        AgentTurn(calls=[openai]),
        AgentTurn(text="two", calls=[{"name": "place_order", "arguments": {"quantity": 300}}, None]),
        "no call",
        AgentTurn(calls=[]),
        AgentTurn(calls=[{"name": "place_order", "arguments": {"b": 1, "a": 2}}]),
    ]
    row = play("sender", 0, turn=lambda week: turns[week - 1] if week <= 6 else "")
    page = read_page(write_report([make_run(tmp_path, [row])]))
    calls = [step["c"] for step in page.steps_of(page.index["rows"][0][0])["steps"]]
    key = 'place_order {"quantity": 300}'
    assert calls[0] == [["place_order", None, key]]
    assert calls[1] == [["place_order", '{"quantity":300}', key]]
    assert calls[2] == [["place_order", '{"quantity": 300}'], ["", "null", "null"]]
    assert calls[3] == [["", None]]
    assert calls[4] == [["", "[]", "[]"]]
    assert calls[5] == [["place_order", '{"b": 1, "a": 2}', 'place_order {"a": 2, "b": 1}']]


def test_hostile_text_stays_text(play, make_run, read_page, tmp_path):
    row = play("x", 0, turn=lambda week: HOSTILE)
    row = row.model_copy(update={"agent": {"name": HOSTILE}, "error": HOSTILE})
    run = make_run(tmp_path / "hostile", [row], name=HOSTILE[:60])
    path = write_report([run])
    page = read_page(path)
    assert set(page.scripts) == {"index", "pairs", "code", f"packed-{page.index['rows'][0][0]}"}
    assert page.html.count("<script") == page.html.count("</script>") == 4
    assert page.index["rows"][0][3] == HOSTILE
    assert page.steps_of(page.index["rows"][0][0])["steps"][0]["t"] == HOSTILE
    assert "\\ud800" in page.leaderboards[0].popitem()[0]
    path.read_bytes().decode("utf-8", "strict")


def test_steps_beyond_the_limit_are_left_out_and_said_so(lineup, make_run, read_page, tmp_path, monkeypatch):
    monkeypatch.setattr(report_runs, "EpisodeBook", lambda: EpisodeBook(limit_characters=5_000))
    page = read_page(write_report([make_run(tmp_path, lineup)]))
    packed = [name for name in page.scripts if name.startswith("packed-")]
    assert 0 < len(packed) < len(lineup) == len(page.index["rows"])
    assert f"The steps of {len(lineup) - len(packed)} episodes are left out" in page.text


def test_500_episodes_stay_small(large_run, read_page):
    path = write_report([large_run])
    page = read_page(path)
    assert len([name for name in page.scripts if name.startswith("packed-")]) == 500
    assert path.stat().st_size < 5_000_000
