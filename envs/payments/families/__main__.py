"""Builds the stored worlds and tasks of a folder of content anew.

    python -m bizgym.envs.payments.families [--check] [--folder FOLDER] [TASK ...]

writes the files of the tasks named, of all without any; `--check` writes nothing and says which files are not what
would be written (exit 1).
"""

from __future__ import annotations

import argparse
import sys
from importlib.resources import files
from pathlib import Path

from .build import Builder


def _packaged() -> Path:
    return Path(str(files("bizgym.data").joinpath("payments")))


def main(arguments: list[str] | None = None) -> int:
    """Run the command.

    Args:
        arguments: As on the command line; None for those of the process.

    Returns:
        0, or 1 where a check finds a difference.
    """
    parser = argparse.ArgumentParser(prog="python -m bizgym.envs.payments.families", description=__doc__)
    parser.add_argument("tasks", nargs="*", metavar="TASK", help="ids of tasks; all without any")
    parser.add_argument("--folder", type=Path, default=_packaged(), help="folder of content")
    parser.add_argument("--check", action="store_true", help="compare instead of writing")
    given = parser.parse_args(arguments)
    builder = Builder(given.folder)
    differences = []
    for task_id in given.tasks or builder.task_ids:
        if given.check:
            differences += list(builder.differences(task_id))
        else:
            builder.write(task_id)
            print(f"{task_id}: built")
    for each in differences:
        print(each)
    return int(bool(differences))


if __name__ == "__main__":
    sys.exit(main())
