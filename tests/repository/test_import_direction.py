"""Who may import whom, read from the imports of every module."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BENCHMARKS = sorted(
    path.name
    for path in (ROOT / "envs").iterdir()
    if path.is_dir() and path.name not in ("core", "adapters", "__pycache__")
)
JOINERS = ("bizgym.evaluators.cli", "bizgym.evaluators.prove")
HOSTS = ("openai", "anthropic", "hydra", "omegaconf", "jinja2", "matplotlib", "rich", "ray", "torch")


def modules() -> dict[str, Path]:
    found = {}
    for folder in ("agents", "envs", "evaluators"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            parts = ("bizgym", *path.relative_to(ROOT).with_suffix("").parts)
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


MODULES = modules()


def imports_of(name: str, path: Path) -> set[str]:
    """Absolute names of everything a module imports, inside functions too."""
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, (base, node.module)))
            for alias in node.names:
                full = f"{module}.{alias.name}"
                found.add(full if full in MODULES else module)
    return found


def within(name: str, *prefixes: str) -> bool:
    return any(name == prefix or name.startswith(f"{prefix}.") for prefix in prefixes)


def allowed(name: str, target: str) -> bool:
    parts = name.split(".")
    if within(name, "bizgym.envs.core"):
        return within(target, "bizgym.envs.core")
    if parts[1] == "envs" and len(parts) > 2:
        return within(target, "bizgym.envs.core", f"bizgym.envs.{parts[2]}")
    if parts[1] == "envs":
        return within(target, "bizgym.envs.core")
    if parts[1] == "agents":
        own = (
            f"bizgym.envs.{parts[3]}" if parts[2:3] == ["baselines"] and parts[3:4] and parts[3] in BENCHMARKS else "-"
        )
        return within(target, "bizgym.agents", "bizgym.envs.core", own) or target == "bizgym.envs"
    if within(name, *JOINERS):
        return True
    scoring = [f"bizgym.envs.{benchmark}.scoring" for benchmark in BENCHMARKS]
    return within(target, "bizgym.evaluators", "bizgym.envs.core", *scoring) or target == "bizgym.envs"


@pytest.mark.parametrize("name", MODULES)
def test_a_module_imports_only_what_its_place_allows(name):
    wrong = [
        target for target in imports_of(name, MODULES[name]) if within(target, "bizgym") and not allowed(name, target)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "name", [name for name in MODULES if within(name, "bizgym.evaluators") and not within(name, *JOINERS)]
)
def test_only_the_command_line_and_the_proofs_join_agents_and_evaluators(name):
    assert [target for target in imports_of(name, MODULES[name]) if within(target, *JOINERS)] == []


@pytest.mark.parametrize("name", [name for name in MODULES if within(name, "bizgym.envs")])
def test_environments_import_no_host(name):
    assert [target for target in imports_of(name, MODULES[name]) if within(target, *HOSTS)] == []
