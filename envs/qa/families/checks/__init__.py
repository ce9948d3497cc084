"""The second computation of each family: in exact decimals, from what was drawn, by another way where there is one.

The program of a family reads the tables and reckons in binary floats; the functions here never see a table. Where a
formula has a closed form, one side uses it and the other adds up; where it has none, one side solves by Newton's
method and the other by halving an interval; options are integrated numerically.
"""

from __future__ import annotations

from . import analysis, capital_budgeting, costing, derivatives, fixed_income, reporting, valuation
from .common import Second

_SUBJECTS = (analysis, capital_budgeting, costing, derivatives, fixed_income, reporting, valuation)
SECOND: dict[str, Second] = {name: second for subject in _SUBJECTS for name, second in subject.SECOND.items()}
"""The second computation by the name of the family."""
