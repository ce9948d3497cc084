"""One interview that tests of the score share: what a good candidate asks and recommends, to be changed in parts."""

from bizgym.envs.consulting.candidate import calls
from bizgym.envs.consulting.play import ASK, SUBMIT, Interview
from bizgym.envs.consulting.scoring import outcome_of, points_of

from .toys import case_of

TASK = "automation_2-middle-b"
QUESTIONS = (
    ("When in the year are calendars bound - over how many weeks does the volume come?", "volume"),
    ("What capacity does the entry-level binder have per week?", "capacity"),
    ("What investment do the two binders need?", "investment"),
    ("What supply terms would the finishing shop lend its binder at?", "supply"),
    ("What constraints does the client have?", "constraints"),
    ("What does binding a calendar cost by hand and on a machine?", "variable_cost"),
    ("Are operations interrupted by stoppages of the binder?", "operations"),
)
ROOT = (
    "Binding happens only in the 11 weeks before the holidays, so a machine of our own would stand idle most of the "
    "year and never earn back its capital."
)
GAIN = "Hiring is worth 221 thousand USD a year, and that is the most."
LIMIT = "The high-speed binder at 1,200 thousand USD would exceed the 450 thousand USD that the loan agreement allows."
UNIT = "thousand USD/year"


def given(**changes):
    """The arguments of a recommendation that scores fully, some of them changed."""
    numbers = {"value_large": 172, "value_small": 79.5, "value_hire": 221}
    return {
        "decision": "hire",
        "headline": "Borrow the finishing shop's binder each autumn for a weekly fee.",
        "key_numbers": [
            {"metric": "volume", "value": 880, "unit": "thousand calendars/year"},
            *({"metric": name, "value": value, "unit": UNIT} for name, value in numbers.items()),
        ],
        "reasons": [ROOT, GAIN, LIMIT],
        "risks": [
            "The finishing shop may want its binder back in its own peak or raise the 11 thousand USD weekly fee."
        ],
        "next_steps": ["Sign a one-season contract with the finishing shop that fixes moving and adjusting costs."],
        **changes,
    }


def interviewed():
    """The interview with all its questions asked."""
    interview = Interview(case_of(TASK))
    for turn, (question, topic) in enumerate(QUESTIONS, 1):
        interview.play(turn, ASK, {"question": question, "topic": topic})
    return interview


def submitted(**changes):
    """The interview, closed with a recommendation."""
    interview = interviewed()
    interview.play(99, SUBMIT, given(**changes))
    return interview


def scored(**changes):
    """The metrics of a recommendation."""
    return outcome_of(submitted(**changes), None).metrics


def point(name, **changes):
    """One point of a recommendation."""
    return next(each for each in points_of(submitted(**changes)) if each.name == name)


def perfect(case, **changes):
    """The metrics of the scripted candidate, with its recommendation changed."""
    interview, done = Interview(case), calls(case)
    for turn, (name, arguments) in enumerate(done[:-1], 1):
        interview.play(turn, name, arguments)
    interview.play(99, SUBMIT, {**done[-1][1], **changes})
    return outcome_of(interview, None).metrics


def lowered(text):
    """A sentence as it goes on behind another word."""
    return text[0].lower() + text[1:]
