"""`make bench`: a run of story_5 against the same firm as an agent-based model on bptk-py, as ratios in one run."""

import json
from time import process_time

from bizgym.envs.core.data import packaged_text
from bizgym.envs.digital_twin.plan import Plan, Window
from bizgym.envs.digital_twin.scenario_file import reference_firms
from bizgym.envs.digital_twin.search.compiled import is_available
from bizgym.envs.digital_twin.search.evaluate import Evaluator
from bizgym.envs.digital_twin.simulate import simulate

from . import consulting_firm_bptk as peer
from .ratio import interleaved, median_ratio, verdict

STORY = "story_5"
EARNINGS = 620_000.0
FIRM = reference_firms()[STORY]
PLAN = Plan(10, 1.0, {f"p{k}": Window(1, 18) if k <= 3 else Window(4, 16) for k in range(1, 6)})
PEER_RUNS, INTERPRETED_RUNS, COMPILED_RUNS = 5, 50, 5_000
BAR = 100


def scenario():
    """The scenario as the reference's file has it, which bptk-py reads unchanged."""
    file = json.loads(packaged_text("digital_twin", "reference.json"))
    return file["enterprise_digital_twin"]["scenarios"][STORY]


def runs_per_second(play, runs):
    started = process_time()
    play()
    return runs / (process_time() - started)


def peers_per_second(given):
    return runs_per_second(lambda: [peer.simulate(given) for _ in range(PEER_RUNS)], PEER_RUNS)


def test_the_peer_plays_the_same_firm():
    mine, theirs = simulate(FIRM), peer.simulate(scenario())
    assert theirs[-1]["accumulated_earnings"] == mine.earnings == EARNINGS
    for name in peer.BOOKED:
        assert [step[name] for step in theirs] == [getattr(step, name) for step in mine.steps], name


def test_compiled_runs_against_bptk(benchmark):
    """Plans in one call, as a search or a training loop plays them; numba's compilation is in the warm-up."""
    evaluator, given = Evaluator(FIRM), scenario()
    candidates = evaluator.encode([PLAN] * COMPILED_RUNS)
    assert is_available(), "numba is in the extra dev"
    assert set(evaluator.means(candidates)) == {EARNINGS}

    def compiled_per_second():
        return runs_per_second(lambda: evaluator.means(candidates), COMPILED_RUNS)

    measured = interleaved(compiled_per_second, lambda: peers_per_second(given))
    benchmark.pedantic(evaluator.means, args=(candidates,), rounds=3)
    ratio = median_ratio(measured)
    benchmark.extra_info["ratio_to_bptk"] = ratio
    verdict(f"{STORY}, compiled, runs against bptk-py", ratio, f"bar {BAR}", ratio >= BAR)
    assert ratio >= BAR


def test_one_interpreted_run_with_all_reports_against_bptk(benchmark):
    given = scenario()

    def interpreted_per_second():
        return runs_per_second(lambda: [simulate(FIRM, PLAN) for _ in range(INTERPRETED_RUNS)], INTERPRETED_RUNS)

    measured = interleaved(interpreted_per_second, lambda: peers_per_second(given))
    benchmark.pedantic(simulate, args=(FIRM, PLAN), rounds=20)
    ratio = median_ratio(measured)
    benchmark.extra_info["ratio_to_bptk"] = ratio
    verdict(f"{STORY}, interpreted with all reports, runs against bptk-py", ratio, "for information", True)
