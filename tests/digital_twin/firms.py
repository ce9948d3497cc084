"""Small firms that the tests plan for; every number is easy to follow by hand."""

import yaml
from bizgym.envs.digital_twin.spec import ScenarioSpec


def project(project_id, **changes):
    """A project of six consultant-months, two at a time, at $20,000, open in months 1 to 3, due in 10 to 12."""
    terms = {
        "id": project_id,
        "name": f"Inventory review {project_id}",
        "effort_months": 6.0,
        "staffing_cap": 2,
        "rate_per_month": 20_000.0,
        "start_month": {"low": 1, "high": 3},
        "deadline_month": {"low": 10, "high": 12},
    }
    return {**terms, **changes}


def spec(*projects, name="small", gate="threshold", **changes):
    """A firm with fixed costs of $10,000 and consultants at $8,000 a month."""
    given = {
        "name": name,
        "title": "A small firm",
        "brief": "Two partners and their people look for work.",
        "gate": gate,
        "firm": {
            "fixed_cost_per_month": 10_000.0,
            "salary_per_month": 6_000.0,
            "workplace_cost_per_month": 2_000.0,
            "consultants": {"low": 0, "high": 6},
        },
        "projects": list(projects) or [project("a"), project("b")],
    }
    return {**given, **changes}


def firm(*projects, **changes):
    """The firm of a spec."""
    return ScenarioSpec.model_validate(spec(*projects, **changes)).as_firm


def write(folder, *specs, name="firm.yaml"):
    """Write a scenario file; return its path as text."""
    path = folder / name
    path.write_text(yaml.safe_dump({"scenarios": list(specs)}, sort_keys=False), encoding="utf-8")
    return str(path)
