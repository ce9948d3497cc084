"""What texts name: the root cause, the constraint, a red herring; and what denies, dismisses, weighs or copies it."""

import pytest
from bizgym.envs.consulting.candidate import calls
from bizgym.envs.consulting.naming import Reading
from bizgym.envs.consulting.observation import request_text
from bizgym.envs.consulting.quotation import Quotable
from bizgym.envs.consulting.tasks import all_tasks

from .binders import GAIN, LIMIT, ROOT, TASK, given, lowered, perfect, point, scored
from .toys import case_of

ALL = [task.case for task in all_tasks()]
SAMPLE = ALL[::10]


def root_of(case):
    return next(cause for cause in case.causes if cause.role == "root")


def herrings_of(case):
    return [cause for cause in case.causes if cause.role == "red_herring"]


def test_the_recommendation_that_is_changed_below_scores_fully():
    assert scored()["overall_mean"] == 10.0


@pytest.mark.parametrize(
    "text",
    [
        "The payback is spoilt because the machine only works a fifth of the year.",
        "Utilisation: a binder of our own runs just eleven weeks before Christmas and is dormant otherwise.",
        "The seasonality of demand: capital is tied up all year for a short peak.",
        "The supplier's payback assumes the binder runs all year; in truth it runs 11 weeks.",
        "Calendars are an autumn product, and whoever owns a binder lets it gather dust for nine months.",
        "It is not the torn sheets but the season: outside autumn the binder would wait unused.",
        "It is simple: a binder would stand idle from January on.",
    ],
)
def test_the_root_cause_is_recognised_in_other_words(text):
    assert scored(reasons=[text, GAIN, LIMIT])["business_sense"] == 10.0


@pytest.mark.parametrize(
    "text",
    [
        "The bank will not let us spend over 450 thousand USD on one machine, which rules the high-speed binder out.",
        "The lender's ceiling of 450 thousand USD excludes the large machine.",
        "The high-speed binder breaches the 450 thousand USD covenant.",
        "With what the loan agreement allows for a single purchase, the high-speed binder is off the table.",
    ],
)
def test_the_constraint_is_recognised_in_other_words(text):
    assert scored(reasons=[ROOT, GAIN, text])["business_sense"] == 10.0


@pytest.mark.parametrize(
    "text",
    [
        "The season of 11 weeks has nothing to do with it.",
        "That the binder would stand idle from January on plays no part in the payback.",
        "Idle months are not the reason that the payback is poor.",
        "The binder would stand idle most of the year, but that is irrelevant.",
        "People point at the idle months. I see no sign of that.",
        "I do not believe that the idle binder spoils the payback.",
        "Orders come from families, the workers sit at benches and the works are rented.",
    ],
)
def test_what_denies_or_does_not_say_the_root_cause_is_no_diagnosis(text):
    assert point("root_cause", reasons=[text, GAIN, LIMIT]).earned == 0.0


@pytest.mark.parametrize("before", ["It is false that ", "This is no issue: ", "It is not true that ", "A myth: "])
def test_a_root_cause_that_is_denied_is_not_named(before):
    for case in SAMPLE:
        reasons = calls(case)[-1][1]["reasons"]
        assert perfect(case, reasons=[before + lowered(reasons[0]), *reasons[1:]])["business_sense"] < 10.0


def test_a_root_cause_that_is_named_and_denied_is_not_named():
    denial = "The idle months after the holidays have nothing to do with the payback."
    assert point("root_cause", reasons=[ROOT, GAIN, LIMIT, denial]).earned == 0.0
    assert point("root_cause", headline=f"Borrow a binder; {lowered(denial)}").earned == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "The loan agreement does not bind us; exceed the cap whenever a purchase pays.",
        "We may exceed the cap of the loan agreement.",
        "The covenant of the lender is a mere formality.",
        "Ignore the loan agreement and order the high-speed binder.",
    ],
)
def test_a_constraint_that_is_dismissed_is_not_respected(text):
    assert point("constraint", reasons=[ROOT, GAIN, text]).earned == 0.0
    assert point("constraint", risks=[*given()["risks"], text]).earned == 0.0  # though a reason names it


CULPRIT = "Torn sheets are the culprit, no doubt, for they stop the binder."


@pytest.mark.parametrize(
    "changes",
    [
        {"reasons": [ROOT, CULPRIT, LIMIT]},
        {"reasons": [ROOT, GAIN, LIMIT, CULPRIT]},
        {"reasons": [f"{ROOT} {CULPRIT}", GAIN, LIMIT]},
        {"reasons": [ROOT, "The binder is stopped for 6 % of its shifts by torn sheets.", LIMIT]},
        {"risks": [*given()["risks"], CULPRIT]},
        {"next_steps": [*given()["next_steps"], "Torn sheets that stop the binder caused the poor payback."]},
        {"headline": "Borrow the finishing shop's binder, since torn sheets are the culprit that stops any other."},
    ],
)
def test_a_red_herring_named_as_a_cause_forfeits_the_point(changes):
    assert point("root_cause", **changes).earned == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "Many blame torn sheets, which explains far less than the empty months do.",
        "Although some blame torn sheets, stopping 6 % of shifts matters far less than the idle months.",
        "Torn sheets are not the cause.",
        "Torn sheets stop 6 % of shifts, a trifle beside the empty months.",
    ],
)
def test_a_red_herring_that_is_rejected_forfeits_nothing(text):
    assert scored(reasons=[ROOT, text, LIMIT])["business_sense"] == 10.0


def test_a_red_herring_may_be_a_risk():
    risk = "Torn sheets may stop the borrowed binder for 6 % of its shifts."
    assert scored(risks=[*given()["risks"], risk])["business_sense"] == 10.0


@pytest.mark.parametrize("part", range(9))
def test_red_herrings_of_all_cases_are_told_from_their_denial(part):
    for case in ALL[part::9]:
        reading = Reading(case)
        for herring in herrings_of(case):
            assert reading.blamed(herring.text, is_reason=True) == [herring.cause_id]
            assert reading.blamed(f"It is not true that {lowered(herring.text)}", is_reason=True) == []
            assert not reading.names_root(herring.text)


def shown(case):
    """Texts that a candidate can copy: the numbers' names, the statement, its question, what shows the root cause."""
    told = [case.by_id[root_of(case).fact].sentence] if root_of(case).fact in case.by_id else []
    labels = " . ".join(number.label for number in case.solution.key_numbers)
    return [labels, request_text(case)[:1990], case.statement.split("\n\n")[1], *told]


@pytest.mark.parametrize("part", range(9))
def test_what_the_candidate_was_shown_names_no_root_cause(part):
    for case in ALL[part::9]:
        heard = Quotable([request_text(case), *(fact.sentence for fact in case.facts)])
        assert not any(Reading(case).names_root(heard.own(text)) for text in shown(case))


def test_a_copy_as_the_first_reason_is_no_diagnosis():
    for case in SAMPLE[::3]:
        for text in shown(case):
            reasons = [text, *calls(case)[-1][1]["reasons"][1:]]
            assert perfect(case, reasons=reasons)["business_sense"] <= 8.0


@pytest.mark.parametrize("before", ["", "Risk: ", "This may turn out otherwise: ", "The cause of it all is that "])
def test_a_copied_sentence_is_no_synthesis(before):
    case = case_of(TASK)
    season, limit, terms = (
        before + case.by_id[name].sentence for name in ("volume.seasonality", "constraint.limit", "supply.terms")
    )
    assert point("root_cause", reasons=[season, GAIN, LIMIT]).earned == 0.0
    assert point("constraint", reasons=[ROOT, GAIN, limit]).earned == 0.0
    assert point("risk", risks=[terms]).earned == 0.0
    assert point("next_step", next_steps=[terms]).earned == 0.0


def test_a_risk_counts_beside_something_that_was_concluded():
    nothing = {"key_numbers": [], "reasons": ["Binding is done for families."]}
    assert point("risk", **nothing).earned == 0.0
    assert point("risk", **{**nothing, "key_numbers": given()["key_numbers"][:1]}).earned == 1.0
    assert point("risk", **{**nothing, "reasons": [ROOT]}).earned == 1.0
