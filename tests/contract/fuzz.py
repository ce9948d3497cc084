"""Hostile actions for any environment, always the same ones: mutations of bytes, of JSON and of schemas."""

import json
from random import Random

from tests.core.hostile import HOSTILE

SLOW = {"list of itself", "endless mapping", "endless arguments", "mapping that raises"}
OBJECTS = [make for name, (make, _) in HOSTILE.items() if name not in SLOW]
WRONG = {
    "integer": [True, 2.5, 3.0, "40", None, [4], {}, {"value": 4}, 10**30, -(10**30)],
    "number": [True, "1.5", None, [], {}, -(10.0**300)],
    "string": [7, True, None, ["x"], {"a": 1}, 0.5],
    "boolean": [1, 0, "true", [], {}],
    "array": ["ORD-3", '["A", "B"]', 7, None, {"0": "A"}, [7], [["A"]]],
    "object": ["{}", 7, [], True],
}
SOUP = ['{"', '"}', "[", "]", ":", ",", "NaN", "1e999", "\\u", "\\ud800", "\x00", "é", "\ud83d", "😀", "null"]
SOUP += ['"name"', "\\"]
BAD_ARGUMENTS = {"bad_arguments"}


class Fuzzer:
    """Draws actions for one environment.

    Args:
        env: The environment; its tools and samples are what is mutated.
        seed: Of everything that is drawn.
    """

    def __init__(self, env, seed):
        self.rng = Random(seed)
        self.space = env.action_space
        self.space.seed(seed)
        self.schemas = {each["function"]["name"]: each["function"]["parameters"] for each in env.tools}
        self.kinds = [self.schema_mutation, self.text_mutation, self.soup, self.json_fault, self.native, self.turn]
        self.weights = [45, 15, 5, 10, 10, 8]

    def draw(self):
        """Return the kind of an action, the action, and the error codes it must come to (None: any outcome)."""
        pick = self.rng.random()
        if pick < 0.06:
            return "valid", self.space.sample(), None
        if pick < 0.07:
            return "object", self.rng.choice(OBJECTS)(), None
        if pick < 0.072:
            return "long", self.space.sample() + " " * 1_000_000, {"too_long"}
        make = self.rng.choices(self.kinds, self.weights)[0]
        return make.__name__, *make()

    def call(self):
        """A valid call as a dict."""
        return json.loads(self.space.sample())

    def schema_mutation(self):
        """Valid JSON with exactly one thing that the schema of the tool forbids."""
        call = self.call()
        codes = self._mutate(call, self.rng.randrange(10))
        if self.rng.random() < 0.2:
            call["arguments"] = json.dumps(call["arguments"])
        text = json.dumps(call, ensure_ascii=self.rng.random() < 0.5)
        return (json.loads(text) if self.rng.random() < 0.2 else text), codes

    def _mutate(self, call, which):
        rng, name = self.rng, call["name"]
        schema = self.schemas[name]
        if which == 0:
            at = rng.randrange(len(name) + 1)
            call["name"] = name[:at] + rng.choice("xyz_. é") + name[at:]
            return {"unknown_tool"}
        if which == 1:
            call["arguments"] = rng.choice([[], [1, 2], 7, True, [call["arguments"]], "[]", "7"])
            return {"not_object"}
        if which == 2:
            call["name"] = rng.choice([None, 7, "", [name], {"name": name}])
            return {"missing_name"}
        if which == 3:
            call[rng.choice(["args", "parameters", "quantity", "é"])] = 4
            return BAD_ARGUMENTS
        if which == 4 or not schema["properties"]:
            call["arguments"][rng.choice(["colour", "Quantity", "", "é", "self"])] = rng.choice([4, None, "x", {}])
            return BAD_ARGUMENTS
        if which == 5 and schema.get("required"):
            del call["arguments"][rng.choice(schema["required"])]
            return BAD_ARGUMENTS
        prop = rng.choice(list(schema["properties"]))
        call["arguments"][prop] = self._wrong(schema["properties"][prop], schema.get("$defs", {}))
        return BAD_ARGUMENTS

    def _wrong(self, part, definitions):
        rng = self.rng
        kinds = {each.get("type") for each in part.get("anyOf", ())}
        if len(kinds - {"null"}) > 1:  # a scalar of several kinds
            return rng.choice([True, [], {}, ["x"], [4]])
        if "anyOf" in part:
            return self._wrong(part["anyOf"][0], definitions) or 4.25
        if "$ref" in part:
            part = definitions[part["$ref"].rsplit("/", 1)[-1]]
            if rng.random() < 0.7:
                return {"qty": 1, rng.choice(["colour", "Qty", ""]): 1}
        if "enum" in part:
            return rng.choice(["nosuch", 7, None, True, [part["enum"][0]], part["enum"][0].upper()])
        bounds = [part[key] + step for key, step in (("minimum", -1), ("maximum", 1)) if key in part]
        return rng.choice(WRONG[part["type"]] + bounds)

    def text_mutation(self):
        """A valid call with a few characters or bytes changed, cut or doubled."""
        text = list(self.space.sample())
        for _ in range(self.rng.randint(1, 3)):
            at = self.rng.randrange(len(text))
            change = self.rng.randrange(4)
            if change == 0:
                del text[at:]
            elif change == 1:
                del text[at : at + self.rng.randint(1, 4)]
            elif change == 2:
                text[at:at] = text[at : at + self.rng.randint(1, 9)]
            else:
                text[at:at] = self.rng.choice(SOUP)
            text = text or ["{"]
        joined = "".join(text)
        if self.rng.random() < 0.3:
            raw = bytearray(joined.encode("utf-8", "surrogatepass"))
            raw[self.rng.randrange(len(raw))] = self.rng.randrange(256)
            return bytes(raw), None
        return joined, None

    def soup(self):
        """Pieces of JSON in any order."""
        return "".join(self.rng.choices(SOUP, k=self.rng.randint(0, 12))), None

    def json_fault(self):
        """A valid call with one fault that strict JSON refuses, or one value that is no call."""
        rng, call = self.rng, self.call()
        arguments = json.dumps(call["arguments"])
        inside = arguments[1:-1] and ", " + arguments[1:-1]
        text, codes = rng.choice(
            [
                (f'{{"name": "{call["name"]}", "arguments": {{"x": 1, "x": 1{inside}}}}}', {"duplicate_key"}),
                (f'{{"name": "x", "name": "{call["name"]}", "arguments": {arguments}}}', {"duplicate_key"}),
                (f'{{"name": "{call["name"]}", "arguments": {{"x": NaN{inside}}}}}', {"non_finite"}),
                (f'{{"name": "{call["name"]}", "arguments": {{"x": -1e400{inside}}}}}', {"non_finite"}),
                (f'{{"name": "{call["name"]}", "arguments": {{"x": {"9" * 5_000}{inside}}}}}', BAD_ARGUMENTS),
                (f'{{"name": "{call["name"]}", "arguments": {{"\\ud800": 1{inside}}}}}', BAD_ARGUMENTS),
                (f'{{"name": "{call["name"]}", "arguments": {"[" * 70 + "]" * 70}}}', {"too_deep"}),
                ("[" * rng.choice([65, 2_000, 100_000]), {"too_deep", "not_json"}),
                (rng.choice(["[]", "null", "7", "true", '"x"', "-0.5", "[[]]", "[null]"]), {"not_object"}),
                ("{}", {"missing_name"}),
            ]
        )
        return text, codes

    def native(self):
        """A provider's call object whose arguments text is often broken."""
        call = self.call()
        text = json.dumps(call["arguments"])
        cut = text[: self.rng.randint(0, len(text))] if self.rng.random() < 0.8 else text
        call_id = self.rng.choice(["abc", "", None, 7, "x" * 200, "\ud800", "call_1_0", ["a"], "é"])
        if self.rng.random() < 0.5:
            return {"id": call_id, "type": "function", "function": {"name": call["name"], "arguments": cut}}, None
        return {
            "type": "tool_use",
            "id": call_id,
            "name": call["name"],
            "input": self.rng.choice([cut, 7, None, []]),
        }, None

    def turn(self):
        """Several calls, good and bad, with ids that are missing, doubled or taken."""
        calls = []
        for _ in range(self.rng.randint(1, 5)):
            call = self.call() if self.rng.random() < 0.7 else self.rng.choice([5, None, "x", {}, {"name": "x"}, []])
            if isinstance(call, dict) and self.rng.random() < 0.6:
                call["id"] = self.rng.choice(["a", "b", "call_1_0", "call_2_1", ""])
            calls.append(call)
        return (json.dumps(calls) if self.rng.random() < 0.5 else calls), None
