"""What an import costs, and that the folders of a checkout cannot be imported under their bare names."""

import subprocess
import sys

import pytest

HEAVY = [
    "pydantic",
    "yaml",
    "openai",
    "anthropic",
    "hydra",
    "omegaconf",
    "ray",
    "torch",
    "matplotlib",
    "jinja2",
    "rich",
]


def run(code, **where):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, **where)


def test_importing_the_environments_loads_nothing_heavy():
    code = f"import bizgym.envs, sys; print([name for name in {HEAVY} if name in sys.modules])"
    assert run(code).stdout.strip() == "[]"


def test_importing_the_environments_loads_no_benchmark():
    code = "import bizgym.envs, sys; print([name for name in sys.modules if name.startswith('bizgym.envs.')])"
    assert run(code).stdout.strip() == "[]"


def test_importing_adds_little_to_what_gymnasium_loads():
    code = "import sys, gymnasium; before = set(sys.modules); import bizgym.envs; print(len(set(sys.modules) - before))"
    assert int(run(code).stdout) <= 3


@pytest.mark.parametrize("name", ["envs", "agents", "evaluators"])
def test_a_bare_import_at_the_root_fails_loudly(name, pytestconfig):
    if not (pytestconfig.rootpath / name).is_dir():
        pytest.skip("the tests run without the checkout")
    ended = run(f"import {name}", cwd=pytestconfig.rootpath)
    assert ended.returncode == 1
    assert f"import bizgym.{name} instead of {name}" in ended.stderr


def test_unknown_names_are_attribute_errors():
    code = "import bizgym.envs.core as core, bizgym.envs as envs; print([hasattr(m, 'nosuch') for m in (core, envs)])"
    assert run(code).stdout.strip() == "[False, False]"


def test_every_name_of_the_core_can_be_imported():
    code = (
        "from bizgym.envs.core import *; from bizgym.envs import core; print(all(n in globals() for n in core.__all__))"
    )
    assert run(code).stdout.strip() == "True"
