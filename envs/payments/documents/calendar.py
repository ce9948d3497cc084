"""Minutes of the episode as dates of the world, and back. The epoch is data; nothing here asks what day it is."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from functools import cached_property

from pydantic import field_validator

from ...core.errors import DataError
from ...core.tasks import Frozen

# Not the locale's names: a document reads the same on every machine.
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
DATE_PATTERN = rf"\d{{1,2}} (?:{'|'.join(MONTHS)}) \d{{4}}(?:, \d{{2}}:\d{{2}})?"
_DATE = re.compile(rf"(\d{{1,2}}) ({'|'.join(MONTHS)}) (\d{{4}})(?:, (\d{{2}}):(\d{{2}}))?", re.ASCII)
_EPOCH_FORMAT = "%Y-%m-%d %H:%M"


class Calendar(Frozen):
    """The calendar of a world.

    Attributes:
        epoch: Date and time of minute 0, for example `2026-03-02 08:00`.
    """

    epoch: str

    @field_validator("epoch")
    @classmethod
    def _is_a_time(cls, value: str) -> str:
        try:
            read = datetime.strptime(value, _EPOCH_FORMAT)
        except ValueError:
            raise ValueError(f"a date and time such as 2026-03-02 08:00, not {value!r}") from None
        return read.strftime(_EPOCH_FORMAT)

    @cached_property
    def _origin(self) -> datetime:
        return datetime.strptime(self.epoch, _EPOCH_FORMAT)

    def moment(self, minute: int) -> datetime:
        """Return the date and time of a minute of the episode.

        Raises:
            DataError: It lies outside the years 1 to 9999.
        """
        try:
            return self._origin + timedelta(minutes=minute)
        except OverflowError:
            raise DataError(f"minute {minute}: outside the calendar, which counts from {self.epoch}") from None

    def written(self, minute: int) -> str:
        """Write a minute as people do: `2 March 2026, 08:00`, and at midnight `2 March 2026`."""
        moment = self.moment(minute)
        day = f"{moment.day} {MONTHS[moment.month - 1]} {moment.year:04d}"
        return day if (moment.hour, moment.minute) == (0, 0) else f"{day}, {moment.hour:02d}:{moment.minute:02d}"

    def minute(self, text: str) -> int:
        """Read what `written` wrote.

        Raises:
            DataError: It is no date of this form.
        """
        found = _DATE.fullmatch(text)
        if found is None:
            raise DataError(f"a date such as 2 March 2026 or 2 March 2026, 08:00, not {text[:80]!r}")
        day, month, year, hour, minute = found.groups()
        try:
            moment = datetime(int(year), MONTHS.index(month) + 1, int(day), int(hour or 0), int(minute or 0))
        except ValueError as error:
            raise DataError(f"{text}: {error}") from None
        return round((moment - self._origin).total_seconds()) // 60
