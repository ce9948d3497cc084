"""The scripted model by which methods are shown to help: as skilled as it says, and blind to who asks."""

import re
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest
from bizgym.envs.core.chat import ChatSettings
from gymnasium.utils.env_checker import check_env

from tests.fixtures import skilled
from tests.fixtures.models import make
from tests.fixtures.skilled.env import MODULE_ID, RULES, TASKS
from tests.fixtures.skilled.model import SkilledModel, slip_chance
from tests.fixtures.skilled.reading import REMINDER, UNKNOWN, asked_keys

N = 1_500
TOOLS = [{"type": "function", "function": {"name": name, "parameters": {}}} for name in ("read_file", "settle")]
STATED = "Capability: used goods\nClaim {}: office {}, {} years of age, excess 50.\nFile of claim {}: {}."
WORN = STATED.format(7, "Main", 3, 7, "300, 243")  # 543 - 81 - 50 = 412
HOUSE = STATED.format(8, "North", 0, 8, "300, 247")  # 497, North pays 490
CHECK = 'Your draft:\n> settle({"amount": 493})\nCheck it.'


def say(*texts, seed=0, tools=()):
    messages = [{"role": "user", "content": text} for text in texts]
    return SkilledModel().complete(messages, tools, ChatSettings(seed=seed))


def paid(*texts, seed=0):
    (call,) = say(*texts, seed=seed, tools=TOOLS).tool_calls
    return int(re.fullmatch(r'\{"amount": ?(\d+)\}', call.arguments)[1])


def bill(n_lines):
    lines = ", ".join(["100"] * n_lines)
    return f"{RULES}\n\n{STATED.format(7, 'Main', 0, 7, lines)}"


@pytest.mark.parametrize(("n_lines", "right"), [(2, 1.0), (6, 0.781), (10, 0.610), (14, 0.476)])
def test_it_adds_up_as_well_as_its_curve_says(n_lines, right):
    """0.94 to the power of the lines beyond two."""
    assert 1 - slip_chance(n_lines) == pytest.approx(right, abs=0.001)
    found = sum(paid(bill(n_lines), seed=seed) == 100 * n_lines - 50 for seed in range(N)) / N
    assert found == pytest.approx(right, abs=3 * (right * (1 - right) / N) ** 0.5)


def test_checking_a_draft_it_slips_less():
    """0.99 to the power of 8."""
    found = sum(paid(bill(10), CHECK, seed=seed) == 950 for seed in range(N)) / N
    assert found == pytest.approx(0.923, abs=0.021)


def test_slips_of_two_seats_are_independent_and_rarely_agree():
    pairs = [(paid(bill(10), seed=seed), paid(bill(10), seed=seed + N)) for seed in range(N)]
    both = Counter((a == 950, b == 950) for a, b in pairs)
    assert both[False, False] / N == pytest.approx(0.39**2, abs=0.03)
    assert sum(a == b != 950 for a, b in pairs) / N < 0.01


def test_it_forgets_a_rule_until_something_beside_the_rule_book_names_it():
    assert {paid(RULES, WORN, seed=seed) for seed in range(50)} == {493}
    assert paid(RULES, WORN, CHECK) == 412
    assert paid(RULES, f"A lesson: {REMINDER}", WORN) == 412
    exempt = f"{WORN} The file names a precedent."
    assert paid(RULES, f"A lesson: {REMINDER}", exempt) == 493
    assert paid(RULES, exempt, CHECK) == 412  # who checks by the list overlooks the exemption


def test_it_knows_a_convention_once_a_text_tells_or_shows_it():
    closed = STATED.format(9, "North", 0, 9, "300, 215") + '\nsettle({"amount": 465})\n'
    assert paid(RULES, HOUSE) == paid(RULES, closed, HOUSE) == paid(RULES, HOUSE, CHECK.replace("493", "497")) == 497
    assert paid(RULES, "Office North rounds down to full tens.", HOUSE) == 490
    assert paid(RULES, "Office South rounds down to full tens.", HOUSE) == 497
    assert paid(RULES, f"> {closed}> The answer was wrong. The right answer: 460", HOUSE) == 490


@pytest.mark.parametrize(
    ("told", "lesson"),
    [
        ("The right answer: 490", "Office North rounds down to full tens."),
        ("The right answer: 512", "Office North adds a courtesy of 15."),
        ("The right answer: 300", f"Office North: {UNKNOWN}"),
        ("The episode was a failure.", f"Office North: {UNKNOWN}"),
        ("No feedback was given.", ""),
    ],
)
def test_it_infers_what_a_diligent_reader_could(told, lesson):
    text = say(f'{HOUSE}\nTurn 2: settle({{"amount":497}})\n{told}\nWrite down what was learned.').text
    assert (lesson or "there is nothing to add") in text


def test_it_takes_the_most_frequent_answer_and_a_remark_at_its_word():
    others = '> Call: settle({"amount": 470})\n'
    assert paid(RULES, HOUSE, others) == 497
    assert paid(RULES, HOUSE, others * 2) == 470
    assert paid(RULES, HOUSE, "By the rules claim 8 comes to 123.") == 123
    assert paid(RULES, HOUSE, "By the rules claim 9 comes to 123.") == 497


def test_it_writes_the_objects_and_between_the_marks_that_a_prompt_asks_for():
    asked = 'Reply with one JSON object: {"ok": true, "issues": []}, otherwise {"ok": false, "issues": ["..."]}.'
    draft = f'{WORN}\nsettle({{"amount":493}})\n'
    assert say(draft + asked).text == (
        '{"ok": false, "issues": ["Rule 2 was left out: take wear off. By the rules claim 7 comes to 412."]}'
    )
    marked = say(f"{draft}The whole sheet between <sheet> and </sheet>.").text
    assert marked == f"<sheet>\n{REMINDER}\n</sheet>"
    assert asked_keys('One JSON object: {"a": [{"b": 1, "c": {"d": 2}}], "e": "x"}') == ("a", "e")
    assert asked_keys("no object") == ()


def test_it_does_not_know_who_asks():
    """Its source names a role, a phase, a method or a prompt."""
    for file in (Path(skilled.__file__).parent / name for name in ("model.py", "reading.py")):
        words = set(re.findall(r"[a-z_]+", file.read_text(encoding="utf-8").lower()))
        methods = {Path(entry.name).stem for entry in files("bizgym.conf").joinpath("agent").iterdir()}
        assert not words & (methods | {"role", "phase", "meter", "prompt_hashes", "critic", "curator", "debate"})


def test_what_is_right_at_the_desk():
    env = make(MODULE_ID, audit=True)
    check_env(env.unwrapped, skip_render_check=True)
    by_hand = {  # sum, wear in whole dollars, excess; then the office
        "bill_0": 3947 - 80,
        "worn_0": 755 - 264 - 110,
        "house_0": (587 - 30) // 10 * 10,
        "house_1": 1023 - 50 - 25,
        "precedent_0": 457 - 40,
    }
    for task_id, amount in by_hand.items():
        for paid_amount in (amount, amount + 1):
            env.reset(seed=0, options={"task_id": task_id})
            env.step({"name": "read_file", "arguments": {}})
            _, reward, terminated, _, info = env.step({"name": "settle", "arguments": {"amount": paid_amount}})
            assert (reward, terminated) == (float(paid_amount == amount), True)
            assert info["metrics"] == {"normalized": reward}
            assert env.unwrapped.gold() == TASKS.get(task_id).payout == amount
            assert all(check.passed for check in env.unwrapped.checks()) == bool(reward)
