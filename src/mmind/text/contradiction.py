"""Whether two claims cannot both hold. The words are aligned first; what is left over decides.

Two claims are compared only where they are about one thing: their subjects agree and most of their words align. Then
exactly one thing may stand between them: a number, a time, a denial or an opposite, or a value that was replaced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mmind.text.alignment import align
from mmind.text.claims import EXCEPTIVE, Claim, Kind, Mode, read_claim, read_claims
from mmind.text.clauses import clauses
from mmind.text.comparison import LEAST_CONFIDENCE, Contradiction, corrector, persons_differ
from mmind.text.denial import negation
from mmind.text.places import kept_elsewhere
from mmind.text.replacement import changed, given_up, replaced
from mmind.text.rival_numbers import RELATIVE, numeric
from mmind.text.rival_times import temporal
from mmind.text.times import Moment

CUT: Final = 0.04  # doubt for each sentence that speaks by its main clause only
MOST_EXTRA: Final = 9  # words that the longer claim may have more: so many still leave a denial sure enough


def contradiction(left: Claim | Sequence[Claim], right: Claim | Sequence[Claim]) -> Contradiction | None:
    """The surest contradiction between two claims, or between any two sentences of two passages; None where none is."""
    lefts = (left,) if isinstance(left, Claim) else left
    rights = (right,) if isinstance(right, Claim) else right
    found = [each for one in lefts for other in rights if (each := judged(one, other))]
    return max(found, key=lambda each: each.confidence, default=None)


def judged(left: Claim, right: Claim) -> Contradiction | None:
    """What two single sentences deny of one another, or None; their main clauses speak where the whole does not."""
    if left.sentence == right.sentence:
        return None
    return _judged_whole(left, right) or _judged_by_clauses(left, right)


def _repeats(left: Claim, right: Claim) -> bool:
    """Whether both sides tell of an event and why it was: the reason may come again as the event does."""
    return left.event and right.event and bool(clauses(left.sentence)) and bool(clauses(right.sentence))


def _judged_by_clauses(left: Claim, right: Claim) -> Contradiction | None:
    if not (clauses(left.sentence) or clauses(right.sentence)):
        return None
    lefts, rights = _main(left), _main(right)
    if lefts == (left,) and rights == (right,):
        return None
    surest: Contradiction | None = None
    for one in lefts:
        for other in rights:
            cut = (one is not left) + (other is not right)
            if _has_value_attached(left, one) and _has_value_attached(right, other):
                continue
            if _two_circumstances(_named(left) - _named(one), _named(right) - _named(other)):
                continue
            found = _judged_whole(one, other)
            if found is not None and (_names_date(left, one, right) or _names_date(right, other, left)):
                continue
            if found is not None and (surest is None or found.confidence - CUT * cut > surest.confidence):
                surest = _of_whole(found, left, right, CUT * cut)
    return surest if surest is not None and surest.confidence >= LEAST_CONFIDENCE else None


def _main(claim: Claim) -> tuple[Claim, ...]:
    """The main clauses of a claim, each read; the claim alone where it is one, or is meant in another way."""
    if claim.mode is not Mode.ASSERTED or claim.history:
        return (claim,)
    read = (read_claim(clause, claim.said_at) for clause in clauses(claim.sentence))
    return tuple(one for one in read if one.terms and not (claim.hedges - one.hedges) & EXCEPTIVE) or (claim,)


def _has_value_attached(claim: Claim, main: Claim) -> bool:
    """Whether a number, a date or `last week` stands in what was cut off: two such claims are two readings."""
    values = [sum(term.value is not None for term in each.terms) for each in (claim, main)]
    return values[0] > values[1] or (RELATIVE.search(claim.sentence) is None) != (
        RELATIVE.search(main.sentence) is None
    )


def _names_date(claim: Claim, main: Claim, other: Claim) -> bool:
    """Whether a date was cut off that the other side speaks of: not seen since Monday, seen on Monday."""
    cut, kept, theirs = (
        {term.lemma for term in each.terms if isinstance(term.value, Moment)} for each in (claim, main, other)
    )
    return bool((cut - kept) & theirs)


def _named(claim: Claim) -> frozenset[str]:
    return frozenset(term.lemma for term in claim.terms if term.kind is Kind.NAME)


def _two_circumstances(left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether what was cut off names other things on either side: `…, measured in Oslo`, `…, measured in Bergen`."""
    return bool(left and right) and left != right


def _of_whole(found: Contradiction, left: Claim, right: Claim, doubt: float) -> Contradiction:
    """What two main clauses deny, as said of their sentences."""
    corrects = found.corrects or corrector(left, right)
    sentences = (left.sentence, right.sentence)
    return replace(found, sentences=sentences, corrects=corrects, confidence=round(found.confidence - doubt, 2))


def _judged_whole(left: Claim, right: Claim) -> Contradiction | None:
    if left.sentence == right.sentence or not may_meet(left, right) or _repeats(left, right):
        return None
    found = _first_found(left, right)
    return None if found is None or persons_differ(left, right) else found


def _first_found(left: Claim, right: Claim) -> Contradiction | None:
    aligned = align(left, right)
    found = given_up(left, right)
    for judge in (changed, numeric, temporal, negation, replaced, kept_elsewhere):
        if found is not None and found.confidence >= LEAST_CONFIDENCE:
            return found
        found = judge(left, right, aligned)
    return found if found is not None and found.confidence >= LEAST_CONFIDENCE else None


def may_meet(left: Claim, right: Claim) -> bool:
    """The cheap test before alignment: enough words in common and neither much longer, or one gives up the other's."""
    if (left.retired and left.retired <= right.lemmas) or (right.retired and right.retired <= left.lemmas):
        return True
    shared, sizes = len(left.lemmas & right.lemmas), (len(left.lemmas), len(right.lemmas))
    return enough_shared(shared, *sizes) or (shared > 0 and (left.change >= 0 or right.change >= 0))


def enough_shared(shared: int, left: int, right: int) -> bool:
    """Whether two sentences of so many words, so many of them shared, can be about one thing.

    Of the shorter at most three words may be without their equal (synonyms and opposites find theirs later), and the
    longer may not say much more.
    """
    missing = min(left, right) - shared
    return shared > 0 and missing <= max(1, min(3, shared)) and abs(left - right) <= MOST_EXTRA


def contradiction_of(left: str, right: str) -> Contradiction | None:
    """The surest contradiction between two texts, times unknown."""
    return contradiction(read_claims(left, None), read_claims(right, None))
