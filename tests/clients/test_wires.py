"""One scripted conversation through three wire formats: the same completions, and usage to the token."""

from dataclasses import replace

import pytest
from bizgym.envs.core.chat import ChatClient, ChatSettings, Completion, Finish, ProviderError, ToolCall, Usage

from tests.fixtures.clients import MESSAGES, SETTINGS, TOOLS, WIRE_NAMES, as_message, client_of, played, player
from tests.fixtures.stub_model import MODEL_PREFIX, Call, Say, StubModel


def play(name, script=player, **settings):
    with StubModel(script) as stub:
        return played(client_of(name, stub, **settings)), stub


def test_a_conversation_is_the_same_in_every_format():
    by_wire = {name: play(name)[0] for name in WIRE_NAMES}
    first, second, last = by_wire["openai"]
    assert first.text == "I look first."
    assert first.tool_calls == (ToolCall("call_1_0", "look_up", '{"quantity": 3}'),)
    assert [call.arguments for call in second.tool_calls] == ['{"quantity": 40}', '{"quantity": 2.50}']
    assert (last.text, last.finish) == ("Done: é 😀 \u2212 ordered.", Finish.STOP)
    assert first.finish is second.finish is Finish.TOOL_CALLS
    assert {each.model for each in by_wire["openai"]} == {f"{MODEL_PREFIX}org/beer:7b"}
    assert by_wire["openai"] == by_wire["openai_responses"] == by_wire["anthropic"]


def test_the_model_reads_the_same_in_every_format():
    read = {name: [each.conversation for each in play(name)[1].log] for name in WIRE_NAMES}
    assert [said.role for said in read["openai"][2].messages] == [
        *("system", "user", "assistant", "tool", "assistant", "tool", "tool"),
    ]
    assert read["openai"] == read["openai_responses"] == read["anthropic"]


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_usage_agrees_with_the_servers_log(name):
    completions, stub = play(name)
    for completion, logged in zip(completions, stub.log, strict=True):
        counted = logged.counts
        assert completion.usage == Usage(
            counted.input, counted.cached, counted.cache_write, counted.output, counted.reasoning
        )
    assert completions[0].usage.reasoning == 5
    assert completions[-1].usage.cached > 0 < completions[-1].usage.cache_write


@pytest.mark.parametrize("name", WIRE_NAMES)
@pytest.mark.parametrize(
    "arguments",
    [
        '{"amount": 10, "amount": 9999}',
        '{"quantity": NaN}',
        '{"quantity": 1e400}',
        '{"quantity": 1.0, "note": "é\\n"}',
        '{"quantity": ' + "9" * 5_000 + "}",
        '{"invoice_id": "INV-7", "amount_cents": 12',
        "[1, 2]",
        "7",
        "",
    ],
    ids=lambda text: text[:24],
)
def test_arguments_arrive_as_the_model_wrote_them(name, arguments):
    """Nothing is mended, dropped or run over: what is wrong with them is the environment's to say."""
    (first,) = played_once(name, Say(calls=(Call("place_order", arguments),)))
    (call,) = first.tool_calls
    assert call.arguments == arguments


def played_once(name, say):
    with StubModel(lambda _: say) as stub:
        return (client_of(name, stub).complete(MESSAGES, TOOLS, SETTINGS),)


@pytest.mark.parametrize("name", WIRE_NAMES)
@pytest.mark.parametrize("called", ["functions.place_order", "", "place order!", "x" * 200, "é"])
def test_a_call_of_any_name_can_be_answered(called, name):
    """A name that no provider takes back would otherwise have every later request refused."""

    def script(conversation):
        return Say("again") if conversation.n_turns else Say(calls=(Call(called),))

    with StubModel(script) as stub:
        first, second = played(client_of(name, stub), n_turns=2)
    assert first.tool_calls[0].name == called
    assert second.text == "again"


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_the_server_refuses_what_providers_refuse(name):
    unanswered = [*MESSAGES, as_message(played_once(name, Say(calls=(Call("look_up"),)))[0]), MESSAGES[1]]
    with StubModel(player) as stub, pytest.raises(ProviderError, match="have no result"):
        client_of(name, stub).complete(unanswered, TOOLS, SETTINGS)


MALFORMED = ('{"quantity": 12', '{"quantity": NaN}', '{"a": 1, "a": 2}', "[1]", '{"n": ' + "9" * 5_000 + "}")


@pytest.mark.parametrize("arguments", MALFORMED, ids=lambda text: text[:16])
def test_malformed_arguments_go_back_to_the_model_as_it_wrote_them(arguments):
    def script(conversation):
        return Say("again") if conversation.n_turns else Say(calls=(Call("place_order", arguments),))

    told = {}
    for name in WIRE_NAMES:
        with StubModel(script) as stub:
            played(client_of(name, stub), n_turns=2)
        told[name] = stub.log[1].conversation
    assert told["anthropic"].messages[2].calls[0].arguments == arguments
    assert told["anthropic"].messages[3].answers == "call_1_0"
    spoken = {name: replace(each, messages=each.messages[3:]) for name, each in told.items()}
    assert spoken["openai"] == spoken["openai_responses"] == spoken["anthropic"]


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_refusal_and_length_are_told_apart(name):
    refused = played_once(name, Say("I cannot help with that.", finish="refusal"))[0]
    cut = played_once(name, Say("Dear Ms", finish="length"))[0]
    assert (refused.finish, refused.text) == (Finish.REFUSAL, "I cannot help with that.")
    assert (cut.finish, cut.text) == (Finish.LENGTH, "Dear Ms")


def test_a_pause_is_continued_and_every_part_counted():
    def script(conversation):
        if conversation.n_turns < 2:
            return Say(f"Part {conversation.n_turns}. ", finish="pause")
        return Say("The end.", (Call("place_order"),))

    with StubModel(script) as stub:
        completion = client_of("anthropic", stub).complete(MESSAGES, TOOLS, SETTINGS)
    assert completion.text == "Part 0. Part 1. The end."
    assert (completion.finish, len(completion.tool_calls)) == (Finish.TOOL_CALLS, 1)
    counts = stub.counts
    assert completion.usage == Usage(
        counts.input, counts.cached, counts.cache_write, counts.output, counts.reasoning, attempts=3
    )


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_text_without_tools_needs_none(name):
    with StubModel(lambda _: Say("hello")) as stub:
        completion = client_of(name, stub).complete([{"role": "user", "content": "hi"}], [], ChatSettings())
    assert completion == replace(Completion("hello"), usage=completion.usage, model=completion.model,
                                 provider_id=completion.provider_id)  # fmt: skip
    assert "tools" not in stub.log[0].body


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_half_characters_reach_no_encoder(name):
    with StubModel(lambda _: Say("ok")) as stub:
        client_of(name, stub).complete([{"role": "user", "content": "a\ud800b \ud83d\ude00"}], [], SETTINGS)
    assert stub.log[0].conversation.messages[0].text == "a\ufffdb 😀"


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_a_client_is_a_chat_client(name):
    with StubModel(player) as stub:
        assert isinstance(client_of(name, stub), ChatClient)
