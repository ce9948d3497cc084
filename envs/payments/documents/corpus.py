"""A folder of skeletons with the calendar of its world and its defined terms; files are read in the order of names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, NamedTuple, Protocol

from pydantic import Field

from ...core.data import parse, validate
from ...core.errors import DataError
from ...core.tasks import Frozen
from .calendar import Calendar
from .skeleton import Skeleton, read_skeletons
from .slots import NAME


class Term(Frozen):
    """A defined term.

    Attributes:
        name: As it stands in a text.
        meaning: What it means, as a clause that can follow a colon.
    """

    name: Annotated[str, Field(min_length=2, max_length=60)]
    meaning: Annotated[str, Field(min_length=10, max_length=600)]


class Setting(Frozen):
    """`corpus.yaml`: what all documents share.

    Attributes:
        canary: A marker for whoever trains on these files; not shown.
        calendar: Dates of the minutes of the world.
        terms: Defined terms by name.
    """

    canary: str | None = None
    calendar: Calendar
    terms: dict[Annotated[str, Field(pattern=rf"^{NAME.pattern}$")], Term] = Field(default_factory=dict)


class Corpus(NamedTuple):
    """All that people have written.

    Attributes:
        skeletons: By document id, in the order of ids.
        calendar: Dates of the minutes of the world.
        terms: Defined terms by name.
    """

    skeletons: Mapping[str, Skeleton]
    calendar: Calendar
    terms: Mapping[str, Term]


class Folder(Protocol):
    """What a folder must offer: a `pathlib.Path`, and a folder of packaged data, do."""

    @property
    def name(self) -> str:
        """Name without the path."""

    def is_dir(self) -> bool:
        """Whether it is a folder and no file."""

    def iterdir(self) -> Iterable[Folder]:
        """Yield what lies in it."""

    def read_text(self, encoding: str | None = None) -> str:
        """Return the text of a file."""


SETTING_FILE = "corpus.yaml"


def read_corpus(folder: Folder) -> Corpus:
    """Read `corpus.yaml` of a folder, and every `*.md` in it and in its folders but a README.

    Raises:
        DataError: A file breaks its form, cannot be read, or two documents share an id.
    """
    files = dict(sorted(_files(folder, "")))
    if SETTING_FILE not in files:
        raise DataError(f"{folder.name}: there is no {SETTING_FILE}, which gives the calendar and the terms")
    setting = validate(Setting, parse(_text(files[SETTING_FILE]), SETTING_FILE), SETTING_FILE)
    skeletons = [
        skeleton
        for path, file in files.items()
        if path.endswith(".md") and file.name != "README.md"
        for skeleton in read_skeletons(_text(file), path)
    ]
    return Corpus(by_id(skeletons), setting.calendar, setting.terms)


def _files(folder: Folder, before: str) -> Iterator[tuple[str, Folder]]:
    for each in folder.iterdir():
        if each.is_dir():
            yield from _files(each, f"{before}{each.name}/")
        else:
            yield before + each.name, each


def by_id(skeletons: Iterable[Skeleton]) -> dict[str, Skeleton]:
    """Return skeletons by document id, in the order of ids.

    Raises:
        DataError: Two share an id.
    """
    found: dict[str, Skeleton] = {}
    for skeleton in sorted(skeletons, key=lambda each: each.id):
        if skeleton.id in found:
            raise DataError(f"{skeleton.id}: two documents share this id")
        found[skeleton.id] = skeleton
    return found


def _text(file: Folder) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DataError(f"{file.name}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise DataError(f"{file.name}: not UTF-8 at byte {error.start}; save it as UTF-8") from None
