"""The plain wording of what a sentence says in one of a few other forms, so that two wordings of one claim can meet.

`Kayak length: 5.4 m` says that the kayak is 5.4 m long, `Tom moved to Dresden` that he lives there now. Only whole
sentences of these forms are reworded; what says more stays as it is. English.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

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
_THING: Final = r"(?P<thing>(?:(?:the|my|our|his|her|their|your)\ )?[\w'’-]+(?:\ [\w'’-]+){0,2}?)"
_WHO: Final = r"(?P<thing>[A-Z][\w’-]*(?:\ [A-Z][\w’-]*)?|I|we|he|she|they)"
_NAME: Final = r"[A-Z][\w’-]*(?:\ [A-Z][\w’-]*)?"
_PER: Final = r"(?:(?:\ an?|\ per|/)\ ?(?:day|week|month|year))?"
_SUM: Final = r"(?:[€$£]\ ?\d[\d.,]*|\d[\d.,]*\ ?(?:€|\$|£|euros?|dollars?|pounds?))"
_MEASURE: Final = rf"(?P<value>(?:[€$£]\ ?)?\d[\d.,]*\ ?[^\W\d_]*[€$£]?{_PER})"
_SINCE: Final = r"(?P<tail>,?\ (?:since|as\ of|from\ [\w ]+\ on|due|paid|payable)\b[^,;:]*)?"
# Without a start or a span of time a sum after a name is what was paid once.
_PRICE: Final = rf"(?P<value>{_SUM}{_PER})(?P<tail>\ (?:since|as\ of|from\ [\w ]+\ on)\b[^,;:]*|(?<=day|eek|nth|ear))"
_LATELY: Final = (
    r"(?:\ (?:yesterday|today|recently|again|at\ last|(?:last|this)\ \w+|on\ \w+day|in\ [A-Z][a-z]+|by\ [\w\ ]{1,30}))?"
)
_MENDED: Final = r"(?P<said>repaired|fixed|mended)"
_PROLONGED: Final = r"(?:renewed|extended|prolonged)"
_THEN: Final = r"(?:\ (?:in|on|at)\ [\w\ ]{1,20}?)?"
_BEEN: Final = r"(?:was|were|is|are|has\ been|have\ been|got)\ (?:now\ |finally\ |just\ )?"
_HAVING: Final = r"(?:(?:has|have|just|recently|finally|now)\ )*"


@dataclass(frozen=True, slots=True)
class Rewording:
    """A plain sentence that says what another does.

    `turns` tells that the other says it of a change: it came so. `value` is how it says what the plain sentence denies
    (`repaired` for `not broken`), else "".
    """

    sentence: str
    turns: bool
    value: str


# Words of which one stands in whatever the pattern finds; the pattern of a whole sentence; the plain sentences that say
# the same; whether the form tells a change.
_FORMS: Final = tuple(
    (tuple(needed.split("|")), re.compile(rf"{pattern}\Z", re.IGNORECASE * fold | re.VERBOSE), plain, turns)
    for needed, pattern, fold, plain, turns in (
        ("|".join(MEASURES), rf"(?:the\ )?{_NOUN}\ of\ {_THING}(?:\ is|:)\ {_MEASURE}{_SINCE}", True, (), False),
        ("|".join(MEASURES), rf"{_THING}(?:['’]s?)?\ {_NOUN}(?:\ is|:)\ {_MEASURE}{_SINCE}", True, (), False),
        (": ", rf"{_THING}:\ {_PRICE}", True, ("{thing} costs {value}{tail}",), False),
        (
            " moved to ",
            rf"{_WHO}\ {_HAVING}moved\ to\ (?P<value>{_NAME}){_LATELY}",
            False,
            ("{thing} lives in {value}",),
            True,
        ),
        ("repaired|fixed|mended", rf"{_THING}\ {_BEEN}{_MENDED}{_LATELY}", True, ("{thing} is not broken",), True),
        (" again", rf"{_THING}\ (?P<said>(?:works|runs|is\ working)\ again)", True, ("{thing} is not broken",), True),
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
        (
            " valid until ",
            rf"{_THING}\ is\ valid\ until\ (?P<value>[^,;:]+)",
            True,
            ("{thing} expires in {value}",),
            False,
        ),
        (
            " relationship",
            (
                rf"{_WHO}\ (?:is|am|are)\ (?:now\ )?"
                r"(?P<said>in\ a\ (?:new\ |serious\ |steady\ )?relationship)(?:\ (?:with|since)\ [^,;:]+)?"
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
    )
)  # fmt: skip


@lru_cache(maxsize=8_192)
def reworded(sentence: str) -> tuple[Rewording, ...]:
    """The plain wordings of a sentence; () where it has none of the forms."""
    if len(sentence) > LONGEST:
        return ()
    body = sentence.rstrip(" .!")
    lower = body.lower()
    found: list[Rewording] = []
    for needed, pattern, plain, turns in _FORMS:
        if any(map(lower.__contains__, needed)) and (match := pattern.match(body)):
            parts = {name: part or "" for name, part in match.groupdict().items()}
            value = parts.get("said", "")
            found += (Rewording(one.format(**parts), turns, value) for one in plain or (_measured(parts),))
    return tuple(found)


def _measured(parts: dict[str, str]) -> str:
    """`The length of the kayak is 5.4 m` as `the kayak is 5.4 m long`."""
    predicate = MEASURES[parts["noun"].lower()].format(value=parts["value"])
    return f"{parts['thing']} {predicate}{parts['tail']}"
