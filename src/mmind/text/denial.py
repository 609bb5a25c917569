"""One side denies what the other says, or says its opposite."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from mmind.text.alignment import CONTENT, Alignment
from mmind.text.claims import EXCEPTIVE, POSSIBLE, Claim, Kind
from mmind.text.comparison import (
    INDEFINITE,
    LEAST_CONFIDENCE,
    Contradiction,
    are_comparable,
    denials,
    flips,
    gap_between,
    is_record,
    reached,
    verdict,
)
from mmind.text.doubts import is_doubtful_denial
from mmind.text.lexicon import lemma, vocabulary
from mmind.text.times import Moment

SOME: Final = frozenset(map(lemma, vocabulary("some")))
SOMETIMES: Final = lemma("sometimes")
WILL: Final = re.compile(r"\b(?:would|will|should|must|unable|able)\b", re.IGNORECASE)


def negation(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    """The contradiction of two claims by a denial or an opposite, or None."""
    turned = flips(left, right, aligned)
    if len(turned) % 2 == 0 or not are_comparable(left, right, aligned):
        return None
    if _says_too_much(left, aligned.left) or _says_too_much(right, aligned.right) or _undone(left, right, turned[0]):
        return None
    if turned[0] in aligned.opposite and (is_record(left) or is_record(right)):
        return None
    if any(left.terms[i].value is not None for i, _ in aligned.rivals) or _speaks_of_some(left, right, aligned):
        return None
    confidence = _denial_confidence(left, right, aligned, turned[0])
    if confidence >= LEAST_CONFIDENCE and is_doubtful_denial(left, right, aligned, turned[0]):
        return None
    values = _denied(left, turned[0][0]), _denied(right, turned[0][1])
    return verdict("negation", left, right, values, confidence)


def _speaks_of_some(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether both sides speak of some only: some are and some are not, sometimes it is and sometimes it is not."""
    pairs = ((left.terms[i], right.terms[j]) for i, j in aligned.same)
    return any(one.lemma in SOME and (one.place == other.place == 0 or one.lemma == SOMETIMES) for one, other in pairs)


def _denial_confidence(left: Claim, right: Claim, aligned: Alignment, flip: tuple[int, int]) -> float:
    gap = gap_between(left, right, aligned)
    if min(gap.left, gap.right) > 0 or _two_cases(left, right, aligned):
        return 0.0
    if gap.swapped and (gap.shared < 3 or gap.swapped > 1 + gap.shared // 6):
        return 0.0
    if flip in aligned.swapped:
        return 0.0  # to deny one verb is not to deny another: deployed on staging, not tested on staging
    if any(reached(left, i) or reached(right, j) for i, j in aligned.swapped) and gap.shared < 5:
        return 0.0
    if flip in aligned.opposite and gap.left + gap.right > (0 if left.terms[flip[0]].kind is Kind.RELATION else 1):
        return 0.0
    if not gap.shared:
        return 1.0 - 0.25 * (gap.left + gap.right)
    extra = max(gap.left, gap.right)
    enough = gap.shared >= 2 or extra <= 1
    return (1.0 - 0.06 * extra - 0.12 * gap.swapped - 0.1 * gap.subject) if enough else 0.0


def _two_cases(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether each side speaks of a case of its own: closed on Sundays, open on weekdays."""
    over = [left.terms[i] for i in aligned.left], [right.terms[j] for j in aligned.right]
    return any(isinstance(term.value, Moment) for side in over for term in side) and all(
        any(term.value is not None or term.kind in CONTENT for term in side) for side in over
    )


def _says_too_much(claim: Claim, over: Sequence[int]) -> bool:
    """Whether something is denied that the other side does not speak of: `not walking his cat` denies no walk."""
    denied = denials(claim)
    if any(index in over or index == -1 for index in denied):
        return True
    counted = any(claim.terms[index].value is not None for index in over)
    if denied and (counted or (INDEFINITE.match(claim.sentence) and any(index < claim.predicate for index in over))):
        return True  # `his second plea was not heard`, `an old server is not reachable`
    return any(claim.terms[index].kind is not Kind.QUANTIFIER and reached(claim, index) for index in over)


def _undone(left: Claim, right: Claim, flip: tuple[int, int]) -> bool:
    """Whether the affirming side only nearly affirms (tried to win, almost won), or both stand under another denial."""
    if (left.hedges ^ right.hedges) - EXCEPTIVE:
        return True
    affirms, denies = (left, right) if flip[0] not in denials(left) else (right, left)
    if affirms.modals & POSSIBLE and not denies.modals & POSSIBLE and not WILL.search(denies.sentence):
        return True
    return _outer_denial(left, flip[0]) and _outer_denial(right, flip[1])


def _outer_denial(claim: Claim, index: int) -> bool:
    """Whether a term stands in the reach of a denial of something else: `I won't say that she stole it`."""
    place = claim.terms[index].place
    return any(negation.head < place < negation.end for negation in claim.negations)


def _denied(claim: Claim, index: int) -> str:
    """The term with its denial."""
    term = claim.terms[index]
    return f"not {term.text}" if denials(claim).get(index, 0) % 2 else term.text
