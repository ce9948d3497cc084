"""Counterparts that may be models: what an environment's `counterpart` setting holds, and the client that it names."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Annotated, Any, Literal, Self, cast

from pydantic import Field, ValidationError, field_validator, model_validator

from .chat import ChatClient
from .errors import SettingError
from .tasks import Frozen
from .text import echo

_OWN = "bizgym."
_FACTORY = r"^[A-Za-z_][\w.]*:[A-Za-z_]\w*$"


class ClientSetting(Frozen):
    """A client by the function that makes it.

    Attributes:
        factory: `module:function` of BizGym itself; a client from elsewhere goes in by `set_counterpart`.
        arguments: Its keyword arguments.
    """

    factory: Annotated[str, Field(pattern=_FACTORY)]
    arguments: dict[str, Any] = Field(default_factory=dict)

    @field_validator("factory")
    @classmethod
    def _is_ours(cls, factory: str) -> str:
        if not factory.startswith(_OWN):
            raise ValueError(f"it lies outside {_OWN}*; use set_counterpart(client)")
        return factory

    def make(self) -> ChatClient:
        """Make the client.

        Raises:
            SettingError: The function does not exist, or refuses its arguments.
        """
        module, _, name = self.factory.partition(":")
        try:
            function = getattr(import_module(module), name)
        except (ImportError, AttributeError) as error:
            raise SettingError(f"counterpart.client.factory: {echo(self.factory)} cannot be loaded ({error})") from None
        try:
            return cast("ChatClient", function(**self.arguments))
        except TypeError as error:
            raise SettingError(f"counterpart.client.arguments: {error}") from None


class CounterpartSetting(Frozen):
    """Who plays the other side of a conversation.

    Attributes:
        driver: `scripted` (a pure function of what has happened), `llm`, `replay` or `human`.
        client: The model, for `llm`; None where `set_counterpart` hands it over.
        turns: The recorded turns, for `replay`.
    """

    driver: Literal["scripted", "llm", "replay", "human"] = "scripted"
    client: ClientSetting | None = None
    turns: list[Any] | None = None

    @model_validator(mode="after")
    def _can_play(self) -> Self:
        if self.driver == "replay" and self.turns is None:
            raise ValueError("turns: the driver replay needs the recorded turns")
        return self

    @classmethod
    def of(cls, given: Any) -> CounterpartSetting:
        """Read the `counterpart` keyword of an environment; None stands for the script.

        Raises:
            SettingError: It is no such setting; the message gives the path.
        """
        if given is None:
            return cls()
        if isinstance(given, Mapping) and isinstance(given.get("client"), Mapping):
            client = dict(given["client"])
            factory = {"factory": client.pop("factory")} if "factory" in client else {}
            given = {**given, "client": {**factory, "arguments": client}}  # what else stands there is for the factory
        try:
            return cls.model_validate(given)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(map(str, ("counterpart", *first["loc"])))
            raise SettingError(f"{place}: {first['msg']}, not {echo(first['input'])}") from None
