"""Players that answer choices by their looks alone, and what share of the items they would get right."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from bizgym.envs.qa.authored import LETTERS
from bizgym.envs.qa.items import Item

Liking = Callable[[Item], Sequence[float]]


def words(text: str) -> set[str]:
    return set(re.findall(r"[\w.%]+", text.lower()))


def longest(item: Item) -> list[float]:
    return [float(len(text)) for text in item.answer.options]


def shortest(item: Item) -> list[float]:
    return [-length for length in longest(item)]


def most_like_the_others(item: Item) -> list[float]:
    """How much an option shares with the rest: authors often vary the right one to get the wrong ones."""
    found = [words(text) for text in item.answer.options]
    return [sum(len(own & other) / len(own | other) for other in found if other is not own) for own in found]


def most_like_the_question(item: Item) -> list[float]:
    asked = words(" ".join([item.question, *(section.text for section in item.sections)]))
    return [len(words(text) & asked) / len(words(text)) for text in item.answer.options]


def most_reserved(item: Item) -> list[float]:
    return [
        float(len(re.findall(r"\b(?:no|not|never|neither|none|nothing)\b", t.lower()))) for t in item.answer.options
    ]


PLAYERS: dict[str, Liking] = {
    each.__name__: each for each in (longest, shortest, most_like_the_others, most_like_the_question, most_reserved)
}


def first_numbers(item: Item) -> list[float | None]:
    found = [re.search(r"\d[\d,]*(?:\.\d+)?", text) for text in item.answer.options]
    return [float(each[0].replace(",", "")) if each else None for each in found]


def among_numbers(item: Item, place: Callable[[list[float]], float]) -> list[float]:
    """Like the option whose first number `place` picks of all; where there are no numbers, none more than others."""
    numbers = first_numbers(item)
    known = sorted(each for each in numbers if each is not None)
    return [float(bool(known) and each is not None and each == place(known)) for each in numbers]


def largest_number(item: Item) -> list[float]:
    return among_numbers(item, lambda known: known[-1])


def smallest_number(item: Item) -> list[float]:
    return among_numbers(item, lambda known: known[0])


def middle_number(item: Item) -> list[float]:
    return among_numbers(item, lambda known: known[(len(known) - 1) // 2])


def upper_middle_number(item: Item) -> list[float]:
    return among_numbers(item, lambda known: known[len(known) // 2])


def nearest_the_mean(item: Item) -> list[float]:
    return among_numbers(item, lambda known: min(known, key=lambda each: abs(each - sum(known) / len(known))))


NUMBER_PLAYERS: dict[str, Liking] = {
    each.__name__: each
    for each in (largest_number, smallest_number, middle_number, upper_middle_number, nearest_the_mean)
}


def share_right(liking: Liking, items: Sequence[Item]) -> float:
    """Expected share that a player gets right who takes the option it likes best, and draws among equals."""
    return sum(_chance_of_right(liking(item), item) for item in items) / len(items)


def share_of_commonest_letter(items: Sequence[Item]) -> float:
    return Counter(item.answer.value for item in items).most_common(1)[0][1] / len(items)


def chance(items: Sequence[Item]) -> float:
    return sum(1 / len(item.answer.options) for item in items) / len(items)


def _chance_of_right(liked: Sequence[float], item: Item) -> float:
    best = [k for k, value in enumerate(liked) if abs(value - max(liked)) < 1e-12]
    return (LETTERS.index(item.answer.value) in best) / len(best)
