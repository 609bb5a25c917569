"""Whether two claims cannot both hold. The words are aligned first; what is left over decides.

Two claims are compared only where they are about one thing: their subjects agree and most of their words align. Then
exactly one thing may stand between them: a number, a time, a denial or an opposite, or a value that was replaced.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from mmind.text.claims import (
    ATTITUDES,
    EXCEPTIVE,
    FUNCTION,
    HYPOTHETICAL,
    POSSIBLE,
    Claim,
    Kind,
    Mode,
    Term,
    read_claims,
)
from mmind.text.lexicon import Bond, bond, exclusive, lemma, listed, vocabulary
from mmind.text.numbers import Quantity, disjoint
from mmind.text.times import Moment, apart, comparable

LEAST_CONFIDENCE: Final = 0.5
CONTENT: Final = frozenset((Kind.WORD, Kind.NAME))
MOST_EXTRA: Final = 9  # words that the longer claim may have more: so many still leave a denial sure enough


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
    one field that differ in one slot, `swapped` other words that fill one slot between aligned neighbours; `left` and
    `right` are the terms left over.
    """

    same: tuple[tuple[int, int], ...]
    opposite: tuple[tuple[int, int], ...]
    rivals: tuple[tuple[int, int], ...]
    swapped: tuple[tuple[int, int], ...]
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
    for judge in (_correction, _changed, _numeric, _temporal, _negation, _replaced):
        verdict = judge(left, right, aligned)
        if verdict is not None and verdict.confidence >= LEAST_CONFIDENCE:
            return verdict
    return None


def may_meet(left: Claim, right: Claim) -> bool:
    """The cheap test before alignment: enough words in common, and neither much longer; or one gives up what the other has."""
    if (left.retired and left.retired <= right.lemmas) or (right.retired and right.retired <= left.lemmas):
        return True
    shared, sizes = len(left.lemmas & right.lemmas), (len(left.lemmas), len(right.lemmas))
    return enough_shared(shared, *sizes) or (shared > 1 and (left.change >= 0 or right.change >= 0))


def enough_shared(shared: int, left: int, right: int) -> bool:
    """Whether two sentences of so many words, so many of them shared, can be about one thing.

    Of the shorter at most three words may be without their equal (synonyms and opposites find theirs later), and the
    longer may not say much more.
    """
    missing = min(left, right) - shared
    return shared > 0 and missing <= max(1, min(3, shared)) and abs(left - right) <= MOST_EXTRA


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
    related = {(here, there): bond for here in over for there in rest if (bond := _bond(left[here], right[there]))}
    for kind, into in ((Bond.OPPOSITE, opposite), (Bond.SAME, same), (Bond.RIVAL, rivals)) if related else ():
        for here in list(over):
            found = [there for there in rest if related.get((here, there)) is kind]
            if not found:
                continue
            there = min(found, key=lambda place: _slot_distance(here, place, partner, len(left), len(right)))
            into.append((here, there))
            over.remove(here)
            rest.remove(there)
            partner[here] = there
    swapped = _swapped(left, right, over, rest, partner)
    over = [here for here in over if all(here != one for one, _ in swapped)]
    rest = [there for there in rest if all(there != other for _, other in swapped)]
    return Alignment(tuple(sorted(same)), tuple(opposite), tuple(rivals), tuple(swapped), tuple(over), tuple(rest))


def _swapped(
    left: Sequence[Term], right: Sequence[Term], over: Sequence[int], rest: Sequence[int], partner: dict[int, int]
) -> list[tuple[int, int]]:
    """The words left over on both sides that stand between aligned neighbours, each in the other's place."""
    found = []
    for here in over:
        there = partner.get(here - 1, -2) + 1 if here else 0
        if there not in rest or left[here].kind not in CONTENT or right[there].kind not in CONTENT:
            continue
        if _slot_distance(here, there, partner, len(left), len(right)) < 0.2:
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
        if (
            left.kind is Kind.RELATION
            and right.kind is Kind.RELATION
            and frozenset((left.lemma, right.lemma)) in _SHIFTS
        ):
            return Bond.RIVAL
        return bond(left.lemma, right.lemma, left.kind is right.kind or Kind.NAME not in (left.kind, right.kind))
    if isinstance(left.value, Quantity) and isinstance(right.value, Quantity) and left.value.unit == right.value.unit:
        return Bond.RIVAL if disjoint(left.value, right.value) else Bond.SAME
    if isinstance(left.value, Moment) and isinstance(right.value, Moment) and comparable(left.value, right.value):
        return Bond.RIVAL if apart(left.value, right.value) else Bond.SAME
    return None


_SHIFTS: Final = frozenset(
    frozenset(map(lemma, pair))
    for pair in (("before", "after"), ("until", "after"), ("till", "after"), ("during", "after"), ("during", "before"), ("since", "before"),
                 ("until", "since"), ("since", "until"))
)  # fmt: skip


# --- what stands between two claims ----------------------------------------------------------------------------------

ATTITUDE_LEMMAS: Final = frozenset(map(lemma, ATTITUDES))
TIMELY: Final = frozenset(map(lemma, vocabulary("timely")))


@dataclass(frozen=True, slots=True)
class Gap:
    """How far two claims are from being about one thing.

    `shared` counts aligned words; `left` and `right` the content words left over, `subject` those of them before
    either verb, `swapped` pairs of different words in one slot. `closeness` in [0, 1] is the aligned share of all.
    """

    shared: int
    left: int
    right: int
    subject: int
    swapped: int

    @property
    def closeness(self) -> float:
        """1 where nothing but the difference stands between the claims; falls with each word left over."""
        total = self.shared + self.left + self.right + self.swapped
        return self.shared / total if total else 0.0


def _gap(left: Claim, right: Claim, aligned: Alignment) -> Gap:
    here = [index for index in aligned.left if left.terms[index].kind in CONTENT]
    there = [index for index in aligned.right if right.terms[index].kind in CONTENT]
    subject = sum(index < left.predicate for index in here) + sum(index < right.predicate for index in there)
    shared = sum(left.terms[index].kind in CONTENT for index, _ in aligned.same)
    return Gap(shared, len(here), len(there), subject, len(aligned.swapped))


def _comparable(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether two claims can be about one thing at one time and are meant in one way."""
    if left.mode is not right.mode or left.mode is Mode.QUESTION or left.history != right.history:
        return False
    if (left.hedges ^ right.hedges) & EXCEPTIVE or (left.modals ^ right.modals) & HYPOTHETICAL:
        return False
    if _reports(left, aligned.left) or _reports(right, aligned.right):
        return False
    if left.speaker and right.speaker and left.speaker != right.speaker:
        return False
    return not _two_names(left, right, aligned) and not _two_subjects(left, right, aligned)


def _reports(claim: Claim, over: Sequence[int]) -> bool:
    """Whether one side only tells what somebody thinks or says, and the other does not mention it."""
    return any(claim.terms[index].lemma in ATTITUDE_LEMMAS for index in over)


def _two_names(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether each side names somebody or something that the other does not."""
    over = [left.terms[i] for i in aligned.left], [right.terms[j] for j in aligned.right]
    swapped = any(left.terms[i].kind is Kind.NAME or right.terms[j].kind is Kind.NAME for i, j in aligned.swapped)
    return swapped or all(any(term.kind is Kind.NAME for term in side) for side in over)


def _two_subjects(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether the subjects differ: the east and the west gateway, site four and site nine, Anna and Ben."""
    for here, there in (*aligned.opposite, *aligned.rivals, *aligned.swapped):
        if here < left.predicate and there < right.predicate and _tells_apart(left.terms[here], right.terms[there]):
            return True
    over = any(i < left.predicate and left.terms[i].kind in CONTENT for i in aligned.left)
    return over and any(j < right.predicate and right.terms[j].kind in CONTENT for j in aligned.right)


def _tells_apart(left: Term, right: Term) -> bool:
    if isinstance(left.value, Quantity):
        return left.value.unit in ("name", "ordinal", "version")
    return left.value is None and not {left.kind, right.kind} & {Kind.QUANTIFIER, Kind.RELATION}


def _verdict(kind: str, left: Claim, right: Claim, values: tuple[str, str], confidence: float) -> Contradiction:
    confidence = round(min(confidence, 0.99), 2)
    return Contradiction(kind, (left.sentence, right.sentence), values, confidence, _corrector(left, right))


def _corrector(left: Claim, right: Claim) -> str:
    if left.corrects == right.corrects:
        return ""
    return "left" if left.corrects else "right"


# --- numbers and times -----------------------------------------------------------------------------------------------


def _numeric(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    rivals = [(i, j) for i, j in aligned.rivals if isinstance(left.terms[i].value, Quantity)]
    if not rivals or left.past != right.past or not _comparable(left, right, aligned) or _dates_differ(left, aligned):
        return None
    gap = _gap(left, right, aligned)
    if gap.shared < _needed(left, right) or min(gap.left, gap.right) > 1 or flips(left, right, aligned):
        return None
    if len(rivals) < len(aligned.rivals) or any(
        claim.said_at is None and RELATIVE.search(claim.sentence) for claim in (left, right)
    ):
        return None
    if len(rivals) > 1 and "from" in left.sentence and "from" in right.sentence:
        return None
    confidence = gap.closeness - 0.1 * gap.subject
    for here, there in rivals:
        denied = _reached(left, here) or _reached(right, there)
        if confidence >= 0.7 and not denied and _one_slot(left, right, aligned, here, there):
            return _verdict("numeric", left, right, (left.terms[here].text, right.terms[there].text), confidence)
    return None


RELATIVE: Final = re.compile(
    r"\b(?:today|yesterday|tonight|tomorrow|(?:this|last|next) (?:morning|week|month|year|time))\b", re.IGNORECASE
)


def _needed(left: Claim, right: Claim) -> int:
    """How many words must agree: more for events and bare entries, which repeat with other values and contradict nothing."""
    if not (left.event or right.event):
        return 1
    return 2 if (left.lemmas & right.lemmas) & listed("once.txt") else 4


def _dates_differ(left: Claim, aligned: Alignment) -> bool:
    """Whether the claims are readings of two dates."""
    return any(isinstance(left.terms[index].value, Moment) for index, _ in aligned.rivals)


def _reached(claim: Claim, index: int) -> bool:
    """Whether a denial reaches a term."""
    place = claim.terms[index].place
    return any(negation.place < place < negation.end for negation in claim.negations)


def _one_slot(left: Claim, right: Claim, aligned: Alignment, here: int, there: int) -> bool:
    """Whether two numbers say the same of one thing: what they count is aligned, or the word before where a unit is."""
    partner = dict((*aligned.same, *aligned.rivals, *aligned.opposite, *aligned.swapped))
    last = here + 1 >= len(left.terms) and there + 1 >= len(right.terms)
    after = last or partner.get(here + 1, -1) == there + 1
    before = partner.get(here - 1, -1) == there - 1 if here else there == 0
    value = left.terms[here].value
    measured = isinstance(value, Quantity) and value.unit not in ("", "ordinal")
    return after or (measured and before)


def _temporal(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    if not (aligned.rivals or aligned.opposite) or not _comparable(left, right, aligned):
        return None
    gap = _gap(left, right, aligned)
    if gap.shared < _needed(left, right) or min(gap.left, gap.right) > 1 or flips(left, right, aligned):
        return None
    if len(aligned.rivals) > 1:
        return None
    confidence = gap.closeness - 0.1 * gap.subject
    for here, there in (*aligned.rivals, *aligned.opposite):
        one, other = left.terms[here], right.terms[there]
        dated = (
            isinstance(one.value, Moment)
            and not _stamps(left, right, here, there)
            and _bound(left, here) == _bound(right, there)
        )
        ordered = one.kind is Kind.RELATION and one.lemma in TIMELY and _same_anchor(aligned, here, there)
        ordered = ordered and gap.left + gap.right <= 1
        if (dated and confidence >= 0.65) or (ordered and confidence >= 0.7):
            return _verdict("temporal", left, right, (one.text, other.text), confidence)
    return None


def _stamps(left: Claim, right: Claim, here: int, there: int) -> bool:
    """A date that opens both sentences stamps two readings or events; it is not what they claim."""
    return here == 0 and there == 0 and left.terms[0].place <= 1 and right.terms[0].place <= 1


def _bound(claim: Claim, index: int) -> str:
    """How a date bounds what is claimed: until it, since it, or at it."""
    before = claim.terms[index - 1].lemma if index else ""
    return before if before in TIMELY else ""


def _same_anchor(aligned: Alignment, here: int, there: int) -> bool:
    """Whether what follows both connectives is aligned: before the release, after the release."""
    return (here + 1, there + 1) in (*aligned.same, *aligned.swapped) or not (aligned.left or aligned.right)


# --- denials and opposites -------------------------------------------------------------------------------------------


def _heads(claim: Claim) -> dict[int, int]:
    """How often each term is denied, by index; -1 stands for a denial of something that is no term."""
    heads: dict[int, int] = {}
    places = {term.place: index for index, term in enumerate(claim.terms)}
    for negation in claim.negations:
        reach = range(negation.head, max(negation.end, negation.head + 1))
        index = next((places[at] for at in reach if at in places), -1)
        heads[index] = heads.get(index, 0) + 1
    return heads


def flips(left: Claim, right: Claim, aligned: Alignment) -> list[tuple[int, int]]:
    """The aligned terms whose polarity differs: denied on one side only, or opposites not undone by a denial."""
    here, there = _heads(left), _heads(right)
    turned = {(i, j) for i, j in aligned.opposite if not _timely(left.terms[i])}
    pairs = (*aligned.same, *turned, *aligned.swapped)
    return [(i, j) for i, j in pairs if (here.get(i, 0) + there.get(j, 0) + ((i, j) in turned)) % 2]


def _timely(term: Term) -> bool:
    return term.kind is Kind.RELATION and term.lemma in TIMELY


def _negation(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    turned = flips(left, right, aligned)
    if len(turned) % 2 == 0 or not _comparable(left, right, aligned):
        return None
    if _says_too_much(left, aligned.left) or _says_too_much(right, aligned.right) or _undone(left, right, turned[0]):
        return None
    if any(left.terms[i].value is not None for i, _ in aligned.rivals):
        return None
    confidence = _denial_confidence(left, right, aligned, turned[0])
    values = _denied(left, turned[0][0]), _denied(right, turned[0][1])
    return _verdict("negation", left, right, values, confidence)


def _denial_confidence(left: Claim, right: Claim, aligned: Alignment, flip: tuple[int, int]) -> float:
    gap = _gap(left, right, aligned)
    if min(gap.left, gap.right) > 0:
        return 0.0
    if gap.swapped and (gap.shared < 3 or gap.swapped > 1 + gap.shared // 6):
        return 0.0
    if flip in aligned.swapped and gap.shared < 4:
        return 0.0
    if any(_reached(left, i) or _reached(right, j) for i, j in aligned.swapped) and gap.shared < 5:
        return 0.0
    if flip in aligned.opposite and gap.left + gap.right > (0 if left.terms[flip[0]].kind is Kind.RELATION else 1):
        return 0.0
    if not gap.shared:
        return 1.0 - 0.25 * (gap.left + gap.right)
    extra = max(gap.left, gap.right)
    enough = gap.shared >= 2 or extra <= 1
    return (1.0 - 0.06 * extra - 0.12 * gap.swapped - 0.1 * gap.subject) if enough else 0.0


def _says_too_much(claim: Claim, over: Sequence[int]) -> bool:
    """Whether something is denied that the other side does not speak of: `not walking his cat` denies no walk."""
    if any(index in over or index == -1 for index in _heads(claim)):
        return True
    return any(claim.terms[index].kind is not Kind.QUANTIFIER and _reached(claim, index) for index in over)


def _undone(left: Claim, right: Claim, flip: tuple[int, int]) -> bool:
    """Whether the affirming side only nearly affirms (tried to win, almost won), or both stand under one more denial."""
    if (left.hedges ^ right.hedges) - EXCEPTIVE:
        return True
    affirms, denies = (left, right) if flip[0] not in _heads(left) else (right, left)
    if affirms.modals & POSSIBLE and not denies.modals & POSSIBLE and not WILL.search(denies.sentence):
        return True
    return _outer_denial(left, flip[0]) and _outer_denial(right, flip[1])


WILL: Final = re.compile(r"\b(?:would|will|should|must|unable|able)\b", re.IGNORECASE)


def _outer_denial(claim: Claim, index: int) -> bool:
    """Whether a term stands in the reach of a denial of something else: `I won't say that she stole it`."""
    place = claim.terms[index].place
    return any(negation.head < place < negation.end for negation in claim.negations)


def _denied(claim: Claim, index: int) -> str:
    """The term with its denial."""
    term = claim.terms[index]
    return f"not {term.text}" if _heads(claim).get(index, 0) % 2 else term.text


# --- values that were replaced ---------------------------------------------------------------------------------------


def _correction(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    """One side gives up what the other still states: `moved off PostgreSQL` against `the stack is PostgreSQL and Redis`."""
    for new, old in ((left, right), (right, left)):
        if not new.retired or not new.retired <= old.lemmas or old.retired or old.history or old.negations:
            continue
        adopted = {lemma(word.lower()) for word in new.adopted.split()}
        if any(word.lower() in FUNCTION for word in new.adopted.split()):
            continue
        if adopted & old.lemmas or old.mode is not Mode.ASSERTED or new.mode is not Mode.ASSERTED or old.past:
            continue
        common = len(new.lemmas & old.lemmas - new.retired - listed("change.txt")) + (new.speaker == old.speaker != "")
        if not common and not _in_use(old, new.retired):
            continue
        gone = " ".join(term.text for term in old.terms if term.lemma in new.retired)
        values = (new.adopted or f"not {gone}", gone)
        values = values if new is left else (values[1], values[0])
        verdict = _verdict("correction", left, right, values, min(0.9, 0.6 + 0.1 * common))
        return replace(verdict, corrects="left" if new is left else "right")
    return None


def _in_use(claim: Claim, retired: frozenset[str]) -> bool:
    """Whether a named thing is said to be in use: `the project uses Webpack`."""
    named = all(term.kind is Kind.NAME for term in claim.terms if term.lemma in retired)
    return named and bool(claim.lemmas & USAGE)


USAGE: Final = frozenset(map(lemma, vocabulary("usage")))


def _changed(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    """One side tells a change to another value of what the other states: `pool size is 10`, `pool increased to 25`."""
    if left.mode != Mode.ASSERTED or left.mode is not right.mode or left.history or right.history or aligned.opposite:
        return None
    pairs = (*aligned.same, *aligned.rivals)
    turned = [(there, here) for here, there in pairs]
    for new, old, match, over in ((left, right, dict(pairs), aligned.right), (right, left, dict(turned), aligned.left)):
        place = _stated(new, old, match, over) if new.change >= 0 and not new.negations and not old.negations else -1
        if place < 0:
            continue
        values = new.terms[new.change].text, old.terms[place].text
        values = values if new is left else (values[1], values[0])
        if old.change >= 0:
            return _verdict("correction", left, right, values, 0.6)
        return replace(_verdict("correction", left, right, values, 0.75), corrects="left" if new is left else "right")
    return None


def _stated(new: Claim, old: Claim, match: Mapping[int, int], over: Sequence[int]) -> int:
    """The index of the value that `old` states of what `new` tells a change of, or -1."""
    changes = listed("change.txt")
    about = [i for i, term in enumerate(new.terms[: new.change]) if term.kind in CONTENT and term.lemma not in changes]
    value = new.terms[new.change]
    versioned = isinstance(value.value, Quantity) and value.value.unit == "version"
    if len(about) < (1 if versioned else 2) or any(index not in match for index in about):
        return -1
    there = match.get(new.change, -1)
    if there >= 0:
        settled = len(over) <= 3 and (there - 1 == match[about[-1]] or not versioned)
        return there if value.value is not None and value.lemma != old.terms[there].lemma and settled else -1
    rest = [index for index in over if old.terms[index].kind in CONTENT and old.terms[index].lemma not in changes]
    single = (
        len(rest) == 1 and rest[0] >= old.predicate and value.value is None and old.terms[rest[0]].kind is value.kind
    )
    return rest[0] if single else -1


def _replaced(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    """One slot filled by two values that shut one another out: the blue door, the green door; hosted in Oslo, in Lisbon."""
    fields = [(i, j) for i, j in aligned.rivals if exclusive(left.terms[i].lemma, right.terms[j].lemma)]
    slots = fields + list(aligned.swapped)
    if len(slots) != 1 or aligned.opposite or left.mode is not right.mode or left.history != right.history:
        return None
    here, there = slots[0]
    gap = _gap(left, right, aligned)
    if gap.shared < 2 or gap.left + gap.right > 1 or flips(left, right, aligned) or _dates_differ(left, aligned):
        return None
    if here < left.predicate or there < right.predicate or len(aligned.rivals) > len(fields) or left.past != right.past:
        return None
    confidence = _slot_confidence(left, right, bool(fields), slots[0]) - 0.1 * (gap.left + gap.right)
    field = exclusive(left.terms[here].lemma, right.terms[there].lemma)
    kind = "temporal" if field in ("daypart", "season") else "correction"
    return _verdict(kind, left, right, (left.terms[here].text, right.terms[there].text), confidence)


def _slot_confidence(left: Claim, right: Claim, field: bool, slot: tuple[int, int]) -> float:
    """How surely a slot takes one value only: it is said to have changed, or its attribute has one value at a time."""
    marked = left.corrects != right.corrects
    named = left.terms[slot[0]].kind is Kind.NAME and right.terms[slot[1]].kind is Kind.NAME
    single = _of_role(left, slot[0]) and _of_role(right, slot[1]) and _definite(left) and _definite(right)
    return 0.3 + 0.3 * marked + 0.3 * single + 0.2 * field + 0.1 * named


def _of_role(claim: Claim, index: int) -> bool:
    """Whether a term is the value of an attribute that has one at a time: `hosted in Oslo`, `the owner is Anna`."""
    roles = listed("once.txt") if claim.past else listed("roles.txt") | listed("once.txt")
    begin = 0 if index == claim.predicate else max(0, index - 2)
    return any(term.lemma in roles for term in claim.terms[begin:index])


def _definite(claim: Claim) -> bool:
    """Whether a sentence speaks of one known thing: `the …`, `my …`, a name; not `a man`, `two dogs`, `people`."""
    first = claim.sentence.split(maxsplit=1)[0].lower()
    return first in DEFINITE or any(term.kind is Kind.NAME for term in claim.terms[: max(1, claim.predicate)])


DEFINITE: Final = vocabulary("definite")


def contradiction_of(left: str, right: str) -> Contradiction | None:
    """The surest contradiction between two texts, times unknown."""
    return contradiction(read_claims(left, None), read_claims(right, None))
