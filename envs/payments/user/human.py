"""A person as the customer: what they are shown, and the short forms in which they answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from ...core.jsontext import JsonRefused, canonical, decode
from ...core.text import echo, nearest
from ..kernel.money import Currency, money_of
from .card import Paper
from .prompt import item_text, message_text, policy_text, reasons_text
from .turns import N_ATTEMPTS, Call, Done, Step
from .view import View

_PROMPT = "\n> "
_HELP = """\
How to answer. Type what you say and press Enter; that ends your turn. Before it you may act:
  #2 Our cap is USD 45.00.     tell number 2 of what you know (or hand the paper in), and say so; `#2 #5 …` tells two
  /terms ID                    read a request for approval, then decide:
  /approve ID   /reject ID REASON   /consent SUBJECT USD 45.00 [ID]
  /revoke SUBJECT              take a consent back
  /account ID                  look at an account of yours
  /end                         leave the conversation for good, without a word
  ?                            show who you are, what you approve and these lines again
Write no number and no id that you neither know nor have read: such an answer is thrown away."""
_NUMBERS = re.compile(r"((?:#\d{1,4}[\s,]*)+)(.*)", re.DOTALL)


class _Refused(Exception):
    """A line that is no answer; nothing was done, and the person is asked again."""


class _Command(NamedTuple):
    """A short form: its tool, the names of its arguments, and how many of them must be there."""

    tool: str
    arguments: tuple[str, ...]
    needed: int


_COMMANDS: Mapping[str, _Command] = {
    "terms": _Command("view_request_terms", ("request",), 1),
    "approve": _Command("approve_request", ("request",), 1),
    "reject": _Command("reject_request", ("request", "reason"), 2),
    "consent": _Command("set_consent_cap", ("subject", "currency", "amount", "request"), 3),
    "revoke": _Command("revoke_consent", ("subject",), 1),
    "account": _Command("view_own_account", ("account",), 1),
    "end": _Command("end_conversation", (), 0),
}


class HumanDriver:
    """Asks a person. They type what they say, with short forms for what a model does by tools; see the help that they
    are shown. A line that begins with `{` is a call in full.

    Args:
        ask: Shows a text and returns a line.
    """

    def __init__(self, ask: Callable[[str], str]) -> None:
        self._ask = ask
        self._to_say = ""
        self._is_introduced = False
        self._tries = 0

    def step(self, view: View, done: Sequence[Done], complaint: str) -> Step:
        """Return what the person does. See `turns.Driver`."""
        to_say, self._to_say = self._to_say, ""
        if done and to_say and not any(_error_in(used.result) for used in done[-1].used):
            return Step(text=to_say)
        shown = _results(done) if done else self._situation(view, complaint)
        while True:
            line = self._ask(shown + _PROMPT).strip()
            try:
                calls, self._to_say = _read(line, view)
            except _Refused as refused:
                shown = str(refused)
                continue
            if line == "?":
                shown = f"{_introduction(view)}\n\n{_moment(view)}"
                continue
            return Step(calls=calls) if calls else Step(text=self._said())

    def _said(self) -> str:
        to_say, self._to_say = self._to_say, ""
        return to_say

    def _situation(self, view: View, complaint: str) -> str:
        self._tries = self._tries + 1 if complaint else 1
        if complaint:
            left = f"This is try {self._tries} of {N_ATTEMPTS}; after that the episode ends."
            return f"Nothing of that was said or done. Please answer again. {complaint}\n{left}"
        first, self._is_introduced = not self._is_introduced, True
        return f"{_introduction(view)}\n\n{_moment(view)}" if first else _moment(view)


def _introduction(view: View) -> str:
    policies = "\n".join(f"- {policy_text(each)}" for each in view.card.policies) or "- nothing"
    return "\n".join(
        [
            f"You are the customer. {view.card.persona}",
            *("", "What you approve:", policies),
            *("", f"Reasons for rejecting: {reasons_text(view)}"),
            f"Your own accounts: {', '.join(view.card.accounts) or 'none'}",
            *("", _HELP),
        ]
    )


def _moment(view: View) -> str:
    known = [f"#{k} {item_text(each, view)}" for k, each in enumerate(view.items.values(), 1)]
    changes = " ".join(each.say for each in view.new_changes if each.say)
    revoke, outstanding = ", ".join(view.to_revoke), ", ".join(view.outstanding)
    state = "You have what you want." if view.is_satisfied else "You do not have what you want yet."
    return "\n".join(
        [
            *("What you know and want:", *known),
            *([f"Changed since your last message: {changes}"] if changes else []),
            *([f"Consents to take back now, by /revoke: {revoke}"] if revoke else []),
            *([f"Approved and not carried out yet: {outstanding}"] if outstanding else []),
            f"{state} Asks that lead nowhere which you still take: {view.patience_left}.",
            *("", f"--- minute {view.now} ---", f"The agent writes:\n{message_text(view.current)}"),
        ]
    )


def _results(done: Sequence[Done]) -> str:
    lines = [f"{used.call.name}: {_result_text(used.result)}" for used in done[-1].used]
    return "\n".join([*lines, "What do you say?"])


def _error_in(result: Any) -> bool:
    return isinstance(result, Mapping) and "error" in result


def _result_text(result: Any) -> str:
    if _error_in(result):
        return f"refused ({result['error']}), {result.get('message', '')}"
    return _plain(result)


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        if set(value) == {"minor", "currency"}:
            return str(money_of(value, "amount"))
        return ", ".join(f"{name} {_plain(each)}" for name, each in value.items())
    if isinstance(value, (list, tuple)):
        return "; ".join(map(_plain, value))
    return ("yes" if value else "no") if isinstance(value, bool) else "none" if value is None else str(value)


def _read(line: str, view: View) -> tuple[tuple[Call, ...], str]:
    """Return the calls of a line, and what is said after them.

    Raises:
        _Refused: The line is in a short form that does not hold.
    """
    if not line:
        raise _Refused("Say something, or type ? for what you can do.")
    if line.startswith("{"):
        return (_in_full(line),), ""
    if line.startswith("/"):
        return (_command(line[1:], view),), ""
    numbered = _NUMBERS.fullmatch(line)
    if numbered is None:
        return (), line
    chosen = [int(each) for each in re.findall(r"\d+", numbered[1])]
    return _told(chosen, view), numbered[2].strip()


def _told(chosen: Sequence[int], view: View) -> tuple[Call, ...]:
    items = list(view.items.values())
    wrong = [each for each in chosen if not 1 <= each <= len(items)]
    if wrong:
        raise _Refused(f"There is no #{wrong[0]}; what you know goes from #1 to #{len(items)}.")
    known = [items[each - 1].known for each in chosen]
    facts = [each.id for each in known if not isinstance(each, Paper)]
    papers = [each.id for each in known if isinstance(each, Paper)]
    told = [Call("disclose_facts", canonical({"facts": facts}))] if facts else []
    return (*told, *(Call("supply_evidence", canonical({"paper": each})) for each in papers))


def _command(line: str, view: View) -> Call:
    name, *given = line.split() or [""]
    command = _COMMANDS.get(name)
    if command is None:
        known = [f"/{each}" for each in _COMMANDS]
        hint = nearest(f"/{name}", known)
        raise _Refused(f"There is no /{echo(name, 40)}.{hint} There are: {', '.join(known)}; ? shows what they do.")
    if not command.needed <= len(given) <= len(command.arguments):
        wanted = " ".join(each.upper() for each in command.arguments) or "nothing behind it"
        raise _Refused(f"/{name} takes {wanted}.")
    arguments: dict[str, Any] = dict(zip(command.arguments, given, strict=False))
    if name == "consent":
        arguments["cap"] = _amount(arguments.pop("currency"), arguments.pop("amount"))
    if name == "end":
        arguments["outcome"] = "satisfied" if view.is_satisfied else "gave_up"
    return Call(command.tool, canonical(arguments))


def _amount(currency: str, amount: str) -> dict[str, Any]:
    try:
        unit = Currency(currency)
        minor = Decimal(amount.replace(",", "")).scaleb(unit.digits)
    except (ValueError, InvalidOperation):
        raise _Refused(f"{echo(f'{currency} {amount}', 60)} is no amount; write for example USD 45.00.") from None
    if not minor.is_finite() or minor != minor.to_integral_value() or abs(minor) >= 10**15:
        raise _Refused(f"{echo(f'{currency} {amount}', 60)} is no amount in whole minor units.")
    return {"minor": int(minor), "currency": unit.value}


def _in_full(line: str) -> Call:
    try:
        given = decode(line)
    except JsonRefused as refused:
        return Call(f"not readable: {refused.message}", "{}")
    name = given.get("name") if isinstance(given, Mapping) else None
    arguments = given.get("arguments", {}) if isinstance(given, Mapping) else {}
    return Call(name if isinstance(name, str) else "", _as_text(arguments))


def _as_text(arguments: Any) -> str:
    try:
        return canonical(arguments)
    except (TypeError, ValueError):  # an integer with more digits than Python reads
        return echo(arguments)
