"""The catalogue of business tools: how many there are, and what every one of them must have."""

import importlib
import pkgutil
import re
from collections import Counter
from dataclasses import fields

import pytest
from bizgym.envs.core.errors import DataError
from bizgym.envs.payments import modules
from bizgym.envs.payments.kernel.tools import BusinessTool, business_tool
from bizgym.envs.payments.modules import catalog
from bizgym.envs.payments.records import KINDS

TOOLS = catalog.TOOLS
ACTS = {name: tool for name, tool in TOOLS.items() if tool.effect == "write"}
READS = {name: tool for name, tool in TOOLS.items() if tool.effect == "read"}
FILES = [importlib.import_module(f"{modules.__name__}.{each.name}") for each in pkgutil.iter_modules(modules.__path__)]


def test_there_are_enough_tools_in_enough_parts_of_the_company():
    by_module = Counter(tool.module for tool in TOOLS.values())
    assert len(TOOLS) >= 160
    assert len(ACTS) >= 100
    assert len(by_module) >= 8
    assert sum(count >= 6 for count in by_module.values()) >= 8


def test_whatever_a_file_declares_is_in_the_catalogue():
    declared = {each.name for file in FILES for each in vars(file).values() if isinstance(each, BusinessTool)}
    assert declared - set(TOOLS) == set()
    listed = {name for file in FILES for name in getattr(file, "HANDLERS", ())}
    assert listed == set(catalog.HANDLERS)


def test_every_kind_of_record_can_be_read():
    for kind in KINDS:
        assert {f"{kind}_get", f"{kind}_list", f"{kind}_history"} <= set(READS)


def test_a_name_stands_for_one_tool_and_one_handler():
    @business_tool(module="elsewhere")
    def reserve_get(ctx):
        """Show something else."""

    with pytest.raises(DataError, match="reserve_get: two tools share this name, of reserves and elsewhere"):
        catalog.tools_by_name([TOOLS["reserve_get"], reserve_get])
    with pytest.raises(DataError, match="hold_expires: two parts handle this"):
        catalog.handlers_by_name([catalog.HANDLERS, {"hold_expires": catalog.HANDLERS["hold_expires"]}])


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_says_what_it_is_and_what_it_takes(name):
    tool = TOOLS[name]
    assert re.fullmatch(r"[a-z]+(_[a-z]+)+", name)
    assert len(name) <= 40
    assert 0 <= tool.minutes <= 10
    assert tool.minutes == 0 if tool.effect == "read" else True
    assert 15 <= len(tool.description) <= 700
    assert tool.description.endswith(".")
    for argument, schema in tool.parameters["properties"].items():
        assert len(schema.get("description", "")) >= 5, argument
    assert all(re.fullmatch(r"[A-Z]+(_[A-Z]+)*", code) for code in tool.error_codes)


@pytest.mark.parametrize("name", ACTS)
def test_a_footprint_names_kinds_and_fields_that_exist(name):
    for each in ACTS[name].writes:
        kind, _, field = each.rstrip("+").partition(".")
        assert kind in KINDS, each
        assert each.endswith("+") != bool(field)
        assert not field or field in {every.name for every in fields(KINDS[kind])}


def test_no_act_is_a_duplicate_of_another():
    seen = {}
    for name, tool in ACTS.items():
        signature = (
            tool._function.__code__.co_code,
            tool._function.__code__.co_consts[1:],
            tool._function.__code__.co_names,
            tool.error_codes,
        )
        other = seen.setdefault((signature, tuple(sorted(tool.writes))), name)
        assert other == name, f"{name} does what {other} does"


def test_what_acts_write_and_demand_tells_nearly_all_of_them_apart():
    signatures = Counter(
        (tool.error_codes, tool.writes, tuple(tool.parameters["properties"])) for tool in ACTS.values()
    )
    twins = [count for count in signatures.values() if count > 1]
    assert sum(twins) <= len(ACTS) // 10
