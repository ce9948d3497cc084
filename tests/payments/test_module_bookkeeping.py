"""Every act of the modules that keep the company's books: what it does, and each reason for which it refuses."""

import re
from pathlib import Path

import pytest
from bizgym.envs.payments import modules
from bizgym.envs.payments.kernel.records import to_json

from tests.payments.books import ACTS, MODULES, SHEETS, TOOLS, amounts, booked, company, do, last

CASES = [
    pytest.param(name, {**act, **case}, id=f"{name}-{case.get('code') or f'done{k}'}")
    for name, act in SHEETS.items()
    for k, case in enumerate(act["cases"])
]
REFUSED = [case for case in CASES if "code" in case.values[1]]
DONE = [case for case in CASES if "code" not in case.values[1]]


def begun(case):
    """Return an episode in which what comes before a case has been done, and the case's arguments."""
    engine = company()
    for step in case.get("before", []):
        for name, arguments in step.items():
            do(engine, name, **arguments)
    return engine, amounts({**case["args"], **case.get("with", {})})


def part(value, wanted):
    """Return of an object's keys, at any depth, those that are wanted."""
    if not isinstance(wanted, dict):
        return value
    return {key: part(value.get(key), inner) for key, inner in wanted.items()}


@pytest.mark.parametrize(("name", "case"), DONE)
def test_an_act_does_what_it_says(name, case):
    engine, arguments = begun(case)
    event = engine.call(name, arguments)
    assert event.ok, event.result
    assert part(event.result, case["result"]) == case["result"]
    assert event.minutes == TOOLS[name].minutes
    assert set(case.get("rules", [])) <= set(event.rule_ids)
    engine.run_until(max(engine.now, event.t + case.get("wait", 0)))
    for record_id, fields in case.get("records", {}).items():
        shown = to_json(engine.world.find(record_id))
        assert {field: shown[field] for field in fields} == fields, record_id
    if "entries" in case:
        assert [list(entry) for entry in booked(engine)] == case["entries"]
    for answer, wanted in case.get("answer", {}).items():
        assert part(last(engine, answer).result, wanted) == wanted


@pytest.mark.parametrize(("name", "case"), REFUSED)
def test_an_act_refuses_and_changes_nothing(name, case):
    engine, arguments = begun(case)
    before, pending = engine.world.changed(), engine.context.clock.pending()
    event = engine.call(name, arguments)
    assert event.code == case["code"], event.result
    # The message begins with the argument at fault, or names the fee, the account or the rule that is.
    assert re.match(rf"({'|'.join(arguments)}|fee|there is no open|\w+ is stated in)\b", event.result)
    assert (event.writes, event.minutes) == ((), 0)
    assert (engine.world.changed(), engine.context.clock.pending()) == (before, pending)


def test_every_act_has_a_case_that_is_done():
    assert sorted(ACTS) == sorted({case.values[0] for case in DONE} & set(ACTS))


@pytest.mark.parametrize("name", sorted(ACTS))
def test_every_error_code_has_a_case(name):
    covered = {case.values[1]["code"] for case in REFUSED if case.values[0] == name}
    assert set(ACTS[name].error_codes) <= covered


def test_every_code_in_the_source_has_a_case():
    """Codes that effects raise, besides those of preconditions: whatever the source spells out is tested somewhere."""
    names = {Path(str(module.__file__)).name for module in MODULES}
    names |= {"booking.py", "acts.py", "account_moves.py", "receipt_moves.py"}
    names |= {"allocations.py", "allocation_changes.py", "instruction_lines.py"}
    folder = Path(str(modules.__file__)).parent
    source = "".join((folder / name).read_text(encoding="utf-8") for name in sorted(names))
    raised = set(re.findall(r'(?:ToolRefused|enforce)\([^"]*"([A-Z_]{4,})"', source))
    assert {"ENTRY_NOT_PAIRED", "OVER_RECEIPT", "OVER_LIMIT", "NO_RULE_FOR_CURRENCY"} <= raised
    assert raised <= {case.values[1]["code"] for case in REFUSED}


def test_names_are_short_unique_and_of_one_module():
    listed = [tool for module in MODULES for tool in module.TOOLS]
    assert len(listed) == len(TOOLS)
    assert all(len(tool.name) <= 40 for tool in listed)
    for module in MODULES:
        assert {tool.module for tool in module.TOOLS} == {module.MODULE}


def test_no_two_acts_are_the_same():
    """Two acts of one module may share a footprint, their preconditions or their arguments, never all three."""
    signatures = [
        (tool.module, tool.error_codes, tool.writes, tuple(sorted(tool.parameters["properties"])))
        for tool in ACTS.values()
    ]
    assert len(set(signatures)) == len(signatures)


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_every_argument_is_explained(name):
    tool = TOOLS[name]
    assert len(tool.description) >= 20
    assert all(argument.get("description") for argument in tool.parameters["properties"].values())
    assert 0 <= tool.minutes <= 10
    assert tool.minutes == 0 or tool.effect == "write"
