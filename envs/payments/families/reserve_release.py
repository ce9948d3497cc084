"""Family 2, reserve release routes: a month is reconciled and closed, which frees a reserve, and the reserve released.

The planner knows the rules and the customer's card only by what it reads and asks; what it derives are sums,
differences and minutes. Two parts: `reconciling.py` brings the month to its closing, this module the reserve to the
customer's account.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...core.errors import DataError
from ..content import Setting
from ..tasks import GoldenPath, PaymentTask
from . import reconciling
from .needed import needed
from .recorder import Recorder

ROUTE, EXPEDITED = "standard_review", "expedited_review"
SLACK_MINUTES = 10
"""How much later than the earliest minute a review is put on the calendar."""
LONGEST_PREPARATION_MINUTES = 60
"""How long a review takes to begin, and a release to follow its finding, at most."""
BASIS_POINTS = 10_000


class Manner(NamedTuple):
    """In which of several right ways a task is done.

    Attributes:
        books_singly: Each allocation is booked by itself, instead of all of them at once.
        settles_fee_first: The customer consents to the fee before the month is closed, instead of after it.
    """

    books_singly: bool = False
    settles_fee_first: bool = False


MANNERS = (Manner(), Manner(books_singly=True), Manner(settles_fee_first=True))
"""The manners of the stored golden paths, the reference path first."""


class Matter(NamedTuple):
    """What the customer and the records say of the matter.

    Attributes:
        case: Product, jurisdiction, segment and currency of the reserve.
        reserve: The record as it stood when it was looked at.
        payer: Id of the account that fees are taken from.
        deadline: Minute by which the customer needs the money.
        cap: The most that the customer would pay, as JSON.
    """

    case: dict[str, str]
    reserve: dict[str, Any]
    payer: str
    deadline: int
    cap: dict[str, Any]


def golden_paths(task: PaymentTask, setting: Setting) -> list[GoldenPath]:
    """Play a task of the family knowingly, in every manner, and return how, without reads that it can do without.

    Raises:
        DataError: The task cannot be done within the rules of its world.
    """
    return [needed(task, setting, recorded(task, setting, each).path) for each in MANNERS]


def recorded(task: PaymentTask, setting: Setting, manner: Manner = MANNERS[0]) -> Recorder:
    """Play a task of the family knowingly and return the recorder.

    Args:
        task: The task; its stored golden paths are not looked at.
        setting: What it is played in.
        manner: In which way.

    Raises:
        DataError: The task cannot be done within the rules of its world.
    """
    recorder = Recorder(task, setting)
    matter = _take_up(recorder, task.customer)
    papers = _ask_for_papers(recorder, matter)
    fee = _consent(recorder, matter, task.customer) if manner.settles_fee_first else {}
    reconciling.close_month(recorder, task.customer, matter.reserve["file"], matter.case, manner.books_singly)
    accepted = _accept_papers(recorder, matter, papers)
    fee = fee or _consent(recorder, matter, task.customer)
    length = recorder.look_up("review_minutes", {**matter.case, "route": ROUTE})
    action = {"product": "approval", "action": "release_reserve"}
    validity = recorder.look_up("approval_validity_minutes", {**matter.case, **action})
    outlives_review = validity > length + LONGEST_PREPARATION_MINUTES
    approval = _approve(recorder, matter, task.customer, fee) if outlives_review else ""
    _review(recorder, matter, accepted)
    approval = approval or _approve(recorder, matter, task.customer, fee)
    _release(recorder, matter, task.customer, approval)
    recorder.do("finish")
    return recorder


def _take_up(recorder: Recorder, customer: str) -> Matter:
    """Ask what is wanted, find the records, and settle the route."""
    recorder.procedure("Handling a request to release a reserve")
    wanted = ("reserve_in_question", "receiving_account", "fee_account", "release_deadline", "release_route")
    answer = recorder.say(
        "Which reserve is it, where should the money go, which account pays our fee, by when, and by which route?",
        asks=[{"kind": "choice" if each == "release_route" else "fact", "ref": each} for each in wanted],
    )
    told = {each["fact"]: each["value"] for each in answer["facts"]}
    party = recorder.got("party", customer)
    reserve = recorder.got("reserve", told["reserve_in_question"])
    if reserve["target"] != told["receiving_account"]:
        raise DataError(f"{reserve['id']} would go to {reserve['target']}")
    case = {name: party[name] for name in ("jurisdiction", "segment")}
    case |= {"product": "reserve", "currency": reserve["amount"]["currency"]}
    routes = recorder.look_up("release_routes", case)
    if EXPEDITED in routes:
        recorder.look_up("expedite_fee", {**case, "route": EXPEDITED})
    if "guarantee" in routes:
        _rule_out_guarantees(recorder, customer, reserve, case)
    cap = recorder.say(
        "We would take the standard review: it is the cheapest of the ways that are open to you. How much may it cost "
        "you at most?",
        asks=[{"kind": "fact", "ref": "fee_cap"}],
        statements=[{"fact_id": "release_route", "value": ROUTE}],
    )
    found = {each["fact"]: each["value"] for each in cap["facts"]}
    return Matter(case, reserve, told["fee_account"], told["release_deadline"], found["fee_cap"])


def _rule_out_guarantees(recorder: Recorder, customer: str, reserve: dict[str, Any], case: dict[str, str]) -> None:
    margin = recorder.look_up("guarantee_margin_bps", case)
    needed = reserve["amount"]["minor"] * (BASIS_POINTS + margin)
    for each in recorder.listed("guarantee", merchant=customer):
        if each["secures"] is None and each["amount"]["minor"] * BASIS_POINTS >= needed:
            raise DataError(f"{each['id']} would secure {reserve['id']} at no cost")


def _ask_for_papers(recorder: Recorder, matter: Matter) -> dict[str, str]:
    """Ask for what is missing or lapses before the review; return the papers for it, by kind."""
    recorder.procedure("Collecting evidence for a review")
    kinds = recorder.look_up("release_evidence_kinds", matter.case)
    recorder.look_up("evidence_validity_instant", matter.case)
    reserve = matter.reserve["id"]
    on_file = {each["shows"]: each for each in recorder.listed("evidence", subject=reserve)}
    papers = {}
    for kind in kinds:
        old = on_file.get(kind)
        if old is not None and old["state"] == "accepted" and old["valid_until"] >= matter.deadline:
            papers[kind] = old["id"]
            continue
        if old is not None:
            supplier = recorder.got("party", old["supplied_by"])
            case = {"product": "evidence", "jurisdiction": supplier["jurisdiction"], "shows": kind}
            recorder.look_up("evidence_validity_minutes", case)
            asked = recorder.call("evidence_renew", evidence=old["id"])
        else:
            given = {"subject": reserve, "shows": kind, "supplied_by": matter.reserve["merchant"]}
            asked = recorder.call("evidence_request", **given)
        papers[kind] = recorder.id_of(asked)
    return papers


def _accept_papers(recorder: Recorder, matter: Matter, papers: dict[str, str]) -> list[str]:
    recorder.look_up("evidence_accepting_duties", matter.case)
    for kind, evidence in papers.items():
        state = recorder.got("evidence", evidence)["state"]
        if state == "accepted":
            continue
        if state == "requested":
            ref = f"{kind}/{matter.reserve['id']}"
            paper = kind.replace("_", " ")
            answer = recorder.say(f"The review still needs your {paper}. Could you hand it in?", asks=[_fact(ref)])
            (given,) = answer["evidence"]
            recorder.call("evidence_submit", evidence=evidence, issued_at=given["issued_at"])
        recorder.call("evidence_accept", evidence=evidence)
    return list(papers.values())


def _consent(recorder: Recorder, matter: Matter, customer: str) -> dict[str, Any]:
    """Have the cap raised where the fee is above it; return the fee."""
    recorder.procedure("Raising a cap on fees with the customer's consent")
    recorder.look_up("consent_above_fee_cap", matter.case)
    fee: dict[str, Any] = recorder.look_up("reserve_review_fee", {**matter.case, "route": ROUTE})
    if fee["minor"] > matter.cap["minor"]:
        raise DataError(f"the customer would not pay {fee}")
    reserve = matter.reserve["id"]
    standing = recorder.listed("consent", customer=customer, about="fee_cap", subject=reserve, state="active")
    if all(each["amount"]["minor"] < fee["minor"] for each in standing):
        asked = recorder.call("consent_request", customer=customer, about="fee_cap", subject=reserve, amount=fee)
        recorder.say(
            "A standard review costs more than the cap that you agreed to. Do you consent to its price as the new cap?",
            asks=[{"kind": "approval", "ref": recorder.id_of(asked)}],
        )
    return fee


def _approve(recorder: Recorder, matter: Matter, customer: str, fee: dict[str, Any]) -> str:
    asked = recorder.call(
        "approval_request_open",
        customer=customer,
        subject=matter.reserve["id"],
        action="release_reserve",
        amount=matter.reserve["amount"],
        max_fee=fee,
        beneficiary=matter.reserve["target"],
        route=ROUTE,
    )
    request: str = asked["request"]
    recorder.say("Do you approve the release on these terms?", asks=[{"kind": "approval", "ref": request}])
    return request


def _review(recorder: Recorder, matter: Matter, papers: list[str]) -> None:
    recorder.procedure("Scheduling and starting a review")
    duty = recorder.look_up("review_officer_duty", matter.case)
    lead = recorder.look_up("review_lead_minutes", matter.case)
    needed = matter.reserve["amount"]["minor"]
    officer = next(each for each in recorder.listed("officer", duty=duty) if each["limit"]["minor"] >= needed)
    reserve = matter.reserve["id"]
    recorder.call("reserve_review_request", reserve=reserve, route=ROUTE)
    begins = recorder.now + lead + SLACK_MINUTES
    given = {"reserve": reserve, "officer": officer["id"], "evidence": papers, "scheduled_for": begins}
    review = recorder.id_of(recorder.call("review_schedule", **given))
    recorder.derive("arguments.scheduled_for", "Some minutes after the earliest one that leaves the officer time.")
    recorder.do("wait", until_minute=begins)
    recorder.derive("until_minute", "The minute that the review is scheduled for.")
    for each in papers:
        recorder.got("evidence", each)
    recorder.call("review_start", review=review, account=matter.payer)
    recorder.do("wait", for_event="review_ready")
    recorder.call("review_decide", review=review, passed=True)


def _release(recorder: Recorder, matter: Matter, customer: str, approval: str) -> None:
    recorder.got("approval_request", approval)
    reserve = matter.reserve["id"]
    recorder.call("reserve_release", reserve=reserve, approval=approval, idempotency_key=f"release-{reserve}")
    if recorder.now > matter.deadline:
        raise DataError(f"{reserve} is released at minute {recorder.now}, after {matter.deadline}")
    recorder.call("notice_send", to=customer, says="reserve_released", about=reserve)


def _fact(ref: str) -> dict[str, str]:
    return {"kind": "fact", "ref": ref}
