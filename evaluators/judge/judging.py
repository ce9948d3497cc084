"""One interview judged by a model: a verdict, or `unscored` with a reason; no number that the judge did not give."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from typing import Any

from ...envs.core.chat import ChatClient, ChatSettings, Completion, Finish, Message, ProviderError
from ...envs.core.jsontext import canonical
from ...envs.core.text import clip
from .transcript import Transcript
from .verdict import ERRORED, SCORED, UNSCORED, Status, Unreadable, Verdict, read_verdict, schema

MAX_REPLY_TOKENS = 2_000
_KEPT_CHARACTERS = 20_000
_RUN_SETTINGS = ("answered_by", "price_dates")
"""What a metered client tells of the calls made so far; no setting."""


@dataclass(frozen=True, slots=True)
class JudgePrompts:
    """The texts that a judge works by.

    Attributes:
        name: Name of the variant.
        digest: Digest of both texts as they stand in their files.
        rules: Returns the system message, given the mark of the fences.
        repair: Returns the request to answer again, given what is wrong with the reply.
    """

    name: str
    digest: str
    rules: Callable[[str], str]
    repair: Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Judgement:
    """What came of judging an interview.

    Attributes:
        status: See `verdict.Status`.
        verdict: The verdict, None unless scored.
        reason: Why there is none, "" where there is one.
        replies: The judge's replies, verbatim but for their length.
    """

    status: Status
    verdict: Verdict | None
    reason: str
    replies: tuple[str, ...]

    @property
    def overall_mean(self) -> float | None:
        """Mean of the four dimensions, None unless scored."""
        return None if self.verdict is None else self.verdict.overall_mean


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a judge's replies are drawn.

    Attributes:
        temperature: Sent where the endpoint takes it; None leaves it to the provider.
        max_tokens: Most tokens of a reply, reasoning included; None leaves it to the provider.
        seed: Sent where the endpoint takes it.
    """

    temperature: float | None = 0.0
    max_tokens: int | None = MAX_REPLY_TOKENS
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class Judge:
    """Judges interviews with a model.

    Attributes:
        client: The model, metered under the role `judge` by whoever made it.
        prompts: The variant of the prompt.
        sampling: How replies are drawn.
    """

    client: ChatClient
    prompts: JudgePrompts
    sampling: Sampling = Sampling()

    @property
    def description(self) -> dict[str, Any]:
        """The settings that a judgement depends on: client, prompt, sampling; no key."""
        client = {name: value for name, value in self.client.description.items() if name not in _RUN_SETTINGS}
        prompt = {"prompt": self.prompts.name, "prompt_digest": self.prompts.digest}
        return {"client": client, **prompt, **asdict(self.sampling)}

    def key(self, transcript: Transcript) -> str:
        """Return what tells a judgement from others: the digest of the transcript and of the judge's settings."""
        return sha256(f"{transcript.digest} {canonical(self.description)}".encode()).hexdigest()

    def with_(self, *, prompts: JudgePrompts | None = None, seed: int | None = None) -> Judge:
        """Return the same judge with another prompt, or drawing by another seed."""
        sampling = self.sampling if seed is None else replace(self.sampling, seed=seed)
        return replace(self, prompts=prompts or self.prompts, sampling=sampling)

    def judge(self, transcript: Transcript) -> Judgement:
        """Judge an interview; a reply that is no verdict is asked for once more.

        The budget of the meter behind the client stops it by an exception of that meter's own.
        """
        messages: list[Message] = [
            {"role": "system", "content": self.prompts.rules(transcript.mark)},
            {"role": "user", "content": transcript.fenced()},
        ]
        sampling = asdict(self.sampling)
        settings = ChatSettings(**sampling, tool_choice="none", response_schema=schema())
        replies: list[str] = []
        problem = ""
        for _ in range(2):
            try:
                reply = self.client.complete(messages, (), settings)
            except ProviderError as error:
                return Judgement(ERRORED, None, f"provider_error: {error}", tuple(replies))
            replies.append(clip(reply.text, _KEPT_CHARACTERS))
            try:
                return Judgement(SCORED, read(reply), "", tuple(replies))
            except Unreadable as error:
                problem = str(error)
            messages = [*messages, *self._again(reply, problem)]
        return Judgement(UNSCORED, None, f"unreadable after one repair: {problem}", tuple(replies))

    def _again(self, reply: Completion, problem: str) -> Sequence[Message]:
        said: Mapping[str, Any] = {"role": "assistant", "content": reply.text or "(no text)"}
        return said, {"role": "user", "content": self.prompts.repair(problem)}


def read(reply: Completion) -> Verdict:
    """Return the verdict of a reply.

    Raises:
        Unreadable: It is cut off, a refusal, or no verdict.
    """
    if reply.finish is Finish.REFUSAL:
        raise Unreadable("the judge refused")
    if reply.finish is Finish.LENGTH:
        raise Unreadable("the reply was cut off; answer more briefly")
    return read_verdict(reply.text)
