"""What becomes of a turn's calls: one result a call, and how the results are shown and answered."""

from __future__ import annotations

from typing import Any

from .actions import Call
from .text import clip, echo

NOT_EXECUTED = "not executed: an earlier call of this turn failed or ended the episode; send it again if it still holds"
_NAMED_CALLS = 10
_NAME_CHARACTERS = 80


def failure(call: Call, code: str, message: str) -> dict[str, Any]:
    """Return the result of a call that was refused or not executed."""
    return {"id": call.id, "name": call.name, "ok": False, "code": code, "content": f"error {code}: {message}"}


def titled(results: list[dict[str, Any]], shown: list[str]) -> list[str]:
    """Head the result of each call with its id and name; the calls that were not executed, a tail, share one."""
    titles = [f"{result['id']} {echo(result['name'], _NAME_CHARACTERS)}" for result in results]
    executed = sum(result["code"] != "not_executed" for result in results)
    lines = [f"[{title}] {text}" for title, text in zip(titles[:executed], shown, strict=False)]
    left = titles[executed:]
    if left:
        more = f" and {len(left) - _NAMED_CALLS} more" if len(left) > _NAMED_CALLS else ""
        lines.append(f"[{', '.join(left[:_NAMED_CALLS])}{more}] {shown[executed]}")
    return lines


def messages(calls: list[Call], shown: list[str], notice: str) -> list[dict[str, Any]]:
    """Answer each call with its `tool` message, then text that was no call, and the notice, with one `user` message."""
    if len(calls) == 1 and calls[0].addressed and not notice:
        return [{"role": "tool", "tool_call_id": calls[0].id, "content": shown[0]}]
    answers = [
        {"role": "tool", "tool_call_id": call.id, "content": text}
        for call, text in zip(calls, shown, strict=True)
        if call.addressed
    ]
    if notice or len(answers) < len(calls):
        said = [text for call, text in zip(calls, shown, strict=True) if not call.addressed]
        answers.append({"role": "user", "content": clip("\n\n".join([*said, notice] if notice else said))})
    return answers
