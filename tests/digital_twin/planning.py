"""Firms to plan for, made of random scenarios."""

from bizgym.envs.digital_twin.plan import Bounds, Firm, ProjectBounds, Range


def firm_of(scenario, rng):
    """A firm that may staff a scenario otherwise, and give each project a window of whole months."""
    bounds = {}
    for project in scenario.projects:
        start = int(project.start_month) + int(rng.integers(0, 2))
        end = start + 1 + int(rng.integers(0, 6))
        bounds[project.project_id] = ProjectBounds(Range(start, start + 2), Range(end, end + 2))
    return Firm(scenario, Bounds(Range(0, 9), Range(0.0, 1.0), bounds), 6_123.45, 987.65)
