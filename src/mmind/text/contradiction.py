"""Whether two claims cannot both hold. The words are aligned first; what is left over decides.

Two claims are compared only where they are about one thing: their subjects agree and most of their words align. Then
exactly one thing may stand between them: a number, a time, a denial or an opposite, or a value that was replaced.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from mmind.text.alignment import CONTENT, Alignment, align
from mmind.text.claims import EXCEPTIVE, POSSIBLE, Claim, Kind, Mode, read_claim, read_claims
from mmind.text.clauses import clauses
from mmind.text.comparison import (
    TIMELY,
    Contradiction,
    Gap,
    are_comparable,
    corrector,
    dates_differ,
    denials,
    flips,
    gap_between,
    persons_differ,
    reached,
    stated,
    verdict,
)
from mmind.text.doubts import is_converse, is_doubtful_denial, is_doubtful_value
from mmind.text.lexicon import lemma, listed, verbs, vocabulary
from mmind.text.numbers import Quantity
from mmind.text.places import kept_elsewhere
from mmind.text.replacement import changed, given_up, replaced
from mmind.text.sentences import words
from mmind.text.times import Moment, comparable

LEAST_CONFIDENCE: Final = 0.5
CUT: Final = 0.04  # doubt for each sentence that speaks by its main clause only
LEAST_COSINE: Final = 0.3  # passages less alike than this are about different things
MOST_NUMBERS: Final = 2  # sentences that differ in more numbers are two readings or two events
MOST_EXTRA: Final = 9  # words that the longer claim may have more: so many still leave a denial sure enough
RELATIVE: Final = re.compile(
    r"\b(?:today|yesterday|tonight|tomorrow|(?:this|last|next) (?:morning|week|month|year|time))\b", re.IGNORECASE
)
SCHEDULED: Final = vocabulary("owned") | {"we"}
STATISTICS: Final = frozenset(map(lemma, vocabulary("statistics")))
SOME: Final = frozenset(map(lemma, vocabulary("some")))
SOMETIMES: Final = lemma("sometimes")
# One sign of CJK is less than a word.
WIDE: Final = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\u3040-\u30ff]$")
RECORD: Final = re.compile(r"[\W_]*[\w ()/-]{1,40}[:：]\s")
COMPARED: Final = re.compile(r"\bcompar(?:ed|ing)\b.*\bto\b", re.IGNORECASE)  # 2008 compared to 2007, 2007 to 2006
INDEFINITE: Final = re.compile(r"(?:an?|another|some)\s", re.IGNORECASE)  # `a bus leaves at 8` is not the bus at 9
WILL: Final = re.compile(r"\b(?:would|will|should|must|unable|able)\b", re.IGNORECASE)


def contradiction(
    left: Claim | Sequence[Claim], right: Claim | Sequence[Claim], cosine: float | None = None
) -> Contradiction | None:
    """The surest contradiction between two claims, or between any two sentences of two passages; None where none is.

    `cosine` in [-1, 1] compares the passages' meaning; below 0.3 they are about different things. None: no opinion.
    """
    if cosine is not None and cosine < LEAST_COSINE:
        return None
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
    for judge in (changed, _numeric, _temporal, _negation, replaced, kept_elsewhere):
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


def _numeric(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    rivals = [(i, j) for i, j in aligned.rivals if isinstance(left.terms[i].value, Quantity)]
    over = [left.terms[i].lemma for i in aligned.left] + [right.terms[j].lemma for j in aligned.right]
    if rivals and (not STATISTICS.isdisjoint(over) or _names_by_value(left, right, aligned)):
        return None  # 40 m deep on average, 90 m at most
    if not rivals or left.past != right.past or not are_comparable(left, right, aligned) or dates_differ(left, aligned):
        return None
    gap = gap_between(left, right, aligned)
    if gap.shared < _needed(left, right) or min(gap.left, gap.right) > 1 or flips(left, right, aligned):
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
    confidence = gap.closeness - 0.1 * gap.subject
    for here, there in rivals:
        denied = reached(left, here) or reached(right, there)
        sure = confidence >= 0.7 and not denied and not is_doubtful_value(left, right, (here, there))
        if sure and _one_slot(left, right, aligned, here, there):
            return verdict("numeric", left, right, stated(left, here, right, there), confidence)
    return None


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


def _needed(left: Claim, right: Claim) -> int:
    """How many words must agree: more for events and entries, which repeat with other values and contradict nothing."""
    if _is_record(left) or _is_record(right):
        return 4
    if any(WIDE.match(term.lemma) for term in left.terms):
        return 6
    if not (left.event or right.event):
        return 1
    return 2 if (left.lemmas & right.lemmas) & listed("once.txt") else 4


def _is_record(claim: Claim) -> bool:
    """Whether a sentence is a field of a record (`date created: 2022-08-05`): of which record, it does not say."""
    return claim.event and not claim.corrects and RECORD.match(claim.sentence) is not None


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


def _temporal(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    if not (aligned.rivals or aligned.opposite) or not are_comparable(left, right, aligned):
        return None
    gap = gap_between(left, right, aligned)
    if gap.shared < _needed(left, right) or min(gap.left, gap.right) > 1 or flips(left, right, aligned):
        return None
    if len(aligned.rivals) > 1 or (_is_entry(left) and _is_entry(right)) or _spans(left, right, aligned):
        return None
    if COMPARED.search(left.sentence) and COMPARED.search(right.sentence):
        return None
    confidence = gap.closeness - 0.1 * gap.subject
    for here, there in (*aligned.rivals, *aligned.opposite):
        one, other = left.terms[here], right.terms[there]
        if one.value is None and is_converse(aligned, (here, there)):
            return None
        dated = (
            isinstance(one.value, Moment)
            and not _stamps(left, right, here, there)
            and _bound(left, here) == _bound(right, there)
            and not (INDEFINITE.match(left.sentence) and INDEFINITE.match(right.sentence))
        )
        ordered = one.kind is Kind.RELATION and one.lemma in TIMELY and _same_anchor(aligned, here, there)
        ordered = ordered and gap.left + gap.right <= 1
        if (dated and confidence >= 0.65) or (ordered and confidence >= 0.7):
            return verdict("temporal", left, right, (one.text, other.text), confidence)
    return None


def _spans(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether one side tells a beginning and an end, between which the other's date may lie: `from May to July`."""
    over = [left.terms[i].value for i in aligned.left] + [right.terms[j].value for j in aligned.right]
    rivals = [left.terms[i].value for i, _ in aligned.rivals]
    return any(
        isinstance(one, Moment) and isinstance(other, Moment) and comparable(one, other)
        for one in over
        for other in rivals
    )


def _is_entry(claim: Claim) -> bool:
    """Whether a claim has no verb, as entries of a calendar: two dates are two meetings, but one launch."""
    return (
        claim.event
        and claim.lemmas.isdisjoint(listed("once.txt"))
        and all(term.place == 0 or term.lemma not in verbs() for term in claim.terms)
    )


def _stamps(left: Claim, right: Claim, here: int, there: int) -> bool:
    """A date that opens both sentences, or for which a value is told (`at 31 March 2024`), stamps two readings."""
    opens = here == 0 and there == 0 and left.terms[0].place <= 1 and right.terms[0].place <= 1
    return opens or (_is_due_date(left, here) and _is_due_date(right, there))


def _is_due_date(claim: Claim, index: int) -> bool:
    """Whether a day stands after `at` or `as of`, as in accounts: the value of the loans at 31 March 2024."""
    term = claim.terms[index]
    before = [word.lower for word in words(claim.sentence)[max(0, term.place - 2) : term.place]]
    is_day = isinstance(term.value, Moment) and term.value.day is not None
    return is_day and (before[-1:] == ["at"] or before == ["as", "of"])


def _names_by_value(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether a number tells which one is spoken of, on one side only: the 2017 bonds, these bonds."""
    return any(left.terms[i].value is not None and i < left.predicate for i in aligned.left) or any(
        right.terms[j].value is not None and j < right.predicate for j in aligned.right
    )


def _bound(claim: Claim, index: int) -> str:
    """How a date bounds what is claimed: until it, since it, or at it."""
    before = claim.terms[index - 1].lemma if index else ""
    return before if before in TIMELY else ""


def _same_anchor(aligned: Alignment, here: int, there: int) -> bool:
    """Whether what follows both connectives is aligned: before the release, after the release."""
    anchor = dict((*aligned.same, *aligned.swapped)).get(here + 1)
    return anchor == there + 1 or (anchor is None and not (aligned.left or aligned.right))


def _negation(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    turned = flips(left, right, aligned)
    if len(turned) % 2 == 0 or not are_comparable(left, right, aligned):
        return None
    if _says_too_much(left, aligned.left) or _says_too_much(right, aligned.right) or _undone(left, right, turned[0]):
        return None
    if turned[0] in aligned.opposite and (_is_record(left) or _is_record(right)):
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


def contradiction_of(left: str, right: str) -> Contradiction | None:
    """The surest contradiction between two texts, times unknown."""
    return contradiction(read_claims(left, None), read_claims(right, None))
