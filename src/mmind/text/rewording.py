"""The plain wording of what a sentence says in one of a few other forms, so that two wordings of one claim can meet.

`Kayak length: 5.4 m` says that the kayak is 5.4 m long, `Tom moved to Dresden` that he lives there now. Only whole
sentences of these forms are reworded; what says more stays as it is. English.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mmind.text.lexicon import vocabulary

# What is measured, and how a sentence without the noun says it.
MEASURES: Final = {
    "length": "is {value} long",
    "width": "is {value} wide",
    "height": "is {value} high",
    "depth": "is {value} deep",
    "weight": "weighs {value}",
    "age": "is {value} old",
    "price": "costs {value}",
    "cost": "costs {value}",
}
LONGEST: Final = 120  # characters; what is longer says more than one plain thing

_NOUN: Final = rf"(?P<noun>{'|'.join(MEASURES)})"
# No part of a name: it says that there is more, or that it is so at the moment only.
_PASSING: Final = rf"(?!(?:{'|'.join(sorted(vocabulary('no part of a name')))})\b)"
_WORD: Final = rf"{_PASSING}[\w'’-]+"
_BARE: Final = rf"(?:(?:the|my|our|his|her|their|your)\ )?{_WORD}(?:\ {_WORD}){{0,2}}?"
_THING: Final = rf"(?P<thing>{_BARE})"
# Where it stands, or of what it is: the heater in the bathroom.
_PLACED: Final = rf"(?P<thing>{_BARE}(?:\ (?:in|on|at|of|from|for)\ {_BARE})?)"
_WHO: Final = (
    r"(?P<thing>[A-Z][\w’-]*(?:\ [A-Z][\w’-]*)?|(?:[Tt]he\ )?[A-Z][\w’-]*\ family"
    r"|(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Tt]heir)\ [a-z]+(?:-[a-z]+)*|I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey)"
)
_NAME: Final = r"[A-Z][\w’-]*(?:\ [A-Z][\w’-]*)?"
_PER: Final = r"(?:(?:\ an?|\ per|/)\ ?(?:day|week|month|year))?"
_SUM: Final = r"(?:[€$£]\ ?\d[\d.,]*|\d[\d.,]*\ ?(?:€|\$|£|euros?|dollars?|pounds?))"
_MEASURE: Final = rf"(?P<value>(?:[€$£]\ ?)?\d[\d.,]*\ ?[^\W\d_]*[€$£]?{_PER})"
_SINCE: Final = r"(?P<tail>,?\ (?:since|as\ of|from\ [\w ]+\ on|due|paid|payable)\b[^,;:]*)?"
# Without a start or a span of time a sum after a name is what was paid once.
_PRICE: Final = (
    rf"(?P<value>{_SUM}{_PER})(?P<tail>,?\ (?:since|as\ of|from\ [\w ]+\ on)\b[^,;:]*"
    r"|(?<=day|eek|nth|ear)(?:,?\ (?:due|payable|paid)\b[^,;:]*)?)"
)
_LATELY: Final = (
    r"(?:\ (?:yesterday|today|recently|again|at\ last|(?:last|this)\ \w+|on\ \w+day|in\ [A-Z][a-z]+|by\ [\w\ ]{1,30}"
    r"|since\ [\w\ ]{1,20}))?"
)
_AT_PORT: Final = (
    r"(?:(?:now\ )?(?:listens?|runs?|answers?|serves?)|(?:is|are)\ (?:now\ )?"
    r"(?:listening\ |running\ |served\ |reachable\ |available\ |accessible\ |exposed\ )?)"
)
_PEOPLE: Final = r"(?:people|persons|guests|visitors|passengers|adults|children)"
_VOLUME: Final = r"\d[\d.,]*\ ?(?:l|ml|litres?|liters?|gallons?|kg|kilos?|tonnes?|GB|TB)"
_SINCE_WHEN: Final = r"(?:\ (?:to|with|since)\ [^,;:]+)?"
_MENDED: Final = r"(?P<said>repaired|fixed|mended)"
_PROLONGED: Final = r"(?:renewed|extended|prolonged)"
_THEN: Final = r"(?:\ (?:in|on|at)\ [\w\ ]{1,20}?)?"
_BEEN: Final = r"(?:was|were|is|are|has\ been|have\ been|got)\ (?:now\ |finally\ |just\ )?"
_HAVING: Final = r"(?:(?:has|have|just|recently|finally|now)\ )*"
_DAY: Final = rf"(?:{'|'.join(sorted(vocabulary('weekdays')))})(?:\ at\ \d[\w:.]*)?"
_MONTH: Final = rf"(?:{'|'.join(sorted(vocabulary('months')))})(?:\ \d{{1,2}}(?:st|nd|rd|th)?)?(?:,?\ \d{{4}})?"
_COUNTED: Final = r"(?:[€$£]\ ?)?\d[\w.,:/]*(?:\ [^\W\d_]+)?(?:\ \d{4})?"
# What a date or a sum may stay or move to.
_POINT: Final = rf"(?P<value>{_COUNTED}|{_DAY}|{_MONTH})"
_GONE: Final = (
    *("moved", "slipped", "shifted", "climbed", "jumped", "dropped"),
    *("rose", "risen", "grew", "grown", "fell", "fallen", "sank"),
)


@dataclass(frozen=True, slots=True)
class Rewording:
    """A plain sentence that says what another does.

    `turns` tells that the other says it of a change: it came so. `value` is how it says what the plain sentence denies
    (`repaired` for `not broken`), else "".
    """

    sentence: str
    turns: bool
    value: str


# What somebody does with a thing, and what he is to it then.
HOLDERS: Final = {
    "owned": "owner",
    "maintained": "maintainer",
    "led": "lead",
    "managed": "manager",
    "chaired": "chair",
    "hosted": "host",
}

# Words of which one stands in whatever the pattern finds; the pattern of a whole sentence; whether large and small
# letters are alike in it; the plain sentences that say the same; whether the form tells a change.
_Form = tuple[str, str, bool, tuple[str, ...], bool]

_MEASURED: Final[tuple[_Form, ...]] = (
    ("|".join(MEASURES), rf"(?:the\ )?{_NOUN}\ of\ {_THING}(?:\ is|:)\ {_MEASURE}{_SINCE}", True, (), False),
    ("|".join(MEASURES), rf"{_THING}(?:['’]s?)?\ {_NOUN}(?:\ is|:)\ {_MEASURE}{_SINCE}", True, (), False),
    (": ", rf"{_THING}:\ {_PRICE}", True, ("{thing} costs {value}{tail}", "{thing} is {value}{tail}"), False),
)
_SAID_BY_A_VERB: Final[tuple[_Form, ...]] = (
    (
        " port ",
        rf"{_THING}\ {_AT_PORT}\ ?(?:on|at|under)\ port\ (?P<value>\d+){_SINCE}",
        True,
        ("the port of {thing} is {value}{tail}",),
        False,
    ),
    (
        " times out ",
        rf"{_THING}\ times\ out\ after\ {_MEASURE}{_SINCE}",
        True,
        ("the timeout of {thing} is {value}{tail}",),
        False,
    ),
    (
        "seats|sleeps|holds|room for|space for",
        (
            rf"{_THING}\ (?:(?:seats|sleeps|holds|has\ (?:room|space)\ for)\ (?P<value>[\w,]+)\ {_PEOPLE}"
            rf"|holds\ (?P<volume>{_VOLUME})){_SINCE}"
        ),
        True,
        ("the capacity of {thing} is {value}{volume}{tail}",),
        False,
    ),
    (
        " is due | are due ",
        rf"{_THING}\ (?:is|are)\ due\ (?:on|by)\ (?P<value>[^,;:]+)",
        True,
        ("the deadline of {thing} is {value}",),
        False,
    ),
    (
        " version ",
        rf"{_THING}\ (?:is\ (?:now\ )?(?:on|at)|runs|uses)\ version\ (?P<value>v?\d[\w.]*){_SINCE}",
        True,
        ("the version of {thing} is {value}{tail}",),
        False,
    ),
    (
        "|".join(f" {verb} by " for verb in HOLDERS),
        rf"{_THING}\ (?:is|are)\ (?:now\ )?(?P<held>{'|'.join(HOLDERS)})\ by\ (?P<value>(?-i:{_NAME})){_SINCE}",
        True,
        ("the {holder} of {thing} is {value}{tail}",),
        False,
    ),
    (
        " belongs to ",
        rf"{_THING}\ belongs\ to\ (?P<value>(?-i:{_NAME})){_SINCE}",
        True,
        ("the owner of {thing} is {value}{tail}",),
        False,
    ),
)
_KEPT_OR_MOVED: Final[tuple[_Form, ...]] = (
    (
        "stay|remain",
        rf"{_THING}\ (?:stays?|remains?)\ (?P<on>(?:on|at)\ )?{_POINT}",
        True,
        ("{thing} is {on}{value}",),
        False,
    ),
    (
        "|".join(f" {verb} to " for verb in _GONE),
        rf"{_THING}\ {_HAVING}(?:{'|'.join(_GONE)})\ to\ {_POINT}",
        True,
        ("{thing} is now {value}",),
        True,
    ),
    (" went ", rf"{_THING}\ went\ (?:up|down)\ to\ {_POINT}", True, ("{thing} is now {value}",), True),
)
_MENDING: Final[tuple[_Form, ...]] = (
    ("repaired|fixed|mended", rf"{_PLACED}\ {_BEEN}{_MENDED}{_LATELY}", True, ("{thing} is not broken",), True),
    (
        "repaired|fixed|mended",
        rf"(?:(?-i:{_NAME})|I|we|he|she|they|the\ \w+)\ {_HAVING}{_MENDED}\ {_PLACED}{_LATELY}",
        True,
        ("{thing} is not broken",),
        True,
    ),
    (
        " again",
        rf"{_PLACED}\ (?P<said>(?:works|runs|is\ working)\ again){_LATELY}",
        True,
        ("{thing} is not broken",),
        True,
    ),
    (
        "out of order|defective|not work|n't work|n’t work",
        (
            rf"{_PLACED}\ (?:still\ )?(?:(?:is|are)\ (?:still\ )?(?P<said>out\ of\ order|defective|not\ working)"
            r"|(?P<fails>(?:does|do)(?:\ not|n['’]t)\ work(?:\ any\ ?more)?))"
        ),
        True,
        ("{thing} is broken",),
        False,
    ),
)
_VALID: Final[tuple[_Form, ...]] = (
    (
        " until ",
        rf"{_THING}\ {_BEEN}{_PROLONGED}{_THEN}\ until\ (?P<value>[^,;:]+)",
        True,
        ("{thing} expires in {value}", "{thing} is valid until {value}"),
        True,
    ),
    (
        " until ",
        rf"(?:(?:{_NAME}|I|we|he|she|they)\ )?{_HAVING}{_PROLONGED}\ {_THING}{_THEN}\ until\ (?P<value>[^,;:]+)",
        True,
        ("{thing} expires in {value}", "{thing} is valid until {value}"),
        True,
    ),
    (" valid until ", rf"{_THING}\ is\ valid\ until\ (?P<value>[^,;:]+)", True, ("{thing} expires in {value}",), False),
    (
        " paid",
        rf"{_PLACED}\ {_BEEN}(?P<said>paid){_LATELY}",
        True,
        ("{thing} is not open", "{thing} is not unpaid", "{thing} is not overdue"),
        True,
    ),
    (" sold", rf"{_PLACED}\ {_BEEN}(?P<said>sold){_LATELY}", True, ("{thing} is not for sale",), True),
)
_OF_PERSONS: Final[tuple[_Form, ...]] = (
    (
        " moved to ",
        rf"{_WHO}\ {_HAVING}moved\ to\ (?P<value>{_NAME}){_LATELY}",
        False,
        ("{thing} lives in {value}",),
        True,
    ),
    (
        " left | quit ",
        rf"{_WHO}\ {_HAVING}(?P<said>(?:left|quit)\ (?P<value>{_NAME})){_LATELY}",
        False,
        ("{thing} does not work at {value}",),
        True,
    ),
    (
        " relationship| engaged| married| dating ",
        (
            rf"{_WHO}\ (?:(?:is|am|are)\ (?:now\ |happily\ )?|(?:has|have)\ been\ |got\ )"
            rf"(?P<said>in\ a\ (?:new\ |serious\ |steady\ )?relationship|engaged|married|dating\ {_NAME}){_SINCE_WHEN}"
        ),
        False,
        ("{thing} is not single",),
        False,
    ),
    (
        "friend|husband|wife",
        rf"{_WHO}\ (?:has|have)\ (?P<said>an?\ (?:new\ )?(?:girlfriend|boyfriend|husband|wife))",
        False,
        ("{thing} is not single",),
        False,
    ),
    (
        " a job| a new job",
        rf"{_WHO}\ (?:has|have|(?:has\ |have\ )?found|got)\ (?P<said>a\ (?:new\ )?job)(?:\ (?:at|as|in)\ [^,;:]+)?",
        False,
        ("{thing} is not unemployed",),
        False,
    ),
    (
        " died| passed away",
        rf"{_WHO}\ (?:has\ |have\ )?(?P<said>died|passed\ away){_LATELY}",
        False,
        ("{thing} is not alive",),
        True,
    ),
    (
        "at the moment|these days|right now",
        rf"{_WHO}\ (?P<is>is|am|are)\ (?P<state>[a-z]+)\ (?:at\ the\ moment|these\ days|right\ now)",
        False,
        ("{thing} {is} {state}",),
        False,
    ),
)
_Read = tuple[tuple[str, ...], re.Pattern[str], tuple[str, ...], bool]
_FORMS: Final[tuple[_Read, ...]] = tuple(
    (tuple(needed.split("|")), re.compile(rf"{pattern}\Z", re.IGNORECASE * fold | re.VERBOSE), plain, turns)
    for needed, pattern, fold, plain, turns in (
        *_MEASURED,
        *_SAID_BY_A_VERB,
        *_KEPT_OR_MOVED,
        *_MENDING,
        *_VALID,
        *_OF_PERSONS,
    )
)
# Of these words one stands in whatever has a form, but for a sum after a colon.
FORM_WORDS: Final = vocabulary("reworded") | frozenset(MEASURES)
# By each of these words the forms, by number, that it may belong to, so that most sentences are spared most patterns.
_OF_WORD: Final = {
    word: tuple(
        number
        for number, (needed, *_) in enumerate(_FORMS)
        if any(word in piece or piece.strip() in word for piece in needed)
    )
    for word in FORM_WORDS
}


@lru_cache(maxsize=8_192)
def reworded(sentence: str) -> tuple[Rewording, ...]:
    """The plain wordings of a sentence; () where it has none of the forms."""
    if len(sentence) > LONGEST:
        return ()
    body = sentence.rstrip(" .!")
    lower = body.lower()
    found: list[Rewording] = []
    for needed, pattern, plain, turns in _forms_of(lower):
        if any(map(lower.__contains__, needed)) and (match := pattern.match(body)):
            parts = {name: part or "" for name, part in match.groupdict().items()}
            value = parts.get("said") or parts.get("fails") or ""
            parts["holder"] = HOLDERS.get(parts.get("held", "").lower(), "")
            found += (Rewording(one.format(**parts), turns, value) for one in plain or (_measured(parts),))
    return tuple(found)


def _forms_of(lower: str) -> Sequence[_Read]:
    """The forms that a sentence in small letters may have, by its words; all where a colon may stand at one of them."""
    if ":" in lower:
        return _FORMS
    told = FORM_WORDS.intersection(lower.split())
    return [_FORMS[number] for number in sorted({number for word in told for number in _OF_WORD[word]})] if told else ()


def _measured(parts: dict[str, str]) -> str:
    """`The length of the kayak is 5.4 m` as `the kayak is 5.4 m long`."""
    predicate = MEASURES[parts["noun"].lower()].format(value=parts["value"])
    return f"{parts['thing']} {predicate}{parts['tail']}"
