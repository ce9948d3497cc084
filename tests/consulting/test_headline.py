"""Whether a headline says the decision: on every option of every case, and in the words of a person."""

import pytest
from bizgym.envs.consulting.headline import says
from bizgym.envs.consulting.tasks import all_tasks

from .binders import TASK, given, lowered, scored
from .toys import case_of

ALL = [task.case for task in all_tasks()]


@pytest.mark.parametrize("part", range(9))
def test_an_option_is_said_by_its_text_and_not_by_its_refusal(part):
    for case in ALL[part::9]:
        for name, option in case.options.items():
            text = lowered(option.text)
            assert says(case, name, option.text)
            for refused in (f"Do not {text}", f"Never {text}", f"The client should not {text}"):
                assert not says(case, name, refused), refused
            for other, instead in case.options.items():
                if other != name:
                    assert says(case, other, f"Do not {text}; {lowered(instead.text)}")
                    assert not says(case, name, f"Do not {text}; {lowered(instead.text)}")


@pytest.mark.parametrize(
    ("headline", "said"),
    [
        ("Borrow a binder each autumn: it beats ordering the high-speed binder by 49 thousand USD a year.", True),
        ("Borrow a binder each autumn, since the high-speed binder breaks the loan agreement.", True),
        ("Since the high-speed binder breaks the covenant, borrow a binder.", True),
        ("Borrow a binder rather than order the high-speed binder.", True),
        ("Borrow a binder, not buy one.", True),
        ("Instead of buying the high-speed binder, borrow one from the finishing shop.", True),
        ("Recommendation: borrow from the finishing shop.", True),
        ("Borrow a binder; the high-speed binder earns less.", True),
        ("Borrow a binder and order the high-speed binder.", False),
        ("Don't borrow the finishing shop's binder.", False),
        ("We should not borrow a binder, nor buy one.", False),
        ("Borrowing a binder would be a mistake.", False),
        ("Nobody should borrow a binder.", False),
        ("It is not wise to borrow a binder.", False),
        ("We advise against borrowing a binder.", False),
    ],
)
def test_a_headline_may_compare_and_must_not_refuse(headline, said):
    assert says(case_of(TASK), "hire", headline) is said
    assert (scored(headline=headline)["communication"] == 10.0) is said


def test_two_numbers_about_one_option_are_no_repeat():
    text = "The high-speed binder is worth about 170 thousand USD a year."
    reasons = given()["reasons"]
    assert scored(reasons=[reasons[0], text, reasons[2]])["communication"] == 10.0
