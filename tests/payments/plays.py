"""Random play: acts in any order, with arguments that make sense here more often than not; and what must hold then."""

from bizgym.envs.payments.kernel.events import world_after
from bizgym.envs.payments.records import Account, Allocation, Hold, Invoice, LedgerEntry, Receipt, ReconciliationFile

BORDER = ("receipt", "return", "payout", "payout_return", "refund")
"""Reasons of entries whose other side may stand in another bank's books."""


def sample(rng, engine, base, schema):
    """Draw a value that fits a schema: existing ids, amounts from small to too large, minutes near and far."""
    if "anyOf" in schema:
        return None if rng.random() < 0.5 else sample(rng, engine, base, schema["anyOf"][0])
    if "enum" in schema or "const" in schema:
        return rng.choice(schema.get("enum") or [schema["const"]])
    if "$ref" in schema:
        minor = rng.choice([1, 70, 500, 1_000, 2_000, 5_000, 20_000, 90_000])
        return {"minor": minor, "currency": rng.choice(["USD"] * 8 + ["EUR", "GBP"])}
    if schema["type"] == "array":
        return [sample(rng, engine, base, schema["items"]) for _ in range(rng.randrange(3))]
    if schema["type"] == "boolean":
        return rng.random() < 0.5
    if schema["type"] == "integer":
        return (
            rng.choice([202_605, 202_610, 202_612]) if "examples" in schema else engine.now + rng.choice([1, 90, 900])
        )
    return text(rng, engine, base, schema)


def text(rng, engine, base, schema):
    """Draw an id of the kind that a schema asks for, or a word that a machine could have written."""
    created = [write.record_id for event in engine.log for write in event.writes if write.field == ""]
    if "pattern" in schema:
        return f"K{rng.randrange(100, 130)}"
    if "examples" not in schema:
        return rng.choice([*base.records, *created])
    prefix = schema["examples"][0].rpartition("-")[0]
    fitting = [each for each in (*base.records, *created) if each.rpartition("-")[0] == prefix]
    return rng.choice(fitting or [f"{prefix}-1"])


def draw(rng, engine, base, tool, known):
    """Draw arguments of an act: those that are known to fit, mostly with one of them at random; or all at random."""
    schemas = tool.parameters["properties"]
    given = dict(known)
    if "idempotency_key" in given:
        given["idempotency_key"] = f"key-{len(engine.log)}"
    if not given or rng.random() < 0.25 or not all_exist(engine, given):
        return {name: sample(rng, engine, base, schema) for name, schema in schemas.items()}
    one = rng.choice(list(schemas)) if rng.random() < 0.7 else ""
    return {name: sample(rng, engine, base, schemas[name]) if name == one else each for name, each in given.items()}


def all_exist(engine, given):
    """Whether every id among some arguments is that of a record."""
    ids = [each for each in given.values() if isinstance(each, str) and each[:3].isupper() and each[3:4] == "-"]
    return all(engine.world.find(each) is not None for each in ids)


def total(records, field="amount"):
    return sum(getattr(record, field).minor for record in records)


def check_cash(engine, base):
    """Balances are openings plus entries, holds are what is held, and what stays inside sums to zero."""
    entries = [each for each in engine.world.all(LedgerEntry) if engine.world.is_new(each.id)]
    for account in engine.world.all(Account):
        opening = base.records[account.id].balance.minor if account.id in base.records else 0
        assert account.balance.minor == opening + total(each for each in entries if each.account == account.id)
        assert account.held.minor == total(engine.world.all(Hold, account=account.id, state="active"))
    for currency in sorted({each.amount.currency for each in entries}):
        inside = [each for each in entries if each.reason not in BORDER and each.amount.currency is currency]
        assert total(inside) == 0


def check_receivables(engine):
    """What is allocated fits receipts and invoices, and is frozen where a file is closed and nowhere else."""
    standing = [each for each in engine.world.all(Allocation) if each.state in ("booked", "frozen")]
    for receipt in engine.world.all(Receipt):
        used = total(each for each in standing if each.receipt == receipt.id)
        left = 0 if receipt.state == "returned" else receipt.amount.minor - used
        assert receipt.unallocated.minor == left >= 0
        assert (receipt.state == "allocated") == (left == 0 and receipt.state != "returned")
    for invoice in engine.world.all(Invoice):
        paid = total(each for each in standing if each.invoice == invoice.id)
        left = 0 if invoice.state == "cancelled" else invoice.amount.minor - paid
        assert invoice.open_amount.minor == left >= 0
    for file in engine.world.all(ReconciliationFile):
        states = {each.state.value for each in engine.world.all(Allocation, file=file.id)}
        assert not states & ({"booked", "proposed"} if file.state == "closed" else {"frozen"})


def check_log(engine, base):
    """The log alone leads to the state."""
    assert world_after(base, list(engine.log), len(engine.log)).changed() == engine.world.changed()
