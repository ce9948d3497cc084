"""The settings of a judge, `conf/judge.yaml`, and the judge that they make."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ...agents.clients import make_client
from ...agents.meter import Budget, Ledger, Meter
from ...agents.prices import load_prices
from ...agents.prompting import load_prompt
from ...agents.rollout import Limits
from ...agents.run_config import BudgetConfig, ClientConfig
from ...envs.core.chat import ChatClient
from ...envs.core.errors import SettingError
from ..costs import JUDGE
from ..judge.judging import MAX_REPLY_TOKENS, Judge, JudgePrompts, Sampling

VARIANTS = ("judge_rubric", "judge_brief", "judge_partner")
"""The packaged prompts of judges, the default first."""
REPAIR, REWRITE = "judge_repair", "judge_rewrite"
_SHOWN_ERRORS = 5
_PATIENCE_SECONDS = 86_400.0  # of all ladders together; each call has a deadline of its own client


class JudgeConfig(BaseModel):
    """What a judge depends on.

    Attributes:
        client: The model; never a key.
        prompt: A variant of the prompt by its name, or the path of a `.md` file.
        temperature: Sent where the endpoint takes it; None leaves it to the provider.
        max_tokens: Most tokens of a reply, reasoning included; None leaves it to the provider.
        seed: Sent where the endpoint takes it.
        budget: What judging may use in all, what it used before of the same run included.
        prices: A price file of the user's own, over the packaged one.
        trusted_targets: Prefixes outside `bizgym.` from which the client may be built.
        workers: Interviews of a run that are judged at a time; no score depends on it.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)

    client: ClientConfig
    prompt: str = VARIANTS[0]
    temperature: float | None = Field(default=0.0, ge=0)
    max_tokens: int | None = Field(default=MAX_REPLY_TOKENS, ge=1)
    seed: int | None = Field(default=None, ge=0)
    budget: BudgetConfig = BudgetConfig()
    prices: str | None = None
    trusted_targets: list[str] = []
    workers: int = Field(default=1, ge=1, le=256)

    @classmethod
    def parse(cls, config: Mapping[str, Any]) -> JudgeConfig:
        """Check a composed configuration.

        Raises:
            SettingError: With the path of each wrong value, at most five.
        """
        if config.get("client") is None:
            raise SettingError("--judge: choose a model, for example client=openai client.model=NAME")
        try:
            return cls.model_validate(dict(config))
        except ValidationError as error:
            found = error.errors(include_url=False)[:_SHOWN_ERRORS]
            lines = [f"{'.'.join(map(str, item['loc']))}: {item['msg']}" for item in found]
            raise SettingError(f"--judge: {'; '.join(lines)}") from None

    def sampling(self) -> Sampling:
        """Return how the judge's replies are drawn."""
        return Sampling(self.temperature, self.max_tokens, self.seed)


@dataclass(frozen=True, slots=True)
class MeteredJudge:
    """A judge whose calls are counted under the role `judge`.

    Attributes:
        client: The model.
        ledger: What all of its calls come to, and the budget.
        prompts: The variant of the prompt.
        sampling: How replies are drawn.
    """

    client: ChatClient
    ledger: Ledger
    prompts: JudgePrompts
    sampling: Sampling

    @property
    def description(self) -> dict[str, Any]:
        """The settings that a judgement depends on, see `Judge.description`."""
        return Judge(self.client, self.prompts, self.sampling).description

    def account(self) -> tuple[Judge, Callable[[], dict[str, dict[str, float]]]]:
        """Return the judge with an account of its own, and what tells what it used since the last time, by role."""
        meter = Meter(self.client, self.ledger, Limits(timeout_seconds=_PATIENCE_SECONDS))
        return Judge(meter.client(JUDGE), self.prompts, self.sampling), meter.take


def metered(config: JudgeConfig) -> MeteredJudge:
    """Build a judge by its settings.

    Raises:
        SettingError: There is no such client or prompt.
        DataError: The price file or the prompt cannot be read.
    """
    client = make_client(config.trusted_targets, **config.client.settings)
    ledger = Ledger(load_prices(config.prices), Budget(**config.budget.model_dump()))
    return MeteredJudge(client, ledger, judge_prompts(config.prompt), config.sampling())


def judge_prompts(name: str) -> JudgePrompts:
    """Read a variant of the judge's prompt, and the request to repair that goes with all of them.

    Raises:
        SettingError: There is none, or it has a placeholder other than `$mark`.
        DataError: The file cannot be read.
    """
    prompt, repair = load_prompt(name), load_prompt(REPAIR)
    prompt.fill(mark="")  # a placeholder that nothing fills is refused before anything is paid for
    digest = sha256(f"{prompt.digest} {repair.digest}".encode()).hexdigest()[:16]
    return JudgePrompts(
        prompt.name, digest, lambda mark: prompt.fill(mark=mark), lambda problem: repair.fill(problem=problem)
    )
