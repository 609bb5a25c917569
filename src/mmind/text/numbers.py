"""Quantities with units, read from the words of a sentence: 9k = 9,000 = nine thousand; 1.5 GB; %; ranges; bounds."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from mmind.text.lexicon import lemma, listed, ordered, rows, vocabulary
from mmind.text.sentences import Word

_UNITS: Final = ordered("cardinals")
_TENS: Final = ordered("tens")
CARDINALS: Final[Mapping[str, float]] = {
    "zero": 0,
    **{word: value for value, word in enumerate(_UNITS, 1)},
    **{word: 10 * value for value, word in enumerate(_TENS, 2)},
    "dozen": 12,
}
MULTIPLES: Final[Mapping[str, float]] = {
    "single": 1, "double": 2, "dual": 2, "twin": 2, "triple": 3, "treble": 3, "quadruple": 4,
    "once": 1, "twice": 2, "thrice": 3, "half": 0.5,
}  # fmt: skip
_ORDINAL_WORDS: Final = ordered("ordinals")
ORDINALS: Final[Mapping[str, float]] = {
    **{word: value for value, word in enumerate(_ORDINAL_WORDS, 1)},
    **{word[:-1] + "ieth": 10 * value for value, word in enumerate(_TENS, 2)},
}
SCALES: Final[Mapping[str, float]] = {
    "hundred": 100, "thousand": 1e3, "million": 1e6, "millions": 1e6, "billion": 1e9, "trillion": 1e12,
    "mn": 1e6, "mln": 1e6, "bn": 1e9, "k": 1e3, "m": 1e6, "b": 1e9,
}  # fmt: skip
AT_LEAST: Final = vocabulary("at least")
AT_MOST: Final = vocabulary("at most")
ROUGHLY: Final = vocabulary("roughly")
ROUNDING: Final = 0.005  # 0.5 % apart is rounding
ROUNDING_OF_UNITS: Final = 0.03  # 10 miles are 16 km
FEW: Final = frozenset(("few", "several", "some", "many", "couple"))  # a few hundred
NOT_AFTER_ONE: Final = vocabulary("not after one")
ROUGH_SHARE: Final = 0.1  # "about 50" still holds for 45 and 55
LONGEST_NUMBER: Final = 300  # characters; a longer run of digits is data, past what a float holds or `int` reads
# Nouns that a number names rather than counts: chapter 4 and chapter 5 are two things, not two readings of one.
NAMED_BY_NUMBER: Final = vocabulary("named by number")
_DIGITS: Final = re.compile(
    r"([-−+]?)(\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\d+,\d{1,2})(?:-?([^\W\d_]+(?:/[^\W\d_]+)?))?$"
)
_RANGE: Final = re.compile(r"(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)([^\W\d_]*)$")
_PHONE: Final = re.compile(r"\d{3}-\d{4}$")
_VERSION: Final = re.compile(r"v?\d+(?:\.\d+){2,}(?:[-+.]?[a-z0-9.]+)?$|v\d+(?:\.\d+)*$")


DAYPARTS: Final = ("morning", "noon", "afternoon", "evening", "night")
SPANS: Final[Mapping[str, float]] = {
    "minute": 1 / 1440, "hour": 1 / 24, "day": 1, "week": 7, "fortnight": 14, "month": 30.44, "quarter": 91.3,
    "year": 365.25, **dict.fromkeys(DAYPARTS, 1),
}  # fmt: skip
FREQUENCIES: Final[Mapping[str, str]] = {
    "hourly": "hour", "daily": "day", "nightly": "night", "weekly": "week", "fortnightly": "fortnight",
    "monthly": "month", "quarterly": "quarter", "yearly": "year", "annually": "year",
}  # fmt: skip
TIMES: Final[Mapping[str, float]] = {"once": 1, "twice": 2, "thrice": 3}
_EVERY: Final = frozenset(("every", "each"))
# Small words after which `daily` told how often: daily at two, daily and on request.
_ADVERBIAL: Final = vocabulary("after frequencies")
_DIGIT_START: Final = re.compile(r"[-−+v]\d")
_NUMBER_WORDS: Final = frozenset((*CARDINALS, *MULTIPLES, *ORDINALS, *FREQUENCIES, *_EVERY, "hundred", "hundreds"))


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as a claim states it.

    `low` and `high` bound it, both inclusive, in the first unit of its dimension (seconds, bytes, metres, …; `math.inf`
    where one side is open). `unit` is the dimension, "" for a bare count, "ordinal" for a rank, "version", or
    "name" where it names a thing (chapter 4). `first` to `last` are word places, `last` not included; `text` is as
    written, `factor` that of its unit.
    """

    low: float
    high: float
    unit: str
    first: int
    last: int
    text: str
    version: tuple[int, ...] = ()
    factor: float = 1.0


@cache
def _units() -> tuple[Mapping[str, tuple[str, float]], Mapping[str, tuple[str, float]]]:
    """Units by exact spelling and by lower case: (dimension, factor)."""
    exact: dict[str, tuple[str, float]] = {}
    folded: dict[str, tuple[str, float]] = {}
    for row in rows("units.txt"):
        dimension, _, entries = row.partition(": ")
        for entry in entries.split():
            factor, _, names = entry.partition("=")
            for name in names.split(","):
                exact[name.rstrip("*")] = (dimension, float(factor))
                if not name.endswith("*"):
                    folded[name.lower()] = (dimension, float(factor))
    return exact, folded


def unit_of(name: str) -> tuple[str, float] | None:
    """The dimension and factor of a unit's name or sign, or None."""
    exact, folded = _units()
    return exact.get(name) or folded.get(name.lower())


def quantities(words: Sequence[Word]) -> tuple[Quantity, ...]:
    """Every quantity among the words of a sentence, in order, without overlaps."""
    found: list[Quantity] = []
    last = 0
    for place in _may_begin(words):
        quantity = _quantity_at(words, place) if place >= last else None
        if quantity is None:
            continue
        if found and (joined := _joined(found[-1], quantity, words)):
            found[-1] = joined
        else:
            found.append(quantity)
        last = quantity.last
    return tuple(found)


def _may_begin(words: Sequence[Word]) -> list[int]:
    """The few places at which a quantity can begin: number words, and what is neither a plain word nor a mark."""
    return [
        place
        for place, word in enumerate(words)
        if (lower := word.lower) in _NUMBER_WORDS
        or not (lower.isalpha() or (len(lower) == 1 and not lower.isdecimal()))
    ]


def _counts_something(words: Sequence[Word], place: int) -> bool:
    """Whether a word follows that can be counted: a single room; nobody is counted in `she is single`."""
    after = words[place + 1].lower if place + 1 < len(words) else ""
    return after.isalpha() and after not in ("and", "but", "or", "again", "now", "still", "since")


def _quantity_at(words: Sequence[Word], place: int) -> Quantity | None:
    word = words[place].lower
    counted = place + 1 < len(words) and words[place + 1].lower == "times"
    if (counted or word in _EVERY or word in FREQUENCIES or word in TIMES) and (interval := _interval_at(words, place)):
        return interval
    if word in _EVERY or word in FREQUENCIES:
        return None
    if word.isalpha():
        if word not in _NUMBER_WORDS:
            return None
    elif word[0].isdecimal() or (word[0] in "-−+v" and _DIGIT_START.match(word)):
        return _digits_at(words, place)
    if word in CARDINALS or word in ("hundred", "hundreds"):
        return _spelled_at(words, place)
    if word in ORDINALS:
        if word == "second" and place and words[place - 1].lower in ("per", "a", "one", "each", "every"):
            return None
        return Quantity(ORDINALS[word], ORDINALS[word], "ordinal", place, place + 1, words[place].text)
    if word in MULTIPLES:
        if word == "single" and not _counts_something(words, place):
            return None
        low, high = _bounded(MULTIPLES[word], MULTIPLES[word], words, place)
        return Quantity(low, high, "multiple", place, place + 1, words[place].text)
    head, _, tail = word.partition("-")
    if tail and head in MULTIPLES:
        return Quantity(MULTIPLES[head], MULTIPLES[head], f"multiple {tail}", place, place + 1, words[place].text)
    if tail and head in CARDINALS and tail not in CARDINALS:
        return _measured(CARDINALS[head], CARDINALS[head], words, place, place + 1, tail)
    if tail and head in CARDINALS and tail in CARDINALS:
        value = CARDINALS[head] + CARDINALS[tail]
        return _measured(value, value, words, place, place + 1, "")
    return None


def _interval_at(words: Sequence[Word], place: int) -> Quantity | None:
    """The time from one to the next: daily, every two weeks, twice a month, 3 times a day; unit "interval", in days.

    Where it is bounded (at least once a week) or says of which sort the next thing is (the weekly meeting): None.
    """
    word = words[place].lower
    if place and words[place - 1].lower in ("least", "most", "than", "to", "about", "around", "almost", "nearly"):
        return None
    if word in FREQUENCIES:
        after = words[place + 1].lower if place + 1 < len(words) else ""
        if after[:1].isalpha() and after not in _ADVERBIAL:
            return None
        return _interval(words, (place, place + 1), 1.0, FREQUENCIES[word])
    if word in _EVERY:
        return _every(words, place)
    return _times(words, place)


def _every(words: Sequence[Word], place: int) -> Quantity | None:
    after = words[place + 1].lower if place + 1 < len(words) else ""
    count = 2.0 if after in ("other", "second", "2nd") else CARDINALS.get(after, whole(after) or 0.0)
    last = place + (3 if count else 2)
    span = words[last - 1].lower if last <= len(words) else ""
    following = words[last].lower if last < len(words) else ""
    if span.removesuffix("s") not in SPANS or (following[:1].isalpha() and following not in _ADVERBIAL):
        return None  # every morning during Lent, every day of the week
    return _interval(words, (place, last), count or 1.0, span.removesuffix("s"))


def _times(words: Sequence[Word], place: int) -> Quantity | None:
    word = words[place].lower
    count = TIMES.get(word) or CARDINALS.get(word) or whole(word) or 0.0
    at = place + 1
    if word not in TIMES:
        if at >= len(words) or words[at].lower != "times":
            return None
        at += 1
    if not count or at + 1 >= len(words) or words[at].lower not in ("a", "per", "each", "every"):
        return None
    span = words[at + 1].lower
    is_habit = span in SPANS and SPANS[span] >= 1  # 100 times a minute is a rate
    return _interval(words, (place, at + 2), 1.0 / count, span) if is_habit else None


def _interval(words: Sequence[Word], reach: tuple[int, int], count: float, span: str) -> Quantity:
    """An interval of `count` spans; `version` tells the part of the day, where there is one: every night."""
    first, last = reach
    days = count * SPANS[span]
    part = (DAYPARTS.index(span) + 1,) if span in DAYPARTS else ()
    text = " ".join(word.text for word in words[first:last])
    return Quantity(days, days, "interval", first, last, text, version=part, factor=SPANS[span])


def whole(word: str) -> float | None:
    """The number that a word of digits alone stands for; None for any other word, and for what is too long for one."""
    return float(word) if word.isdecimal() and len(word) <= LONGEST_NUMBER else None


def _digits_at(words: Sequence[Word], place: int) -> Quantity | None:
    text = words[place].text
    if len(text) > LONGEST_NUMBER:
        return None
    if _VERSION.match(words[place].lower):
        parts = tuple(int(part) for part in re.findall(r"\d+", text)[:4])
        return Quantity(0, 0, "version", place, place + 1, text, parts)
    if (spread := _RANGE.match(text)) and not _PHONE.match(text):
        low, high = float(spread[1]), float(spread[2])
        return _measured(low, high, words, place, place + 1, spread[3]) if low < high else None
    match = _DIGITS.match(text)
    if match is None:
        return None
    if re.fullmatch(r"\d+\.\d+", text) and _names_release(words, place):
        return Quantity(0, 0, "version", place, place + 1, text, tuple(int(part) for part in text.split(".")))
    digits = match[2].replace(",", "" if re.search(r",\d{3}", match[2]) else ".")
    value = float(digits) * (-1 if match[1] in ("-", "−") and match[1] else 1)
    suffix = match[3] or ""
    if suffix.lower() in ("st", "nd", "rd", "th"):
        return Quantity(value, value, "ordinal", place, place + 1, text)
    if suffix.lower() in SCALES and (suffix != "m" or _before(words, place, "$€£¥")):
        return _measured(value * SCALES[suffix.lower()], None, words, place, place + 1, "")
    return _measured(value, None, words, place, place + 1, suffix)


def _names_release(words: Sequence[Word], place: int) -> bool:
    """Whether `3.11` is a release (Python 3.11, version 1.2) and no measure, which would have a unit."""
    before = words[place - 1] if place else None
    if before is None or (place + 1 < len(words) and unit_of(words[place + 1].text)):
        return False
    return before.lower in ("version", "release") or (
        (place > 1 or before.lower != "the") and before.text[:1].isupper() and not before.text.isupper()
    )


def _spelled_at(words: Sequence[Word], place: int) -> Quantity | None:
    if words[place].lower == "one" and not _counts_one(words, place):
        return None
    if words[place].lower in ("hundred", "hundreds") and (
        words[place].lower == "hundreds" or (place and words[place - 1].lower in FEW)
    ):
        return _measured(200.0, 900.0, words, place, place + 1, "")
    total, current, at = 0.0, 0.0, place
    while at < len(words):
        word = words[at].lower
        if word in CARDINALS:
            if current and current % 100 and not (current >= 20 and CARDINALS[word] < 10):
                break
            current += CARDINALS[word]
        elif word in ("hundred", "hundreds"):
            current = max(current, 1) * 100
        elif word in SCALES and len(word) > 2 and at > place:
            total, current = total + max(current, 1) * SCALES[word], 0.0
        elif not (word == "and" and at > place and words[at - 1].lower == "hundred" and _is_cardinal(words, at + 1)):
            break
        at += 1
    return _measured(total + current, None, words, place, at, "")


def _is_cardinal(words: Sequence[Word], place: int) -> bool:
    return place < len(words) and words[place].lower in CARDINALS


def _counts_one(words: Sequence[Word], place: int) -> bool:
    """Whether `one` counts something here; in `no one`, `the one`, `one of`, `one can` it does not."""
    before = words[place - 1].lower if place else ""
    after = words[place + 1].lower if place + 1 < len(words) else ""
    if before in ("no", "the", "this", "that", "which", "every", "any", "some", "each", "another", "each", "'s"):
        return False
    return after[:1].isalpha() and after not in NOT_AFTER_ONE


def _measured(low: float, high: float | None, words: Sequence[Word], first: int, last: int, unit: str) -> Quantity:
    """A quantity with the scale, unit, sign of currency and bounds that stand around its number."""
    high = low if high is None else high
    begin = first
    if not unit and last < len(words) and (scale := SCALES.get(words[last].lower)) and len(words[last].lower) > 1:
        low, high, last = low * scale, high * scale, last + 1
    measure = unit_of(unit) if unit else None
    if unit and measure is None:
        dimension, factor = unit.lower(), 1.0
    elif measure:
        dimension, factor = measure
    else:
        dimension, factor, first, last = _unit_around(words, first, last)
    low, high = _bounded(low * factor, high * factor, words, begin)
    text = " ".join(word.text for word in words[first:last]).replace(" %", "%")
    return Quantity(low, high, dimension, first, last, text, factor=factor)


def _unit_around(words: Sequence[Word], first: int, last: int) -> tuple[str, float, int, int]:
    if sign := _before(words, first, "$€£¥"):
        dimension, factor = unit_of(sign) or ("", 1.0)
        return dimension, factor, first - 1, last
    after = last + 1 if last < len(words) and words[last].text == "-" else last
    if (
        after < len(words)
        and (measure := unit_of(words[after].text))
        and words[after].lower not in ("in", "m", "l", "d", "b")
    ):
        return measure[0], measure[1], first, after + 1
    named = first and words[first - 1].lower in NAMED_BY_NUMBER
    return ("name" if named else ""), 1.0, first, last


def _before(words: Sequence[Word], place: int, signs: str) -> str:
    sign = words[place - 1].text if place else ""
    return sign if sign and sign in signs else ""


def _bounded(low: float, high: float, words: Sequence[Word], first: int) -> tuple[float, float]:
    """The bounds after `at least`, `up to`, `about` and the like, as the words before the number say."""
    near = [
        word.lower for word in words[max(0, first - 3) : first] if word.lower not in ("the", "a", "$", "€", "£", "¥")
    ]
    last = near[-1] if near else ""
    if last in ("than", "to", "of", "at", "by") and len(near) > 1:
        last = near[-2] if last == "than" or (last, near[-2]) in (("to", "up"), ("to", "close")) else ""
    elif last in ("least", "most") and (len(near) < 2 or near[-2] != "at"):
        last = ""
    if last in ROUGHLY:
        return low - abs(low) * ROUGH_SHARE, high + abs(high) * ROUGH_SHARE
    if last in AT_LEAST:
        return low, math.inf
    return (-math.inf if low > 0 and last in AT_MOST else low), high


def _joined(left: Quantity, right: Quantity, words: Sequence[Word]) -> Quantity | None:
    """One range of two quantities with `to`, `-`, `–` between them, or `and` after `between`; otherwise None."""
    between = [word.lower for word in words[left.last : right.first]]
    begins = words[left.first - 1].lower if left.first else ""
    if between not in (["to"], ["-"], ["–"]) and not (between == ["and"] and begins == "between"):
        return None
    moved = begins == "from" and left.first > 1 and lemma(words[left.first - 2].lower) in listed("change.txt")
    if moved or left.unit not in ("", right.unit, "name") or left.low >= right.high:
        return None
    scale = _scale(right, words) if not left.unit and right.unit else 1.0
    text = " ".join(word.text for word in words[left.first : right.last])
    return Quantity(left.low * scale, right.high, right.unit, left.first, right.last, text)


def _scale(quantity: Quantity, words: Sequence[Word]) -> float:
    measure = unit_of(words[quantity.last - 1].text)
    return measure[1] if measure and measure[0] == quantity.unit else 1.0


def disjoint(left: Quantity, right: Quantity) -> bool:
    """Whether two quantities of one unit cannot both be the value of one thing; two upper limits are two values."""
    if left.unit == "interval" and left.version and right.version and left.version != right.version:
        return True  # every morning, every evening
    if left.unit == "version":
        shared = min(len(left.version), len(right.version))
        return left.version[:shared] != right.version[:shared]
    finite = [abs(bound) for bound in (left.low, left.high, right.low, right.high) if math.isfinite(bound)]
    if math.inf in (-left.low, -right.low):
        return left.high != right.high if left.low == right.low else _apart(left, right, 0.0)
    share = ROUNDING if left.factor == right.factor else ROUNDING_OF_UNITS
    slack = share * max(finite, default=0.0) if left.unit not in ("", "name", "ordinal", "multiple") else 0.0
    return _apart(left, right, slack)


def _apart(left: Quantity, right: Quantity, slack: float) -> bool:
    return left.high + slack < right.low or right.high + slack < left.low
