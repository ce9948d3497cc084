"""The spaces: any text is an observation, any text is an action, and samples are calls of the tools on offer."""

import copy
import json
import pickle
from collections import Counter

import pytest
from bizgym.envs.core import Tool, Toolbox
from bizgym.envs.core.spaces import TextSpace, ToolCallSpace
from gymnasium.error import CustomSpaceError
from gymnasium.spaces import Dict, Text
from gymnasium.vector.utils import batch_space, create_shared_memory

from tests.fixtures.shop_env import ManyToolsEnv, ShopEnv

BOX = Toolbox.of(ShopEnv)


@pytest.mark.parametrize("text", ["", "a", "é\n\t😀\x00", "\ud800", "x" * 1_000_000, "日本語"])
def test_any_text_up_to_a_million_characters_is_an_observation(text):
    assert text in TextSpace()
    assert text in ToolCallSpace(BOX)


@pytest.mark.parametrize("value", [None, 7, b"x", ["x"], {"name": "ship"}, "x" * 1_000_001])
def test_what_is_no_text_or_too_long_is_no_observation(value):
    assert value not in TextSpace()


@pytest.mark.parametrize("value", [None, 7, b"x", {"name": "ship", "arguments": {}}])
def test_the_action_space_holds_text_alone(value):
    assert value not in ToolCallSpace(BOX)


def test_text_samples_are_inside_and_repeat_with_the_seed():
    space = TextSpace(5)
    space.seed(4)
    first = [space.sample() for _ in range(50)]
    space.seed(4)
    assert first == [space.sample() for _ in range(50)]
    assert all(sample in space for sample in first)
    assert len(set(first)) > 10


def test_samples_are_valid_calls_uniform_over_the_tools():
    space = ToolCallSpace(BOX, seed=5)
    counts = Counter()
    for _ in range(1_200):
        call = json.loads(space.sample())
        assert set(call) == {"name", "arguments"}
        BOX[call["name"]].validate(call["arguments"])
        counts[call["name"]] += 1
    assert set(counts) == set(BOX)
    assert all(abs(count - 200) < 4 * (1_200 * 5 / 36) ** 0.5 for count in counts.values())


def test_samples_repeat_with_the_seed_and_survive_pickle_and_copy():
    space = ToolCallSpace(BOX)
    space.seed(3)
    twins = [pickle.loads(pickle.dumps(space)), copy.deepcopy(space)]
    first = [space.sample() for _ in range(20)]
    assert all([twin.sample() for _ in range(20)] == first for twin in twins)
    assert all(twin == space for twin in twins)


def test_a_mask_chooses_among_the_tools():
    space = ToolCallSpace(BOX, seed=0)
    drawn = {json.loads(space.sample({"refund": 1, "ship": True, "finish": False}))["name"] for _ in range(60)}
    assert drawn == {"refund", "ship"}
    with pytest.raises(ValueError, match="leaves no tool"):
        space.sample({"refund": 0})
    with pytest.raises(ValueError, match="no probability"):
        space.sample(probability={"refund": 1.0})


def test_offering_other_tools_keeps_the_generator():
    space, other = ToolCallSpace(BOX, seed=1), ToolCallSpace(BOX, seed=1)
    other.offer(Toolbox([Tool(ManyToolsEnv.read_3, effect="read")]))
    assert json.loads(other.sample()) == {"name": "read_3", "arguments": {}}
    assert other != space
    other.offer(BOX)
    assert other == space


def test_equality_is_by_content():
    assert TextSpace() == TextSpace()
    assert TextSpace(5) != TextSpace(6)
    assert TextSpace() != Text(1_000_000)
    assert ToolCallSpace(BOX) == ToolCallSpace(Toolbox.of(ShopEnv))
    assert "TextSpace" in repr(TextSpace())
    assert "6 tools" in repr(ToolCallSpace(BOX))


@pytest.mark.parametrize(
    "space", [TextSpace(), ToolCallSpace(BOX), Dict(a=TextSpace())], ids=["text", "call", "inside"]
)
def test_shared_memory_is_refused_with_the_mend(space):
    with pytest.raises(CustomSpaceError, match=r"shared_memory=False.*bizgym\.envs\.make_vec"):
        create_shared_memory(space, n=2)


def test_batched_spaces_hold_tuples_of_text():
    assert ("é", "\n") in batch_space(TextSpace(), 2)
