"""What parameters of business tools may be: each type has its form on the wire and its value in the function."""

from typing import Annotated, Any, Literal

import pytest
from bizgym.envs.core.errors import ToolRefused
from bizgym.envs.core.tools import ArgumentsRefused
from bizgym.envs.payments.kernel.money import Currency, Money
from bizgym.envs.payments.kernel.records import Id
from bizgym.envs.payments.kernel.tools import Context, business_tool
from pydantic import Field

from tests.payments.bank import Account, AccountState, engine

AMOUNT = {"minor": 5, "currency": "USD"}


def tool_with(hint):
    def tool_given(ctx: Context, given: Any) -> Any:
        """Show what was given.

        Args:
            given: Anything.
        """
        return given

    tool_given.__annotations__["given"] = hint
    return business_tool(module="accounts")(tool_given)


@pytest.mark.parametrize(
    ("hint", "wire", "received"),
    [
        (Literal["fast", "slow"], "slow", "slow"),
        (Literal["fast", "slow"] | None, None, None),
        (list[Literal["fast", "slow"]], ["slow", "fast"], ("slow", "fast")),
        (Literal[1, 2], 2, 2),
        (int, 7, 7),
        (bool, True, True),
        (str, "words", "words"),
        (Id, "ACC-1", "ACC-1"),
        (Annotated[int, Field(ge=3)], 3, 3),
        (AccountState, "frozen", AccountState.FROZEN),
        (AccountState | None, "open", AccountState.OPEN),
        (list[AccountState], ["open"], (AccountState.OPEN,)),
        (Money, AMOUNT, Money(5, Currency.USD)),
        (Money | None, None, None),
        (tuple[Money, ...], [AMOUNT], (Money(5, Currency.USD),)),
    ],
)
def test_a_value_of_the_wire_is_what_the_function_takes(hint, wire, received):
    found = tool_with(hint).run(engine().context, {"given": wire})
    assert (found, type(found)) == (received, type(received))


@pytest.mark.parametrize(
    ("hint", "wire"),
    [
        (Literal["fast", "slow"], "medium"),
        (Literal[1, 2], "1"),
        (list[Literal["fast", "slow"]], "fast"),
        (AccountState, "FROZEN"),
        (Annotated[int, Field(ge=3)], 2),
        (str, "x" * 2_001),
        (Id, "x" * 2_001),
    ],
)
def test_what_is_none_of_the_type_is_refused(hint, wire):
    with pytest.raises(ArgumentsRefused, match="given"):
        tool_with(hint).run(engine().context, {"given": wire})


def test_records_are_named_by_id_and_received_whole():
    ctx = engine().context
    found = tool_with(Account).run(ctx, {"given": "ACC-7"})
    assert (type(found), found.id) == (Account, "ACC-7")
    assert [each.id for each in tool_with(list[Account]).run(ctx, {"given": ["ACC-7", "ACC-1"]})] == ["ACC-7", "ACC-1"]
    assert tool_with(Account | None).run(ctx, {"given": None}) is None
    with pytest.raises(ToolRefused, match=r"given\.1: ACC-99 is no such record, not a account"):
        tool_with(list[Account]).run(ctx, {"given": ["ACC-1", "ACC-99"]})


def test_a_choice_of_words_is_an_enumeration_in_the_schema():
    schema = tool_with(Literal["fast", "slow"]).parameters["properties"]["given"]
    assert (schema["enum"], schema["type"]) == (["fast", "slow"], "string")
