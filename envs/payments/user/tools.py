"""The ten tools of the customer. A driver drafts with them first; only what passes the validator is carried out.

While a turn is being drafted the reads answer and the writes say that they are noted. Carried out, each call is an
event of the customer in the episode's log. The log holds no value that was only recalled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, ClassVar

from pydantic import Field

from ...core.errors import ToolRefused
from ...core.jsontext import JsonRefused, decode
from ...core.tools import ArgumentsRefused, Effect, Tool, Toolbox
from ..kernel.engine import Engine
from ..kernel.events import Actor, Event
from ..kernel.money import Currency, Money
from ..kernel.records import to_json
from ..kernel.tools import Context, MoneyArgument
from .card import Outcome, Paper
from .desk import Desk
from .seat import Seat
from .view import View
from .vocabulary import Reference

Name = Annotated[str, Field(min_length=1, max_length=120)]


class UserTool(Tool):
    """A tool of the customer; its function takes a `Seat` and typed arguments."""

    context_parameter: ClassVar[str] = "seat"

    def use(self, seat: Seat, arguments: dict[str, Any]) -> Any:
        """Check the arguments and use the tool; return JSON values.

        Raises:
            ArgumentsRefused: The arguments do not fit the schema.
            ToolRefused: The card or the company's records refuse.
        """
        return self._function(seat, **self.validate(arguments))


def user_tool(effect: Effect) -> Callable[[Callable[..., Any]], UserTool]:
    """Declare a tool of the customer."""
    return lambda function: UserTool(function, effect=effect)


@user_tool("read")
def recall_fact(seat: Seat, fact: Name) -> dict[str, Any]:
    """Look up something on your card. Nobody else learns of it.

    Args:
        fact: Id of the fact, wish or paper.
    """
    item = seat.item(fact)
    return {"fact": item.name, "value": to_json(seat.view.value_of(item)), "may_be_told": item.allowed}


@user_tool("write")
def disclose_facts(seat: Seat, facts: Annotated[list[Name], Field(min_length=1, max_length=40)]) -> Any:
    """Tell the agent facts or wishes. Do this before you write about them.

    Args:
        facts: Their ids.
    """
    items = [seat.item(each) for each in facts]
    for item in items:
        if isinstance(item.known, Paper):
            raise ToolRefused("IS_A_PAPER", f"facts: {item.known.id} is handed in, with supply_evidence")
    told = [{"fact": item.name, "value": to_json(seat.view.value_of(item))} for item in items]
    return seat.act(lambda desk, ctx: told)


@user_tool("read")
def view_request_terms(seat: Seat, request: Name) -> dict[str, Any]:
    """Read the actual terms of a request for approval. Do this before you decide on it.

    Args:
        request: Id of the request.
    """
    found = seat.request(request)
    terms = {name: to_json(each) for name, each in found.terms.items()}
    return {"kind": found.kind, "open": found.is_open, "terms": terms, "digest": found.digest}


@user_tool("write")
def approve_request(seat: Seat, request: Name) -> Any:
    """Approve a request on the terms that you have read.

    Args:
        request: Id of the request.
    """
    found = seat.request(request, is_open=True)
    return seat.act(lambda desk, ctx: {"approval": str(desk.approve(ctx, found.id, seat.view.memory.seen[found.id]))})


@user_tool("write")
def reject_request(seat: Seat, request: Name, reason: Name) -> Any:
    """Reject a request.

    Args:
        request: Id of the request.
        reason: One of the rejection reasons of the public vocabulary.
    """
    found = seat.request(request, is_open=True)
    vocabulary = seat.view.script.vocabulary
    problem = vocabulary.problem(vocabulary.rejection_reasons, "reason", reason)
    if problem:
        raise ToolRefused("UNKNOWN_REASON", f"reason: {problem}")

    def carry_out(desk: Desk, ctx: Context) -> dict[str, Any]:
        desk.reject(ctx, found.id, reason)
        return {}

    return seat.act(carry_out)


@user_tool("write")
def set_consent_cap(seat: Seat, subject: Name, cap: MoneyArgument, request: Name | None = None) -> Any:
    """Consent to costs up to a cap.

    Args:
        subject: Id of the record that the consent is for.
        cap: The most that may be charged.
        request: Id of the request that asked for the consent, if one did.
    """
    asked = None if request is None else seat.request(request, is_open=True).id
    amount = Money(cap.minor, Currency(cap.currency))
    return seat.act(lambda desk, ctx: {"consent": str(desk.set_consent_cap(ctx, subject, amount, asked))})


@user_tool("write")
def revoke_consent(seat: Seat, subject: Name) -> Any:
    """Take your consents for something back.

    Args:
        subject: Id of the record that they are for.
    """
    return seat.act(lambda desk, ctx: {"consents": list(map(str, desk.revoke_consent(ctx, subject)))})


@user_tool("write")
def supply_evidence(seat: Seat, paper: Name) -> Any:
    """Hand a paper in.

    Args:
        paper: Its id on your card.
    """
    known = seat.item(paper).known
    if not isinstance(known, Paper):
        raise ToolRefused("NO_PAPER", f"paper: {paper} is told, with disclose_facts")
    if paper in seat.view.memory.supplied:
        raise ToolRefused("SUPPLIED_ALREADY", f"paper: {paper} was handed in before")
    fields = seat.view.script.papers[paper]

    def carry_out(desk: Desk, ctx: Context) -> dict[str, Any]:
        learned = desk.supply_evidence(ctx, known.kind, known.subject, fields)
        return {"evidence": str(Reference(known.kind, known.subject)), **learned}

    return seat.act(carry_out)


@user_tool("read")
def view_own_account(seat: Seat, account: Name) -> dict[str, Any]:
    """Look at one of your own accounts.

    Args:
        account: Its id.
    """
    if account not in seat.view.card.accounts:
        raise ToolRefused("NOT_YOUR_ACCOUNT", f"account: yours are {', '.join(seat.view.card.accounts) or 'none'}")
    return dict(seat.view.own_account(account))


@user_tool("write")
def end_conversation(seat: Seat, outcome: Outcome) -> Any:
    """End the conversation for good. Write no text with it.

    Args:
        outcome: Whether you have what you wanted.
    """
    return seat.act(lambda desk, ctx: {})


TOOLS = Toolbox(
    [
        recall_fact,
        disclose_facts,
        view_request_terms,
        approve_request,
        reject_request,
        set_consent_cap,
        revoke_consent,
        supply_evidence,
        view_own_account,
        end_conversation,
    ]
)


def attempt(seat: Seat, name: str, arguments: str) -> tuple[dict[str, Any] | None, Any]:
    """Use a tool while a turn is being drafted.

    Returns:
        The arguments as JSON values, None where the call cannot be carried out, and what the driver is answered.
    """
    tool = TOOLS.find(name)
    if tool is None:
        return None, {"error": "unknown_tool", "message": TOOLS.unknown(name)}
    assert isinstance(tool, UserTool)
    try:
        given = decode(arguments.strip() or "{}")
        if not isinstance(given, dict):
            return None, {"error": "bad_arguments", "message": f"{name}: an object of arguments"}
        return given, tool.use(seat, given)
    except JsonRefused as refused:
        return None, {"error": refused.code, "message": refused.message}
    except ArgumentsRefused as refused:
        return None, {"error": "bad_arguments", "message": str(refused)}
    except ToolRefused as refused:
        return None, {"error": refused.code, "message": refused.message}


def carry_out(engine: Engine, view: View, desk: Desk, name: str, arguments: dict[str, Any]) -> Event:
    """Use a tool for good; it is an event of the customer, also where the company's records refuse."""
    tool = TOOLS[name]
    assert isinstance(tool, UserTool)
    result, code = engine.attempt(lambda: tool.use(Seat(view, desk, engine.context), arguments))
    if name == "recall_fact":
        result = None
    return engine.record(Actor.USER, name, arguments, code, result)
