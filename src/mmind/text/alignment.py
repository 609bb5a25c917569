"""The terms of two claims laid against one another, so that what differs stands out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mmind.text.claims import Claim, Kind, Term, width_of
from mmind.text.lexicon import Bond, bond, lemma, tabled
from mmind.text.numbers import Quantity, disjoint
from mmind.text.times import Moment, apart, comparable

CONTENT: Final = frozenset((Kind.WORD, Kind.NAME))
_RELATION: Final = Kind.RELATION


# Sentences that leave more pairs of words than this unmatched are about different things, and looking each pair up
# would take a second for fifty long passages without blanks between words.
MOST_LEFT_OVER = 300


@dataclass(frozen=True, slots=True)
class Alignment:
    """The terms of two claims laid against one another, by index.

    `same` are equal or synonymous terms, `opposite` are opposites, `rivals` numbers, times, connectives or values of
    one field that differ in one slot, `swapped` other words that fill one slot between aligned neighbours; `left` and
    `right` are the terms left over.
    """

    same: tuple[tuple[int, int], ...]
    opposite: tuple[tuple[int, int], ...]
    rivals: tuple[tuple[int, int], ...]
    swapped: tuple[tuple[int, int], ...]
    left: tuple[int, ...]
    right: tuple[int, ...]


def align(left: Claim, right: Claim) -> Alignment:
    """Lay the terms of two claims against one another: equals first, in order; then opposites, rivals and synonyms."""
    waiting: dict[str, list[int]] = {}
    for index, term in enumerate(right.terms):
        waiting.setdefault(term.lemma, []).append(index)
    same: list[tuple[int, int]] = []
    over: list[int] = []
    for index, term in enumerate(left.terms):
        places = waiting.get(term.lemma)
        if places:
            same.append((index, places.pop(0)))
        else:
            over.append(index)
    matched = {there for _, there in same}
    rest = [index for index in range(len(right.terms)) if index not in matched]
    return _matched_rest(left.terms, right.terms, same, over, rest)


def _matched_rest(
    left: Sequence[Term], right: Sequence[Term], same: list[tuple[int, int]], over: list[int], rest: list[int]
) -> Alignment:
    opposite: list[tuple[int, int]] = []
    rivals: list[tuple[int, int]] = []
    partner = dict(same)
    related = _related(left, right, over, rest) if len(over) * len(rest) <= MOST_LEFT_OVER else {}
    for kind, into in ((Bond.OPPOSITE, opposite), (Bond.SAME, same), (Bond.RIVAL, rivals)) if related else ():
        for here in [here for here in over if here in related]:
            found = [there for there, bond in related[here] if bond is kind and there in rest]
            if not found:
                continue
            there = min(found, key=lambda place: _slot_distance(here, place, partner, len(left), len(right)))
            into.append((here, there))
            over.remove(here)
            rest.remove(there)
            partner[here] = there
    swapped = _swapped(left, right, over, rest, partner)
    if swapped:
        over = [here for here in over if all(not one <= here < one + width_of(left, one) for one, _ in swapped)]
        rest = [there for there in rest if all(not one <= there < one + width_of(right, one) for _, one in swapped)]
    return Alignment(tuple(sorted(same)), tuple(opposite), tuple(rivals), tuple(swapped), tuple(over), tuple(rest))


def _related(
    left: Sequence[Term], right: Sequence[Term], over: Sequence[int], rest: Sequence[int]
) -> dict[int, list[tuple[int, Bond]]]:
    """The bonds of what is left over on the left side; that two words can have none is seen for nine pairs in ten."""
    found: dict[int, list[tuple[int, Bond]]] = {}
    known = tabled()
    others = [(there, right[there], right[there].lemma in known) for there in rest]
    for here in over:
        one = left[here]
        first, last, is_known, is_worded = one.lemma[0], one.lemma[-1], one.lemma in known, one.value is None
        is_relation = one.kind is _RELATION
        for there, other, is_other_known in others:
            if is_worded:
                lemma = other.lemma
                if not ((is_known and is_other_known) or lemma[0] == first or lemma[-1] == last) and not (
                    is_relation and other.kind is _RELATION  # until, after
                ):
                    continue
            elif other.value is None:
                continue
            if bond := _bond(one, other):
                found.setdefault(here, []).append((there, bond))
    return found


def _swapped(
    left: Sequence[Term], right: Sequence[Term], over: Sequence[int], rest: Sequence[int], partner: dict[int, int]
) -> list[tuple[int, int]]:
    """The words left over on both sides that stand between aligned neighbours, each in the other's place."""
    found = []
    for here in over:
        there = partner.get(here - 1, -2) + 1 if here else 0
        if there not in rest or left[here].kind not in CONTENT or right[there].kind not in CONTENT:
            continue
        after = here + width_of(left, here), there + width_of(right, there)
        if after == (here + 1, there + 1):
            fits = _slot_distance(here, there, partner, len(left), len(right)) < 0.2
        else:
            fits = after == (len(left), len(right)) or partner.get(after[0]) == after[1]
        if fits:
            found.append((here, there))
    return found


def _slot_distance(here: int, there: int, partner: dict[int, int], left: int, right: int) -> float:
    """How badly two places fit: 0 where the neighbours on both sides are aligned to one another."""
    before = (here == 0 and there == 0) or partner.get(here - 1) == there - 1
    after = (here == left - 1 and there == right - 1) or partner.get(here + 1) == there + 1
    return 2.0 - before - after + abs(here / left - there / right) / 10


def _bond(left: Term, right: Term) -> Bond | None:
    """What two terms that are not equal have to do with one another."""
    if left.value is None and right.value is None:
        if left.kind is right.kind is Kind.RELATION and frozenset((left.lemma, right.lemma)) in _SHIFTS:
            return Bond.RIVAL
        return bond(left.lemma, right.lemma, left.kind is right.kind or Kind.NAME not in (left.kind, right.kind))
    if isinstance(left.value, Quantity) and isinstance(right.value, Quantity) and left.value.unit == right.value.unit:
        return Bond.RIVAL if disjoint(left.value, right.value) else Bond.SAME
    if isinstance(left.value, Moment) and isinstance(right.value, Moment) and comparable(left.value, right.value):
        return Bond.RIVAL if apart(left.value, right.value) else Bond.SAME
    return None


# Connectives that put an event on different sides of, or within, one and the same time.
_SHIFTS: Final = frozenset(
    frozenset(map(lemma, pair.split()))
    for pair in (
        "before after",
        "until after",
        "till after",
        "during after",
        "during before",
        "since before",
        "until since",
    )
)
