"""Tools from typed functions: the signature and the docstring are the schema, validation is strict.

    @tool(effect="write")
    def place_order(self, quantity: Annotated[int, Field(ge=0, le=5000)]) -> str:
        '''Order units from the supplier.

        Args:
            quantity: Units to order this week.
        '''

Annotations are those JSON knows: int, float, str, bool, Literal, list, dict, None, nested pydantic models.
"""

from __future__ import annotations

import inspect
import json
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_type_hints

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from .errors import SettingError
from .sampling import sample_schema
from .text import echo, nearest

Effect = Literal["read", "write"]
RESERVED_NAMES = frozenset(
    [
        "reset",
        "step",
        "state",
        "close",
        "get_reward",
        "verify",
        "seed_session",
        "close_session",
        "aggregate_metrics",
        "mcp",
    ]
)
_PREFIX = re.compile(r".*(__|[^a-z0-9_])", re.DOTALL)
_NAME = re.compile(r"[a-z0-9_]{1,64}\Z")
_SHOWN_ERRORS = 5
_SCHEMA_LIMIT_CHARACTERS = 1_500
_Function = TypeVar("_Function", bound=Callable[..., Any])
TypeBuilder = tuple[Callable[..., Any], tuple[Any, ...]]
"""How to build a type: a function that a module defines, and its arguments."""


class ArgumentsRefused(Exception):
    """The arguments do not fit the tool's schema; the message names the tool, the fields and the schema."""


class UnknownTool(Exception):
    """A tool that calls others by name was given a name that none of them has; the message names the nearest one."""


def tool(*, effect: Effect) -> Callable[[_Function], _Function]:
    """Mark a method of an environment as a tool.

    Args:
        effect: `read` leaves the world as it is, `write` may change it.
    """

    def mark(function: _Function) -> _Function:
        function.__dict__["bizgym_effect"] = effect
        return function

    return mark


class Tool:
    """One tool: its schema is built on first use and once.

    Attributes:
        context_parameter: Name of the function's first parameter, which is no argument of a call.

    Args:
        function: A typed function with a Google-style docstring.
        effect: `read` or `write`.
        bounds: Constraints that only the task knows, by parameter, as keywords of `pydantic.Field`, for
            example `{"quantity": {"le": 100}}`.
        types: Types that only the task knows, by parameter, instead of the annotation: a function of a module and
            its arguments, which build the type on first use (and so travel in a pickle, as the type would not).

    Raises:
        SettingError: The name is not `[a-z0-9_]{1,64}`, or a host framework reserves it.
    """

    context_parameter: ClassVar[str] = "self"

    def __init__(
        self,
        function: Callable[..., Any],
        *,
        effect: Effect,
        bounds: Mapping[str, Mapping[str, Any]] | None = None,
        types: Mapping[str, TypeBuilder] | None = None,
    ) -> None:
        self.name = function.__name__
        self.effect = effect
        self._function = function
        self._bounds = dict(bounds or {})
        self._types = dict(types or {})
        if not _NAME.match(self.name) or self.name in RESERVED_NAMES:
            raise SettingError(
                f"a tool cannot be called {self.name!r}: use [a-z0-9_], and no name that a host reserves"
            )

    def __reduce__(self) -> tuple[Any, ...]:
        return _tool, (self._function, self.effect, self._bounds, self._types)

    def bounded(self, **bounds: Mapping[str, Any]) -> Tool:
        """Return the same tool with tighter constraints on the named parameters."""
        return Tool(self._function, effect=self.effect, bounds={**self._bounds, **bounds}, types=self._types)

    def typed(self, **types: TypeBuilder) -> Tool:
        """Return the same tool with other types of the named parameters, each as (function, arguments)."""
        return Tool(self._function, effect=self.effect, bounds=self._bounds, types={**self._types, **types})

    @cached_property
    def description(self) -> str:
        """What the tool does: the docstring up to its `Args:` section."""
        return _sections(self._function)[0]

    @cached_property
    def model(self) -> type[BaseModel]:
        """The strict pydantic model of the arguments."""
        hints = get_type_hints(self._function, include_extras=True)
        notes = _sections(self._function)[1]
        fields: dict[str, Any] = {}
        for name, parameter in inspect.signature(self._function).parameters.items():
            if name == self.context_parameter:
                continue
            if name not in hints or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                raise SettingError(f"tool {self.name}: the parameter {name!r} needs a name and a type of its own")
            default = ... if parameter.default is inspect.Parameter.empty else parameter.default
            kind = hints[name]
            if name in self._types:
                build, arguments = self._types[name]
                kind = build(*arguments)
            if name in self._bounds:  # around the annotation's own: of two constraints of a kind the last one holds
                kind = Annotated[kind, Field(**self._bounds[name])]
            fields[name] = (kind, Field(default, description=notes.get(name)))
        config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False, protected_namespaces=())
        with warnings.catch_warnings():  # a parameter may be called `json` or `copy`, as a method of models is
            warnings.simplefilter("ignore", UserWarning)
            return create_model(self.name, __config__=config, **fields)

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """JSON schema of the arguments object.

        Raises:
            SettingError: A nested model lets unknown keys through.
        """
        schema: dict[str, Any] = _without_titles(self.model.model_json_schema())
        for name, part in schema.get("$defs", {}).items():
            if "properties" in part and part.get("additionalProperties") is not False:
                raise SettingError(f"tool {self.name}: give {name} model_config = ConfigDict(extra='forbid')")
        schema.pop("description", None)
        schema.setdefault("properties", {})
        return schema

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The tool in the form of the OpenAI chat interface."""
        function = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": function}

    @cached_property
    def text(self) -> str:
        """The schema as one JSON text."""
        return json.dumps(self.schema, ensure_ascii=False)

    def sample(self, rng: np.random.Generator) -> dict[str, Any]:
        """Draw arguments that fit the schema."""
        drawn: dict[str, Any] = sample_schema(self.parameters, rng)
        return drawn

    @cached_property
    def _validate(self) -> Callable[..., Any]:
        _ = self.parameters  # whose making refuses nested models that let unknown keys through
        return self.model.__pydantic_validator__.validate_python

    def validate(self, arguments: dict[str, Any]) -> dict[str, Any]:
        """Return the keyword arguments for the function, defaults filled in.

        Raises:
            ArgumentsRefused: A field is missing, unknown, of another type or out of bounds.
        """
        try:
            fields: dict[str, Any] = self._validate(arguments, strict=True).__dict__
        except ValidationError as error:
            raise ArgumentsRefused(self._complaint(error)) from None
        except UnicodeEncodeError:
            raise ArgumentsRefused(f"{self.name}: a name holds half a character (a lone surrogate)") from None
        return fields

    def _complaint(self, error: ValidationError) -> str:
        found = error.errors(include_url=False, include_context=False)
        lines = [f"{_path(item['loc'])}: {item['msg']}, got {_got(item)}" for item in found[:_SHOWN_ERRORS]]
        if len(found) > _SHOWN_ERRORS:
            lines.append(f"and {len(found) - _SHOWN_ERRORS} more")
        schema = json.dumps(self.parameters, ensure_ascii=False)
        return f"{self.name}: {'; '.join(lines)}. Schema of the arguments: {echo(schema, _SCHEMA_LIMIT_CHARACTERS)}"


def _tool(
    function: Callable[..., Any],
    effect: Effect,
    bounds: Mapping[str, Mapping[str, Any]],
    types: Mapping[str, TypeBuilder],
) -> Tool:
    return Tool(function, effect=effect, bounds=bounds, types=types)


def _path(location: Iterable[Any]) -> str:
    return ".".join(echo(str(part), 60) for part in location) or "arguments"


def _got(item: Mapping[str, Any]) -> str:
    if item["type"] == "missing":
        return "nothing"
    value = item["input"]
    kind = {str: "string", bool: "boolean", int: "integer", float: "number", list: "list", dict: "object"}
    return f"the {kind.get(type(value), 'value')} {echo(value, 60)}"


def _without_titles(schema: Any) -> Any:
    """Drop pydantic's generated titles, which say nothing that the names do not; properties keep theirs."""
    if isinstance(schema, list):
        return [_without_titles(inner) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {}
    for key, inner in schema.items():
        if key in ("properties", "$defs"):
            kept[key] = {name: _without_titles(part) for name, part in inner.items()}
        elif key != "title":
            kept[key] = _without_titles(inner)
    return kept


def _sections(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """Split a Google-style docstring into its description and the notes of its `Args:` section."""
    doc = inspect.getdoc(function) or ""
    head, _, rest = doc.partition("\nArgs:\n")
    notes: dict[str, str] = {}
    name = ""
    for line in rest.splitlines():
        entry = re.match(r" {4}(\w+)(?: \([^)]*\))?: (.*)", line)
        if entry:
            name = entry[1]
            notes[name] = entry[2].strip()
        elif line.startswith("        ") and name:
            notes[name] += " " + line.strip()
        elif line.strip():
            break
    return " ".join(head.split()), notes


class Toolbox(Mapping[str, Tool]):
    """The tools on offer, in order, with their JSON texts built once."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        self._tools = {each.name: each for each in tools}

    @classmethod
    def of(cls, owner: type) -> Toolbox:
        """Return the methods of a class that are marked with `@tool`, in order of definition; built once a class."""
        if owner not in _BOXES:
            found: dict[str, Tool] = {}
            for kind in reversed(owner.__mro__):
                for name, value in vars(kind).items():
                    if "bizgym_effect" in getattr(value, "__dict__", {}):
                        found[name] = Tool(value, effect=value.bizgym_effect)
            _BOXES[owner] = cls(found.values())
        return _BOXES[owner]

    def __getitem__(self, name: str) -> Tool:
        return self._tools[name]

    def find(self, name: str) -> Tool | None:
        """Return the tool of this name, None where there is none."""
        return self._tools.get(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The tools as JSON texts; the same objects each time."""
        return tuple(each.text for each in self._tools.values())

    def unknown(self, name: str) -> str:
        """Say that there is no such tool, with the nearest name first and the valid names, bounded."""
        names = list(self._tools)
        shown = ", ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
        bare = _PREFIX.sub("", name[:100])  # `functions.pay` and `bank__pay` are meant for `pay`
        hint = nearest(bare if bare in self._tools else name, names)
        return f"there is no tool {echo(name, 80)!r}.{hint} The tools are: {shown}."


_BOXES: dict[type, Toolbox] = {}
