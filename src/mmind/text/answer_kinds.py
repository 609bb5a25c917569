"""What kind of answer an English question asks for, and whether a text holds one: a number, a person, a time, a place.

The expected answer type of question answering (Li and Roth 2002), by the word that asks. A text is given the benefit
of the doubt: `holds` is false only where nothing in it could be such an answer.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Final

from mmind.text.lexicon import ordered

_HOW_MUCH: Final = r"how\s+(?:much|many|often|frequently|long|far|old|big|large|tall|high|deep|wide|heavy|fast)\b"
_SHARE: Final = r"(?:what|which)(?:'s|\s+is)?(?:\s+the)?\s+(?:percentage|number|share|proportion|rate|amount)\b"
_TIME_ASKED: Final = r"(?:on |in |at )?(?:what|which)\s+(?:year|date|day|time|month|century|decade|weekday)\b"
_any_of = "|".join


class Kind(Enum):
    """What is asked for, in the words of a reason."""

    NUMBER = "a number"
    PERSON = "a person"
    TIME = "a time"
    PLACE = "a place"


_ASKED: Final = (
    (Kind.NUMBER, re.compile(rf"\b(?:{_HOW_MUCH}|{_SHARE})", re.IGNORECASE)),
    (Kind.PERSON, re.compile(r"^\W*who(?:se|m|'s)?\b", re.IGNORECASE)),
    (Kind.TIME, re.compile(rf"^\W*(?:when\b|{_TIME_ASKED})", re.IGNORECASE)),
    (Kind.PLACE, re.compile(r"^\W*where\b", re.IGNORECASE)),
)
_CARDINALS: Final = _any_of(word for name in ("cardinals", "tens") for word in ordered(name))
_AMOUNTS: Final = "hundred|thousand|million|percent|pair|couple|several|few|fortnight"
_FRACTIONS: Final = "[¼-¾⅐-⅞]"
_CALENDAR: Final = _any_of(word for name in ("months", "weekdays") for word in ordered(name))
_OFTEN: Final = "once|twice|never|always|daily|hourly|weekly|monthly|quarterly|yearly|annually|every|each|half|dozen"
_PERIODS: Final = "second|minute|hour|day|night|week|month|year|decade|century|morning|evening"
_SEASONS: Final = "spring|summer|autumn|winter"
_WHENEVER: Final = "after|before|until|till|when|whenever|once|if|while|during|regularly"
_MOMENTS: Final = "today|yesterday|tomorrow|tonight|now|noon|midnight|weekend|birthday|christmas|easter"
_KIN: Final = (
    "mum|mom|mother|dad|father|sister|brother|son|daughter|wife|husband|partner|friend|uncle|aunt|cousin|nephew|niece|"
    "grandma|grandpa|grandmother|grandfather|neighbour|neighbor|colleague|boss|team|people|family|king|queen"
)
_WHERE: Final = "in|at|on|under|behind|beside|inside|near|above|below|between|next to|from|to|into|via|along|through"
_SHORT_MONTHS: Final = "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
_DATES: Final = r"\b1\d{3}s?\b|\b20\d\d\b|\d[:.]\d\d\b|\d\s?[ap]m\b|\b\d{1,2}[./-]\d{1,2}\b|\d(?:st|nd|rd|th)\b"
_CAPITAL: Final = "[A-ZÀ-ÖØ-ÞĂĄĆČĎĐĘĚĞĢĶĹĽŁŃŇŐŒŔŘŚŞŠŢŤŮŰŹŻŽȘȚΑ-ΩА-ЯЁ]"
# A name that does not begin a sentence, or is of two words; what is called by what it does (plumber, dentist); and the
# value of a label, which may be anything (`Signed: anna`).
_CAPITALS: Final = rf"(?<=[^.!?\n] ){_CAPITAL}\w+|\b{_CAPITAL}\w+ {_CAPITAL}\w+"
_DOERS: Final = r"@\w|\b\w{3,}(?:er|or|ist|ian)s?\b|\bwo?m[ae]n\b|\b(?:call|ask) \w"
_VALUE: Final = r":\s+\w"
_ADDRESSES: Final = r"[/~\\]\w|\w[/\\]|https?:"


def _words(*listed: str) -> str:
    return rf"\b(?i:{_any_of(listed)})s?\b"


_HELD: Final = {
    Kind.NUMBER: re.compile(rf"[\d%]|{_FRACTIONS}|{_words(_CARDINALS, _AMOUNTS, _OFTEN)}"),
    Kind.TIME: re.compile(
        rf"{_DATES}|{_VALUE}|{_words(_CALENDAR, _SHORT_MONTHS, _MOMENTS, _OFTEN, _PERIODS, _SEASONS, _WHENEVER)}",
        re.IGNORECASE,
    ),
    Kind.PERSON: re.compile(rf"{_CAPITALS}|{_DOERS}|{_VALUE}|{_words('I|we|my|our', _KIN)}"),
    Kind.PLACE: re.compile(rf"{_CAPITALS}|{_words(_WHERE)}|{_ADDRESSES}|{_VALUE}"),
}
FEW_WORDS = 3  # so short a text may be an answer of any kind: `Lisbon`


def kind_asked(question: str) -> Kind | None:
    """The kind of answer that a question asks for; None where its words do not tell.

    Of one line: a pasted dialogue, or a memory that is asked about, says such words by the way.
    """
    if "\n" in question.strip():
        return None
    return next((kind for kind, asked in _ASKED if asked.search(question)), None)


def holds(kind: Kind, text: str) -> bool:
    """Whether anything in a text could be an answer of this kind."""
    return _HELD[kind].search(text) is not None or len(text.split()) <= FEW_WORDS


def is_another_kind(kind: Kind, value: str) -> bool:
    """Whether a value that somebody states is a number, and so no answer to who or when: `1,140 euros`."""
    if kind not in (Kind.PERSON, Kind.TIME):  # a room may be a number
        return False
    return _HELD[Kind.NUMBER].search(value) is not None and _HELD[kind].search(value) is None
