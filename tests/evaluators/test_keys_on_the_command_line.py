"""A key that is typed where it does not belong is refused before it reaches a file, a folder's name or the screen."""

from pathlib import Path

import pytest
from bizgym.evaluators.cli import main

KEY = "sk-proj-abc123def456ghi789jkl"
RUN = ["env=beer_game", "env.horizon=2", "agent=cot", "client=openai", "client.model=m"]


@pytest.mark.parametrize("multirun", [False, True])
@pytest.mark.parametrize(
    "override",
    [
        f"client.extra_body={{user:{KEY}}}",
        f"client.api_key={KEY}",
        f"client.model={KEY},m",
        f"client.base_url=https://u:{KEY}@host/v1",
        f"client.api_key_env={KEY}",
        f"agent.prompt={KEY}",
        f"name={KEY}",
        f"+{KEY}=1",
        "+client.password=opensesame4711",
    ],
)
def test_an_override_that_holds_a_key_is_refused(override, multirun, tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["run", *(["-m"] if multirun else []), *RUN, override]) == 2
    said = "".join(capsys.readouterr())
    assert "holds what looks like a key" in said
    assert list(tmp_path.iterdir()) == []
    for secret in (KEY, "opensesame4711"):
        assert secret not in said


def test_a_variable_that_holds_the_key_is_named_freely(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("MY_KEY_4", raising=False)
    assert main(["run", *RUN, "client.api_key_env=MY_KEY_4"]) == 2
    assert "MY_KEY_4 is not set" in "".join(capsys.readouterr())
