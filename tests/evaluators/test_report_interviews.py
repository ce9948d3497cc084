"""The page of a case interview: who said what, what each answer told, the issue tree, and points with their steps."""

import re

import gymnasium as gym
import pytest
from bizgym.agents.rollout import rollout
from bizgym.envs.consulting.tasks import all_tasks
from bizgym.evaluators.benchmarks import interview_of
from bizgym.evaluators.report import write_report

from tests.evaluators.conftest import Scripted
from tests.evaluators.test_report_browser import detail
from tests.fixtures.records import baseline, play_all, rows_of

ENV_ID = "bizgym/Consulting-v0"
TASK = "market_entry_1-easy-a"
EVIL = "<img src=x onerror=\"document.title='taken'\"> \u202e"


def ask(question, topic=None):
    return {"name": "ask_interviewer", "arguments": {"question": question, "topic": topic}}


def exhibit(name):
    return {"name": "request_exhibit", "arguments": {"name": name}}


RECOMMENDATION = {
    "name": "submit_recommendation",
    "arguments": {
        "decision": "partner",
        "headline": f"Take the partner. {EVIL}",
        "key_numbers": [{"metric": "value_partner", "value": 1.0, "unit": "EUR"}],
        "reasons": [],
        "risks": [],
        "next_steps": [],
    },
}
TURNS = [
    ask("What share of the market can the client reach, as to open tenders?", "market"),
    [exhibit("tender_survey"), exhibit("no_such_table")],
    {"name": "share_analysis", "arguments": {"text": "So it is small.", "numbers": None}},
    ask("How does that look at the client?", "constraints"),
    RECOMMENDATION,
]


def played(turns, task=TASK):
    env = gym.make(ENV_ID, split=None)
    labels = {"agent": {"name": "probing", "settings": {}}}
    agent = Scripted(lambda k: turns[k - 1] if k <= len(turns) else "")
    return rollout(env, agent, seed=3, task_id=task, trial=0, labels=labels)


@pytest.fixture(scope="module")
def record():
    return played(TURNS)


def test_each_answer_says_what_it_told(record):
    found = interview_of(record)["exchanges"]
    assert [(each["step"], each["name"]) for each in found] == [
        (1, "ask_interviewer"),
        (2, "request_exhibit"),
        (2, "request_exhibit"),
        (3, "share_analysis"),
        (4, "ask_interviewer"),
        (5, "submit_recommendation"),
    ]
    facts = all_tasks().get(TASK).case.by_id
    told = {"id": "market.share:open", "type": "market.share", "topic": "market", "weight": "essential"}
    assert found[0]["answered"] == "released"
    assert found[0]["fact"] == told
    assert found[0]["said"].startswith(facts["market.share:open"].sentence)
    assert [each["exhibit"] for each in found[1:3]] == ["tender_survey", ""]
    assert [each["turns"] for each in found] == [1, 1, 2, 2, 3, 3]
    assert [each["said"] for each in found] == [each.content for step in record.steps for each in step.results]


def test_the_issue_tree_says_how_each_topic_came_up(record):
    tree = {each["topic"]: each for each in interview_of(record)["tree"]}
    case = all_tasks().get(TASK).case
    assert list(tree) == case.solution.topics
    assert (tree["market"]["coverage"], tree["market"]["step"]) == ("raised in own words", 1)
    assert (tree["constraints"]["coverage"], tree["constraints"]["step"]) == ("by the topic argument alone", 4)
    assert (tree["mix"]["coverage"], tree["mix"]["step"]) == ("not raised", None)
    for each in tree.values():
        mine = {fact.fact_id for fact in case.facts if fact.topic == each["topic"] and not fact.noise}
        assert {*each["told"], *each["untold"]} == mine
    assert tree["market"]["told"] == ("market.share:open",)


def test_a_topic_of_a_menu_is_told_from_ones_own(record):
    """Menus come where a question is not understood for sure; the one found here is then followed."""
    questions = (
        "Anything interesting?",
        "How is the business doing?",
        "What do they pay?",
        "Tell me of the costs.",
        "What about the customers?",
    )
    for question in questions:
        first = interview_of(played([ask(question), RECOMMENDATION]))["exchanges"][0]
        if first["menu"]:
            break
    else:
        pytest.fail("no question led to a menu")
    chosen, *left = first["menu"]
    row = played([ask(question), ask("That one.", chosen), RECOMMENDATION])
    found = interview_of(row)
    assert found["exchanges"][0]["answered"] == "menu"
    assert found["exchanges"][1]["raised"] is None
    coverage = {each["topic"]: (each["coverage"], each["step"]) for each in found["tree"]}
    assert coverage.get(chosen, ("named by a menu first", 2)) == ("named by a menu first", 2)
    assert {coverage[name] for name in left if name in coverage} <= {("not raised", None)}


def test_a_topic_that_the_question_was_about_counts_once_it_is_chosen():
    row = played([ask("What would the building supplier keep of it?"), ask("variable_cost"), RECOMMENDATION])
    found = interview_of(row)
    assert [each["raised"] for each in found["exchanges"]] == [None, 1, None]
    (branch,) = [each for each in found["tree"] if each["topic"] == "variable_cost"]
    assert (branch["coverage"], branch["step"]) == ("raised in own words", 1)


def test_the_points_say_the_same_of_a_topic_as_the_issue_tree(record):
    topics = ("What do they pay?", "competitors", "What would the building supplier keep of it?", "mix")
    for row in (record, played([*map(ask, topics), RECOMMENDATION])):
        found = interview_of(row)
        points = {each["name"]: each for each in found["points"]}
        for each in found["tree"]:
            point = points[f"branch.{each['topic']}"]
            assert (point["observed"], point["turn"]) == (each["coverage"], each["step"])
            assert (point["earned"] > 0) is (each["coverage"] == "raised in own words")
            assert not (each["told"] and each["coverage"] == "not raised")


def test_points_are_those_of_the_checks_with_their_steps(record):
    found = interview_of(record)["points"]
    assert [f"{each['dimension']}.{each['name']}" for each in found] == [check.id for check in record.checks]
    assert [each["turn"] for each in found] == [check.turn for check in record.checks]
    assert [each["earned"] >= each["possible"] for each in found] == [check.passed for check in record.checks]


def test_what_a_person_told_as_the_interviewer_is_shown_too():
    env = gym.make(ENV_ID, split=None, counterpart={"driver": "human"})
    lines = iter(["?price, market", "#1"])
    env.unwrapped.set_counterpart(lambda shown: next(lines))
    turns = [ask("How is it?"), ask("What do you know of it?", None), RECOMMENDATION]
    agent = Scripted(lambda k: turns[k - 1])
    row = rollout(env, agent, seed=3, task_id=TASK, labels={"agent": {"name": "probing", "settings": {}}})
    menu, told, _ = interview_of(row)["exchanges"]
    assert menu["menu"] == ["price", "market"]
    assert told["fact"]["id"] == all_tasks().get(TASK).case.facts[0].fact_id


def test_an_interview_without_an_end_says_so():
    assert interview_of(played([ask("Why?")]))["ending"] == "broken off"
    many = [ask("On price: what a customer pays?", "price")] * 12
    found = interview_of(played(many))
    assert (found["ending"], found["used"], found["turns"]) == ("out of time", 8, 8)
    silent = interview_of(played([""]))
    assert silent["exchanges"] == []
    assert len(silent["missed"]) == sum(fact.essential for fact in all_tasks().get(TASK).case.facts)


def test_the_oracle_misses_nothing_and_the_talker_everything(tmp_path):
    agents = {
        name: baseline(name) | {"_target_": f"bizgym.agents.baselines.consulting.{name}"}
        for name in ("Oracle", "Talker")
    }
    tasks = [TASK, "profitability_1-hard-b"]
    play_all(tmp_path / "run", lineups={"main": {"env": {"id": ENV_ID, "tasks": tasks}, "agents": agents}})
    for row in rows_of(tmp_path / "run"):
        found = interview_of(row)
        told = {each["fact"]["id"] for each in found["exchanges"] if each["answered"] == "released"}
        essential = {fact.fact_id for fact in all_tasks().get(row.task_id).case.facts if fact.essential}
        assert {each["id"] for each in found["missed"]} == essential - told
        assert (told >= essential) == (row.agent["name"] == "oracle")


def test_what_does_not_replay_is_shown_without_an_interview(record, make_run, read_page, tmp_path):
    first = record.steps[0]
    other = first.model_copy(update={"results": [first.results[0].model_copy(update={"content": "Nothing."})]})
    forged = record.model_copy(update={"steps": [other, *record.steps[1:]]})
    page = read_page(write_report([make_run(tmp_path, [forged])]))
    assert "interview" not in page.steps_of(page.index["rows"][0][0])


@pytest.mark.browser
def test_a_reader_finds_the_interview(dom, record, make_run, read_page, tmp_path):
    path = write_report([make_run(tmp_path, [record])])
    link = read_page(path).index["rows"][0][0]
    opened = detail(dom(path, f"#episode-{link}"))
    assert "Interview: 3 of 8 turns used; closed by a recommendation" in opened
    tree = opened[opened.index('class="tree"') :].split("</table>")[0]
    (market,) = [row for row in tree.split("<tr>") if "<code>market</code>" in row]
    assert "✓ raised in own words" in market
    assert f'href="#episode-{link}-step-1"' in market
    assert "<code>market.share:open</code>" in market
    assert tree.count("✗ not raised") == 3
    points = opened[opened.index('class="points"') :].split("</table>")[0]
    assert re.findall(r"<th[^>]*>(\w[\w ]+): [\d.]+ of 10", points) == [
        "structure",
        "quantitative",
        "business sense",
        "communication",
    ]
    transcript = opened[opened.index("Transcript") : opened.index("Steps, as they were recorded")]
    assert transcript.count('class="candidate"') == transcript.count('class="interviewer"') == len(TURNS) + 1
    assert (
        '<span class="tag essential">told a fact: <code>market.share:open</code> (topic market, essential)'
        in transcript
    )
    assert "exhibit opened: <code>tender_survey</code>" in transcript
    assert "<img" not in opened
    assert "&lt;img src=x" in transcript
    assert "\\u202e" in transcript
    assert 'class="checks"' not in opened  # the points say the same
