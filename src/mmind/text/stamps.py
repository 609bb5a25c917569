"""Times as people and their tools write them into front matter and file names, read as UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone

_EARLIEST, _LATEST = 1900, 2200  # years; a number outside is no date
_CLOCK = (
    r"(?:[T ,]\s*(?P<hour>\d{1,2}):(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?\s*(?P<half>[ap]\.?m\.?)?"
    r"\s*(?P<zone>Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?)?"
)
_DAY_FIRST = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?\.?\s+(?P<name>[A-Za-z]{3,9})\.?,?\s+(?P<year>\d{4})"
_MONTH_FIRST = r"(?P<name>[A-Za-z]{3,9})\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year>\d{4})"
_NUMERIC = r"(?P<year>\d{4})(?P<joint>[-/.])(?P<month>\d{1,2})(?P=joint)(?P<day>\d{1,2})(?:,?\s+[A-Za-z]{3,9}\.?)?"
_COMPACT = r"(?P<year>\d{4})(?P<month>\d\d)(?P<day>\d\d)(?:T?(?P<hour>\d\d)(?P<minute>\d\d)(?P<second>\d\d)?)?Z?"
_WEEKDAY = r"(?:[A-Za-z]{3,9}\.?,?\s+)?"
_FORMS = (
    re.compile(rf"{_NUMERIC}{_CLOCK}", re.IGNORECASE),
    re.compile(_COMPACT),
    re.compile(rf"{_WEEKDAY}{_DAY_FIRST}{_CLOCK}", re.IGNORECASE),
    re.compile(rf"{_WEEKDAY}{_MONTH_FIRST}{_CLOCK}", re.IGNORECASE),
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_EPOCH = re.compile(r"1\d{9}(?:\d{3})?")  # seconds or milliseconds since 1970, from 2001 to 2033
_NAMED_DAY = re.compile(r"(\d{4})([-_.]?)(\d\d)\2(\d\d)(?:T?\d{4}(?:\d\d)?)?(?!\d)")


def stamp(value: str) -> datetime | None:
    """The moment that a front matter value names, aware and in UTC; None for anything else. Never raises.

    Read are ISO 8601 dates and times, `2026-06-03 08:30`, slashes or dots for dashes, `20260603`, `202606030830`, the
    long English forms (`Tuesday, September 12th 2023, 8:30 am`, `12 Sep 2023 08:30:00 +0200`), Unix time, and a date in
    `[[ ]]`. What names no zone is read as UTC; a date without a time is its first moment.
    """
    text = value.strip().removeprefix("[[").removesuffix("]]").strip()
    if len(text) > 64:
        return None
    if _EPOCH.fullmatch(text):
        return datetime.fromtimestamp(int(text[:10]), UTC)
    for form in _FORMS:
        match = form.fullmatch(text)
        if match:
            return _moment(match.groupdict())
    return None


def named_day(name: str) -> datetime | None:
    """The day at the start of a file name (`2026-05-26 Meeting.md`, `20260526-1200.md`), as its first moment in UTC."""
    match = _NAMED_DAY.match(name)
    return _moment({"year": match[1], "month": match[3], "day": match[4]}) if match else None


def _moment(parts: dict[str, str | None]) -> datetime | None:
    month = parts.get("month") or _month_number(parts.get("name") or "")
    hour = int(parts.get("hour") or 0)
    half = (parts.get("half") or "").lower()
    if half and 1 <= hour <= 12:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    try:
        moment = datetime(
            int(parts["year"] or 0),
            int(month),
            int(parts["day"] or 0),
            hour,
            int(parts.get("minute") or 0),
            int(parts.get("second") or 0),
            tzinfo=_zone(parts.get("zone") or ""),
        )
    except ValueError:
        return None
    return moment.astimezone(UTC) if _EARLIEST <= moment.year <= _LATEST else None


def _month_number(name: str) -> int:
    start = name[:3].lower()
    return _MONTHS.index(start) + 1 if start in _MONTHS else 0


def _zone(text: str) -> timezone:
    if text[:1] not in ("+", "-"):
        return UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if text[0] == "-" else offset)
