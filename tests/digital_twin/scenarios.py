"""Random scenarios for properties and peers: every kind of agent, in any order, on the clocks of the reference."""

from itertools import pairwise

from bizgym.envs.digital_twin.kernel import DELIVERED, EFFORT
from bizgym.envs.digital_twin.scenario import Campaign, Consultants, Controlling, Project, Scenario
from bizgym.envs.digital_twin.state import initial_state
from bizgym.envs.digital_twin.timeline import states

BINARY_DTS = (1.0, 1.0, 0.5, 0.25, 0.125)


def random_scenario(rng, dts=BINARY_DTS, campaigns=True):
    """Draw a scenario; efforts are quarters and amounts whole, so that sums are exact whatever their order."""
    dt, first = float(rng.choice(dts)), int(rng.integers(0, 3))
    stop = first + int(rng.integers(3, 25))
    agents = [Controlling()]
    agents += [random_group(rng) for _ in range(rng.integers(0, 4))]
    agents += [random_project(rng, k, first, stop, dt) for k in range(rng.integers(0, 8))]
    agents += [random_campaign(rng, first, stop) for _ in range(campaigns * rng.choice((0, 0, 1, 2)))]
    return Scenario(
        name="random",
        agents=tuple(agents[k] for k in rng.permutation(len(agents))),
        fixed_cost_per_month=float(rng.integers(0, 50) * 1_000),
        revenue_risk=float(rng.choice((0.0, 0.25, 0.5, 0.75, 1.0, rng.random()))),
        gate=str(rng.choice(("threshold", "bernoulli"))),
        start_month=first,
        stop_month=stop,
        dt_months=dt,
    )


def random_group(rng):
    return Consultants(int(rng.integers(0, 7)), float(rng.integers(0, 10_000)), float(rng.integers(0, 3_000)))


def random_project(rng, k, first, stop, dt):
    start = first + int(rng.integers(0, stop - first)) + float(rng.choice((0.0, 0.0, 0.0, dt, 0.3)))
    return Project(
        project_id=f"p{k}",
        name="a project",
        effort_months=float(rng.integers(0, 40)) / 4,
        staffing_cap=float(rng.choice((0, 1, 1, 2, 2, 3, 5, 1.5))),
        start_month=start,
        deadline_month=max(0.0, int(start) + int(rng.integers(-1, 16)) + float(rng.choice((0.0, 0.0, 0.0, 0.4)))),
        rate_per_month=float(rng.integers(0, 25_000)),
        contracted_probability=float(rng.choice((1.0, 1.0, rng.random()))),
        extension_probability=float(rng.choice((0.0, 0.5, 1.0, rng.random()))),
        extension_effort_months=float(rng.integers(0, 30)) / 4,
        follow_on_probability=float(rng.choice((0.0, 0.5, 1.0, rng.random()))),
    )


def random_campaign(rng, first, stop):
    return Campaign(float(rng.integers(1, 20)) / 4, float(rng.integers(1, 4)), float(rng.integers(first, stop)))


def efforts(scenario, coins):
    """Return for each step the months of effort that each project received in it, those to come included."""
    played = [initial_state(scenario), *states(scenario, coins)]
    done = [[row[DELIVERED] + row[EFFORT] for row in state.projects] for state in played]
    return [[b - a for a, b in zip(was, now, strict=True)] for was, now in pairwise(done)]
