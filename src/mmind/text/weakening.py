"""Whether a denial is weaker than it looks: of a share only, not always, not yet, not since, or in a comparison.

Asked late, of pairs that have passed the cheaper tests, so the words of the sentences may be read again.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise
from typing import Final

from mmind.text.alignment import Alignment
from mmind.text.claims import Claim, Kind
from mmind.text.comparison import TIMELY, denials
from mmind.text.lexicon import lemma, vocabulary
from mmind.text.sentences import words
from mmind.text.times import Moment

EXISTENTIAL: Final = vocabulary("existential")  # subjects that speak of some, whoever they are
PARTS: Final = frozenset(("half", "rest", "part", "third", "quarter", "minority"))
UNIVERSAL: Final = frozenset(map(lemma, vocabulary("universal")))
DEGREES: Final = vocabulary("degrees")  # `not usually` leaves room for now and then
FUTURE: Final = vocabulary("futures")
LESSER: Final = frozenset(map(lemma, ("less", "fewer")))
BUT_ONE: Final = re.compile(r"\bany(?:one|body|thing|where)?(?: \w+)? but\b", re.IGNORECASE)

Flip = tuple[int, int]


def is_weak_denial(left: Claim, right: Claim, aligned: Alignment, flip: Flip) -> bool:
    """Whether a denial and what it meets may both hold, since one of them speaks of a part or of another time."""
    here, there = flip
    one, other = left.terms[here], right.terms[there]
    if one.kind is other.kind is Kind.QUANTIFIER and one.lemma != other.lemma and flip in aligned.same:
        return True  # not always, sometimes
    partner = dict(aligned.same)
    if _bounds_time(left, aligned.left, partner) != _bounds_time(right, aligned.right, partner.values()):
        return True
    sides = ((left, right, here, aligned.right), (right, left, there, aligned.left))
    return any(
        _denies_of_some(claim, against) or _by_degrees(claim, against, at) or _is_due(claim, against, at, over)
        for claim, against, at, over in sides
        if denials(claim).get(at, 0) % 2
    )


def _denies_of_some(claim: Claim, other: Claim) -> bool:
    """Whether something is denied of some only, and the other side does not affirm it of all or of most."""
    first, theirs = (_share(each) for each in (claim, other))
    universal = any(term.lemma in UNIVERSAL for term in other.terms[: other.predicate + 1])
    return not universal and first in EXISTENTIAL | PARTS and not (first == theirs == "most")


def _share(claim: Claim) -> str:
    """The word with which a sentence begins, or the share of which it speaks: the `rest` of the trees."""
    parts = [word.lower for word in words(claim.sentence)[:3]]
    return next((word for word, after in pairwise(parts) if after == "of" and word in PARTS), parts[0])


def _by_degrees(claim: Claim, other: Claim, at: int) -> bool:
    """Whether it is denied to a degree that the other side does not claim, or to all but one."""
    place = claim.terms[at].place
    negator = max((one.place for one in claim.negations if one.place < place), default=place)
    between = {word.lower for word in words(claim.sentence)[negator + 1 : place]}
    theirs = {word.lower for word in words(other.sentence)}
    if (between & DEGREES) - theirs or (BUT_ONE.search(claim.sentence) and not BUT_ONE.search(other.sentence)):
        return True
    return any(term.lemma in LESSER for term in other.terms) and "as" in between | {
        word.lower for word in words(claim.sentence)[place:]
    }


def _bounds_time(claim: Claim, over: Collection[int], told: Collection[int]) -> bool:
    """Whether one side alone sets before, after or since before a time or event that both name."""
    return any(claim.terms[index].lemma in TIMELY and index + 1 in told for index in over)


def _is_due(claim: Claim, other: Claim, at: int, over: Collection[int]) -> bool:
    """Whether something has not happened so far, and the other side tells that or when it will: not yet open."""
    parts = [word.lower for word in words(claim.sentence)]
    if not FUTURE.isdisjoint(parts) or claim.modals:
        return False
    negator = max((one.place for one in claim.negations if one.place < claim.terms[at].place), default=0)
    perfect = negator > 0 and parts[negator - 1] in ("has", "have", "had", "did")
    awaited = not FUTURE.isdisjoint(word.lower for word in words(other.sentence))
    dated = any(isinstance(other.terms[index].value, Moment) for index in over)
    return ("yet" in parts and (awaited or dated)) or (perfect and awaited)
