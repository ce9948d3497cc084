"""Python objects that a careless or hostile policy may hand to `step`, with the error each must come to."""

import collections
import itertools


def nested(levels):
    value = []
    for _ in range(levels - 1):
        value = [value]
    return value


def nested_mapping(levels):
    value = collections.UserDict()
    for _ in range(levels):
        value = collections.UserDict(a=value)
    return value


def cycle():
    value = {"name": "refund"}
    value["arguments"] = value
    return value


def bomb():
    value = ["x"]
    for _ in range(40):
        value = [value, value]
    return value


class Raising:
    def __getattr__(self, name):
        raise RuntimeError(name)

    def __repr__(self):
        raise RuntimeError("repr")


class NoClass:
    @property
    def __class__(self):
        raise RuntimeError("class")


class SaysText:
    @property
    def __class__(self):
        return str


class SaysDict:
    @property
    def __class__(self):
        return dict


class RaisingText(str):
    def __str__(self):
        raise RuntimeError("str")

    def __len__(self):
        raise RuntimeError("len")

    def encode(self, *_):
        raise RuntimeError("encode")


class EqualToAll(str):
    """Equal to everything, and found in a dict under the name of a tool."""

    def __hash__(self):
        return hash("refund")

    def __eq__(self, other):
        return True


class RaisingMapping(collections.UserDict):
    def __iter__(self):
        raise RuntimeError("iter")


class EndlessMapping(collections.UserDict):
    def items(self):
        return ((str(k), k) for k in itertools.count())


class LyingDict(dict):
    def items(self):
        return [("name", "refund"), ("arguments", {"amount": 1.0})]

    def get(self, key, default=None):
        return "refund"

    def __iter__(self):
        raise RuntimeError("iter")


class LyingList(list):
    def __iter__(self):
        return itertools.repeat({"name": "refund", "arguments": {"amount": 1.0}})


class HugeInt(int):
    def __int__(self):
        raise RuntimeError("int")


class BadName(type):
    __name__ = property(lambda cls: 1 / 0)


class Nameless(metaclass=BadName):
    pass


HOSTILE = {
    "raising attributes": (Raising, "not_object"),
    "class that raises": (NoClass, "not_object"),
    "class that says str": (SaysText, "not_object"),
    "class that says dict": (SaysDict, "not_object"),
    "class without a name": (Nameless, "not_object"),
    "generator": (lambda: (k for k in range(3)), "not_object"),
    "function": (lambda: print, "not_object"),
    "class": (lambda: Raising, "not_object"),
    "set": (lambda: {1, 2}, "not_object"),
    "bytearray": (lambda: bytearray(b'{"name": "list_open_orders"}'), "not_object"),
    "mapping that raises": (lambda: RaisingMapping(name="refund"), "not_object"),
    "endless mapping": (lambda: EndlessMapping(), "not_object"),
    "dict that lies": (lambda: LyingDict(), "missing_name"),
    "list that lies": (lambda: LyingList(), "not_object"),
    "cycle": (cycle, "too_deep"),
    "list of itself": (lambda: [bomb()], "not_object"),
    "not a number": (lambda: float("nan"), "not_object"),
    "infinity": (lambda: float("-inf"), "not_object"),
    "huge integer": (lambda: 10**5_000, "not_object"),
    "huge integer of a class": (lambda: HugeInt(10**5_000), "not_object"),
    "keys of every kind": (lambda: {1: 2, (3, 4): 5, None: 6, Raising(): 7}, "missing_name"),
    "name of a class": (lambda: {"name": EqualToAll("reset"), "arguments": {"amount": 1.0}}, "unknown_tool"),
    "stray key that raises": (lambda: {"name": "refund", "arguments": {"amount": 1.0}, Raising(): 1}, "bad_arguments"),
    "arguments that raise": (lambda: {"name": "refund", "arguments": RaisingMapping(amount=1)}, "bad_arguments"),
    "endless arguments": (lambda: {"name": "refund", "arguments": EndlessMapping()}, "too_long"),
    "arguments of a class": (lambda: {"name": "refund", "arguments": Raising()}, "not_object"),
    "two equal keys": (
        lambda: {"name": "refund", "arguments": {EqualToAll("amount"): 1.0, "amount": 2.0}},
        "duplicate_key",
    ),
}
