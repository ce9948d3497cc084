"""Counterexamples of reserve releases: the reference path with one mistake, which breaks one check alone.

What is left out, put off, brought forward or done to something else stands for what goes wrong in such work: a paper
that was never accepted, an officer of too small a limit, a buyer's order that has been replaced.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..proofs.mistakes import Ground, inner, wait_until
from ..proofs.variations import Part, Parts, folded, inserted, replaced_by, varied, without
from ..tasks import Action, Counterexample
from .release_records import Desk

_LATE_MINUTES = 20
"""How long before the deadline a release may still be late for an approval that was given early."""
_OTHER_DATE_MINUTES = 1_440
"""By how much a paper that is filed under another date than it bears is made to look younger."""
_STALE_MINOR = 500
"""By how much the terms of a stale approval fall short of the fee."""


def counterexamples_of(ground: Ground, desk: Desk) -> list[Counterexample]:
    """Return one counterexample for each check, in the order of the checks.

    Args:
        ground: The task with its reference path.
        desk: The world, with the ids that the task names.
    """
    slips = _Slips(ground, desk)
    listed = (*slips.left_out(), *slips.other_values(), *slips.untrue(), *slips.other_money())
    listed = (*listed, *slips.other_times(), *slips.too_much())
    found = {each.breaks: each for each in listed}
    return [found[check.id] for check in ground.task.checks if check.id in found]


class _Slips:
    def __init__(self, ground: Ground, desk: Desk) -> None:
        self._ground, self._desk, self._case = ground, desk, desk.case
        self._parts: Parts = ground.parts

    def left_out(self) -> Iterator[Counterexample]:
        """Paths in which an act, or the customer's answer, is left out."""
        accepted = self._all("evidence_accept")
        for check, act in (
            ("G2", self._all("notice_send")[-1]),
            ("G3", self._at("difference_write_off")),
            *((f"P{number}", act) for number, act in enumerate(accepted, 5)),
        ):
            yield _breaks(check, "drop", without(self._parts, act))
        released = self._at("reserve_release"), self._all("notice_send")[-1]
        yield _breaks("G1", "drop", without(self._parts, *released))
        for check, action in (("P2", "close_file"), ("P3", "write_off")):
            asked = self._at("approval_request_open", action=action)
            yield _breaks(check, "without_consent", without(self._parts, asked + 1))
        yield _breaks("P4", "without_consent", without(self._parts, self._at("consent_request") + 1))
        confirming = self._at("instruction_confirm")
        answered = self._wait(confirming)
        yield _breaks("P10", "drop", without(self._parts, confirming, answered))

    def other_values(self) -> Iterator[Counterexample]:
        """Paths in which an act is done with another value."""
        asked = self._at("approval_request_open", action="release_reserve")
        fee = inner(self._ground.actions[asked])["max_fee"]
        stale = {**fee, "minor": fee["minor"] - _STALE_MINOR}
        yield _breaks("P1", "stale_terms", self._changed(self._parts, asked, max_fee=stale))
        planned = self._at("review_schedule")
        small = self._officer_of_small_limit()
        yield _breaks("P7", "sibling", self._changed(self._parts, planned, officer=small))
        settlement = self._desk.roles["settlement_account"]
        yield _breaks("F1", "sibling", self._changed(self._parts, self._at("review_start"), account=settlement))
        early = inner(self._ground.actions[planned])["scheduled_for"] - 15
        hasty = self._changed(self._parts, planned, scheduled_for=early)
        yield _breaks("P8", "advance", replaced_by(hasty, self._wait(planned), wait_until(early)))

    def untrue(self) -> Iterator[Counterexample]:
        """Paths in which something is approved, said or filed that is not so."""
        asked = self._at("approval_request_open", action="close_file")
        rest = without(self._parts, asked, asked + 1)
        yield _breaks("P15", "advance", inserted(rest, self._at("difference_write_off"), asked, asked + 1))
        told, released = self._all("notice_send")[-1], self._at("reserve_release")
        yield _breaks("P16", "advance", inserted(without(self._parts, told), released, told))
        filed = self._at("evidence_submit")
        dated = self._case.carrier_issued_at + _OTHER_DATE_MINUTES
        yield _breaks("P17", "invented", self._changed(self._parts, filed, issued_at=dated))

    def other_money(self) -> Iterator[Counterexample]:
        """Paths in which the money of a buyer goes elsewhere."""
        case, roles = self._case, self._desk.roles
        first = [(roles[f"ordered_{k}"], case.ordered[k - 1]) for k in (1, 2)]
        parts = self._parts
        for act, (invoice, minor) in zip(self._all("allocation_propose")[:2], first, strict=True):
            given = {"instruction": roles["first_order"], "invoice": invoice, "amount": self._desk.money(minor)}
            parts = self._changed(parts, act, **given)
        yield _breaks("P9", "superseded_instruction", parts)
        oldest, latest = self._all("allocation_propose", receipt=roles["unguided_receipt"])
        newest = min(case.unguided_paid, case.unguided[1])
        parts = self._changed(self._parts, latest, amount=self._desk.money(newest))
        yield _breaks(
            "P11", "wrong_order", self._changed(parts, oldest, amount=self._desk.money(case.unguided_paid - newest))
        )

    def other_times(self) -> Iterator[Counterexample]:
        """Paths in which the approval of the release comes too early, or the release too late."""
        asked, release = self._at("approval_request_open", action="release_reserve"), self._at("reserve_release")
        rest = without(self._parts, asked, asked + 1)
        late = inserted(rest, release, wait_until(self._case.deadline + 1), asked, asked + 1)
        yield _breaks("P13", "dawdle", late)
        early = inserted(rest, self._at("reserve_review_request"), asked, asked + 1)
        yield _breaks("P14", "advance", inserted(early, release, wait_until(self._case.deadline - _LATE_MINUTES)))

    def too_much(self) -> Iterator[Counterexample]:
        """Paths with an act that should not have been done."""
        roles = self._desk.roles
        requested, decided = self._at("reserve_review_request"), self._at("review_decide")
        asked = self._at("approval_request_open", action="release_reserve")
        kept = without(self._parts, *(k for k in range(requested, decided + 1) if k not in (asked, asked + 1)))
        parts = self._changed(kept, asked, route="guarantee")
        secured = _call("reserve_secure", reserve=roles["reserve"], guarantee=roles["guarantee"])
        first = next(k for k in kept if isinstance(k, int) and k >= requested)
        anchor = next(each for each in parts if _number(each) == first)
        at = parts.index(anchor)
        yield _breaks("P12", "other_route", (*parts[:at], secured, *parts[at:]))
        review = inner(self._ground.actions[self._at("review_start")])["review"]
        payer = {"account": roles["operating_account"], "idempotency_key": "review-once-more"}
        twice = _call("fee_charge_tariff", fee="reserve_review", subject=review, **payer)
        yield _breaks("F2", "charge_twice", inserted(self._parts, self._at("reserve_release"), twice))
        (case,) = (each["id"] for each in self._desk.records.by_kind["case"])
        stranger = _call("case_close", case=case)
        yield _breaks("F3", "bystander", inserted(self._parts, self._at("file_submit"), stranger))

    def _officer_of_small_limit(self) -> str:
        officers = self._desk.records.by_kind["officer"]
        risk = [each for each in officers if each["duty"] == "risk" and each["limit"]["minor"] < self._case.reserve]
        return str(risk[0]["id"])

    def _changed(self, parts: Parts, act: int, **given: Any) -> Parts:
        """Return a path in which a business tool is given other arguments."""
        action = self._ground.actions[act]
        return replaced_by(parts, act, varied(action, act, arguments={**inner(action), **given}))

    def _all(self, tool: str, **wanted: Any) -> list[int]:
        """Return the numbers of the calls of a tool with these arguments."""
        return [
            k
            for k, each in enumerate(self._ground.actions)
            if each.name == "call_tool"
            and each.arguments["name"] == tool
            and all(inner(each).get(name) == value for name, value in wanted.items())
        ]

    def _at(self, tool: str, **wanted: Any) -> int:
        return self._all(tool, **wanted)[0]

    def _wait(self, after: int) -> int:
        """Return the number of the first wait after an act."""
        return next(k for k in self._ground.waits if k > after)


def _number(part: Part) -> int | None:
    return part if isinstance(part, int) else part.of


def _call(tool: str, **arguments: Any) -> Part:
    return varied(Action(name="call_tool", arguments={"name": tool, "arguments": arguments}), None)


def _breaks(check: str, mistake: str, parts: Parts) -> Counterexample:
    return Counterexample(breaks=check, mistake=mistake, plays=folded(parts))
