"""What takes the ground from a contradiction that two aligned claims seem to show: they speak of different things.

Asked last, of the few pairs that have passed everything else, so the words may be read again.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from itertools import pairwise
from typing import Final

from mmind.text.alignment import CONTENT, Alignment
from mmind.text.claims import COPULAS, Claim, Kind, is_auxiliary
from mmind.text.comparison import denials, reached
from mmind.text.lexicon import is_irregular, is_negated_form, lemma, verbs, vocabulary
from mmind.text.numbers import Quantity
from mmind.text.polarity import BARRING
from mmind.text.roles import are_turned, heads_differ, is_another_bearer, is_other_than_a_part, is_restricted
from mmind.text.sentences import words
from mmind.text.weakening import is_weak_denial

BESIDE: Final = vocabulary("beside")  # `near two men` stays true when there are nine
UNKNOWN: Final = vocabulary("unknown persons")  # whoever opened it need not be who closed it
RELATING: Final = vocabulary("relating")
POINTING: Final = frozenset(("it", "this", "that", "he", "she", "they"))
WITHIN: Final = frozenset(("in", "on", "at", "inside"))  # one place, said in several ways
LEADING: Final = 5  # words before a term among which its preposition stands
MOST_OF_FRAGMENT: Final = 3  # terms
WAYS: Final = {"to": "from", "from": "to", "on": "off", "off": "on", "for": "against", "against": "for"}

# Opposites of which one must hold: what is not open is closed, but what is not sweet need not be sour.
COMPLEMENTARY: Final = frozenset(map(lemma, vocabulary("complementary")))
RESTRICTING: Final = frozenset(map(lemma, vocabulary("restricting")))  # who is first of some need not be first of all

Flip = tuple[int, int]


def is_doubtful_value(left: Claim, right: Claim, slot: Flip) -> bool:
    """Whether two values may both hold: each is an example, or describes some of many, or counts what stands near."""
    here, there = slot
    examples = left.terms[here].place > left.examples and right.terms[there].place > right.examples
    return examples or all(
        _counts_neighbours(claim, at) or _is_of_many(claim, at) for claim, at in ((left, here), (right, there))
    )


def _counts_neighbours(claim: Claim, index: int) -> bool:
    """Whether a bare number counts what a thing is near to."""
    term = claim.terms[index]
    if not isinstance(term.value, Quantity) or term.value.unit or not term.place:
        return False
    parts = words(claim.sentence)
    return parts[term.place - 1 - (parts[term.place - 1].lower == "to")].lower in BESIDE


def _is_of_many(claim: Claim, index: int) -> bool:
    """Whether a word describes things of which there may be others: `with white flowers`, not `the white flowers`."""
    parts, place = words(claim.sentence), claim.terms[index].place
    after = parts[place + 1].lower if place + 1 < len(parts) else ""
    if claim.terms[index].value is not None or not (after.endswith("s") or is_irregular(after)):
        return False
    plain = {term.place for term in claim.terms if term.kind in (Kind.WORD, Kind.QUANTIFIER)}
    before = next((at for at in range(place - 1, -1, -1) if at not in plain), -1)
    return before >= 0 and parts[before].lower in RELATING


def is_converse(aligned: Alignment, pair: Flip) -> bool:
    """Whether a relation and its opposite stand between crossed things, which says one fact twice.

    `Ann bought it from Ben`, `Ben sold it to Ann`; `the talk is before lunch`, `lunch is after the talk`.
    """
    here, there = pair
    sides = {(one < here, other < there) for one, other in aligned.same if one != here and other != there}
    return {(True, False), (False, True)} <= sides


def _denies_a_bound(claim: Claim, shared: Collection[int]) -> bool:
    """Whether a denial reaches `more than 100`, so that it states a limit: `never holds more than 100`.

    Unless the other side says `more than 100` as well, by the indices `shared`.
    """
    bounded = (
        index
        for index, term in enumerate(claim.terms)
        if isinstance(term.value, Quantity) and math.isinf(term.value.high - term.value.low)
    )
    return any(reached(claim, index) for index in bounded if index not in shared)


def _ended(claim: Claim, other: Claim) -> bool:
    """Whether one side says that something is no longer so, and the other that it was."""
    return other.past and not claim.past and claim.corrects and bool(claim.negations)


def is_doubtful_denial(left: Claim, right: Claim, aligned: Alignment, flip: Flip) -> bool:
    """Whether what one side denies is something else than what the other affirms."""
    here, there = flip
    if flip in aligned.opposite and (is_converse(aligned, flip) or _both_hold(left, right, aligned, flip)):
        return True
    equal = [(i, j) for i, j in aligned.same if left.terms[i].lemma == right.terms[j].lemma]
    if _denies_a_bound(left, {i for i, _ in equal}) != _denies_a_bound(right, {j for _, j in equal}):
        return True
    if _ended(left, right) or _ended(right, left):
        return True
    if heads_differ(left, right, aligned) or are_turned(left, right, aligned, flip):
        return True
    if is_weak_denial(left, right, aligned, flip):
        return True
    if any(reached(left, i) != reached(right, j) for i, j in aligned.rivals):
        return True  # another value is denied than the one stated: `not during autumn`, `in winter`
    if left.terms[here].text.endswith("est") != right.terms[there].text.endswith("est"):
        return flip in aligned.same  # what is not the largest may be larger than something
    if flip in aligned.swapped and _other_way(left, right, flip):
        return True
    if any(_is_fragment(claim, over) for claim, over in ((left, aligned.right), (right, aligned.left))):
        return True
    sides = ((left, right, here, there, aligned.right), (right, left, there, here, aligned.left))
    return any(
        _denies_of_pointed(claim, other, its)
        or _over(claim, other, at, its)
        or _denies_another(claim, other, at, its)
        or _is_first_of_some(other, its, over)
        for claim, other, at, its, over in sides
        if denials(claim).get(at, 0) % 2
    )


def _both_hold(left: Claim, right: Claim, aligned: Alignment, flip: Flip) -> bool:
    """Whether opposites may both hold: neither is said of a known thing, both are denied, or each has its own hour."""
    one, other = left.terms[flip[0]], right.terms[flip[1]]
    if all(words(claim.sentence)[0].lower in UNKNOWN for claim in (left, right)):
        return True
    if any(_is_hour(left, i) for i in aligned.left) or any(_is_hour(right, j) for j in aligned.right):
        return True
    denied = denials(left).get(flip[0], 0) and denials(right).get(flip[1], 0)
    sure = {one.lemma, other.lemma} <= COMPLEMENTARY
    sure = sure or is_negated_form(one.lemma, other.lemma) or is_negated_form(other.lemma, one.lemma)
    return bool(denied) and not sure


def _is_hour(claim: Claim, index: int) -> bool:
    """Whether a value says when something begins or ends: open from 9, closes at 5."""
    term = claim.terms[index]
    before = words(claim.sentence)[term.place - 1].lower if term.place else ""
    return term.value is not None and before in ("at", "from", "until", "till", "to", "by")


def _denies_another(claim: Claim, other: Claim, at: int, its: int) -> bool:
    """Whether what is denied has another bearer or role than what the other side affirms."""
    return (
        is_another_bearer(claim, other, at, its)
        or is_other_than_a_part(claim, other, at, its)
        or is_restricted(claim, at)
    )


def _is_first_of_some(claim: Claim, index: int, over: Sequence[int]) -> bool:
    """Whether a rank is affirmed among some that the denial does not name: `the tallest in the west of town`."""
    term = claim.terms[index]
    ranked = term.lemma in RESTRICTING or (isinstance(term.value, Quantity) and term.value.unit == "ordinal")
    ranked = ranked or (term.text.lower().endswith("est") and len(term.text) > 4)
    return ranked and any(claim.terms[at].kind in CONTENT and at > index for at in over)


def _is_fragment(claim: Claim, over: Sequence[int]) -> bool:
    """Whether a claim is a heading, or a scrap without a verb against a sentence that says much more."""
    if len(claim.terms) > MOST_OF_FRAGMENT or any(is_auxiliary(word) for word in words(claim.sentence)):
        return False
    if any(term.lemma in verbs() for term in claim.terms[1:]):
        return False
    return (
        len(claim.terms) == 1 or (claim.sentence[-1].isalnum() and not claim.negations) or len(over) > MOST_OF_FRAGMENT
    )


def _other_way(left: Claim, right: Claim, flip: Flip) -> bool:
    """Whether other verbs go with prepositions of opposite directions: `distinguished from A`, `not assigned to A`."""
    after = [
        next((word.lower for word in words(claim.sentence)[claim.terms[at].place + 1 :][:2] if word.lower in WAYS), "")
        for claim, at in zip((left, right), flip, strict=True)
    ]
    return WAYS.get(after[0]) == after[1]


def _denies_of_pointed(claim: Claim, other: Claim, there: int) -> bool:
    """Whether it is said what `it` is not, and the other side speaks of that very thing: `it's not the old house`."""
    parts = words(claim.sentence)
    points = len(parts) > 2 and parts[0].lower in POINTING and parts[1].lower in COPULAS and parts[2].lower == "not"
    return points and there < other.predicate and bool(other.terms[other.predicate :])


def _over(claim: Claim, other: Claim, index: int, there: int) -> bool:
    """Whether a denial reaches its word over a relation that the other side lacks: `not like X`, `not in X`."""
    place = claim.terms[index].place
    negator = max((one.place for one in claim.negations if one.place < place), default=place)
    parts = [word.lower for word in words(claim.sentence)]
    begins = place if parts[negator] in BARRING else negator + 1
    between = [each for each in pairwise(parts[begins : place + 1]) if each != ("at", "all")]
    crossed = [word for word, _ in between if word in RELATING]
    if not crossed:
        return False
    their = other.terms[there].place
    leading = {word.lower for word in words(other.sentence)[max(0, their - LEADING) : their]}
    return leading.isdisjoint(WITHIN if crossed[-1] in WITHIN else crossed[-1:])
