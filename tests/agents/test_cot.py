"""Chain of thought: what the model is shown, what it may say, and how its settings reach the client."""

from itertools import pairwise

import pytest
from bizgym.agents.clients.scripted import ScriptedClient
from bizgym.agents.cot import ChainOfThought
from bizgym.agents.prompting import load_prompt
from bizgym.agents.rollout import Limits
from bizgym.envs.core.chat import ChatSettings
from bizgym.envs.core.errors import DataError, SettingError
from bizgym.envs.core.seeding import agent_seed
from bizgym.envs.core.stop import StopReason
from bizgym.envs.core.trajectory import from_line, to_line

from tests.fixtures.models import check_transcript, converse, make, order, says

BEER = "bizgym/BeerGame-v0"
THREE = [says(order(100 * k, f"call_{k}"), text=f"I think of {k}.") for k in range(1, 4)]


def first_messages(env):
    _, info = env.reset(seed=0)
    return info["messages"]


def test_the_model_sees_the_rules_the_request_and_the_whole_episode():
    env = make(BEER, horizon=9)
    system, user = first_messages(env)
    row, prompts = converse(env, *THREE)
    assert [len(prompt) for prompt in prompts] == [2, 4, 6]
    assert all(later[: len(earlier)] == earlier for earlier, later in pairwise(prompts))
    assert prompts[0][0]["role"] == "system"
    assert prompts[0][0]["content"].startswith(system["content"])
    assert prompts[0][1] == user
    assert prompts[2][2]["content"] == "I think of 1."
    assert [call["id"] for call in prompts[2][4]["tool_calls"]] == ["call_2"]
    assert [prompt[-1]["content"] for prompt in prompts[1:]] == [step.observation for step in row.steps[:2]]
    for prompt in prompts:
        check_transcript(prompt)


def test_the_text_and_the_calls_of_a_turn_are_recorded_as_the_model_wrote_them():
    row, _ = converse(make(BEER, horizon=9), *THREE)
    turn = row.steps[1].turn
    assert turn.text == "I think of 2."
    call = {"id": "call_2", "type": "function", "function": {"name": "place_order", "arguments": '{"quantity": 200}'}}
    assert turn.calls == [call]


def test_memory_of_the_observation_alone_keeps_the_prompt_from_growing():
    env = make(BEER, horizon=9, history_weeks=0)
    row, prompts = converse(env, *THREE, agent=ChainOfThought(prompt="cot_brief", memory="observation"))
    brief = load_prompt("cot_brief").text.strip()
    assert [prompt[0] for prompt in prompts] == [{"role": "system", "content": brief}] * 3
    assert [prompt[1]["content"] for prompt in prompts[1:]] == [step.observation for step in row.steps[:2]]
    assert [[message["role"] for message in prompt] for prompt in prompts] == [["system", "user"]] * 3


def test_text_without_a_call_is_answered_and_the_episode_goes_on():
    row, prompts = converse(make(BEER, horizon=9), says(text="I only talk."), says(), *THREE[:1])
    assert [step.error for step in row.steps] == ["not_json", "not_json", "", ""]
    roles = [message["role"] for message in prompts[2]]
    assert roles == ["system", "user", "assistant", "user", "assistant", "user"]
    assert prompts[2][4]["content"] == "(empty reply)"
    assert row.steps[1].turn.text == ""


def test_settings_reach_the_client_and_the_seed_is_the_episodes():
    seen = []
    client = ScriptedClient(lambda messages, tools, settings: seen.append((settings, tools)) or THREE[0])
    agent = ChainOfThought(temperature=0.3, max_tokens=77, tool_choice="required")
    converse(make(BEER, horizon=9), agent=agent, client=client, limits=Limits(max_steps=1))
    ((settings, tools),) = seen
    assert settings == ChatSettings(max_tokens=77, temperature=0.3, tool_choice="required", seed=agent_seed(0) % 2**31)
    assert [tool["function"]["name"] for tool in tools] == ["place_order"]


def test_a_new_episode_begins_with_an_empty_memory():
    agent = ChainOfThought()
    for _ in range(2):
        _, prompts = converse(make(BEER, horizon=9), *THREE, agent=agent)
        assert len(prompts[0]) == 2


def test_prompts_are_hashed_into_the_record(tmp_path):
    row, _ = converse(make(BEER, horizon=2), *THREE[:2])
    digest = load_prompt("cot").digest
    assert from_line(to_line(row)).prompt_hashes == {"cot.md": digest}
    own = tmp_path / "mine.md"
    own.write_text("Be $$ wise.\n$rules\nCosts $$5.\n", encoding="utf-8")
    row, prompts = converse(make(BEER, horizon=2), *THREE[:2], agent=ChainOfThought(prompt=str(own)))
    assert row.prompt_hashes.keys() == {"mine.md"}
    assert row.prompt_hashes["mine.md"] != digest
    text = prompts[0][0]["content"]
    assert text.startswith("Be $ wise.\nYou manage")
    assert text.endswith("\nCosts $5.")
    assert "$200.00" in text  # the rules' own dollars are no placeholders


@pytest.mark.parametrize("name", ["cot.md", "cot_brief.md"])
def test_every_packaged_prompt_fills_with_the_rules(name):
    assert name.endswith(".md")
    prompt = load_prompt(name.removesuffix(".md"))
    assert prompt.fill(rules="the $rules") == prompt.fill(rules="the $rules").strip() != ""
    assert ("the $rules" in prompt.fill(rules="the $rules")) == ("$rules" in prompt.text)


@pytest.mark.parametrize(
    ("text", "message"), [("Obey $rule.", r"there is no \$rule; there are: \$rules"), ("50 $ a unit", r"write \$\$")]
)
def test_a_prompt_that_cannot_be_filled_is_refused_before_the_run(tmp_path, text, message):
    path = tmp_path / "mine.md"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(SettingError, match=rf"prompt mine\.md: .*{message}"):
        ChainOfThought(prompt=str(path))
    with pytest.raises(DataError, match="cannot be read"):
        ChainOfThought(prompt=str(tmp_path / "none.md"))


def test_a_whole_game_ends_by_itself_and_is_played_from_the_records_text():
    replies = [says(order(400, f"c{k}"), text=f"Week {k}.") for k in range(25)]
    row, _ = converse(make(BEER), *replies, limits=Limits())
    assert (row.stop_reason, row.n_steps, row.errors) == (StopReason.ENV_DONE, 25, {})
    assert -row.reward == 18_300.0  # the constant order of 400, as in the README's example
