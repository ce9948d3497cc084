"""Prices: a date and a source for every row, each class of tokens at its own price, and nothing unknown is free."""

from datetime import date
from importlib.resources import files
from pathlib import Path

import pytest
import yaml
from bizgym.agents.prices import Price, PriceBook, load_prices
from bizgym.envs.core.chat import Usage
from bizgym.envs.core.errors import DataError

PACKAGED = yaml.safe_load(files("bizgym.data").joinpath("prices", "prices.yaml").read_text(encoding="utf-8"))
OPENAI = {"name": "openai", "base_url": None}
ROW = {"model": "m", "input": 2.0, "cached": 0.2, "cache_write": 2.5, "output": 10.0}
TOLD = {"date": date(2026, 1, 1), "source": "https://example.org/prices"}


def price_file(folder: Path, *rows: dict, **changed: object) -> str:
    path = folder / "prices.yaml"
    path.write_text(
        yaml.safe_dump({"unit": "USD per million tokens", "prices": list(rows), **changed}), encoding="utf-8"
    )
    return str(path)


def test_C03_each_class_of_tokens_is_charged_once_and_at_its_own_price():
    """90 of 100 tokens come from the cache: 10 fresh, and none of the 90 at the full price."""
    price = Price(**ROW, **TOLD)
    million = 1_000_000
    assert price.cost_usd(Usage(input=100 * million, cached=90 * million)) == pytest.approx(10 * 2.0 + 90 * 0.2)
    mixed = Usage(input=100, cached=60, cache_write=30, output=7, reasoning=5)
    assert price.cost_usd(mixed) * million == pytest.approx(10 * 2.0 + 60 * 0.2 + 30 * 2.5 + 7 * 10.0)


def test_C03_without_a_price_of_its_own_a_class_costs_what_fresh_tokens_cost():
    price = Price(model="m", input=3.0, output=5.0, **TOLD)
    assert price.cost_usd(Usage(input=100, cached=50, cache_write=20, output=10)) == pytest.approx((300 + 50) / 1e6)


def test_counts_that_contradict_each_other_make_no_negative_price():
    price = Price(**ROW, **TOLD)
    assert price.cost_usd(Usage(input=10, cached=90)) == pytest.approx(90 * 0.2 / 1e6)


def test_a_price_at_its_own_host_goes_before_one_for_any_host():
    own = Price(host="api.openai.com", **ROW, **TOLD)
    book = PriceBook([own, Price(**{**ROW, "input": 7.0}, **TOLD)])
    assert book.of_client({**OPENAI, "model": "m"}).input == 2.0
    assert book.of_client({**OPENAI, "model": "m", "base_url": "https://gateway.example"}).input == 7.0


def test_every_packaged_row_has_a_date_a_source_and_a_host():
    assert len(PACKAGED["prices"]) >= 5
    for row in PACKAGED["prices"]:
        assert row["source"].startswith("https://")
        assert isinstance(row["date"], date)
        assert row["host"] in ("api.openai.com", "api.anthropic.com")
        assert 0 < row.get("cached", row["input"]) <= row["input"] < row["output"]
        assert row.get("cache_write", row["input"]) >= row["input"]


@pytest.mark.parametrize("missing", ["date", "source", "input", "output", "model"])
def test_there_is_no_price_without_a_date_and_a_source(tmp_path, missing):
    row = {**ROW, **TOLD}
    row.pop(missing)
    with pytest.raises(DataError, match=rf"prices\.yaml: prices\.0\.{missing}"):
        load_prices(price_file(tmp_path, row))


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"input": -1}, r"prices\.0\.input"),
        ({"output": float("inf")}, r"prices\.0\.output"),
        ({"source": ""}, r"prices\.0\.source"),
        ({"currency": "EUR"}, r"prices\.0\.currency"),
        ({"date": "soon"}, r"prices\.0\.date"),
    ],
)
def test_a_row_that_does_not_hold_is_named(tmp_path, changed, message):
    with pytest.raises(DataError, match=message):
        load_prices(price_file(tmp_path, {**ROW, **TOLD, **changed}))


def test_a_file_in_another_unit_or_with_a_row_twice_is_refused(tmp_path):
    with pytest.raises(DataError, match="unit"):
        load_prices(price_file(tmp_path, {**ROW, **TOLD}, unit="USD per thousand tokens"))
    with pytest.raises(DataError, match=r"m \(any host\) stands twice"):
        load_prices(price_file(tmp_path, {**ROW, **TOLD}, {**ROW, **TOLD}))
    with pytest.raises(DataError, match="cannot be read"):
        load_prices(str(tmp_path / "none.yaml"))


def test_a_users_own_file_overrides_and_leaves_the_rest(tmp_path):
    known = PACKAGED["prices"][0]
    mine = {**ROW, **TOLD, "model": known["model"], "input": 99.0}
    book = load_prices(price_file(tmp_path, mine))
    assert book.of_client({**OPENAI, "model": known["model"]}).input == 99.0
    other = PACKAGED["prices"][1]
    assert book.of_client({**OPENAI, "model": other["model"]}).input == other["input"]


def test_snapshots_cost_what_their_model_costs_and_other_models_nothing_known():
    book = PriceBook([Price(host="api.openai.com", **ROW, **TOLD)])
    found = [
        book.of_client({**OPENAI, "model": name}) is not None
        for name in ("m", "m-2026-09-22", "m-20260922", "m-mini", "x", None)
    ]
    assert found == [True, True, True, False, False, False]
    assert book.of_client({**OPENAI, "model": "alias"}, "m-2026-09-22") is not None


@pytest.mark.parametrize(
    ("client", "priced"),
    [
        ({"name": "openai", "base_url": None}, True),
        ({"name": "openai_responses", "base_url": None}, True),
        ({"name": "replay", "replay_of": "openai", "base_url": None}, True),
        ({"name": "replay", "replay_of": "anthropic", "base_url": None}, False),
        ({"name": "openai", "base_url": "https://api.openai.com/v1"}, True),
        ({"name": "openai", "base_url": "http://127.0.0.1:8000/v1"}, False),
        ({"name": "openai", "base_url": "https://gateway.example/v1"}, False),
        ({"name": "anthropic", "base_url": None}, False),
        ({"name": "mine"}, False),
    ],
)
def test_a_price_holds_at_its_host_alone(client, priced):
    book = PriceBook([Price(host="api.openai.com", **ROW, **TOLD)])
    assert (book.of_client({**client, "model": "m"}) is not None) == priced
    anywhere = PriceBook([Price(**ROW, **TOLD)])
    assert anywhere.of_client({**client, "model": "m"}) is not None


@pytest.mark.parametrize("host", ["https://api.openai.com", "API.OpenAI.com", "api.openai.com:443", "localhost/v1", ""])
def test_a_host_that_no_address_has_is_refused(tmp_path, host):
    """Such a row would never be found, and the packaged price counted in its place."""
    with pytest.raises(DataError, match=r"prices\.0\.host: .*the host alone, in small letters"):
        load_prices(price_file(tmp_path, {**ROW, **TOLD, "host": host}))
    book = load_prices(price_file(tmp_path, {**ROW, **TOLD, "host": "localhost"}))
    assert book.of_client({**OPENAI, "model": "m", "base_url": "http://LOCALHOST:8000/v1"}).input == 2.0
