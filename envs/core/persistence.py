"""Save, load and pickle by replay: an episode is its settings, task, seed and actions, and nothing hidden."""

from __future__ import annotations

import json
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from .errors import SettingError
from .text import echo

SAVE_FORMAT = 1


class SavedEpisode(BaseModel):
    """The JSON that `save` writes: everything that a replay needs, no state and no target."""

    model_config = ConfigDict(extra="forbid", strict=True)

    format: int
    env: str
    kwargs: dict[str, Any]
    task_id: str
    seed: Annotated[int, Field(ge=0)]
    next_task: int
    actions: list[Any]
    forfeited: str | None
    replies: list[Any] = Field(default_factory=list)


class Persistent:
    """Mixin of `TextEnv`: remembers the constructor's keywords and rebuilds an episode by playing it again."""

    _kwargs_text: str

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Keep the keywords as JSON, which a spec, a pickle and a record all need."""
        if args:
            raise SettingError("settings are passed by keyword, so that a spec, a pickle and a record can hold them")
        env = super().__new__(cls)
        env._kwargs_text = _json_of(kwargs)
        return env

    def _keywords(self) -> dict[str, Any]:
        """Return the keywords that the constructor was called with, as JSON values."""
        return dict(json.loads(self._kwargs_text))

    def save(self) -> str:
        """Return the episode as JSON text: settings, task, seed and the actions so far.

        Raises:
            SettingError: No episode has been started.
        """
        env: Any = self
        if env._task is None:
            raise SettingError("save: there is no episode to save; call reset first")
        episode = {
            **self._identity(),
            "task_id": env._task.task_id,
            "seed": env._episode_seed,
            "next_task": env._next_task,
            "actions": env._actions,
            "forfeited": env._forfeited,
            "replies": env._replies(),
        }
        return json.dumps(episode, allow_nan=False)

    def load(self, saved: str) -> None:
        """Rebuild a saved episode in this environment by playing its actions again.

        Args:
            saved: Text from `save` of an environment of the same class and settings.

        Raises:
            SettingError: The text is not such a save, or belongs to other settings.
        """
        try:
            episode = SavedEpisode.model_validate(json.loads(saved))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = ".".join(map(str, first["loc"])) or "text"
            raise SettingError(f"load: {place}: {first['msg']}; pass the text that save() returned") from None
        except (ValueError, TypeError, RecursionError) as error:
            raise SettingError(f"load: not JSON ({error}); pass the text that save() returned") from None
        self._require_same(episode)
        env: Any = self
        env.feed_counterpart(episode.replies)
        env.reset(seed=episode.seed, options={"task_id": episode.task_id})
        for action in episode.actions:
            if env.stop_reason is not None:
                raise SettingError("load: actions: some come after the end; pass the text that save() returned")
            env.step(action)
        if episode.forfeited is not None:
            env.forfeit(episode.forfeited)
        env._next_task = episode.next_task

    def _identity(self) -> dict[str, Any]:
        return {
            "format": SAVE_FORMAT,
            "env": f"{type(self).__module__}:{type(self).__name__}",
            "kwargs": self._keywords(),
        }

    def _require_same(self, episode: SavedEpisode) -> None:
        for field, mine in self._identity().items():
            theirs = getattr(episode, field)
            if theirs != mine:
                raise SettingError(
                    f"load: {field} is {echo(theirs)} in the save and {echo(mine)} here; build them alike"
                )

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle as the save, so that no target travels; an episode that ran is played again on arrival."""
        env: Any = self
        saved = self.save() if env._task is not None else None
        return _revive, (type(self), self._kwargs_text, saved, env.spec, env.action_space)


def _json_of(kwargs: dict[str, Any]) -> str:
    for name, value in kwargs.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            hint = "settings are plain JSON values (OmegaConf.to_container converts an OmegaConf node)"
            raise SettingError(f"{name}: {error}; {hint}") from None
    return json.dumps(kwargs)


def _revive(cls: type[Any], kwargs_text: str, saved: str | None, spec: Any, action_space: Any) -> Any:
    env = cls(**json.loads(kwargs_text))
    env.spec = spec
    if saved is not None:
        env.load(saved)
    tools = env._toolbox
    env.action_space = action_space
    env.action_space.offer(tools)
    return env
