"""`make bench`: what everything around a model costs a call: the agent, the meter, the environment, the client."""

from statistics import median
from time import perf_counter

from bizgym.agents.clients import make_client
from bizgym.agents.clients.scripted import ScriptedClient
from bizgym.agents.rollout import Limits
from bizgym.envs.core.chat import ChatSettings

from tests.fixtures.models import converse, make, order, says
from tests.fixtures.stub_model import Call, Say, StubModel

from .ratio import interleaved, median_difference, verdict

EPISODES = 12
BAR_MS = 3.0
BEER = "bizgym/BeerGame-v0"


def milliseconds_a_call(client):
    """One episode of 25 weeks; what is not the model's own time, by call."""
    started = perf_counter()
    row, _ = converse(make(BEER), client=client, limits=Limits())
    spent = perf_counter() - started - sum(step.timing["model_seconds"] for step in row.steps)
    return 1_000 * spent / row.usage["act"]["calls"]


def test_harness_around_a_call(benchmark):
    client = ScriptedClient(lambda messages, tools, settings: says(order(), text="I think. " * 50))
    measured = [milliseconds_a_call(client) for _ in range(EPISODES)][1:]
    benchmark.pedantic(milliseconds_a_call, args=(client,), rounds=3)
    found = median(measured)
    benchmark.extra_info["milliseconds_a_call"] = found
    verdict("agent, meter, record and environment around a call, ms", found, f"bar {BAR_MS}", found <= BAR_MS)


def test_client_around_a_request(benchmark, monkeypatch):
    """The client against the bare SDK, one request each in turn, at a server on loopback."""
    import openai

    monkeypatch.setenv("OPENAI_API_KEY", "no-key-needed")
    with StubModel(lambda conversation: Say("I think.", (Call("place_order", '{"quantity": 400}'),))) as stub:
        mine = make_client(name="openai", model="m", base_url=stub.openai_url)
        bare = openai.OpenAI(base_url=stub.openai_url, api_key="none", max_retries=0)
        episode = converse(make(BEER), client=mine, limits=Limits(max_steps=3))[0]
        messages = [{"role": "system", "content": episode.first_observation}, {"role": "user", "content": "Week 1."}]
        env = make(BEER)
        env.reset(seed=0)
        tools = env.unwrapped.tools

        def by_client():
            started = perf_counter()
            mine.complete(messages, tools, ChatSettings(max_tokens=100))
            return 1_000 * (perf_counter() - started)

        def by_sdk():
            started = perf_counter()
            bare.chat.completions.create(model="m", messages=messages, tools=tools, max_tokens=100)
            return 1_000 * (perf_counter() - started)

        found = median_difference(interleaved(by_client, by_sdk, pairs=41))
        benchmark.pedantic(by_client, rounds=5)
    benchmark.extra_info["milliseconds_beyond_the_sdk"] = found
    verdict("client beyond the bare SDK a request, ms", found, f"bar {BAR_MS}", found <= BAR_MS)
