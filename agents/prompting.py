"""Prompts are files: `agents/prompts/<name>.md`, or a file of the user's own; `$rules` and the like are filled in."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from string import Template

from ..envs.core.data import read_user_file
from ..envs.core.errors import SettingError
from ..envs.core.text import echo, nearest

_PACKAGE, _FOLDER, _ENDING = "bizgym.agents", "prompts", ".md"
_DIGEST_CHARACTERS = 16


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt as it stands in its file.

    Attributes:
        name: The file's name, for the record.
        text: Its text, a `string.Template`.
    """

    name: str
    text: str

    @property
    def digest(self) -> str:
        """Digest of the text, for the record."""
        return sha256(self.text.encode("utf-8")).hexdigest()[:_DIGEST_CHARACTERS]

    def fill(self, **values: str) -> str:
        """Return the text with its placeholders filled in; a value is never expanded itself.

        Raises:
            SettingError: The file has a placeholder that nothing fills.
        """
        try:
            return Template(self.text).substitute(values).strip()
        except KeyError as error:
            known = ", ".join(f"${name}" for name in values)
            raise SettingError(f"prompt {self.name}: there is no ${error.args[0]}; there are: {known}") from None
        except ValueError as error:
            raise SettingError(f"prompt {self.name}: {error}; write $$ for a dollar sign") from None


def load_prompt(name: str) -> Prompt:
    """Read a prompt.

    Args:
        name: The name of a packaged prompt, for example `cot`, or the path of a `.md` file.

    Raises:
        SettingError: There is no such prompt.
        DataError: The file cannot be read.
    """
    if name.endswith(_ENDING):
        return Prompt(Path(name).name, read_user_file(name))
    folder = files(_PACKAGE).joinpath(_FOLDER)
    names = sorted(each.name.removesuffix(_ENDING) for each in folder.iterdir() if each.name.endswith(_ENDING))
    if name not in names:
        raise SettingError(f"prompt: there is no {echo(name)}.{nearest(name, names)} There are: {', '.join(names)}")
    file = f"{name}{_ENDING}"
    return Prompt(file, folder.joinpath(file).read_text(encoding="utf-8"))
