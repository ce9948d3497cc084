"""Every form of check: what keeps it, what breaks it, and the event that is blamed."""

import pytest
from bizgym.envs.core.errors import DataError
from bizgym.envs.payments.checks.monitors import FORMS
from bizgym.envs.payments.checks.spec import LETTERS, CheckSpec, judge, monitor
from bizgym.envs.payments.kernel.rules import RuleBook

from tests.payments.bank import BASE, FLOOR, KINDS, LIMIT, engine, send

SENT = {"event": "transfer_send", "where": {"eq": [{"arg": "source"}, "ACC-1"]}}
BALANCE = {"field": ["ACC-1", "balance"]}
FLOOR_RULE = {"rule": "cash_floor", "subject": {}}


def money(minor):
    return {"minor": minor, "currency": "USD"}


def spec(form, kind="process", rules=()):
    return CheckSpec(id=f"{LETTERS[kind]}1", kind=kind, text="As agreed.", rules=list(rules), form=form)


def verdict(form, calls, kind="process", wait=0, rules=()):
    bank = engine()
    for name, arguments in calls:
        if name == "wait":
            bank.run_until(bank.now + arguments)
        elif name in ("told_user", "refused_request"):
            bank.record("agent", name, arguments, "", None)
        else:
            bank.call(name, arguments)
    bank.run_until(bank.now + wait)
    (found,) = judge([spec(form, kind, rules)], BASE, bank.log, RuleBook([FLOOR, LIMIT]), KINDS)
    return found


def sent(minor=2_500, **changes):
    return ("transfer_send", send(minor, **changes))


HALF_IS_LEFT = {"ge": [BALANCE, money(5_000)]}
READ = ("account_get", {"account": "ACC-2"})
ABOVE_A_CENT = {"count": "transfer", "having": {"gt": [{"its": "amount"}, money(1)]}}
NEWEST = {"newest": ["transfer", "amount"], "by": "arrived", "where": {"source": "ACC-1"}}
CASES = [
    # form, calls that keep it, calls that break it, number of the event that is blamed
    ({"finally": {"eq": [BALANCE, money(7_500)]}}, [sent()], [sent(), sent(1)], 3),
    ({"always": {"ge": [BALANCE, FLOOR_RULE]}}, [sent(9_000)], [sent(500), sent(8_600), READ], 2),
    ({"never": "account_close"}, [sent()], [sent(), ("account_close", {"account": "ACC-2"})], 2),
    ({"never": SENT}, [sent(source="ACC-2", target="ACC-1"), READ], [READ, sent()], 1),
    (
        {"before": {"first": "account_get", "then": "transfer_send", "match": {"account": "target"}}},
        [READ, sent()],
        [("account_get", {"account": "ACC-1"}), sent()],
        1,
    ),
    (
        {"at": {"event": "transfer_send", "holds": {"ge": [{"field": [{"arg": "source"}, "balance"]}, money(5_000)]}}},
        [sent(4_000), sent()],
        [sent(6_000), sent()],
        2,
    ),
    (
        {"at": {"event": "transfer_send", "holds": {"ge": [{"field": [{"arg": "nobody"}, "balance"]}, money(0)]}}},
        [READ],
        [sent()],
        0,
    ),
    ({"within": {"event": "transfer_send", "by": 19}}, [("wait", 19), sent()], [("wait", 20), sent()], 0),
    ({"within": {"event": "transfer_send", "by": 19}}, [READ], [sent(), ("wait", 20), sent()], 2),
    (
        {"exactly_once": {"event": "transfer_send", "by": ["target", "amount"], "expected": [["ACC-2", money(2_500)]]}},
        [sent(), sent(1)],
        [sent(), sent(1), sent()],
        4,
    ),
    (
        {"at": {"event": "transfer_send", "holds": {"ge": [{"minus": [BALANCE, {"arg": "amount"}]}, FLOOR_RULE]}}},
        [sent(9_000)],
        [sent(1), sent(9_000)],
        2,
    ),
    (
        {"at": {"event": "transfer_send", "state": "after", "holds": {"ge": [BALANCE, FLOOR_RULE]}}},
        [sent(9_000)],
        [sent(9_001)],
        0,
    ),
    (
        {"respects": {"while": {"eq": [{"count": "transfer", "where": {"arrived": True}}, 0]}, "holds": HALF_IS_LEFT}},
        [sent(), sent(6_000)],
        [sent(6_000)],
        0,
    ),
    (
        {"frame": {"only": ["ACC-1", "account.balance", "transfer+"]}},
        [sent()],
        [sent(), ("account_close", {"account": "ACC-2"})],
        2,
    ),
    (
        {"frame": {"only": ["ACC-1", "ACC-2", "transfer+"], "acts": ["transfer_send"]}},
        [sent(), READ],
        [sent(), ("account_close", {"account": "ACC-2"})],
        2,
    ),
    (
        {
            "up_to_date": {
                "event": "transfer_send",
                "since": "account_get",
                "match": {"account": "target"},
                "none": SENT,
            }
        },
        [sent(), READ, sent()],
        [READ, sent(), sent()],
        3,
    ),
    ({"never": {"event": "transfer_send", "where": {"lt": [ABOVE_A_CENT, 2]}}}, [READ], [sent(), sent(1), sent()], 0),
    ({"always": {"le": [ABOVE_A_CENT, 1]}}, [sent(), sent(1), sent(1)], [sent(), sent(1), sent(2)], 4),
    ({"finally": {"eq": [NEWEST, money(7)]}}, [sent(8), sent(7)], [sent(7), sent(8)], 3),
    ({"finally": {"eq": [NEWEST, money(7)]}}, [sent(7)], [READ], 0),
    (
        {"told_user": {"fact": "fee", "value": money(60)}},
        [("told_user", {"fact": "fee", "value": money(60)})],
        [("told_user", {"fact": "fee", "value": money(50)})],
        0,
    ),
    (
        {"refused": {"request": "backdate", "reason": "statute"}},
        [READ, ("refused_request", {"request": "backdate", "reason": "statute"})],
        [("refused_request", {"request": "backdate", "reason": "too busy"}), READ],
        1,
    ),
]


@pytest.mark.parametrize(("form", "keeps", "breaks", "blamed"), CASES)
def test_a_form_holds_and_breaks_where_it_should(form, keeps, breaks, blamed):
    kept = verdict(form, keeps)
    assert (kept.passed, kept.event, kept.blame) == (True, None, "")
    broken = verdict(form, breaks, rules=["R-FLOOR-1"])
    assert not broken.passed
    assert broken.event.seq == blamed
    assert broken.blame.startswith(f"P1 first broken at event {blamed}, t={broken.event.t}, rule R-FLOOR-1: ")


def test_every_form_but_approvals_is_among_the_cases():
    assert {next(iter(case[0])) for case in CASES} == set(FORMS) - {"approved"}


def test_nothing_done_keeps_what_forbids_and_breaks_what_demands():
    demanded = {"told_user", "refused", "finally"}
    for form, *_ in CASES:
        name = next(iter(form))
        expected = name not in demanded and not (name == "exactly_once" and "expected" in form[name])
        assert verdict(form, []).passed == expected, form


def test_a_first_state_can_be_at_fault():
    found = verdict({"always": {"lt": [BALANCE, money(1)]}}, [sent()])
    assert (found.passed, found.event) == (False, None)
    assert found.blame.startswith("P1 first broken in the first state: ")


def test_refused_calls_are_no_events_of_a_pattern():
    too_much = sent(60_000)
    assert verdict({"never": "transfer_send"}, [too_much]).passed
    assert not verdict({"before": {"first": "transfer_send", "then": "account_get"}}, [too_much, READ]).passed


def test_what_happens_by_itself_is_outside_the_frame_of_the_agent():
    batch = sent(speed="batch")
    assert verdict({"frame": {"only": ["ACC-1", "transfer+"]}}, [batch], wait=100).passed


def test_equal_amounts_of_two_currencies_are_not_equal():
    yen = {"minor": 10_000, "currency": "JPY"}
    assert not verdict({"finally": {"eq": [BALANCE, yen]}}, []).passed
    assert verdict({"finally": {"ne": [BALANCE, yen]}}, []).passed
    assert not verdict({"finally": {"le": [BALANCE, yen]}}, []).passed


def test_sums_and_predicates_of_predicates():
    total = {"sum": ["transfer", "amount"], "where": {"target": "ACC-2"}}
    calls = [sent(100), sent(200)]
    assert verdict({"finally": {"eq": [total, money(300)]}}, calls).passed
    assert verdict({"finally": {"eq": [total, 0]}}, []).passed
    both = {"all": [{"eq": [total, money(300)]}, {"not": {"eq": [{"count": "transfer"}, 3]}}]}
    assert verdict({"finally": both}, calls).passed
    either = {"any": [{"eq": [total, money(1)]}, {"in": [{"field": ["ACC-7", "state"]}, ["open", "frozen"]]}]}
    assert verdict({"finally": either}, calls).passed
    assert verdict({"finally": {"eq": [{"plus": [total, money(1)]}, money(301)]}}, calls).passed


def test_what_does_not_exist_compares_as_false():
    for operator in ("eq", "ne", "lt", "ge"):
        assert not verdict({"finally": {operator: [{"field": ["ACC-99", "balance"]}, money(1)]}}, []).passed


@pytest.mark.parametrize(
    ("form", "complaint"),
    [
        ({"eventually": {}}, "one of finally, always"),
        ({"finally": {"eq": [1, 2]}, "always": {"eq": [1, 2]}}, "one form, not finally, always"),
        ({"finally": {"equals": [1, 2]}}, r"P1\.finally: eq, ne, .* not 'equals'"),
        ({"finally": {"eq": [1]}}, r"P1\.finally\.eq: two values, not 1"),
        ({"finally": {"eq": [1, 2.5]}}, r"P1\.finally\.eq\.1: a truth value"),
        ({"finally": {"eq": [{"fild": ["ACC-1", "state"]}, 1]}}, r"P1\.finally\.eq\.0: one of field, arg"),
        ({"before": {"first": "a"}}, r"P1\.before\.then: is missing"),
        ({"before": {"first": "a", "then": "b", "by": 3}}, r"P1\.before\.by: no part of this form"),
        ({"never": {"event": "a", "actor": "boss"}}, r"P1\.never\.actor: one of agent"),
        ({"never": {"tool": "a"}}, r"P1\.never: a name, or an object with event"),
        ({"within": 3}, r"P1\.within: an object with event, by"),
    ],
)
def test_a_check_that_is_not_of_its_form_is_refused_with_its_path(form, complaint):
    with pytest.raises(DataError, match=complaint):
        monitor(spec(form))


def test_free_text_cannot_be_graded():
    with pytest.raises(DataError, match="account has no graded field 'note'"):
        verdict({"finally": {"eq": [{"field": ["ACC-1", "note"]}, "x"]}}, [])


def test_the_letter_of_an_id_is_that_of_its_class():
    with pytest.raises(DataError, match="the id of a goal check begins with G"):
        monitor(CheckSpec(id="P1", kind="goal", text="x", form={"finally": {"eq": [1, 1]}}))
