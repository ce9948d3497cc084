"""Numbers of the tables, against closed forms."""

import pytest
from bizgym.evaluators.aggregate import Counts
from bizgym.evaluators.consulting_scores import InterviewScores, scores_table
from bizgym.evaluators.judge.standings import JudgeStanding, judge_table
from bizgym.evaluators.qa_accuracy import Accuracy, accuracy_table
from bizgym.evaluators.report_cells import decimals, number
from bizgym.evaluators.report_tables import sd_over_trials


def test_sd_over_trials_pools_what_trials_of_a_task_differ_by():
    assert sd_over_trials([[1.0, 3.0], [12.0, 12.0], [50.0]]) == pytest.approx(1.0)
    assert sd_over_trials([[1.0], [9.0]]) is None


@pytest.mark.parametrize(
    ("value", "text"), [(None, "–"), (-0.0, "0"), (1234.5, "1,234"), (0.25, "0.250"), (12.345, "12.35"), (7.0, "7")]
)
def test_numbers_for_people(value, text):
    assert number(value) == text


def test_numbers_of_a_column_share_their_decimals():
    assert [decimals(values) for values in ([1.0, 2.0], [0.5, 2.0], [0.5, 20.0], [0.5, 2000.0], [None])] == [
        0,
        3,
        2,
        0,
        0,
    ]


def test_tables_of_answers_interviews_and_judges_count_alike():
    tables = (
        accuracy_table([Accuracy("a", "e", "all", "all", Counts(4, 3, 1, 0))]),
        scores_table([InterviewScores("a", "e", "all", "all", Counts(4, 3, 1, 0))]),
        judge_table([JudgeStanding("j", "a", "e", Counts(4, 3, 1, 0))]),
    )
    for table, things in zip(tables, ("answers", "interviews", "interviews"), strict=True):
        heads = {head.name: (k, head.hint) for k, head in enumerate(table.heads)}
        assert [table.rows[0][heads[name][0]].text for name in Counts().as_dict()] == ["4", "3", "1", "0"]
        assert heads["n"][1] == f"{things} asked for"
        assert heads["95 % interval"][1].startswith("95 % interval of the ")
