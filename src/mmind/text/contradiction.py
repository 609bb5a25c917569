"""Whether two claims cannot both hold. The words are aligned first; what is left over decides.

Two claims are compared only where they are about one thing: their subjects agree and most of their words align. Then
exactly one thing may stand between them: a number, a time, a denial or an opposite, or a value that was replaced.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mmind.text.claims import Claim, Kind, Mode, Term, read_claims
from mmind.text.lexicon import exclusive, opposed, synonymous
from mmind.text.numbers import Quantity, disjoint
from mmind.text.times import Moment, apart, comparable

LEAST_CONFIDENCE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two sentences that cannot both hold.

    `kind` is numeric, temporal, negation or correction. `values` are what differs, as written, left then right.
    `confidence` is in [0, 1]. `corrects` is "left" or "right" where one side says that it replaces the other, else "".
    """

    kind: str
    sentences: tuple[str, str]
    values: tuple[str, str]
    confidence: float
    corrects: str


@dataclass(frozen=True, slots=True)
class Alignment:
    """The terms of two claims laid against one another, by index.

    `same` are equal or synonymous terms, `opposite` are opposites, `rivals` numbers, times, connectives or values of
    one field that differ in one slot; `left` and `right` are the terms left over.
    """

    same: tuple[tuple[int, int], ...]
    opposite: tuple[tuple[int, int], ...]
    rivals: tuple[tuple[int, int], ...]
    left: tuple[int, ...]
    right: tuple[int, ...]


def contradiction(
    left: Claim | Sequence[Claim], right: Claim | Sequence[Claim], cosine: float | None = None
) -> Contradiction | None:
    """The surest contradiction between two claims, or between any two sentences of two passages; None where there is none.

    `cosine` in [-1, 1] compares the passages' meaning; below 0.3 they are about different things. None: no opinion.
    """
    if cosine is not None and cosine < 0.3:
        return None
    lefts = (left,) if isinstance(left, Claim) else left
    rights = (right,) if isinstance(right, Claim) else right
    found = [verdict for one in lefts for other in rights if (verdict := judged(one, other))]
    return max(found, key=lambda verdict: verdict.confidence, default=None)


def judged(left: Claim, right: Claim) -> Contradiction | None:
    """What two single sentences deny of one another, or None."""
    if left.sentence == right.sentence or not may_meet(left, right):
        return None
    aligned = align(left, right)
    for judge in (_correction, _numeric, _temporal, _negation, _replaced):
        verdict = judge(left, right, aligned)
        if verdict is not None and verdict.confidence >= LEAST_CONFIDENCE:
            return verdict
    return None


def may_meet(left: Claim, right: Claim) -> bool:
    """The cheap test before alignment: enough words in common, and both meant in one way."""
    if left.retired and left.retired <= right.lemmas or right.retired and right.retired <= left.lemmas:
        return True
    shared = len(left.lemmas & right.lemmas)
    return shared > 0 and 2 * shared >= min(len(left.lemmas), len(right.lemmas)) - 2


# --- alignment -------------------------------------------------------------------------------------------------------


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
    for test, into in ((_opposes, opposite), (_equals, same), (_rivals, rivals)):
        for here in list(over):
            found = [there for there in rest if test(left[here], right[there])]
            if not found:
                continue
            there = min(found, key=lambda place: _slot_distance(here, place, partner, len(left), len(right)))
            into.append((here, there))
            over.remove(here)
            rest.remove(there)
            partner[here] = there
    return Alignment(tuple(sorted(same)), tuple(opposite), tuple(rivals), tuple(over), tuple(rest))


def _slot_distance(here: int, there: int, partner: dict[int, int], left: int, right: int) -> float:
    """How badly two places fit: 0 where the neighbours on both sides are aligned to one another."""
    before = here == 0 and there == 0 or partner.get(here - 1) == there - 1
    after = (here == left - 1 and there == right - 1) or partner.get(here + 1) == there + 1
    return 2.0 - before - after + abs(here / left - there / right) / 10


def _opposes(left: Term, right: Term) -> bool:
    return left.value is None and right.value is None and opposed(left.lemma, right.lemma)


def _equals(left: Term, right: Term) -> bool:
    if isinstance(left.value, Quantity) and isinstance(right.value, Quantity):
        return left.value.unit == right.value.unit and not disjoint(left.value, right.value)
    if isinstance(left.value, Moment) and isinstance(right.value, Moment):
        return comparable(left.value, right.value) and not apart(left.value, right.value)
    if left.value or right.value or Kind.NAME in (left.kind, right.kind) and left.kind != right.kind:
        return False
    return synonymous(left.lemma, right.lemma)


def _rivals(left: Term, right: Term) -> bool:
    if isinstance(left.value, Quantity) and isinstance(right.value, Quantity):
        return left.value.unit == right.value.unit and disjoint(left.value, right.value)
    if isinstance(left.value, Moment) and isinstance(right.value, Moment):
        return apart(left.value, right.value)
    if left.kind is Kind.RELATION and right.kind is Kind.RELATION:
        return frozenset((left.lemma, right.lemma)) in _SHIFTS
    return bool(exclusive(left.lemma, right.lemma))


_SHIFTS: Final = frozenset(
    frozenset(pair)
    for pair in (("until", "after"), ("till", "after"), ("during", "after"), ("during", "before"), ("since", "before"),
                 ("until", "since"), ("since", "until"))
)  # fmt: skip


# --- what stands between two claims ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Gap:
    """How far two claims are from being about one thing.

    `shared` counts aligned words; `left` and `right` the content words left over, `subject` those before either verb,
    `names` whether both sides have a name left over (two different things), `dated` whether their dates differ.
    """

    shared: int
    left: int
    right: int
    subject: int
    both_subjects: bool
    names: bool
    dated: bool
    mode: bool


def _gap(left: Claim, right: Claim, aligned: Alignment) -> Gap:
    content = (Kind.WORD, Kind.NAME)
    here = [index for index in aligned.left if left.terms[index].kind in content]
    there = [index for index in aligned.right if right.terms[index].kind in content]
    before = [index for index in here if index < left.predicate], [index for index in there if index < right.predicate]
    return Gap(
        shared=sum(left.terms[index].kind in content for index, _ in aligned.same),
        left=len(here),
        right=len(there),
        subject=len(before[0]) + len(before[1]),
        both_subjects=bool(before[0] and before[1]) or _subjects_differ(left, right, aligned),
        names=any(left.terms[i].kind is Kind.NAME for i in here) and any(right.terms[i].kind is Kind.NAME for i in there),
        dated=any(isinstance(left.terms[i].value, Moment) for i, _ in aligned.rivals),
        mode=left.mode is right.mode and left.history == right.history,
    )


def _subjects_differ(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Opposites, rival names by number, or values of one field in the subject: the east gateway, the west gateway."""
    for here, there in (*aligned.opposite, *aligned.rivals):
        value = left.terms[here].value
        counted = isinstance(value, Quantity) and value.unit not in ("name", "ordinal", "version")
        quantified = left.terms[here].kind is Kind.QUANTIFIER or right.terms[there].kind is Kind.QUANTIFIER
        relation = left.terms[here].kind is Kind.RELATION
        if here < left.predicate and there < right.predicate and not (counted or quantified or relation or value is not None and not isinstance(value, Quantity)):
            return True
    return False


def _verdict(
    kind: str, left: Claim, right: Claim, values: tuple[str, str], confidence: float
) -> Contradiction:
    return Contradiction(kind, (left.sentence, right.sentence), values, round(confidence, 3), _corrector(left, right))


def _corrector(left: Claim, right: Claim) -> str:
    if left.corrects == right.corrects:
        return ""
    return "left" if left.corrects else "right"


def _closeness(gap: Gap) -> float:
    """1 where nothing but the difference stands between the claims; falls with each word left over."""
    total = gap.shared + gap.left + gap.right
    return gap.shared / total if total else 0.0


def _numeric(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    gap = _gap(left, right, aligned)
    if not gap.mode or gap.names or gap.dated or gap.both_subjects or gap.shared < 1:
        return None
    if min(gap.left, gap.right) > 1 or _flips(left, right, aligned):
        return None
    for here, there in aligned.rivals:
        if not isinstance(left.terms[here].value, Quantity):
            continue
        if not _one_slot(left, right, aligned, here, there):
            continue
        confidence = _closeness(gap) - 0.1 * gap.subject
        if confidence >= 0.7:
            return _verdict("numeric", left, right, (left.terms[here].text, right.terms[there].text), confidence)
    return None


def _one_slot(left: Claim, right: Claim, aligned: Alignment, here: int, there: int) -> bool:
    """Whether two values fill one slot: what follows both is aligned, or what precedes both is and a unit names them."""
    partner = dict((*aligned.same, *aligned.rivals, *aligned.opposite))
    after = partner.get(here + 1, -1) == there + 1 if here + 1 < len(left.terms) else there + 1 >= len(right.terms)
    before = partner.get(here - 1, -1) == there - 1 if here else there == 0
    value = left.terms[here].value
    measured = isinstance(value, Quantity) and value.unit not in ("", "ordinal")
    return after and before or (after if not measured else (after or before))


def _temporal(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    gap = _gap(left, right, aligned)
    if not gap.mode or gap.names or gap.both_subjects or gap.shared < 2:
        return None
    if min(gap.left, gap.right) > 1 or _flips(left, right, aligned):
        return None
    closeness = _closeness(gap) - 0.1 * gap.subject
    for here, there in (*aligned.rivals, *aligned.opposite):
        one, other = left.terms[here], right.terms[there]
        moment = isinstance(one.value, Moment)
        connective = one.kind is Kind.RELATION and one.lemma in _TIMELY
        if (moment and not _leads(here, there, left, right) or connective) and closeness >= 0.65:
            return _verdict("temporal", left, right, (one.text, other.text), closeness)
    return None


_TIMELY: Final = frozenset("before after until till during since".split())


def _leads(here: int, there: int, left: Claim, right: Claim) -> bool:
    """A date that opens both sentences stamps two readings or events; it is not what they claim."""
    return here == 0 and there == 0 and left.terms[0].place <= 1


def _heads(claim: Claim) -> dict[int, int]:
    """How often each term is negated, by index."""
    heads: dict[int, int] = {}
    places = {term.place: index for index, term in enumerate(claim.terms)}
    for negation in claim.negations:
        index = next((places[at] for at in range(negation.head, negation.end) if at in places), places.get(negation.head, -1))
        heads[index] = heads.get(index, 0) + 1
    return heads


def _flips(left: Claim, right: Claim, aligned: Alignment) -> list[tuple[int, int]]:
    """The aligned terms whose polarity differs between the two claims."""
    here, there = _heads(left), _heads(right)
    flips = [(i, j) for i, j in aligned.same if (here.get(i, 0) + there.get(j, 0)) % 2]
    flips += [(i, j) for i, j in (*aligned.opposite, *aligned.rivals) if not _timely(left.terms[i]) and not left.terms[i].value and (here.get(i, 0) + there.get(j, 0) + 1) % 2]
    return flips


def _timely(term: Term) -> bool:
    return term.kind is Kind.RELATION and term.lemma in _TIMELY


def _negation(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    gap = _gap(left, right, aligned)
    flips = _flips(left, right, aligned)
    if len(flips) % 2 == 0 or not gap.mode or gap.names or gap.both_subjects:
        return None
    if _loose_negation(left, aligned.left) or _loose_negation(right, aligned.right):
        return None
    here, there = flips[0]
    values = _denied(left, here), _denied(right, there)
    closeness = _closeness(gap) if gap.shared else 1.0 - 0.2 * (gap.left + gap.right)
    if min(gap.left, gap.right) == 0 and closeness >= 0.6:
        return _verdict("negation", left, right, values, closeness)
    return None


def _loose_negation(claim: Claim, over: Sequence[int]) -> bool:
    """Whether a word is denied that the other side does not speak of."""
    return any(index in over or index == -1 for index in _heads(claim))


def _denied(claim: Claim, index: int) -> str:
    """The term with its negator, as written."""
    term = claim.terms[index]
    return f"not {term.text}" if _heads(claim).get(index, 0) % 2 else term.text


def _correction(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    return None


def _replaced(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    return None


def contradiction_of(left: str, right: str) -> Contradiction | None:
    """The surest contradiction between two texts, times unknown."""
    return contradiction(read_claims(left, None), read_claims(right, None))
