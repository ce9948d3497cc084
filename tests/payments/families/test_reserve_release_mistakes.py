"""Family 2: each mistake that its tasks invite, made once on the golden path, breaks exactly the check against it."""

import pytest
from bizgym.envs.payments.proofs.counterexamples import played
from bizgym.envs.payments.proofs.mistakes import Ground
from bizgym.envs.payments.proofs.variations import inserted, without
from bizgym.envs.payments.records.approvals import ApprovalRequest

from tests.payments.families.test_reserve_release import TASKS, broken, calls, found


class Path:
    """A golden path to make mistakes on."""

    def __init__(self, task_id):
        self.task, self.setting = found(task_id)
        self.calls = [(name, {**arguments}) for name, arguments in calls(task_id)]
        (self.case,) = [each for each in self.setting.base.records.values() if each.kind == "case"]

    def places(self, tool, **wanted):
        return [
            k
            for k, (name, given) in enumerate(self.calls)
            if name == "call_tool"
            and given["name"] == tool
            and all(given["arguments"].get(each) == value for each, value in wanted.items())
        ]

    def at(self, tool, **wanted):
        return self.places(tool, **wanted)[0]

    def given(self, place):
        return self.calls[place][1]["arguments"]

    def change(self, place, **arguments):
        name, given = self.calls[place]
        self.calls[place] = (name, {**given, "arguments": {**given["arguments"], **arguments}})

    def insert(self, place, tool, **arguments):
        self.calls.insert(place, ("call_tool", {"name": tool, "arguments": arguments}))

    def wait(self, place, minute):
        self.calls.insert(place, ("wait", {"until_minute": minute}))

    def take_approval(self, action):
        """Take the request for an approval and the message that puts it to the customer out of the path."""
        place = self.at("approval_request_open", action=action)
        pair = self.calls[place : place + 2]
        del self.calls[place : place + 2]
        return pair

    def put(self, place, pair):
        self.calls[place:place] = pair

    def fact(self, kind):
        (found_,) = [each.value for each in self.task.card.facts if each.kind == kind]
        return found_

    @property
    def reserve(self):
        return self.setting.base.records[self.fact("reserve_in_question")]


def unanswered(action):
    """The request is written, and never put to the customer."""

    def mistake(path):
        del path.calls[path.at("approval_request_open", action=action) + 1]

    return mistake


def stale_terms(path):
    path.change(path.at("approval_request_open", action="release_reserve"), max_fee=path_fee(path, -500))


def path_fee(path, more):
    fee = path.given(path.at("consent_request"))["amount"]
    return {**fee, "minor": fee["minor"] + more}


def no_consent(path):
    del path.calls[path.at("consent_request") + 1]


def paper_not_read(kind):
    def mistake(path):
        sought = path.at("evidence_accept")
        path.calls.pop(sought if kind == 0 else path.places("evidence_accept")[-1])

    return mistake


def officer_of_small_limit(path):
    path.change(path.at("review_schedule"), officer="OFF-2")


def no_lead(path):
    place = path.at("review_schedule")
    begins = path.given(place)["scheduled_for"] - 15
    waits = [k for k, call in enumerate(path.calls) if call == ("wait", {"until_minute": begins + 15})]
    path.change(place, scheduled_for=begins)
    path.calls[waits[0]] = ("wait", {"until_minute": begins})


def lines_of(path, instruction):
    records = path.setting.base.records.values()
    return [each for each in records if each.kind == "instruction_line" and each.instruction == instruction.id]


def earlier_version(path):
    """The buyer in the United States is bound by its last order; the confirmed one before it is followed."""
    records = path.setting.base.records
    resting = [k for k in path.places("allocation_propose") if "instruction" in path.given(k)]
    last = records[path.given(resting[0])["instruction"]]
    (first,) = [
        each
        for each in records.values()
        if each.kind == "instruction" and each.receipt == last.receipt and each.version < last.version
    ]
    for k, line in zip(resting[:2], lines_of(path, first), strict=True):
        path.change(k, instruction=first.id, invoice=line.invoice, amount=line.amount.to_json())


def nobody_asked(path):
    path.calls.pop(path.at("instruction_confirm"))
    path.calls.remove(("wait", {"for_event": "instruction_answered"}))


def newest_first(path):
    free = [k for k in path.places("allocation_propose") if "instruction" not in path.given(k)]
    first, second = (path.given(k) for k in free)
    paid = first["amount"]["minor"] + second["amount"]["minor"]
    newest = min(paid, path.setting.base.records[second["invoice"]].open_amount.minor)
    path.change(free[1], amount={**second["amount"], "minor": newest})
    path.change(free[0], amount={**first["amount"], "minor": paid - newest})


def guarantee(path):
    (offered,) = [
        each
        for each in path.setting.base.records.values()
        if each.kind == "guarantee" and each.merchant == path.task.customer
    ]
    path.change(path.at("approval_request_open", action="release_reserve"), route="guarantee")
    start, end = path.at("reserve_review_request"), path.at("review_decide")
    kept = [call for call in path.calls[start : end + 1] if call[1].get("name") == "approval_request_open"]
    assert not kept
    path.calls[start : end + 1] = []
    path.insert(start, "reserve_secure", reserve=path.reserve.id, guarantee=offered.id)


def too_late(path):
    pair = path.take_approval("release_reserve")
    place = path.at("reserve_release")
    path.put(place, pair)
    path.wait(place, path.fact("release_deadline") + 1)


def lapsed(path):
    """The customer approves before the review, and the release comes after the approval has lapsed."""
    pair = path.take_approval("release_reserve")
    path.put(path.at("reserve_review_request"), pair)
    path.wait(path.at("reserve_release"), path.fact("release_deadline") - 20)


def fee_from_the_settlement_account(path):
    path.change(path.at("review_start"), account=path.fact("receiving_account"))


def fee_twice(path):
    subject = path.given(path.at("review_start"))["review"]
    given = {"fee": "reserve_review", "subject": subject, "account": path.fact("fee_account")}
    path.insert(path.at("reserve_release"), "fee_charge_tariff", **given, idempotency_key="review-once-more")


def bystander(path):
    path.insert(path.at("file_submit"), "case_close", case=path.case.id)


def not_released(path):
    path.calls.pop(path.at("reserve_release"))
    nothing_said(path)


def told_before(path):
    notice = path.calls.pop(path.places("notice_send")[-1])
    path.calls.insert(path.at("reserve_release"), notice)


def another_date(path):
    filed = path.at("evidence_submit")
    path.change(filed, issued_at=path.given(filed)["issued_at"] + 60)


def nothing_said(path):
    path.calls.pop(path.places("notice_send")[-1])


def rest_kept(path):
    path.calls.pop(path.at("difference_write_off"))


MISTAKES = {
    not_released: {"G1"},
    nothing_said: {"G2"},
    rest_kept: {"G3"},
    stale_terms: {"P1"},
    unanswered("release_reserve"): {"P1"},
    unanswered("close_file"): {"P2"},
    unanswered("write_off"): {"P3"},
    no_consent: {"P4"},
    paper_not_read(0): {"P5"},
    officer_of_small_limit: {"P7"},
    no_lead: {"P8"},
    earlier_version: {"P9"},
    nobody_asked: {"P10"},
    newest_first: {"P11"},
    guarantee: {"P12"},
    too_late: {"P13"},
    lapsed: {"P14"},
    told_before: {"P16"},
    another_date: {"P17"},
    fee_from_the_settlement_account: {"F1"},
    fee_twice: {"F2"},
    bystander: {"F3"},
}


@pytest.mark.parametrize("task_id", TASKS)
@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda each: each.__qualname__)
def test_a_mistake_breaks_the_check_against_it_and_no_other(task_id, mistake):
    path = Path(task_id)
    mistake(path)
    assert broken(task_id, path.calls) == MISTAKES[mistake]


@pytest.mark.parametrize("task_id", TASKS)
def test_the_last_paper_that_was_handed_in_must_be_accepted(task_id):
    path = Path(task_id)
    paper_not_read(1)(path)
    (check,) = broken(task_id, path.calls)
    words = {each.id: each.text for each in path.task.checks}[check]
    assert words.startswith("A proof of delivery")


@pytest.mark.parametrize("task_id", TASKS)
def test_every_check_has_a_mistake_that_breaks_it_alone(task_id):
    task, _ = found(task_id)
    elsewhere = {"P6", "P15"}  # P15: tests of what is strict
    against = set().union(*MISTAKES.values()) | elsewhere
    assert {each.id for each in task.checks} <= against


def test_the_world_keeps_an_older_approval_that_is_no_approval_of_this():
    for task_id in TASKS:
        path = Path(task_id)
        kept = [each for each in path.setting.base.records.values() if isinstance(each, ApprovalRequest)]
        assert kept
        assert all(each.subject != path.reserve.id for each in kept)


@pytest.mark.parametrize("task_id", TASKS)
def test_a_month_that_is_closed_before_its_money_is_applied_frees_the_reserve_and_freezes_the_money(task_id):
    path = Path(task_id)
    ground = Ground(path.task, path.setting)
    asked = path.at("approval_request_open", action="close_file")
    closing = (path.at("file_submit"), asked, asked + 1, path.at("file_close"))
    early = inserted(without(ground.parts, *closing), path.at("allocation_propose"), *closing)
    assert "closing_order" in path.task.traps
    assert played(ground, early).broken == {"G3", "P9", "P10", "P11"}
