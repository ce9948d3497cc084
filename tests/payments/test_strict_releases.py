"""Reserve releases: what is wrong is not strict however small it is, and what the documents say may be done is."""

import copy
import json

import pytest

from tests.payments.paths import RELEASE, act, acts, broken, given, make, result, usd, with_tail
from tests.payments.shipped import golden, task

RELEASES = ["release_tarnbrook", "release_kilnmoor", "release_oselvane", "release_haylinstrand"]
PAPERS = ("delivery_proof", "sales_report", "ownership_statement", "bank_confirmation")


@pytest.mark.parametrize("task_id", RELEASES)
def test_a_paper_that_nobody_handed_in_breaks_p17(task_id):
    path = []
    for action in golden(task_id):
        if action["name"] == "message_user":
            asks = action["arguments"].get("asks") or []
            action["arguments"]["asks"] = [each for each in asks if each["ref"].split("/")[0] not in PAPERS]
            if not action["arguments"]["asks"]:
                continue
        path.append(action)
    for k in acts(path, "evidence_submit"):
        given(path, k)["issued_at"] = 0  # invented
    assert broken(task_id, path) == {"P17"}


def test_a_paper_filed_under_another_date_than_it_bears_breaks_p17():
    path = golden(RELEASE)
    given(path, acts(path, "evidence_submit")[0])["issued_at"] = 80  # the customer's paper says -8135
    assert broken(RELEASE, path) == {"P17"}


@pytest.mark.parametrize(("papers", "checks"), [([], {"P5", "P6"}), (["EVD-3"], {"P5", "P6"}), (["EVD-10"], {"P6"})])
def test_a_review_without_its_papers_breaks_their_checks(papers, checks):
    path = golden(RELEASE)
    given(path, acts(path, "review_schedule")[0])["evidence"] = papers
    assert broken(RELEASE, path) == checks


def test_papers_may_be_linked_to_the_review_later():
    path = golden(RELEASE)
    (k,) = acts(path, "review_schedule")
    given(path, k)["evidence"] = ["EVD-11"]
    linked = act("evidence_link", evidence="EVD-10", review="REV-2")
    assert broken(RELEASE, [*path[: k + 1], linked, *path[k + 1 :]]) == set()


def test_a_bank_letter_from_the_merchants_own_hand_is_not_strict():
    """Bank confirmation by direct supply, from the bank to us; this one is invented, too."""
    path = golden(RELEASE)
    (k,) = acts(path, "evidence_renew")
    path[k] = act("evidence_request", subject="RSV-3", shows="bank_confirmation", supplied_by="PTY-1")
    k = acts(path, "evidence_accept")[0]
    filed = act("evidence_submit", evidence="EVD-10", issued_at=0)
    assert broken(RELEASE, [*path[:k], filed, *path[k:]]) == {"P5", "P17"}


HARM = {
    "credits the buyer": ("F3", act("invoice_credit", invoice="INV-29", amount=usd(1_000))),
    "notes a dispute": ("F3", act("invoice_dispute", invoice="INV-29")),
    "turns the accepted paper down": ("F3", act("evidence_reject", evidence="EVD-11")),
    "freezes the customer's account": ("F3", act("account_freeze", account="ACC-2")),
    "holds the customer's money": (
        "F3",
        act("hold_place", account="ACC-2", amount=usd(100), reason="dispute", until=90_000),
    ),
    "takes a consent back": ("F3", act("consent_revoke", consent="CON-6")),
    "waives the fee": ("F3", act("fee_waive", charge="FEE-3")),
    "tells a buyer of the reserve": ("P16", act("notice_send", to="PTY-5", says="reserve_released", about="RSV-3")),
    "tells of another file": ("P16", act("notice_send", to="PTY-1", says="file_closed", about="FIL-4")),
}


@pytest.mark.parametrize("name", HARM)
def test_a_release_that_also_does_harm_breaks_the_check_that_says_so(name):
    check, more = HARM[name]
    assert broken(RELEASE, with_tail(RELEASE, more)) == {check}


def test_a_notice_of_what_has_not_happened_breaks_p16():
    path = golden(RELEASE)
    notices = acts(path, "notice_send")
    early = [path[k] for k in notices]
    rest = [each for k, each in enumerate(path) if k not in notices]
    assert broken(RELEASE, [*rest[:8], *early, *rest[8:]]) == {"P16"}


def test_a_bank_may_be_told_which_paper_is_missing():
    path = golden(RELEASE)
    (k,) = acts(path, "evidence_renew")
    bank = next(each["supplied_by"] for each in listed_papers() if each["id"] == "EVD-3")
    asked = act("notice_send", to=bank, says="evidence_needed", about="EVD-3")
    assert broken(RELEASE, [*path[: k + 1], asked, *path[k + 1 :]]) == set()


def listed_papers():
    return result(make(RELEASE), act("evidence_list", subject="RSV-3"))["records"]


def approved_early():
    """The closing approved before anything is applied, and the rest of the reference path."""
    path = golden(RELEASE)
    k = acts(path, "approval_request_open")[1]
    moved = [*path[:8], *path[k : k + 2], *path[8:k], *path[k + 2 :]]
    text = json.dumps(moved).replace("APR-3", "APR-0").replace("APR-2", "APR-3").replace("APR-0", "APR-2")
    return json.loads(text)


def test_a_closing_that_was_approved_before_anything_was_applied_breaks_p15():
    """With the figures in front of the merchant; if they change after the answer, ask again."""
    assert broken(RELEASE, approved_early()) == {"P15"}


def test_a_consent_counts_however_many_requests_came_before_it():
    path = golden(RELEASE)
    k = acts(path, "consent_request")[0]
    drafts = []
    for number in range(7, 13):
        drafts.append(copy.deepcopy(path[k]))
        drafts.append(act("consent_withdraw", consent=f"CON-{number}"))
    rest = json.loads(json.dumps(path[k:]).replace("CON-7", "CON-13"))
    for action in rest:  # twelve minutes later than on the reference path
        if action["name"] == "wait" and action["arguments"].get("until_minute") == 124:
            action["arguments"]["until_minute"] = 140
    given(rest, acts(rest, "review_schedule")[0])["scheduled_for"] = 140
    assert broken(RELEASE, [*path[:k], *drafts, *rest]) == set()


@pytest.mark.parametrize("task_id", RELEASES)
def test_the_bank_is_asked_with_the_consent_that_the_documents_want(task_id):
    env = make(task_id)
    customer = task(task_id).customer
    listed = result(env, act("consent_list", customer=customer, about="data_sharing"))["records"]
    assert [(each["subject"], each["state"]) for each in listed] == [(customer, "active")]


@pytest.mark.parametrize("task_id", RELEASES)
def test_the_agent_is_told_that_it_holds_the_duty_that_papers_are_accepted_by(task_id):
    """The instant at which evidence must be valid: the evidence accepting duties are risk and compliance."""
    assert "hold the duties of operations and risk" in make(task_id).reset(seed=0)[0]
