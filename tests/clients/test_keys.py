"""Keys of every shape, and those of the live environment, are taken out of whatever is shown or written."""

import json
import logging
import pickle
import string
from random import Random
from urllib.parse import quote

import pytest
from bizgym.agents.clients import make_client
from bizgym.agents.clients.key_shapes import SHAPES
from bizgym.agents.clients.redact import REDACTED, holds_key, redact, redact_json
from bizgym.envs.core.chat import ProviderError
from bizgym.envs.core.errors import SettingError

from tests.fixtures.clients import KEYS, MESSAGES, SETTINGS, WIRE_NAMES, client_of, played, player
from tests.fixtures.stub_model import StubModel

DRAW = Random(20260)
WORD, HEX, UPPER = string.ascii_letters + string.digits, "0123456789abcdef", string.ascii_uppercase + string.digits


def drawn(n, alphabet=WORD):
    """Random characters; the digit keeps a draw from being a word."""
    return "".join(DRAW.choices(alphabet, k=n - 1)) + DRAW.choice("23456789")


# The forms are those of the providers' own documentation or of the public secret scanners' rules; the keys are drawn.
KEYS_BY_SHAPE = {
    "openai legacy": f"sk-{drawn(48)}",
    "openai project": f"sk-proj-{drawn(74)}T3BlbkFJ{drawn(74)}",
    "openai service account": f"sk-svcacct-{drawn(60)}",
    "openai admin": f"sk-admin-{drawn(60)}",
    "anthropic api": f"sk-ant-api03-{drawn(93)}AA",
    "anthropic admin": f"sk-ant-admin01-{drawn(93)}AA",
    "anthropic oauth": f"sk-ant-oat01-{drawn(93)}AA",
    "openrouter": f"sk-or-v1-{drawn(64, HEX)}",
    "deepseek": f"sk-{drawn(32, HEX)}",
    "litellm": f"sk-{drawn(22)}",
    "a short test key": "sk-test-123",
    "xai": f"xai-{drawn(80)}",
    "groq": f"gsk_{drawn(52)}",
    "cerebras": f"csk-{drawn(48)}",
    "google api": f"AIza{drawn(35)}",
    "google oauth token": f"ya29.{drawn(60)}",
    "google oauth secret": f"GOCSPX-{drawn(28)}",
    "hugging face": f"hf_{drawn(34)}",
    "replicate": f"r8_{drawn(37)}",
    "perplexity": f"pplx-{drawn(48)}",
    "fireworks": f"fw_{drawn(24)}",
    "together": f"tgp_v1_{drawn(43)}",
    "nvidia": f"nvapi-{drawn(64)}",
    "zhipu": f"{drawn(32, HEX)}.{drawn(16)}",
    "pinecone": f"pcsk_{drawn(60)}",
    "langsmith": f"lsv2_pt_{drawn(32, HEX)}_{drawn(10, HEX)}",
    "tavily": f"tvly-{drawn(32)}",
    "e2b": f"e2b_{drawn(40, HEX)}",
    "github classic": f"ghp_{drawn(36)}",
    "github app": f"ghs_{drawn(36)}",
    "github fine-grained": f"github_pat_{drawn(22)}_{drawn(59)}",
    "gitlab": f"glpat-{drawn(20)}",
    "aws access": f"AKIA{drawn(16, UPPER)}",
    "aws temporary": f"ASIA{drawn(16, UPPER)}",
    "aws bedrock": f"ABSK{drawn(109)}=",
    "azure storage": f"AccountKey={drawn(86)}==",
    "azure client secret": f"a1b8Q~{drawn(34)}",
    "stripe live": f"sk_live_{drawn(24)}",
    "stripe restricted": f"rk_test_{drawn(24)}",
    "webhook secret": f"whsec_{drawn(32)}",
    "slack bot": f"xoxb-{drawn(12, string.digits)}-{drawn(24)}",
    "slack app": f"xapp-1-{drawn(11)}-{drawn(64, HEX)}",
    "slack webhook": f"hooks.slack.com/services/T{drawn(8)}/B{drawn(8)}/{drawn(24)}",
    "twilio": f"SK{drawn(32, HEX)}",
    "sendgrid": f"SG.{drawn(22)}.{drawn(43)}",
    "mailgun": f"key-{drawn(32, HEX)}",
    "npm": f"npm_{drawn(36)}",
    "pypi": f"pypi-AgEIcHlwaS5vcmc{drawn(60)}",
    "docker": f"dckr_pat_{drawn(27)}",
    "databricks": f"dapi{drawn(32, HEX)}",
    "digitalocean": f"dop_v1_{drawn(64, HEX)}",
    "vault": f"hvs.{drawn(24)}",
    "telegram": f"{drawn(10, string.digits)}:{drawn(35)}",
    "shopify": f"shpat_{drawn(32, HEX)}",
    "square": f"sq0atp-{drawn(22)}",
    "grafana": f"glsa_{drawn(32)}_{drawn(8, HEX)}",
    "linear": f"lin_api_{drawn(40)}",
    "notion": f"ntn_{drawn(46)}",
    "supabase": f"sbp_{drawn(40, HEX)}",
    "doppler": f"dp.pt.{drawn(43)}",
    "age": f"AGE-SECRET-KEY-1{drawn(58, UPPER)}",
    "json web token": f"eyJ{drawn(20)}.eyJ{drawn(60)}.{drawn(43)}",
}
IN_PLACE = {
    "bearer": ("Authorization: Bearer {}", drawn(30)),
    "basic": ("authorization: basic {}", drawn(30)),
    "header": ("'x-api-key': '{}'", drawn(30)),
    "assignment": ("api_key={}&model=x", drawn(30)),
    "json": ('{{"access_token": "{}"}}', drawn(30)),
    "json in json": ('{{\\"password\\": \\"{}\\"}}', drawn(12)),
    "aws secret": ("aws_secret_access_key = {}", drawn(40)),
    "address": ("postgres://admin:{}@db.example/x", drawn(12)),
    "private key": ("-----BEGIN RSA PRIVATE KEY-----\n{}\n-----END RSA PRIVATE KEY-----", drawn(60)),
}
PLACES = (
    "{}",
    "Incorrect API key provided: {}.",
    "a\\n{}\\tb",
    'x="{}"',
    "https://h/?k%3D{}&y",
    "\\u003d{}",
    "[{},{}]",
)


def test_there_are_more_than_forty_shapes():
    assert len(SHAPES) >= 40
    assert len(KEYS_BY_SHAPE) >= 40


@pytest.mark.parametrize("key", KEYS_BY_SHAPE.values(), ids=KEYS_BY_SHAPE)
def test_a_key_of_known_shape_is_taken_out_wherever_it_stands(key):
    for place in PLACES:
        text = place.replace("{}", key)
        shown = redact(text)
        assert key not in shown
        assert shown == place.replace("{}", REDACTED)
        assert redact_json({"a": [text], text: 1}) == {"a": [shown], shown: 1}
    assert holds_key({"model": key})


@pytest.mark.parametrize(("place", "key"), IN_PLACE.values(), ids=IN_PLACE)
def test_a_key_without_shape_is_taken_out_where_keys_stand(place, key):
    text = place.format(key)
    assert key not in redact(text)
    assert REDACTED in redact(text)
    assert holds_key(text)


@pytest.mark.parametrize(
    "text",
    [
        '{"name": "place_order", "arguments": {"quantity": 400}}',
        "task-2024-11-30 and risk-adjusted-2030, sk-learn-based, ask-me",
        "the environment variable OPENAI_API_KEY is not set; see api_key_env",
        "password: required; token: 12345678; max_tokens=20000000",
        "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "https://example.com/a/b?c=d and user@example.com at 10:30:00",
        "Bearer of bad news; basic training; SK Hynix; key-value store",
        "INV-7, ORD-2024-000123, 5f3a9c, 1,234,567.89 USD, cus_A1b2C3d4",
        "The Shipment KEY is 12 weeks; AKIA is a place",
    ],
)
def test_ordinary_words_and_numbers_stay(text):
    assert redact(text) == text
    assert not holds_key(text)


def test_the_environments_values_are_taken_out_in_all_their_forms(monkeypatch):
    values = {
        "MY_LLM_KEY": 'odd"key\\with/9',
        "GATEWAY_TOKEN": "Gateway77",
        "DB_PASSWORD": "correct-Horse-9",
        "UNNAMED": drawn(40),
    }
    for name, value in values.items():
        monkeypatch.setenv(name, value)
    for value in values.values():
        for form in (value, json.dumps(value)[1:-1], quote(value, safe="")):
            assert redact(f"<{form}>") == f"<{REDACTED}>"


@pytest.mark.parametrize(
    "value",
    ["enabled", "standard", "12345678", "/run/agent.sock", "./keys/file1", "two words 9", "https://login.example/v1"],
)
def test_settings_that_are_no_secrets_stay(value, monkeypatch):
    monkeypatch.setenv("SOME_KEY_MODE", value)
    assert redact(f"mode {value}.") == f"mode {value}."


def test_an_author_is_no_secret(monkeypatch):
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Jane-Doe-9")
    assert redact("Jane-Doe-9") == "Jane-Doe-9"


def test_a_variable_named_for_its_key_is_a_secret_whatever_it_holds(monkeypatch):
    monkeypatch.setenv("BREWERY", "plainwords")
    assert redact("plainwords") == "plainwords"
    make_client(name="openai", model="m", api_key_env="BREWERY")
    assert redact("plainwords") == REDACTED


@pytest.mark.parametrize("name", WIRE_NAMES)
@pytest.mark.parametrize("setting", ["model", "base_url", "api_key_env", "extra_body", "max_attempts", "api_key"])
def test_a_key_in_the_configuration_is_refused_unquoted(name, setting):
    key = KEYS_BY_SHAPE["openai project"]
    value = {"extra_body": {"user": {"api_key": key}}, "base_url": f"https://{key}@host/v1"}.get(setting, key)
    with pytest.raises(SettingError, match=setting) as raised:
        make_client(name=name, **{"model": "m", setting: value})
    assert key not in str(raised.value) + repr(raised.value.__context__) + repr(raised.value.__cause__)


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_a_client_shows_no_key_once_it_has_used_it(name):
    with StubModel(player) as stub:
        client = client_of(name, stub)
        played(client)
        again = pickle.loads(pickle.dumps(client))
        assert played(again) == played(client)
    assert {logged.key for logged in stub.log} <= set(KEYS.values())
    shown = repr(client) + str(client.description) + json.dumps(dict(client.description))
    assert not [key for key in KEYS.values() if key in shown or key.encode() in pickle.dumps(client)]


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_no_key_is_logged_at_any_level(name, caplog):
    caplog.set_level(logging.DEBUG)
    with StubModel(player, faults=["http_401", None, "http_500"]) as stub:
        client = client_of(name, stub)
        with pytest.raises(ProviderError):
            client.complete(MESSAGES, [], SETTINGS)
        played(client)
    assert "HTTP" in caplog.text
    assert not [key for key in KEYS.values() if key in caplog.text]


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_a_key_is_read_anew_at_each_call(name, monkeypatch):
    with StubModel(player) as stub:
        client = client_of(name, stub, api_key_env="MY_OWN_KEY")
        with pytest.raises(SettingError, match="MY_OWN_KEY is not set"):
            client.check_ready()
        with pytest.raises(ProviderError, match="MY_OWN_KEY is not set") as raised:
            client.complete(MESSAGES, [], SETTINGS)
        assert raised.value.usage.attempts == 0
        for key in ("first-key-1", "second-key-2"):
            monkeypatch.setenv("MY_OWN_KEY", key)
            client.check_ready()
            client.complete(MESSAGES, [], SETTINGS)
        monkeypatch.setenv("MY_OWN_KEY", "broken\u00e9 key-99")
        with pytest.raises(ProviderError, match="MY_OWN_KEY holds no key") as raised:
            client.complete(MESSAGES, [], SETTINGS)
    assert "key-99" not in str(raised.value)
    assert [logged.key for logged in stub.log] == ["first-key-1", "second-key-2"]


@pytest.mark.parametrize("name", WIRE_NAMES)
def test_a_server_without_keys_gets_none_of_the_environments(name):
    with StubModel(player) as stub:
        client_of(name, stub, api_key_env=None).complete(MESSAGES, [], SETTINGS)
    assert stub.log[0].key == "no-key-needed"
    assert not [key for key in KEYS.values() if key in str(stub.log[0].headers)]
