"""What configuration and settings become on the wire."""

import inspect
import pickle
import subprocess
import sys
from importlib import import_module
from importlib.resources import files
from typing import Any

import pytest
import yaml
from bizgym.agents.clients import make_client
from bizgym.envs.core.chat import ChatSettings
from bizgym.envs.core.errors import SettingError

from tests.fixtures.clients import MESSAGES, TOOLS, WIRE_NAMES, client_of, player
from tests.fixtures.stub_model import Say, StubModel

SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "integer"}},
    "required": ["answer"],
    "additionalProperties": False,
}
ALL = ChatSettings(
    max_tokens=77, temperature=0.25, tool_choice="required", response_schema=SCHEMA, seed=9, stop=("END",)
)
CONF = files("bizgym.conf")
ALL_NAMES = sorted(file.name.removesuffix(".yaml") for file in CONF.joinpath("client").iterdir())


def sent(name: str, settings: ChatSettings = ALL, tools: Any = TOOLS, **config: Any) -> dict[str, Any]:
    """The body that a client sends."""
    with StubModel(player) as stub:
        client_of(name, stub, **config).complete(MESSAGES, tools, settings)
    return stub.log[0].body


def read(name: str) -> dict[str, Any]:
    return dict(yaml.safe_load(CONF.joinpath("client", f"{name}.yaml").read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", ALL_NAMES)
def test_a_clients_file_has_its_constructors_keywords_and_defaults(name):
    written = read(name)
    target, label = written.pop("_target_"), written.pop("name")
    module, _, kind = target.rpartition(".")
    assert (module, label) == (f"bizgym.agents.clients.{name}", name)
    parameters = inspect.signature(getattr(import_module(module), kind)).parameters
    expected = {key: each.default for key, each in parameters.items()}
    assert written == expected
    assert [type(value) for value in written.values()] == [type(expected[key]) for key in written]


def test_every_wire_client_has_a_file():
    assert set(WIRE_NAMES) <= set(ALL_NAMES)


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_a_client_is_made_from_its_file_or_from_its_name(name):
    from_file = make_client(**{**read(name), "model": "m"})
    from_name = make_client(name=name, model="m")
    assert type(from_file) is type(from_name)
    assert pickle.loads(pickle.dumps(from_file)).__getstate__() == from_name.__getstate__()
    assert from_file.description == from_name.description
    assert from_file.description["name"] == name


def test_chat_completions_get_every_setting():
    body = sent("openai")
    assert (body["max_tokens"], body["temperature"], body["seed"], body["stop"]) == (77, 0.25, 9, ["END"])
    assert body["tool_choice"] == "required"
    assert body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "schema": SCHEMA, "strict": True},
    }
    assert body["tools"] == TOOLS


@pytest.mark.parametrize("name", ["openai", "openai_responses"])
@pytest.mark.parametrize("strict", [True, False])
def test_a_schema_is_strict_only_where_openai_would_enforce_it(name, strict):
    schema = {"anyOf": [SCHEMA, {"type": "array", "items": {**SCHEMA, "additionalProperties": not strict}}]}
    body = sent(name, ChatSettings(response_schema=schema))
    written = body["response_format"]["json_schema"] if name == "openai" else body["text"]["format"]
    assert (written["strict"], written["schema"]) == (strict, schema)


def test_a_seed_is_sent_only_where_it_is_taken():
    assert sent("openai")["seed"] == 9
    assert "seed" not in sent("openai", takes_seed=False)


def test_responses_get_theirs():
    body = sent("openai_responses")
    assert (body["max_output_tokens"], body["temperature"], body["tool_choice"]) == (77, 0.25, "required")
    assert body["text"] == {"format": {"type": "json_schema", "name": "answer", "schema": SCHEMA, "strict": True}}
    assert body["tools"][0] == {"type": "function", "strict": False, **TOOLS[0]["function"]}
    assert body["store"] is False
    assert not {"seed", "stop", "max_tokens"} & set(body)


def test_messages_get_theirs():
    body = sent("anthropic")
    assert (body["max_tokens"], body["stop_sequences"], body["tool_choice"]) == (77, ["END"], {"type": "any"})
    assert body["output_config"] == {"format": {"type": "json_schema", "schema": SCHEMA}}
    function = TOOLS[0]["function"]
    assert body["tools"][0] == {
        "name": function["name"],
        "description": function["description"],
        "input_schema": function["parameters"],
    }
    assert not {"seed", "stop", "temperature"} & set(body)


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_a_temperature_is_sent_only_where_it_is_taken(name):
    assert sent(name, takes_temperature=True)["temperature"] == 0.25
    assert "temperature" not in sent(name, takes_temperature=False)
    assert "temperature" not in sent(name, ChatSettings(), takes_temperature=True)


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_what_is_left_open_is_left_to_the_provider(name):
    body = sent(name, ChatSettings(), tools=[])
    needed = {"openai": {"model", "messages"}, "openai_responses": {"model", "input", "store"}}
    assert set(body) == needed.get(name, {"model", "messages", "max_tokens", "system"})


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_one_call_at_a_time_can_be_asked_for(name):
    body = sent(name, ChatSettings(), parallel_tool_calls=False)
    if name == "anthropic":
        assert body["tool_choice"] == {"type": "auto", "disable_parallel_tool_use": True}
    else:
        assert body["parallel_tool_calls"] is False


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_further_fields_reach_the_wire_and_win(name):
    body = sent(name, extra_body={"top_p": 0.5, "temperature": 1.0})
    assert (body["top_p"], body["temperature"]) == (0.5, 1.0)


def test_the_prompt_is_cached_where_the_provider_has_to_be_asked():
    marked, plain = sent("anthropic"), sent("anthropic", cache_prompt=False)
    assert marked["system"][-1]["cache_control"] == marked["messages"][-1]["content"][-1]["cache_control"]
    assert "cache_control" not in str(plain)


@pytest.mark.parametrize(
    ("base_url", "field", "expected"),
    [
        (None, None, "max_completion_tokens"),
        ("https://api.openai.com/v1/", None, "max_completion_tokens"),
        ("https://api.deepseek.com", None, "max_tokens"),
        (None, "max_tokens", "max_tokens"),
    ],
)
def test_the_length_has_the_name_that_the_server_knows(base_url, field, expected):
    client = make_client(name="openai", model="m", base_url=base_url, max_tokens_field=field)
    assert client._length_field() == expected


def test_the_environments_address_is_used_and_recorded(monkeypatch):
    with StubModel(player) as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.openai_url)
        client = make_client(name="openai", model="gpt")
        client.complete(MESSAGES, [], ChatSettings())
        assert client.description["base_url"] == stub.openai_url
    assert len(stub.log) == 1
    monkeypatch.setenv("OPENAI_BASE_URL", "https://me:pass9word@host.example/v1?key=1")
    assert client.description["base_url"] == "https://host.example/v1"
    monkeypatch.setenv("OPENAI_BASE_URL", "http://[::1")
    assert client.description["base_url"] == "(no address)"
    monkeypatch.delenv("OPENAI_BASE_URL")
    assert client.description["base_url"] is None


def test_stop_texts_are_kept_where_the_format_knows_none():
    with StubModel(lambda _: Say("one END two STOP three")) as stub:
        completion = client_of("openai_responses", stub).complete(MESSAGES, [], ChatSettings(stop=("STOP", "END")))
    assert completion.text == "one "


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"model": None}, "model: name one"),
        ({"model": "  "}, "model: name one"),
        ({"max_attempts": 0}, "max_attempts: above 0"),
        ({"deadline_seconds": -1.0}, "deadline_seconds: above 0"),
        ({"request_seconds": float("nan")}, "request_seconds: above 0"),
        ({"requests_per_minute": 0}, "requests_per_minute: above 0"),
        ({"max_tokens": "many"}, "max_tokens: .*not many"),
        ({"base_url": "ftp://host"}, "base_url: an http or https address"),
        ({"base_url": "https://u:p@host"}, "base_url: "),
        ({"base_url": "http://[::1"}, "base_url: an http or https address"),
        ({"base_url": "host:80"}, "base_url: an http or https address"),
        ({"api_key_env": "MY KEY"}, "api_key_env: the NAME"),
        ({"temperature": 0.0}, "there is no setting 'temperature'"),
        ({"extra_body": [1]}, "extra_body: "),
        ({"extra_body": {"top_p": 1.0, "stream": True}}, r"extra_body\.stream: is made for each request"),
    ],
)
@pytest.mark.parametrize("name", WIRE_NAMES)
def test_unusable_settings_are_named(name, settings, message):
    with pytest.raises(SettingError, match=message):
        make_client(**{"name": name, "model": "m", **settings})


@pytest.mark.parametrize("config", [{"name": "opnai"}, {"name": "wire"}, {"name": 7}, {}, {"_target_": "os.system"}])
def test_only_clients_are_made(config):
    with pytest.raises(SettingError, match=r"^client|^_target_"):
        make_client(model="m", **config)


def test_the_package_loads_no_sdk():
    code = (
        "import sys; from bizgym.agents.clients import make_client;"
        f"[make_client(name=name, model='m') for name in {WIRE_NAMES}];"
        "print({'openai', 'anthropic', 'httpx', 'httpx2'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.strip() == "set()", done.stderr
