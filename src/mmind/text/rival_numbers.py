"""Two numbers that say the same of one thing, and differ."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from datetime import datetime
from typing import Final

from mmind.text.alignment import CONTENT, Alignment
from mmind.text.claims import Claim
from mmind.text.comparison import (
    Contradiction,
    Gap,
    are_comparable,
    dates_differ,
    flips,
    gap_between,
    reached,
    stated,
    verdict,
    words_needed,
)
from mmind.text.doubts import is_doubtful_value
from mmind.text.lexicon import lemma, vocabulary
from mmind.text.numbers import Quantity
from mmind.text.sentences import words
from mmind.text.times import Moment

SECONDS_A_YEAR: Final = 31_557_600.0
MOST_NUMBERS: Final = 2  # sentences that differ in more numbers are two readings or two events
RELATIVE: Final = re.compile(
    r"\b(?:today|yesterday|tonight|tomorrow|(?:this|last|next) (?:morning|week|month|year|time))\b", re.IGNORECASE
)
SCHEDULED: Final = vocabulary("owned") | {"we"}
PASSING: Final = frozenset(map(lemma, vocabulary("passing measures")))
PERIODIC: Final = frozenset(map(lemma, vocabulary("paid by period")))
PERIODS: Final = frozenset(map(lemma, ("month", "year", "week", "day", "hour")))
VERSION: Final = lemma("version")
STATISTICS: Final = frozenset(map(lemma, vocabulary("statistics")))


def numeric(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    """The contradiction of two claims by a number, or None."""
    rivals = [(i, j) for i, j in aligned.rivals if isinstance(left.terms[i].value, Quantity)]
    if not rivals:
        return None
    over = [left.terms[i].lemma for i in aligned.left] + [right.terms[j].lemma for j in aligned.right]
    if not STATISTICS.isdisjoint(over) or _names_by_value(left, right, aligned):
        return None  # 40 m deep on average, 90 m at most
    if left.past != right.past or not are_comparable(left, right, aligned) or dates_differ(left, aligned):
        return None
    gap = gap_between(left, right, aligned)
    if gap.shared < words_needed(left, right) or min(gap.left, gap.right) > 1 or flips(left, right, aligned):
        return None
    if len(rivals) > 1 and any(
        _tells_which(left.terms[i].value) for i, _ in rivals
    ):  # run 3 took 40 min, run 4 took 55
        return None
    if any(_is_interval(left.terms[i].value) for i, _ in rivals) and not _are_schedules(left, right, gap):
        return None
    if not len(aligned.rivals) == len(rivals) <= MOST_NUMBERS or any(map(_is_reading_of_a_day, (left, right))):
        return None
    if len(rivals) > 1 and "from" in left.sentence and "from" in right.sentence:
        return None
    if _leaves_out_period(left, right, aligned):
        gap = replace(gap, left=0, right=0)
    confidence = gap.closeness - 0.1 * gap.subject
    for here, there in rivals:
        denied = reached(left, here) or reached(right, there)
        sure = confidence >= 0.7 and not denied and not is_doubtful_value(left, right, (here, there))
        sure = sure and not _are_of_one_release(left, right, (here, there))
        sure = sure and not (_told_beside(left, here, right, there) or _told_beside(right, there, left, here))
        if sure and _one_slot(left, right, aligned, here, there) and not _grew_older((left, here), (right, there)):
            return verdict("numeric", left, right, stated(left, here, right, there), confidence)
    return None


def _leaves_out_period(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether all that one side says more is per what a sum is paid that is always paid so: a rent, a month."""
    over = [left.terms[i].lemma for i in aligned.left] + [right.terms[j].lemma for j in aligned.right]
    return len(over) == 1 and over[0] in PERIODS and any(left.terms[i].lemma in PERIODIC for i, _ in aligned.same)


def _told_beside(claim: Claim, at: int, other: Claim, there: int) -> bool:
    """Whether a claim tells the other's value as well, for another case: `25 euros a month, 20 for students`."""
    return any(index != at and says_value(claim, index, other, there) for index in range(len(claim.terms)))


def says_value(claim: Claim, index: int, other: Claim, there: int) -> bool:
    """Whether a number of one claim is the value that stands `there` in another, and tells of nothing else."""
    mine, value = claim.terms[index].value, other.terms[there].value
    if not isinstance(mine, Quantity) or not isinstance(value, Quantity) or mine.unit not in ("", value.unit):
        return False
    factor = 1.0 if mine.unit else value.factor
    same = (mine.low * factor, mine.high * factor) == (value.low, value.high)
    return same and _is_alone(claim, index)


def _is_alone(claim: Claim, index: int) -> bool:
    """Whether a number counts nothing of its own (`2 baths`), and is not said to be past (`up from 890`)."""
    term, parts = claim.terms[index], claim.parts
    if not isinstance(term.value, Quantity) or not term.place:
        return False
    after = claim.terms[index + 1 : index + 2]
    counts = not term.value.unit and bool(after) and after[0].place == term.value.last and after[0].kind in CONTENT
    return not counts and parts[term.place - 1].lower not in ("from", "not", "of", "was", "were", "than")


def is_passing(found: Contradiction) -> bool:
    """Whether both sides measure what changes by itself: at two times a body weighs, and an account holds, two sums."""
    measured = (PASSING.isdisjoint(lemma(word.lower) for word in words(one)) for one in found.sentences)
    return found.kind == "numeric" and not any(measured)


def _grew_older(one: tuple[Claim, int], other: tuple[Claim, int]) -> bool:
    """Whether two ages lie as far apart as the days they were told on: 7 years old in May, 8 years old in July."""
    told = [_age(*one), _age(*other)]
    if told[0] is None or told[1] is None:
        return False
    (age, on), (later_age, later) = sorted((told[0], told[1]), key=lambda each: each[1])
    passed = (later - on).total_seconds() / SECONDS_A_YEAR
    return math.floor(passed) <= round(later_age - age) <= math.ceil(passed)


def _age(claim: Claim, at: int) -> tuple[float, datetime] | None:
    """An age in years and when it was told; None where the value is none, or nobody knows when."""
    value, said_at = claim.terms[at].value, claim.said_at
    if said_at is None or not isinstance(value, Quantity) or value.unit != "duration":
        return None
    after = [word.lower for word in words(claim.sentence)[value.last : value.last + 1]]
    return (value.low / SECONDS_A_YEAR, said_at) if after == ["old"] else None


def _are_of_one_release(left: Claim, right: Claim, pair: tuple[int, int]) -> bool:
    """Whether one side tells a version more exactly than the other: 15 and 15.2."""
    if VERSION not in left.lemmas or VERSION not in right.lemmas:
        return False
    short, long = sorted((left.terms[pair[0]].text, right.terms[pair[1]].text), key=len)
    return long.startswith(f"{short}.")


def _is_interval(value: Quantity | Moment | None) -> bool:
    return isinstance(value, Quantity) and value.unit == "interval"


def _are_schedules(left: Claim, right: Claim, gap: Gap) -> bool:
    """Whether two intervals are those of things, told in the same words: who swims daily swims every week as well."""
    things = all(
        claim.speaker in ("", "we") and not claim.past and (first in SCHEDULED or first.endswith("s"))
        for claim in (left, right)
        for first in [words(claim.sentence)[0].lower]
    )
    return things and not gap.left and not gap.right and not gap.swapped


def _tells_which(value: Quantity | Moment | None) -> bool:
    """Whether a value beside others says of which one they are told: run 3, the dose of every morning."""
    return isinstance(value, Quantity) and value.unit in ("name", "interval")


def _is_reading_of_a_day(claim: Claim) -> bool:
    """Whether a claim holds for `today` or the like, and nobody knows which day that was."""
    return claim.said_at is None and RELATIVE.search(claim.sentence) is not None


def _one_slot(left: Claim, right: Claim, aligned: Alignment, here: int, there: int) -> bool:
    """Whether two numbers say the same of one thing: what they count is aligned, or the word before where a unit is."""
    partner = dict((*aligned.same, *aligned.rivals, *aligned.opposite, *aligned.swapped))
    last = here + 1 >= len(left.terms) and there + 1 >= len(right.terms)
    after = last or partner.get(here + 1, -1) == there + 1
    before = partner.get(here - 1, -1) == there - 1 if here else there == 0
    value = left.terms[here].value
    measured = isinstance(value, Quantity) and value.unit not in ("", "ordinal")
    return (after or (measured and before)) and not _are_of_other_stuff(left, right, aligned, (here, there))


def _are_of_other_stuff(left: Claim, right: Claim, aligned: Alignment, pair: tuple[int, int]) -> bool:
    """Whether two measures say of what, one word in the other's place: 200 g of butter, 300 g of sugar."""
    return (pair[0] + 1, pair[1] + 1) in aligned.swapped and all(
        isinstance(value := claim.terms[at].value, Quantity)
        and [word.lower for word in words(claim.sentence)[value.last : value.last + 1]] == ["of"]
        for claim, at in zip((left, right), pair, strict=True)
    )


def _names_by_value(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether a number tells which one is spoken of, on one side only: the 2017 bonds, these bonds."""
    return any(left.terms[i].value is not None and i < left.predicate for i in aligned.left) or any(
        right.terms[j].value is not None and j < right.predicate for j in aligned.right
    )
