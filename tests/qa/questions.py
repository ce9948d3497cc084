"""A handful of questions, one of each kind, and an environment that asks them."""

from bizgym.envs.qa.answers import AnswerSpec
from bizgym.envs.qa.difficulty import Features, band_of, difficulty
from bizgym.envs.qa.env import EnterpriseQAEnv
from bizgym.envs.qa.items import Item, Section
from bizgym.envs.qa.tasks import QATasks, task_of_item

TABLE = """The cafe chain reports in thousands of EUR.

Table: income (in thousands of EUR)

| | FY2025 | FY2024 |
|---|---:|---:|
| Revenue | 1,840 | 1,710 |
| Rent | (212) | (205) |
"""
INCOME = Section(section_id="income_statement", title="Income statement", text=TABLE)
NOTE = Section(section_id="note_leases", title="Note 4, leases", text="Two sites were closed in March.")
LONG = Section(
    section_id="filing",
    title="Filing",
    text="\n".join(f"Line {k}: the depot shipped {k * 7 + 13} crates." for k in range(2_000)),
)


def item(name, answer, *, sections=(INCOME, NOTE), question="What is asked?", features=None, **more):
    features = features or Features()
    return Item(
        item_id=name,
        capability=more.pop("capability", "information_extraction"),
        band=band_of(difficulty(features)),
        split=more.pop("split", "train"),
        features=features,
        question=question,
        sections=list(sections),
        answer=answer,
        family="test",
        **more,
    )


HARD = Features(steps=6, evidence=4)
ITEMS = [
    item(
        "number",
        AnswerSpec(kind="number", value=1840, unit="EUR", scale=1000),
        question="What was revenue in FY2025, in thousands of EUR?",
        program='cell("income", "Revenue", "FY2025")',
    ),
    item(
        "program",
        AnswerSpec(kind="program", value="11.522", unit="percent", rel_tol=0.01),
        question="Which share of revenue in FY2025 was paid as rent, in percent?",
        code=True,
        features=HARD,
        capability="numerical_calculation",
        program='-cell("income", "Rent", "FY2025") / cell("income", "Revenue", "FY2025") * 100',
    ),
    item(
        "formula",
        AnswerSpec(kind="formula", value="7.602", unit="percent", abs_tol=0.0005),
        question="By how many percent did revenue grow? Give four significant digits.",
        code=True,
        split="test",
        capability="numerical_calculation",
    ),
    item("span", AnswerSpec(kind="span", value="in March"), question="When were two sites closed?"),
    item(
        "choice",
        AnswerSpec(kind="choice", value="B", options=["Gearing", "Current ratio", "Payout ratio"]),
        question="Which ratio measures short-term liquidity?",
        sections=(),
        reasons=["It measures debt.", "It compares what falls due with what is at hand.", "It measures dividends."],
        capability="domain_knowledge",
    ),
    item(
        "labels",
        AnswerSpec(
            kind="labels", value=["Revenues", "LeaseCost"], options=["LeaseCost", "Revenues", "InterestExpense"]
        ),
        question="Which tag does each marked number carry?",
        capability="domain_knowledge",
    ),
    item(
        "long",
        AnswerSpec(kind="number", value=20),
        sections=(LONG,),
        question="How many crates are on line 1?",
        split="test",
    ),
]
TASKS = QATasks(map(task_of_item, ITEMS))


class Questions(EnterpriseQAEnv):
    """Asks the questions of this module."""

    @classmethod
    def _questions(cls):
        return TASKS


def ask(name, **kwargs):
    """An episode that asks one of them."""
    env = Questions(split=None, **kwargs)
    observation, info = env.reset(seed=0, options={"task_id": name})
    return env, observation, info


def give(env, value):
    return env.step({"name": "answer", "arguments": {"value": value}})
