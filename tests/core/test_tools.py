"""Tools from typed functions: the schema says what the signature says, and validation is strict."""

import json
import pickle
from typing import Annotated, Literal

import pytest
from bizgym.envs.core import SettingError, Tool, Toolbox
from bizgym.envs.core.tools import ArgumentsRefused
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ConfigDict, Field

from tests.fixtures.shop_env import ShopEnv

BOX = Toolbox.of(ShopEnv)


def pay(
    self,
    amount_cents: Annotated[int, Field(ge=1, le=500)],
    kind: Literal["card", "cash"] = "card",
    ids: list[str] | None = None,
    rate: float = 0.5,
    urgent: bool = False,
) -> str:
    """Pay an invoice
    from the account.

    Args:
        amount_cents: Amount in cents,
            without the fee.
        kind (str): How to pay.
        ids: Invoices.

    Returns:
        A receipt.
    """
    return ""


PAY = Tool(pay, effect="write")


def refused(arguments, of=PAY):
    with pytest.raises(ArgumentsRefused) as error:
        of.validate(arguments)
    return str(error.value)


def test_the_schema_is_the_signature_and_the_docstring():
    assert json.loads(PAY.text) == {
        "type": "function",
        "function": {
            "name": "pay",
            "description": "Pay an invoice from the account.",
            "parameters": {
                "type": "object",
                "additionalProperties": False,
                "required": ["amount_cents"],
                "properties": {
                    "amount_cents": {
                        "type": "integer",
                        "minimum": 1,
                        "maximum": 500,
                        "description": "Amount in cents, without the fee.",
                    },
                    "kind": {
                        "type": "string",
                        "enum": ["card", "cash"],
                        "default": "card",
                        "description": "How to pay.",
                    },
                    "ids": {
                        "anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}],
                        "default": None,
                        "description": "Invoices.",
                    },
                    "rate": {"type": "number", "default": 0.5},
                    "urgent": {"type": "boolean", "default": False},
                },
            },
        },
    }


@pytest.mark.parametrize("name", list(BOX))
def test_every_schema_is_a_valid_json_schema(name):
    Draft202012Validator.check_schema(BOX[name].parameters)
    assert BOX[name].parameters["additionalProperties"] is False


def test_a_property_may_be_called_title():
    def note(self, title: str, description: str) -> str:
        """Write a note."""
        return ""

    assert list(Tool(note, effect="write").parameters["properties"]) == ["title", "description"]
    assert Tool(note, effect="write").parameters["required"] == ["title", "description"]


def test_defaults_are_filled_in_and_not_shared():
    def keep(self, things: list[str] = []) -> str:  # noqa: B006
        """Keep things."""
        return ""

    box = Tool(keep, effect="write")
    box.validate({})["things"].append("left behind")
    assert box.validate({}) == {"things": []}
    assert PAY.validate({"amount_cents": 3}) == {
        "amount_cents": 3,
        "kind": "card",
        "ids": None,
        "rate": 0.5,
        "urgent": False,
    }


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("amount_cents", True),
        ("amount_cents", 3.0),
        ("amount_cents", "40"),
        ("amount_cents", None),
        ("amount_cents", [3]),
        ("amount_cents", 0),
        ("amount_cents", 501),
        ("amount_cents", 10**4_000),
        ("kind", "Card"),
        ("kind", 1),
        ("ids", "ORD-3"),
        ("ids", '["A", "B"]'),
        ("ids", [1]),
        ("ids", {"0": "A"}),
        ("rate", "0.5"),
        ("rate", True),
        ("rate", 10**400),
        ("rate", float("nan")),
        ("rate", float("inf")),
        ("urgent", 1),
        ("urgent", "true"),
        ("urgent", None),
        ("colour", "red"),
    ],
)
def test_values_of_another_type_are_refused_with_tool_and_field(field, value):
    message = refused({"amount_cents": 3, field: value})
    assert message.startswith("pay: ")
    assert field in message.split(";")[0].split(". Schema")[0]
    assert len(message) < 2_500


def test_a_missing_field_is_named_and_the_schema_shown():
    message = refused({})
    assert message.startswith("pay: amount_cents: Field required, got nothing.")
    assert '"maximum": 500' in message


def test_many_wrong_fields_are_shown_up_to_five():
    message = refused({f"x{k}": k for k in range(30)})
    assert "and 26 more" in message  # 30 unknown and one missing


def test_a_whole_number_is_a_number():
    assert PAY.validate({"amount_cents": 3, "rate": 2})["rate"] == 2.0


def test_nested_models_keep_their_properties_and_refuse_unknown_keys():
    schema = BOX["ship"].parameters
    assert set(schema["$defs"]["Shipment"]["properties"]) == {"qty", "to"}
    assert schema["$defs"]["Place"]["properties"]["floor"] == {
        "default": 0,
        "minimum": -2,
        "maximum": 90,
        "type": "integer",
    }
    given = {"shipment": {"qty": 4, "to": {"street": "Main", "floor": 3}}}
    assert BOX["ship"].validate(given)["shipment"].to.floor == 3
    for path, value in [
        ("shipment.colour", {"qty": 4, "colour": "red"}),
        ("shipment.to.zip", {"qty": 4, "to": {"street": "Main", "zip": 1}}),
        ("shipment.qty", {"qty": "4"}),
        ("shipment.to.floor", {"qty": 4, "to": {"street": "Main", "floor": 3.0}}),
        ("shipment", '{"qty": 4}'),
    ]:
        assert refused({"shipment": value}, BOX["ship"]).startswith(f"ship: {path}: ")


class Loose(BaseModel):
    qty: int


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    qty: int


@pytest.mark.parametrize("model", [Loose, Open, list[Loose], dict[str, Loose], Loose | None])
def test_nested_models_that_let_unknown_keys_through_are_no_tools(model):
    def send(self, what) -> str:
        """Send."""
        return ""

    send.__annotations__["what"] = model
    for use in (lambda each: each.text, lambda each: each.validate({"what": {"qty": 1}})):
        with pytest.raises(SettingError, match=r"send: give (Loose|Open) model_config"):
            use(Tool(send, effect="write"))


def test_bounds_of_a_task_tighten_the_signature():
    def order(self, quantity: Annotated[int, Field(ge=0)]) -> str:
        """Order."""
        return ""

    wide = Tool(order, effect="write")
    tight = wide.bounded(quantity={"le": 100})
    assert tight.parameters["properties"]["quantity"] == {"type": "integer", "minimum": 0, "maximum": 100}
    assert tight.validate({"quantity": 100}) == {"quantity": 100}
    for value in (-1, 101):
        refused({"quantity": value}, tight)
    assert wide.validate({"quantity": 101}) == {"quantity": 101}
    twin = pickle.loads(pickle.dumps(BOX["refund"].bounded(amount={"le": 2})))
    assert twin.parameters["properties"]["amount"]["maximum"] == 2
    refused({"amount": 2.5}, twin)
    assert twin.effect == "write"
