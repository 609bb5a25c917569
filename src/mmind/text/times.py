"""Dates and times of day, read from the words of a sentence: absolute, or relative to when it was said."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final

from mmind.text.lexicon import ordered
from mmind.text.numbers import CARDINALS, whole
from mmind.text.sentences import Word

_MONTH_NAMES: Final = ordered("months")
MONTHS: Final[Mapping[str, int]] = {
    **{name: number for number, name in enumerate(_MONTH_NAMES, 1)},
    **{name[:3]: number for number, name in enumerate(_MONTH_NAMES, 1)},
    "sept": 9,
}
_DAY_NAMES: Final = ordered("weekdays")
WEEKDAYS: Final[Mapping[str, int]] = {
    **{name: number for number, name in enumerate(_DAY_NAMES)},
    **{name + "s": number for number, name in enumerate(_DAY_NAMES)},
    "mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4,
}  # fmt: skip
_ISO: Final = re.compile(r"(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?$")
_CLOCK: Final = re.compile(r"(\d{1,2})[:.](\d{2})(?::\d{2})?(am|pm|h)?$")
_HOUR: Final = re.compile(r"(\d{1,2})(am|pm)$")
_SPAN_DAYS: Final = {"day": 1, "week": 7, "month": 30, "year": 365}
# A verb and a first name, which are months without day or year only after one of these.
_BEFORE_MONTHS: Final = ("in", "by", "until", "since", "of", "from")
_NO_MONTH_ALONE: Final = {
    "may": _BEFORE_MONTHS,
    "jan": (
        *_BEFORE_MONTHS,
        "till",
        "before",
        "after",
        "during",
        "around",
        "late",
        "early",
        "mid",
        "last",
        "next",
        "this",
    ),
}
_NAMED_TIMES: Final = frozenset((*MONTHS, *WEEKDAYS))
_NAMED_OR_NEAR: Final = _NAMED_TIMES | {"today", "tonight", "tomorrow", "yesterday", "last", "next", "this"}
_NAMED_OR_AGO: Final = _NAMED_OR_NEAR | frozenset((*CARDINALS, "a", "an"))  # three days ago


@dataclass(frozen=True, slots=True)
class Moment:
    """What a claim says of when: each field is None where it is left open; `minute` counts from midnight.

    `decade` marks a year that stands for ten (the 1990s). `first` to `last` are word places, `last` not included.
    """

    year: int | None
    month: int | None
    day: int | None
    weekday: int | None
    minute: int | None
    first: int
    last: int
    text: str
    decade: bool = False


def moments(words: Sequence[Word], said_at: datetime | None) -> tuple[Moment, ...]:
    """Every date and time among the words of a sentence; relative ones are left out where `said_at` is None."""
    found: list[Moment] = []
    last = 0
    for place in _may_begin(words, said_at):
        read = _moment_at(words, place, said_at) if place >= last else None
        if read is None:
            continue
        (year, month, day, weekday, minute, *decade), last = read
        text = " ".join(word.text for word in words[place:last]).replace(" ,", ",")
        found.append(Moment(year, month, day, weekday, minute, place, last, text, decade=bool(decade)))
    return tuple(found)


def _may_begin(words: Sequence[Word], said_at: datetime | None) -> list[int]:
    """The few places at which a moment can begin, so that the others are not tried."""
    lowers = [word.lower for word in words]
    known = _NAMED_TIMES
    if said_at:
        known = _NAMED_OR_AGO if "ago" in lowers else _NAMED_OR_NEAR
    return [place for place, lower in enumerate(lowers) if lower in known or lower[0].isdecimal()]


Fields = tuple[int | None, ...]


def _moment_at(words: Sequence[Word], place: int, said_at: datetime | None) -> tuple[Fields, int] | None:
    word = words[place].lower
    if word[0].isdecimal():
        return _numeric_at(words, place)
    if word in MONTHS:
        return _month_at(words, place)
    if word in WEEKDAYS and (
        word not in ("mon", "wed", "sat", "sun", "fri", "thu", "tue") or words[place].text[0].isupper()
    ):
        return (None, None, None, WEEKDAYS[word], None), place + 1
    return _relative_at(words, place, said_at) if said_at else None


def _lower(words: Sequence[Word], place: int) -> str:
    return words[place].lower if 0 <= place < len(words) else ""


def _numeric_at(words: Sequence[Word], place: int) -> tuple[Fields, int] | None:
    word, after = words[place].lower, _lower(words, place + 1)
    if (iso := _ISO.match(word)) and 1 <= int(iso[2]) <= 12:
        return (int(iso[1]), int(iso[2]), int(iso[3]) if iso[3] else None, None, None), place + 1
    if (clock := _CLOCK.match(word)) and (":" in word or clock[3]) and int(clock[1]) < 25 and int(clock[2]) < 60:
        return _clock(
            int(clock[1]), int(clock[2]), clock[3] or after, place + 1 + (after in ("am", "pm", "a.m", "p.m"))
        )
    if hour := _HOUR.match(word):
        return _clock(int(hour[1]), 0, hour[2], place + 1)
    if len(word) <= 2 and word.isdecimal() and int(word) < 13 and after in ("am", "pm", "a.m", "p.m", "o'clock"):
        return _clock(int(word), 0, after, place + 2)
    day = re.match(r"(\d{1,2})(?:st|nd|rd|th)?$", word)
    if day and 1 <= int(day[1]) <= 31:
        month = place + 2 if after == "of" else place + 1
        if _lower(words, month) in MONTHS:
            year, last = _year_after(words, month + 1)
            return (year, MONTHS[_lower(words, month)], int(day[1]), None, None), last
    if re.fullmatch(r"1[0-9]\d\d|20\d\d", word) and _is_year(words, place):
        return (int(word), None, None, None, None), place + 1
    if re.fullmatch(r"(?:1[0-9]|20)\d0s", word):
        return (int(word[:4]), None, None, None, None, 1), place + 1
    return None


def _clock(hour: int, minute: int, half: str, last: int) -> tuple[Fields, int]:
    if half.startswith("p") and hour < 12:
        hour += 12
    if half.startswith("a") and hour == 12:
        hour = 0
    return (None, None, None, None, hour * 60 + minute), last


def _is_year(words: Sequence[Word], place: int) -> bool:
    """A bare number of four digits is a year unless something is measured or counted by it."""
    before, after = _lower(words, place - 1), _lower(words, place + 1)
    if before in (
        "in",
        "since",
        "until",
        "till",
        "by",
        "from",
        "during",
        "of",
        "before",
        "after",
        "around",
        "between",
        "(",
        "late",
        "early",
    ):
        return True
    if before in ("port", "about", "over", "than", "$", "€", "£", "least", "most", "#", "-", "up"):
        return False
    return (
        not after[:1].isalpha()
        or after in ("and", "to", "was", "is", "when", "the", "with", "in", "by", "for", "at", "on", "season")
        or before == "the"
    )


def _year_after(words: Sequence[Word], place: int) -> tuple[int | None, int]:
    at = place + 1 if _lower(words, place) in (",", "of") else place
    word = _lower(words, at)
    return (int(word), at + 1) if re.fullmatch(r"1\d{3}|20\d\d", word) else (None, place)


def _month_at(words: Sequence[Word], place: int) -> tuple[Fields, int] | None:
    word, after = words[place], _lower(words, place + 1)
    day = re.match(r"(\d{1,2})(?:st|nd|rd|th)?$", after)
    if word.lower in ("may", "march", "mar", "dec", "sep", "jan") and not (word.text[0].isupper() and (day or place)):
        return None
    if day and 1 <= int(day[1]) <= 31:
        year, last = _year_after(words, place + 2)
        return (year, MONTHS[word.lower], int(day[1]), None, None), last
    year, last = _year_after(words, place + 1)
    if word.lower in _NO_MONTH_ALONE and year is None and _lower(words, place - 1) not in _NO_MONTH_ALONE[word.lower]:
        return None
    return (year, MONTHS[word.lower], None, None, None), last


def _relative_at(words: Sequence[Word], place: int, said_at: datetime) -> tuple[Fields, int] | None:
    word, after, third = words[place].lower, _lower(words, place + 1), _lower(words, place + 2)
    today = said_at.date()
    if word in ("today", "tonight", "tomorrow", "yesterday"):
        return _on(today + timedelta({"tomorrow": 1, "yesterday": -1}.get(word, 0))), place + 1
    if word in ("last", "next", "this") and after in ("month", "year"):
        step = {"last": -1, "next": 1, "this": 0}[word]
        if after == "year":
            return (today.year + step, None, None, None, None), place + 2
        months = today.year * 12 + today.month - 1 + step
        return (months // 12, months % 12 + 1, None, None, None), place + 2
    count = CARDINALS.get(word, 1 if word in ("a", "an") else whole(word))
    span = _SPAN_DAYS.get(after.rstrip("s"))
    if count is None or span is None or third != "ago" or count * span > 40_000:
        return None
    return _ago(today, int(count), after.rstrip("s")), place + 3


def _on(day: date) -> Fields:
    return (day.year, day.month, day.day, None, None)


def _ago(today: date, count: int, span: str) -> Fields:
    if span == "year":
        return (today.year - count, None, None, None, None)
    if span == "month":
        months = today.year * 12 + today.month - 1 - count
        return (months // 12, months % 12 + 1, None, None, None)
    return _on(today - timedelta(days=count * _SPAN_DAYS[span]))


def apart(left: Moment, right: Moment) -> bool:
    """Whether two moments of one kind differ in a field that both state; a month and a day within it do not."""
    if left.decade != right.decade and left.year and right.year:
        return left.year // 10 != right.year // 10
    shared = [(getattr(left, field), getattr(right, field)) for field in ("year", "month", "day", "weekday", "minute")]
    return any(here is not None and there is not None and here != there for here, there in shared)


def comparable(left: Moment, right: Moment) -> bool:
    """Whether two moments state at least one field in common (a year and a year, a clock time and a clock time)."""
    return any(
        getattr(left, field) is not None and getattr(right, field) is not None
        for field in ("year", "month", "day", "weekday", "minute")
    )
