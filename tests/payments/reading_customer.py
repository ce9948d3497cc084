"""A model that plays the customer by its prompt alone: it tells what it may, and approves what there is a policy for.

It reads the same texts as a language model and nothing else, so what it decides shows what the prompt says.
"""

import json
import re

from bizgym.envs.core.chat import Completion, Finish, ToolCall, Usage
from bizgym.envs.core.jsontext import canonical

_ITEM = re.compile(r"^- (?P<id>\w+) \((?P<name>[^;]+); (?P<marks>[^)]*)\): (?P<value>.*)$", re.M)
_POLICY = re.compile(
    r"^- (?P<request>\w+): grant"
    r"(?P<consent> by a consent \(subject: the term (\w+), cap: the term (\w+)\))?",
    re.M,
)
_DECISIONS = ("approve_request", "set_consent_cap", "reject_request")
_ASK = re.compile(r"^\[asks: (\w+) (\S+)\]$", re.M)


class ReadingCustomer:
    """A `ChatClient` without a model.

    Args:
        never: Tools that it does not use, "" for none.
    """

    def __init__(self, *never):
        self.never = never
        self.n_calls = 0

    @property
    def description(self):
        return {"name": "reading", "model": "customer-1"}

    def complete(self, messages, tools, settings):
        self.n_calls += 1
        last = max(k for k, each in enumerate(messages) if each["role"] == "user")
        results = [json.loads(each["content"]) for each in messages[last:] if each["role"] == "tool"]
        calls = self._decide(messages, results) if results else self._begin(messages, messages[last]["content"])
        calls = [each for each in calls if each[0] not in self.never]
        usage = Usage(input=sum(len(str(each.get("content"))) for each in messages) // 4, output=10, cached=7)
        if not calls:
            return Completion("That is all from my side.", usage=usage)
        listed = [ToolCall(f"c{self.n_calls}_{k}", name, canonical(given)) for k, (name, given) in enumerate(calls)]
        return Completion("", tuple(listed), usage, Finish.TOOL_CALLS)

    def _begin(self, messages, message):
        prompt = messages[0]["content"]
        revoked = re.search(r"^Consents to take back now, by `revoke_consent`: (.+)$", prompt, re.M)[1]
        calls = [] if revoked == "none" else [("revoke_consent", {"subject": each}) for each in revoked.split(", ")]
        calls += [("view_request_terms", {"request": ref}) for kind, ref in _ASK.findall(message) if kind == "approval"]
        items = [each.groupdict() for each in _ITEM.finditer(prompt) if "may be told" in each["marks"].split("; ")]
        facts = [
            each["id"]
            for each in items
            if each["value"] != "a paper" and ("asked for" in each["marks"] or "told before" not in each["marks"])
        ]
        if facts:
            calls.append(("disclose_facts", {"facts": facts}))
        papers = {each["name"]: each for each in reversed(items) if self._to_hand_in(each)}
        return [*calls, *(("supply_evidence", {"paper": each["id"]}) for each in reversed(papers.values()))]

    @staticmethod
    def _to_hand_in(item):
        marks = item["marks"]
        return item["value"] == "a paper" and "asked for" in marks and "handed in before" not in marks

    def _decide(self, messages, results):
        policies = {each["request"]: each for each in _POLICY.finditer(messages[0]["content"])}
        made = [call for each in messages for call in each.get("tool_calls") or ()]
        if any(each["function"]["name"] in _DECISIONS for each in made):
            return []
        ids = {each["id"]: json.loads(each["function"]["arguments"]).get("request") for each in made}
        read = {ids[each["tool_call_id"]]: json.loads(each["content"]) for each in messages if each["role"] == "tool"}
        asked = {request: each for request, each in read.items() if isinstance(each, dict) and each.get("open")}
        return [self._decision(request, each, policies.get(each["kind"])) for request, each in asked.items()]

    @staticmethod
    def _decision(request, found, policy):
        if policy is None:
            return "reject_request", {"request": request, "reason": "not_asked_for"}
        if policy["consent"] is None:
            return "approve_request", {"request": request}
        subject, cap = found["terms"][policy[3]], found["terms"][policy[4]]
        return "set_consent_cap", {"subject": subject, "cap": cap, "request": request}
