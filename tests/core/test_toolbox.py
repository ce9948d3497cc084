"""Names, parameters and boxes of tools, and when they are built."""

import subprocess
import sys
import warnings
from typing import Any

import pytest
from bizgym.envs.core import SettingError, Tool, Toolbox, tool
from bizgym.envs.core.tools import RESERVED_NAMES

from tests.fixtures.shop_env import ShopEnv

BOX = Toolbox.of(ShopEnv)


@pytest.mark.parametrize(
    "name", [*sorted(RESERVED_NAMES), "Pay", "pay-out", "", "x" * 65, "zahlé", "a b", "pay\n", "a.b"]
)
def test_malformed_and_reserved_names_are_refused(name):
    def function(self) -> str:
        """Do."""
        return ""

    function.__name__ = name
    with pytest.raises(SettingError, match="a tool cannot be called"):
        Tool(function, effect="read")


def test_parameters_need_a_name_and_a_type():
    def untyped(self, x) -> str:
        """Do."""
        return ""

    def variadic(self, *args: int) -> str:
        """Do."""
        return ""

    def keywords(self, **kwargs: Any) -> str:
        """Do."""
        return ""

    for function in (untyped, variadic, keywords):
        with pytest.raises(SettingError, match=f"tool {function.__name__}: the parameter '"):
            _ = Tool(function, effect="read").text


def test_a_parameter_may_have_the_name_of_a_model_method():
    def export(self, json: str, copy: int, schema: bool, model_fields: int, model_name: str) -> str:
        """Export."""
        return ""

    arguments = {"json": "{}", "copy": 1, "schema": True, "model_fields": 2, "model_name": "m"}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Tool(export, effect="read").validate(arguments) == arguments


def test_a_toolbox_keeps_the_order_of_definition_and_its_texts():
    assert list(BOX) == ["list_open_orders", "search_documents", "look_up", "ship", "refund", "finish"]
    assert [BOX[name].effect for name in BOX] == ["read", "read", "read", "write", "write", "write"]
    assert all(a is b for a, b in zip(BOX.texts, BOX.texts, strict=True))


def test_an_unknown_tool_is_answered_with_the_nearest_name_and_a_bounded_list():
    assert "Did you mean 'refund'?" in BOX.unknown("refnd")
    assert "Did you mean 'ship'?" in BOX.unknown("functions.ship")
    assert "Did you mean 'ship'?" in BOX.unknown("shop__ship")
    many = Toolbox(Tool(_named(f"read_{k}"), effect="read") for k in range(300))
    message = many.unknown("x" * 100_000)
    assert "and 280 more" in message
    assert len(message) < 1_000


def _named(name):
    def function(self) -> str:
        """Do."""
        return ""

    function.__name__ = name
    return function


def test_nothing_is_built_on_import_and_validators_are_built_once():
    code = (
        "import pydantic; made = []; real = pydantic.create_model\n"
        "def create_model(name, **kw): made.append(name); return real(name, **kw)\n"
        "pydantic.create_model = create_model\n"
        "import gymnasium, bizgym.envs.beer_game.env\n"
        "assert made == [], made\n"
        "env = gymnasium.make('bizgym/BeerGame-v0').unwrapped\n"
        "for seed in range(3):\n"
        "    env.reset(seed=seed)\n"
        "    for _ in range(3): env.step(env.action_space.sample())\n"
        "gymnasium.make('bizgym/BeerGame-v0').reset()\n"
        "assert made == ['place_order'], made\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_decorator_marks_and_leaves_the_function_as_it_is():
    assert ShopEnv.refund.bizgym_effect == "write"
    function = _named("pay")
    assert tool(effect="read")(function) is function
