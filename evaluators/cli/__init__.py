"""The command line: `bizgym run | list | score | replay | report | simulate | anchors | data | prove`.

Exit status: 0 ok, 1 a claim, a mismatch or infrastructure, 2 usage.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import threading
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from time import monotonic
from typing import Any

from ...agents.clients.redact import redact
from ...envs.core.errors import BizGymError, RecordError, SettingError
from ...envs.core.run_folder import RunFolder
from ..tables import console, counted, print_json, print_table

Command = Callable[[argparse.Namespace], int]
_PATIENCE_SECONDS = 3.0
_JUDGE_HELP = "a model, for example client=openai client.model=NAME prompt=judge_brief"
_IMPORT_HELP = "import this module first, for a run in an environment of your own; may be repeated"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    for stream in (sys.stdout, sys.stderr):  # a terminal that lacks a character shows its escape
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    arguments = _parse(argv)
    command: Command = arguments.function
    try:
        _import(getattr(arguments, "modules", None) or ())
        status = command(arguments)
        sys.stdout.flush()
    except SettingError as error:
        return _fail(str(error), 2)
    except BizGymError as error:
        return _fail(str(error), 1)
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        return _fail(f"{error.filename or 'a file'}: {error.strerror or error}", 1)
    except KeyboardInterrupt:
        status = _fail("interrupted; finished episodes are on disk, the same command continues", 1)
        if argv is None:
            _leave(status)
    return status


def _leave(status: int) -> None:
    """End the process where episodes that nobody waits for would hold it."""
    give_up = monotonic() + _PATIENCE_SECONDS
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join(max(0.0, give_up - monotonic()))
            if thread.is_alive():
                sys.stderr.flush()
                os._exit(status)


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = _parser()
    arguments, rest = parser.parse_known_args(argv)
    takes_overrides = arguments.command in ("run", "anchors")
    unknown = [each for each in rest if each.startswith("-") or not takes_overrides]
    if unknown:
        parser.error(f"unrecognized arguments: {' '.join(unknown)}")
    arguments.overrides = [*getattr(arguments, "overrides", ()), *rest]
    return arguments


def _fail(message: str, status: int) -> int:
    console(stderr=True).print(f"bizgym: {redact(message)}")
    return status


def _import(modules: Sequence[str]) -> None:
    for name in modules:
        try:
            import_module(name)
        except ImportError as error:
            raise SettingError(f"--import: {error}") from None


def _open(path: Path) -> RunFolder:
    try:
        return RunFolder.open(path)
    except RecordError as error:  # the path is the user's
        raise SettingError(str(error)) from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="bizgym", description="Enterprise environments for language-model agents.", allow_abbrev=False
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="command")

    def add(name: str, function: Command, text: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        command.set_defaults(function=function)
        command.add_argument("--json", action="store_true", help="print JSON alone on standard output")
        return command

    run = add("run", _run, "play a run: Hydra overrides say who plays what")
    run.add_argument("overrides", nargs="*", help="for example env=beer_game agent=beer_game/typical trials=3")
    run.add_argument("-m", "--multirun", action="store_true", help="sweep: a comma in an override makes a dimension")
    run.add_argument("--dry-run", action="store_true", help="say what would be played, and play nothing")
    run.add_argument("--config-dir", help="a folder with configuration groups of your own")
    run.add_argument("--stop-early", action="store_true", help="in a sweep, skip what comes after the first failure")
    add("list", _list, "list the environments")
    for name, function, text in (
        ("score", _score, "count a run and score every record anew"),
        ("replay", _replay, "play every recorded call again and compare"),
    ):
        command = add(name, function, text)
        command.add_argument("run_folder", type=Path)
        command.add_argument("--import", dest="modules", action="append", metavar="MODULE", help=_IMPORT_HELP)
        if name == "score":
            command.add_argument("--judge", nargs="+", metavar="OVERRIDE", help=_JUDGE_HELP)
            command.add_argument("--workers", type=int, metavar="N", help="interviews that the judge judges at a time")
    _report_arguments(add("report", _report, "one leaderboard and one HTML page about runs and sweeps"))
    simulate = add("simulate", _simulate, "run the scenarios of a consulting firm and print what controlling reports")
    simulate.add_argument("scenario", help="a scenario file, or a shipped scenario such as story_5")
    simulate.add_argument("--scenario", dest="name", help="run this scenario of the file alone")
    simulate.add_argument("--plan", type=Path, help="a plan, JSON or YAML; without one the scenario runs as it stands")
    simulate.add_argument("--gate", choices=("threshold", "bernoulli"), help="how extensions and follow-ons come about")
    simulate.add_argument("--seed", type=int, default=0, help="seed of the random numbers under the gate bernoulli")
    simulate.add_argument("--plot", type=Path, metavar="SVG", help="write a figure of projects, staff and earnings")
    anchors = add("anchors", _anchors, "compute and cache floor and ceiling of a game of your own")
    anchors.add_argument("env")
    anchors.add_argument("overrides", nargs="*", help="settings of the environment, for example ship_weeks=1")
    _data_arguments(add("data", _data, "import public question sets, or list them"))
    _prove_arguments(add("prove", _prove, "run an environment's own gauntlet of claims"))
    return parser


def _report_arguments(report: argparse.ArgumentParser) -> None:
    report.add_argument("run_folder", type=Path, nargs="+", help="run folders, or folders of sweeps (runs/sweeps/...)")
    report.add_argument(
        "--out",
        type=Path,
        help="where to write the page, by default beside what is named, runs/report.html for several",
    )
    report.add_argument("--compare", nargs=2, metavar=("A", "B"), help="compare two agents on the same episodes")
    report.add_argument("--table", choices=("enterprisebench", "bizagentbench"), help="print this paper's tables")
    report.add_argument("--partial", action="store_true", help="show scores on a part of the tasks, marked as such")


def _data_arguments(data: argparse.ArgumentParser) -> None:
    data.add_argument("action", choices=("import", "list"))
    data.add_argument("name", nargs="?", help="a public set, for example finqa")
    data.add_argument("path", nargs="?", type=Path, help="its file or folder; without one the hub is read")
    data.add_argument("--revision", metavar="SHA", help="the commit of the hub to read")
    data.add_argument("--accept-licence", action="store_true", help="for sets whose licence is to be accepted by name")


def _prove_arguments(prove: argparse.ArgumentParser) -> None:
    prove.add_argument("env")
    prove.add_argument("--task", action="append", help="prove this task alone; may be repeated")
    prove.add_argument("--judge", nargs="+", metavar="OVERRIDE", help=f"prove a judge of interviews: {_JUDGE_HELP}")
    prove.add_argument("--second-judge", nargs="+", metavar="OVERRIDE", help="one of another family, to compare with")


def _run(arguments: argparse.Namespace) -> int:
    from .run import run_command

    return run_command(
        arguments.overrides,
        multirun=arguments.multirun,
        dry_run=arguments.dry_run,
        as_json=arguments.json,
        config_dir=arguments.config_dir,
        stop_early=arguments.stop_early,
    )


def _list(arguments: argparse.Namespace) -> int:
    from .listing import environments

    rows = environments()
    if arguments.json:
        print_json({"envs": rows})
    else:
        columns = ["id", "tasks", "splits", "tools", "documents"]
        print_table("", columns, [[row[name] for name in columns] for row in rows])
    return 0


def _score(arguments: argparse.Namespace) -> int:
    from .. import consulting_scores, earnings, qa_accuracy
    from ..aggregate import count, reliability_rows, score_rows, write_summary
    from ..judge import standings
    from .listing import audit, resources_of
    from .run import (
        print_accuracy,
        print_checks,
        print_earnings,
        print_interviews,
        print_judges,
        print_scores,
        usage_rows,
    )

    folder = _open(arguments.run_folder)
    judged = _judge(folder, arguments)
    totals = count(folder)
    write_summary(folder)
    earned, answered, interviewed, verdicts = (
        [row.to_json() for row in each.of_run(folder)] for each in (earnings, qa_accuracy, consulting_scores, standings)
    )
    used = usage_rows(totals) if verdicts else []
    reliable, spent = reliability_rows(totals), resources_of(folder, totals)
    mismatches = audit(folder, again=False)
    wrong = [row for row in mismatches if not row["ok"]]
    ok = not wrong and totals.counts.sound and judged
    if arguments.json:
        counts = {**totals.counts.as_dict(), "complete": totals.counts.complete}
        content = {"command": "score", "ok": ok, "rows": score_rows(totals), "mismatches": wrong, **counts}
        further = {"scenarios": earned, "reliability": reliable, "resources": spent, "accuracy": answered}
        further |= {"interviews": interviewed, "judged": verdicts, "usage": used}
        print_json({**content, **{name: rows for name, rows in further.items() if rows}})
    else:
        print_scores(folder, totals)
        print_checks(totals, reliable, spent)
        print_earnings(earned)
        print_accuracy(answered)
        print_interviews(interviewed)
        print_judges(verdicts, used)
        _print_differences(wrong, len(mismatches), "scored anew")
    return 0 if ok else 1


def _judge(folder: RunFolder, arguments: argparse.Namespace) -> bool:
    """Let a judge judge a run where one is asked for; return whether its provider and its budget lasted."""
    workers = [] if arguments.workers is None else [f"workers={arguments.workers}"]
    if not arguments.judge:
        if workers:
            raise SettingError("--workers: says how many interviews a judge judges at a time; name one by --judge")
        return True
    from .judging import judge_command

    return judge_command(folder, [*arguments.judge, *workers], quiet=arguments.json)


def _replay(arguments: argparse.Namespace) -> int:
    from .listing import audit

    rows = audit(_open(arguments.run_folder), again=True)
    wrong = [row for row in rows if not row["ok"]]
    if arguments.json:
        print_json({"command": "replay", "ok": not wrong, "rows": rows})
    else:
        _print_differences(wrong, len(rows), "played again")
    return 1 if wrong else 0


def _print_differences(wrong: list[dict[str, Any]], total: int, what: str) -> None:
    if wrong:
        columns = ["agent", "task_id", "trial", "difference"]
        print_table("differences", columns, [[row[name] for name in columns] for row in wrong])
    console().print(f"{counted(total, 'episode')} {what}, {len(wrong)} differ.")


def _report(arguments: argparse.Namespace) -> int:
    from .reporting import report_command

    return report_command(
        arguments.run_folder,
        out=arguments.out,
        named=arguments.compare,
        paper=arguments.table,
        partial=arguments.partial,
        as_json=arguments.json,
    )


def _simulate(arguments: argparse.Namespace) -> int:
    from .simulate import simulate_command

    return simulate_command(
        arguments.scenario,
        name=arguments.name,
        plan=arguments.plan,
        gate=arguments.gate,
        seed=arguments.seed,
        plot=arguments.plot,
        as_json=arguments.json,
    )


def _anchors(arguments: argparse.Namespace) -> int:
    from .listing import compute_anchors, env_id_of

    row = compute_anchors(env_id_of(arguments.env), arguments.overrides)
    if arguments.json:
        print_json({"command": "anchors", "ok": True, "rows": [row]})
    else:
        print_table(row["task_id"], ["anchor", "value"], [[name, value] for name, value in row.items()])
    return 0


def _data(arguments: argparse.Namespace) -> int:
    from .datasets import data_command

    return data_command(
        arguments.action,
        arguments.name,
        arguments.path,
        revision=arguments.revision,
        accept=arguments.accept_licence,
        as_json=arguments.json,
    )


def _prove(arguments: argparse.Namespace) -> int:
    from ..prove import prove
    from .listing import env_id_of

    if arguments.judge:
        return _prove_judge(arguments)
    if arguments.second_judge:
        raise SettingError("--second-judge: is compared with a judge; name that one by --judge")
    notes: list[str] = []
    rows = prove(env_id_of(arguments.env), arguments.task, notes)
    ok = all(row["held"] == row["n"] for row in rows)
    if arguments.json:
        print_json({"command": "prove", "ok": ok, "rows": rows})
    else:
        columns = ["claim", "n", "held", "first_failure"]
        print_table(arguments.env, columns, [[row[name] for name in columns] for row in rows])
        for note in notes:
            console().print(note)
    return 0 if ok else 1


def _prove_judge(arguments: argparse.Namespace) -> int:
    from .judging import prove_judge_command
    from .listing import env_id_of

    rows, figures, notes = prove_judge_command(
        env_id_of(arguments.env), arguments.judge, arguments.second_judge, arguments.task
    )
    ok = all(row["held"] == row["n"] for row in rows)
    if arguments.json:
        print_json({"command": "prove", "ok": ok, "rows": rows, "figures": figures, "notes": notes})
        return 0 if ok else 1
    columns = ["claim", "n", "held", "first_failure", "figures"]
    print_table(
        arguments.env, columns, [[*(row[name] for name in columns[:-1]), figures[row["claim"]]] for row in rows]
    )
    for note in notes:
        console().print(note)
    return 0 if ok else 1
