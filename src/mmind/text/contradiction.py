"""Whether two claims cannot both hold. The words are aligned first; what is left over decides.

Two claims are compared only where they are about one thing: their subjects agree and most of their words align. Then
exactly one thing may stand between them: a number, a time, a denial or an opposite, or a value that was replaced.
"""

from __future__ import annotations

import re
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
from mmind.text.rewording import Rewording, reworded
from mmind.text.rival_numbers import RELATIVE, numeric, says_value
from mmind.text.rival_times import temporal
from mmind.text.times import Moment

CUT: Final = 0.04  # doubt for each sentence that speaks by its main clause only
PAYMENT: Final = re.compile(
    r",?\s(?:(?:and|but)\s(?:is\s)?)?(?:due|payable|paid|billed|charged|collected|deducted|debited)\b", re.IGNORECASE
)
START: Final = re.compile(r"\b(?:since|from .+ on)\b", re.IGNORECASE)
# Of values: two names, or equal but for the value: who lives with a sister may move to Dresden with her. Of denials:
# what was mended is what was broken, with no word more (`the car heater`).
SURE_OF_CHANGE: Final = (0.7, 0.85)
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
    return _judged_whole(left, right) or _judged_by_clauses(left, right) or _judged_reworded(left, right)


def _judged_reworded(left: Claim, right: Claim) -> Contradiction | None:
    """What two sentences deny of one another in plain words: `Tom lives in Leipzig`, `Tom moved to Dresden`."""
    if not (reworded(left.sentence) or reworded(right.sentence)):
        return None
    lefts, rights = _plain(left), _plain(right)
    for one, mine in lefts:
        for other, theirs in rights:
            if not _may_answer((one, mine), (other, theirs)) or not _may_answer((other, theirs), (one, mine)):
                continue
            found = _judged_whole(one, other) or _judged_by_clauses(one, other)
            least = SURE_OF_CHANGE[found.kind == "negation"] if found and (mine.turns or theirs.turns) else 0.0
            if found is not None and found.confidence >= least:
                return _as_said(found, mine, theirs)
    return None


def _plain(claim: Claim) -> list[tuple[Claim, Rewording]]:
    """A claim and its plain wordings, each with what it was."""
    found = [(claim, Rewording(claim.sentence, turns=False, value=""))]
    plain = reworded(claim.sentence)
    if plain and claim.mode is Mode.ASSERTED and not claim.history:
        found += ((read_claim(one.sentence, claim.said_at), replace(one, sentence=claim.sentence)) for one in plain)
    return found


def _may_answer(plain: tuple[Claim, Rewording], other: tuple[Claim, Rewording]) -> bool:
    """Whether a plain wording can deny the other side.

    A denial answers the very word that it denies: who is in a relationship is not single, and need not be married. A
    change answers what was so until then: not what is told of the past, nor what was said later, as what was mended may
    have broken since.
    """
    (one, said), (claim, theirs) = plain, other
    if said.value and one.terms[-1].lemma not in claim.lemmas:
        return False
    if not said.turns:
        return not (said.value and claim.past)
    is_older = one.said_at is not None and claim.said_at is not None and one.said_at < claim.said_at
    return not (theirs.turns or claim.event or claim.past or is_older)


def _as_said(found: Contradiction, mine: Rewording, theirs: Rewording) -> Contradiction:
    """What two plain wordings deny, as said of their sentences; a change to another value replaces the old one."""
    values = (mine.value or found.values[0], theirs.value or found.values[1])
    said = replace(found, sentences=(mine.sentence, theirs.sentence), values=values)
    if not (mine.turns or theirs.turns):
        return said
    return replace(said, kind="correction", corrects="left" if mine.turns else "right")


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
            if _are_two_readings((left, one), (right, other)):
                continue
            if _two_circumstances(_named(left) - _named(one), _named(right) - _named(other)):
                continue
            found = _judged_whole(one, other)
            if found is not None and (_names_date(left, one, right) or _names_date(right, other, left)):
                continue
            if found is not None and (_tells_too(left, one, other) or _tells_too(right, other, one)):
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


def _are_two_readings(one: tuple[Claim, Claim], other: tuple[Claim, Claim]) -> bool:
    """Whether numbers or dates stand in what was cut off on both sides.

    What says when to pay, or names no date beside a start (`since July`), stamps no reading: it holds of any time.
    """
    if not (_has_value_attached(*one) and _has_value_attached(*other)):
        return False
    if _tells_when_to_pay(*one) != _tells_when_to_pay(*other):
        return False
    starts, dates = [_starts(*one), _starts(*other)], [_dates(*one), _dates(*other)]
    return not any(starts[side] and dates[side] and not dates[1 - side] for side in (0, 1))


def _tells_when_to_pay(claim: Claim, main: Claim) -> bool:
    """Whether what was cut off is `, due on the third working day`: of a month it says none, and so holds of any."""
    return PAYMENT.match(claim.sentence.removeprefix(main.sentence)) is not None and not _dates(claim, main)


def _starts(claim: Claim, main: Claim) -> bool:
    """Whether what was cut off tells since when it is so."""
    return START.search(claim.sentence) is not None and START.search(main.sentence) is None


def _dates(claim: Claim, main: Claim) -> bool:
    """Whether a day, a month or a year stands in what was cut off; an hour is none."""
    dates = [
        sum(isinstance(value := term.value, Moment) and value.minute is None for term in each.terms)
        for each in (claim, main)
    ]
    return dates[0] > dates[1] or _is_relative(claim) != _is_relative(main)


def _has_value_attached(claim: Claim, main: Claim) -> bool:
    """Whether a number, a date or `last week` stands in what was cut off: two such claims are two readings."""
    values = [sum(term.value is not None for term in each.terms) for each in (claim, main)]
    return values[0] > values[1] or _is_relative(claim) != _is_relative(main)


def _is_relative(claim: Claim) -> bool:
    return RELATIVE.search(claim.sentence) is not None


def _names_date(claim: Claim, main: Claim, other: Claim) -> bool:
    """Whether a date was cut off that the other side speaks of: not seen since Monday, seen on Monday."""
    cut, kept, theirs = (
        {term.lemma for term in each.terms if isinstance(term.value, Moment)} for each in (claim, main, other)
    )
    return bool((cut - kept) & theirs)


def _tells_too(claim: Claim, main: Claim, other: Claim) -> bool:
    """Whether what was cut off tells the other side's value: `890 euros a month; 940 from July on`."""
    cut = range(len(main.terms), len(claim.terms)) if claim.sentence.startswith(main.sentence) else ()
    values = [at for at, term in enumerate(other.terms) if term.value is not None and term.lemma not in _keys(main)]
    return any(says_value(claim, index, other, at) for index in cut for at in values)


def _keys(claim: Claim) -> frozenset[str]:
    return frozenset(term.lemma for term in claim.terms)


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
