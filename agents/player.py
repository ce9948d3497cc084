"""`ModelPlayer`: an agent that plays with a model. Methods differ in how they decide, and in what they remember."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, Unpack

from ..envs.core.chat import ChatClient, ChatSettings, Completion, Finish, Message
from ..envs.core.errors import SettingError
from ..envs.core.stop import StopReason
from .base import Agent, AgentStop, AgentTurn, RunContext, TaskCard
from .conversation import Conversation
from .phases import INFERENCE
from .play import Play, PlaySettings
from .prompting import Prompt, load_prompt
from .proposals import Proposal
from .replies import read_object

_SEED_LIMIT = 2**31
_SHOWN_CHARACTERS = 500


class ModelPlayer(Agent):
    """Plays with a model; as it stands, one call a turn.

    A method overrides `decide`, which returns the one proposal that is played, and may put what it has learned into
    the prompt (`learned`). Candidates are proposed as data and reach no environment.

    Args:
        play: The settings of `bizgym.agents.play.Play`.

    Raises:
        SettingError: A number of tokens is below 1, or a prompt does not exist or has a placeholder of its own.
    """

    needs_client = True
    prompts_used: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The method's own prompt files beside the system prompt, with the placeholders that are filled in."""

    def __init__(self, **play: Unpack[PlaySettings]) -> None:
        self._play = Play(**play)
        self._system_prompt = load_prompt(self._play.prompt)
        self._system_prompt.fill(rules="")  # a placeholder that nothing fills is refused before the run
        self._prompts = {name: load_prompt(name) for name in self.prompts_used}
        for name, prompt in self._prompts.items():
            prompt.fill(**dict.fromkeys(self.prompts_used[name], ""))
        self._turns_played = 0
        self._begun = False

    @property
    def prompt_hashes(self) -> Mapping[str, str]:
        """Digests of the system prompt and of the method's own."""
        return {prompt.name: prompt.digest for prompt in (self._system_prompt, *self._prompts.values())}

    def check_ready(self) -> None:
        """Refuse to play without a model."""
        if not self._begun:
            raise SettingError(f"client: {type(self).__name__} plays with a model; give one, for example client=...")

    def begin_run(self, run: RunContext) -> None:
        """Take the run's client."""
        assert run.client is not None, "needs_client is True"
        self._begun = True
        self._run = run
        self._chat = replace(self._play.chat, seed=run.seed % _SEED_LIMIT)

    def begin_episode(self, task: TaskCard) -> None:
        """Begin with what was learned, and nothing of another episode besides."""
        self._task = task
        self._chat = replace(self._play.chat, seed=task.seed % _SEED_LIMIT)
        self._turns_played = 0
        self._conversation = Conversation(self._play, self._system_prompt, task.tools, self.learned())

    def act(self, observation: str, info: dict[str, Any]) -> AgentTurn:
        """Hear what is new, decide, and play one proposal.

        Raises:
            AgentStop: The model refused, was cut off, or its window is full.
        """
        self._conversation.hear(info)
        proposal = self.decide()
        self._turns_played += 1
        self._conversation.said(proposal)
        return proposal.turn(self._conversation.take_stubbed())

    def learned(self) -> str:
        """Return what the prompt says behind the rules: nothing, unless a method has something to say."""
        return ""

    def decide(self) -> Proposal:
        """Return the proposal to play."""
        return self.propose()

    def propose(
        self,
        extra: Sequence[Message] = (),
        *,
        role: str = "act",
        phase: str = INFERENCE,
        seat: int = 0,
        temperature: float | None = None,
    ) -> Proposal:
        """Ask the model for a turn.

        Args:
            extra: Messages behind the episode, in this call alone.
            role: Under which the call is metered.
            phase: Inference or adaptation.
            seat: Number of the proposer; it shifts the seed, so that several of them do not repeat each other.
            temperature: Of this call; None for that of the settings.

        Raises:
            AgentStop: It refused, was cut off, or its window is full.
        """
        chat = self._chat_of(seat, temperature)
        completion = self._conversation.ask(self.client(role, phase), chat, extra)
        self._check(completion)
        return Proposal(completion)

    def comment(
        self,
        question: str,
        *,
        role: str,
        phase: str = INFERENCE,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> str:
        """Ask the model a question about the episode so far; "" where it refuses, or its window is full.

        Args:
            question: The question.
            role: Under which the call is metered.
            phase: Inference or adaptation.
            temperature: Of this call; None for that of the settings.
            max_tokens: Of this call; None for that of the settings.
        """
        chat = self._chat_of(0, temperature)
        if max_tokens is not None:
            chat = replace(chat, max_tokens=max_tokens)
        try:
            completion = self._conversation.ask_about(self.client(role, phase), chat, question)
        except AgentStop as stop:
            if stop.reason is not StopReason.CONTEXT_OVERFLOW:
                raise
            return ""
        return "" if completion.finish is Finish.REFUSAL else completion.text

    def consult(
        self,
        prompt: str,
        values: Mapping[str, str],
        *,
        role: str,
        phase: str,
        temperature: float | None = None,
        max_tokens: int | None = None,
    ) -> str:
        """Ask the model apart from the episode; "" where it refuses.

        Args:
            prompt: Name of one of the method's own prompts.
            values: What fills its placeholders.
            role: Under which the call is metered.
            phase: Inference or adaptation.
            temperature: Of this call; None for that of the settings.
            max_tokens: Of this call; None for that of the settings.
        """
        messages = [{"role": "user", "content": self._prompts[prompt].fill(**values)}]
        chat = replace(self._chat_of(0, temperature), tool_choice="auto")
        if max_tokens is not None:
            chat = replace(chat, max_tokens=max_tokens)
        completion = self.client(role, phase).complete(messages, (), chat)
        return "" if completion.finish is Finish.REFUSAL else completion.text

    def consult_object(self, prompt: str, values: Mapping[str, str], *, role: str, phase: str) -> dict[str, Any] | None:
        """Ask as `consult` does, for a JSON object; None where the reply holds none."""
        return read_object(self.consult(prompt, values, role=role, phase=phase))

    def prompt(self, name: str) -> Prompt:
        """Return one of the method's own prompts."""
        return self._prompts[name]

    def client(self, role: str, phase: str = INFERENCE) -> ChatClient:
        """Return the client under a role and phase; where nothing is metered, the one that the run has."""
        if self._run.meter is not None and (role, phase) != ("act", INFERENCE):
            return self._run.meter.client(role, phase)
        assert self._run.client is not None
        return self._run.client

    def _chat_of(self, seat: int, temperature: float | None) -> ChatSettings:
        assert self._chat.seed is not None
        chat = replace(self._chat, seed=(self._chat.seed + seat) % _SEED_LIMIT) if seat else self._chat
        return chat if temperature is None else replace(chat, temperature=temperature)

    def _check(self, completion: Completion) -> None:
        if completion.finish is Finish.REFUSAL:
            raise AgentStop(StopReason.REFUSAL, f"the model refused: {completion.text[:_SHOWN_CHARACTERS]}")
        if completion.finish is Finish.LENGTH and self._play.on_truncated == "stop":
            written = [completion.text, *(f"{call.name} {call.arguments}" for call in completion.tool_calls)]
            raise AgentStop(
                StopReason.OUTPUT_TRUNCATED,
                f"the reply was cut off after {completion.usage.output} tokens (max_tokens "
                f"{self._play.max_tokens}): ...{' '.join(written)[-_SHOWN_CHARACTERS:]}",
            )
