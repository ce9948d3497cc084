"""The reads that every kind of record has: get one, list some, see what happened to one in this episode."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Annotated, Any

from pydantic import Field

from ..kernel.records import Id, Record, field_types, to_json
from ..kernel.tools import BusinessTool, Context, business_tool

MAX_LISTED = 50
Limit = Annotated[int, Field(ge=1, le=MAX_LISTED)]
Offset = Annotated[int, Field(ge=0, le=10_000)]


def reads_of(kind: type[Record], module: str) -> list[BusinessTool]:
    """Return `<kind>_get`, `<kind>_list` and `<kind>_history`."""
    return [_get(kind, module), _list(kind, module), _history(kind, module)]


def _get(kind: type[Record], module: str) -> BusinessTool:
    def get(ctx: Context, record: Any) -> Any:
        return to_json(record)

    what = _words(kind)
    doc = f"Show one {what} with all of its fields.\n\nArgs:\n    record: The {what}.\n"
    return _declare(get, f"{kind.kind}_get", doc, {"record": kind}, module)


def _list(kind: type[Record], module: str) -> BusinessTool:
    filters = {name: hint for name, hint in field_types(kind).items() if name != "id" and _filters(hint)}

    def listed(ctx: Context, **given: Any) -> Any:
        limit, offset = given.pop("limit"), given.pop("offset")
        wanted = {name: value for name, value in given.items() if value is not None}
        found = list(ctx.world.all(kind, **wanted))
        shown = [to_json(record) for record in found[offset : offset + limit]]
        return {"total": len(found), "offset": offset, "records": shown}

    what = _words(kind)
    notes = [f"    {name}: Only those with this {name.replace('_', ' ')}." for name in filters]
    doc = "\n".join(
        [
            f"List records of the kind {what}, oldest first, a page at a time.",
            "",
            "Args:",
            *notes,
            f"    limit: How many to show, at most {MAX_LISTED}.",
            "    offset: How many to skip.",
        ]
    )
    parameters = {name: hint | None for name, hint in filters.items()}
    return _declare(listed, f"{kind.kind}_list", doc, {**parameters, "limit": Limit, "offset": Offset}, module)


def _history(kind: type[Record], module: str) -> BusinessTool:
    def history(ctx: Context, record: Any) -> Any:
        changes = [
            {
                "minute": event.t,
                "by": event.actor.value,
                "what": event.name,
                "field": write.field or "created",
                "old": to_json(write.old),
                "new": to_json(write.new),
            }
            for event in ctx.log
            for write in event.writes
            if write.record_id == record.id
        ]
        return {"id": record.id, "changes": changes}

    what = _words(kind)
    doc = f"Show what has happened to one {what} since you began.\n\nArgs:\n    record: The {what}.\n"
    return _declare(history, f"{kind.kind}_history", doc, {"record": kind}, module)


_DEFAULTS: Mapping[str, Any] = {"limit": 20, "offset": 0}


def _declare(
    function: Callable[..., Any], name: str, doc: str, parameters: Mapping[str, Any], module: str
) -> BusinessTool:
    """Give a function the name, the docstring and the signature of the tool that it is."""
    empty = inspect.Parameter.empty
    listed = [inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_ONLY)]
    for each, hint in parameters.items():
        default = empty if isinstance(hint, type) and issubclass(hint, Record) else _DEFAULTS.get(each)
        listed.append(inspect.Parameter(each, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hint))
    function.__name__ = name
    function.__doc__ = doc
    function.__annotations__ = {"ctx": Context, **parameters, "return": Any}
    function.__signature__ = inspect.Signature(listed)  # type: ignore[attr-defined]
    return business_tool(module=module)(function)


def _filters(hint: Any) -> bool:
    return hint in (Id, bool) or (isinstance(hint, type) and issubclass(hint, Enum))


def _words(kind: type[Record]) -> str:
    return kind.kind.replace("_", " ")
