"""Keys in the environment, for every test of a client."""

import pytest

from tests.fixtures.clients import KEYS, MESSAGES, SETTINGS, WIRE_NAMES, client_of, player
from tests.fixtures.stub_model import StubModel


@pytest.fixture(scope="session", autouse=True)
def loaded_sdks():
    """Load the SDKs before anything is timed: they load their parts at the first request."""
    with StubModel(player) as stub:
        for name in WIRE_NAMES:
            client_of(name, stub, api_key_env=None).complete(MESSAGES, [], SETTINGS)


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
