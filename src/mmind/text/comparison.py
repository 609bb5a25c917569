"""Whether two claims are about one thing at one time, how much else they say, and where they deny one another."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

from mmind.text.alignment import CONTENT, Alignment
from mmind.text.claims import ATTITUDES, EXCEPTIVE, HYPOTHETICAL, PRONOUNS, Claim, Kind, Mode, Term
from mmind.text.lexicon import lemma, listed, verbs, vocabulary
from mmind.text.numbers import Quantity
from mmind.text.sentences import words
from mmind.text.times import Moment

ATTITUDE_LEMMAS: Final = frozenset(map(lemma, ATTITUDES))
TIMELY: Final = frozenset(map(lemma, vocabulary("timely")))
LEAST_CONFIDENCE: Final = 0.5
WIDE: Final = re.compile(r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\u3040-\u30ff]$")  # less than a word
RECORD: Final = re.compile(r"[\W_]*[\w ()/-]{1,40}[:：]\s")
INDEFINITE: Final = re.compile(r"(?:an?|another|some)\s", re.IGNORECASE)  # `a bus leaves at 8` is not the bus at 9


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


def gap_between(left: Claim, right: Claim, aligned: Alignment) -> Gap:
    """How far two aligned claims are from being about one thing."""
    here = [index for index in aligned.left if says_much(left.terms[index])]
    there = [index for index in aligned.right if says_much(right.terms[index])]
    subject = sum(index < left.predicate for index in here) + sum(index < right.predicate for index in there)
    shared = sum(says_much(left.terms[index]) for index, _ in aligned.same)
    return Gap(shared, len(here), len(there), subject, len(aligned.swapped))


def says_much(term: Term) -> bool:
    """Whether a term counts when two claims are measured against one another: words, names, and `every morning`."""
    return term.kind in CONTENT or (isinstance(term.value, Quantity) and term.value.unit == "interval")


def are_comparable(left: Claim, right: Claim, aligned: Alignment) -> bool:
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


def persons_differ(left: Claim, right: Claim) -> bool:
    """Whether each side speaks of somebody by a pronoun that the other does not use."""
    ours, theirs = _persons(left), _persons(right)
    return bool(ours - theirs and theirs - ours)


def _persons(claim: Claim) -> frozenset[str]:
    """Who is spoken of by pronouns."""
    return frozenset(PRONOUNS[word.lower] for word in words(claim.sentence) if word.lower in PRONOUNS)


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
        return left.value.unit in ("name", "ordinal", "version", "interval")
    return left.value is None and not {left.kind, right.kind} & {Kind.QUANTIFIER, Kind.RELATION}


def stated(left: Claim, here: int, right: Claim, there: int) -> tuple[str, str]:
    """Two values as written, with what they count where it is the same: `12 engineers`, `9k ops/s`."""
    one, other = left.terms[here], right.terms[there]
    counted = [claim.terms[at + 1 : at + 2] for claim, at in ((left, here), (right, there))]
    if not (counted[0] and counted[1] and isinstance(one.value, Quantity) and isinstance(other.value, Quantity)):
        return one.text, other.text
    unit, same_unit = counted[0][0], counted[1][0]
    follows = unit.place == one.value.last and same_unit.place == other.value.last
    if not follows or unit.lemma != same_unit.lemma or unit.kind not in CONTENT or unit.lemma in verbs():
        return one.text, other.text
    return f"{one.text} {unit.text}", f"{other.text} {same_unit.text}"


def verdict(kind: str, left: Claim, right: Claim, values: tuple[str, str], confidence: float) -> Contradiction:
    """A contradiction of this kind and these values, left then right; `confidence` is rounded and below 1."""
    confidence = round(min(confidence, 0.99), 2)
    return Contradiction(kind, (left.sentence, right.sentence), values, confidence, corrector(left, right))


def corrector(left: Claim, right: Claim) -> str:
    """The one side, "left" or "right", that says it sets something right; "" where none or both do."""
    if left.corrects == right.corrects:
        return ""
    return "left" if left.corrects else "right"


def dates_differ(left: Claim, aligned: Alignment) -> bool:
    """Whether the claims are readings of two dates."""
    return any(isinstance(left.terms[index].value, Moment) for index, _ in aligned.rivals)


def reached(claim: Claim, index: int) -> bool:
    """Whether a denial reaches a term."""
    place = claim.terms[index].place
    return any(negation.place < place < negation.end for negation in claim.negations)


def denials(claim: Claim, counted: Collection[int] = ()) -> dict[int, int]:
    """How often each term is denied, by index; -1 stands for a denial of something that is no term.

    Left out are negators at the places `counted`, which count elsewhere: `denied` against `confirmed`.
    """
    heads: dict[int, int] = {}
    if not claim.negations:
        return heads
    places = {term.place: index for index, term in enumerate(claim.terms)}
    for negation in claim.negations:
        if negation.place in counted:
            continue
        reach = range(negation.head, max(negation.end, negation.head + 1))
        index = next((places[at] for at in reach if at in places), -1)
        heads[index] = heads.get(index, 0) + 1
    return heads


def flips(left: Claim, right: Claim, aligned: Alignment) -> list[tuple[int, int]]:
    """The aligned terms whose polarity differs: denied on one side only, or opposites not undone by a denial."""
    if not (aligned.opposite or left.negations or right.negations):
        return []
    turned = {(i, j) for i, j in aligned.opposite if not _timely(left.terms[i])}
    told = (*aligned.same, *turned)
    here = denials(left, {left.terms[i].place for i, _ in told})
    there = denials(right, {right.terms[j].place for _, j in told})
    pairs = (*aligned.same, *turned, *aligned.swapped)
    return [(i, j) for i, j in pairs if (here.get(i, 0) + there.get(j, 0) + ((i, j) in turned)) % 2]


def _timely(term: Term) -> bool:
    return term.kind is Kind.RELATION and term.lemma in TIMELY


def words_needed(left: Claim, right: Claim) -> int:
    """How many words must agree: more for events and entries, which repeat with other values and contradict nothing."""
    if is_record(left) or is_record(right):
        return 4
    if any(WIDE.match(term.lemma) for term in left.terms):
        return 6
    if not (left.event or right.event):
        return 1
    return 2 if (left.lemmas & right.lemmas) & listed("once.txt") else 4


def is_record(claim: Claim) -> bool:
    """Whether a sentence is a field of a record (`date created: 2022-08-05`): of which record, it does not say."""
    return claim.event and not claim.corrects and RECORD.match(claim.sentence) is not None
