"""The layout rules of the project, read from the files themselves."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOP = ("agents", "conf", "data", "envs", "evaluators")
MODULE_LIMIT, TEST_LIMIT, FUNCTION_LIMIT = 400, 300, 50
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def test_the_package_list_is_what_lies_on_disk():
    listed = PROJECT["tool"]["setuptools"]["packages"]
    on_disk = {
        ".".join(("bizgym", *path.parent.relative_to(ROOT).parts))
        for path in sources(*TOP)
        if path.name == "__init__.py"
    }
    assert sorted(listed) == sorted(on_disk)


def test_every_folder_of_modules_is_a_package():
    for path in sources("agents", "envs", "evaluators"):
        assert (path.parent / "__init__.py").is_file(), path


def test_conf_and_data_hold_no_code():
    for folder in ("conf", "data"):
        assert [path.name for path in sources(folder)] == ["__init__.py"]
        assert (ROOT / folder / "__init__.py").read_text(encoding="utf-8") == ""


@pytest.mark.parametrize("folder", ["agents", "envs", "evaluators"])
def test_bare_imports_fail_loudly(folder):
    done = subprocess.run([sys.executable, "-c", f"import {folder}"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode != 0
    assert f"bizgym.{folder}" in done.stderr


@pytest.mark.parametrize("folder", TOP)
def test_every_top_package_is_typed(folder):
    assert (ROOT / folder / "py.typed").is_file()


def test_files_and_functions_stay_short():
    long = []
    for path in sources(*TOP, "tests"):
        text = path.read_text(encoding="utf-8")
        lines = text.count("\n")
        limit = TEST_LIMIT if "tests" in path.relative_to(ROOT).parts else MODULE_LIMIT
        if lines > limit:
            long.append(f"{path.relative_to(ROOT)}: {lines} lines")
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > FUNCTION_LIMIT:
                    long.append(f"{path.relative_to(ROOT)}:{node.lineno}: {node.name} has {length} lines")
    assert long == []


def test_the_linter_asks_every_open_for_its_encoding():
    assert "PLW1514" in PROJECT["tool"]["ruff"]["lint"]["select"]


SANDBOXED = "envs/qa/sandbox/child.py"
"""What runs inside the sandbox, as a script of its own."""


def test_no_eval_and_no_exec_outside_the_sandbox():
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sources(*TOP)
        if path.relative_to(ROOT).as_posix() != SANDBOXED
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("eval", "exec")
    ]
    assert found == []
    script = SANDBOXED.rpartition("/")[2].removesuffix(".py")
    for path in sources(*TOP):
        assert f"import {script}" not in path.read_text(encoding="utf-8"), path


def test_core_dependencies_are_the_stated_few():
    names = {re.split(r"[<>=!~ ]", line)[0] for line in PROJECT["project"]["dependencies"]}
    common = {"gymnasium", "numpy", "pydantic", "hydra-core", "openai", "anthropic", "rich", "pyyaml"}
    assert names == common | {"bm25s", "pydantic-monty"}
