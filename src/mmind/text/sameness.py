"""Whether two texts say the same: what forbids calling near-copies one, and when different words state one fact."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from typing import Final

from mmind.text.alignment import CONTENT, Alignment, align
from mmind.text.claims import (
    APPROXIMATE,
    EXCEPTIVE,
    FUNCTION,
    LONGEST_PASSAGE,
    MOST_SENTENCES,
    PRONOUNS,
    Claim,
    Kind,
    Mode,
    Term,
    read_claim,
    read_claims,
)
from mmind.text.comparison import ATTITUDE_LEMMAS, TIMELY, flips
from mmind.text.contradiction import contradiction
from mmind.text.lexicon import is_irregular, lemma, vocabulary
from mmind.text.parting import is_inverted, is_parted, is_passive, roles_crossed, shares_differ, tells_when, ways
from mmind.text.polarity import NEGATING_VERBS, NEGATORS
from mmind.text.sentences import pieces, sentences, words

# Words that carry nothing by themselves when two near-copies are compared: "using Next.js" is "with Next.js".
CARRIERS: Final = frozenset(map(lemma, vocabulary("carriers")))
# Verbs that say no more than that it is so: a backup runs, is made, takes place.
LIGHT_VERBS: Final = frozenset(map(lemma, vocabulary("light verbs")))
# Small words that decide what is said: who, whether, in which direction, now or then.
TURNING: Final = vocabulary("turning")
# Words that may be no term of a claim.
SILENT: Final = FUNCTION | NEGATORS | {"longer", "anymore"}
# The logistic weights of `agreement`, fitted by `evals/agreement_eval.py --fit` on the dev half of STS-b and labelled
# contradictions. The bias is 1.05 more than fitted, so that what is likely by 0.45 there is called 0.7: the threshold
# at which one link in twelve is wrong on the dev half.
BIAS: Final = -9.12
OF_COSINE: Final = 12.62
WEIGHTS: Final = (1.91, 0.06, -0.1, -0.34, -0.25)
LEAST_AGREEMENT: Final = 0.7


def difference(left: str, right: str) -> str:
    """What two near-identical texts differ in: "number", "date", "name", "polarity", "word" or "order"; "" for nothing.

    Texts that differ must never be merged. Sentences that both have are set aside; further whole sentences on one
    side alone are no difference, unless they deny or correct something. Inflection, articles, punctuation, synonyms
    and typing errors are none either.
    """
    if left == right:
        return ""
    ours, theirs = _keyed(left), _keyed(right)
    here = [sentence for key, sentence in ours.items() if key not in theirs]
    there = [sentence for key, sentence in theirs.items() if key not in ours]
    if here and there:
        return _difference(read_claim(" ".join(here), None), read_claim(" ".join(there), None))
    further = read_claim(" ".join(here or there), None)
    return "polarity" if further.negations or further.corrects else ""


@lru_cache(maxsize=4_096)
def _keyed(text: str) -> dict[tuple[str, ...], str]:
    return {tuple(word.lower for word in words(piece)): piece for piece in pieces(text)}


def _difference(left: Claim, right: Claim) -> str:
    aligned = align(left, right)
    over = [left.terms[index] for index in aligned.left] + [right.terms[index] for index in aligned.right]
    clashing = (*aligned.rivals, *aligned.swapped)
    over += [left.terms[here] for here, _ in clashing] + [right.terms[there] for _, there in clashing]
    unequal = [
        left.terms[i] for i, j in aligned.same if left.terms[i].value and left.terms[i].lemma != right.terms[j].lemma
    ]
    kinds = {term.kind for term in (*over, *unequal) if term.lemma not in CARRIERS}
    for kind, name in ((Kind.QUANTITY, "number"), (Kind.MOMENT, "date")):
        if kind in kinds:
            return name
    if _stance(left) != _stance(right) or aligned.opposite or kinds & {Kind.QUANTIFIER, Kind.RELATION}:
        return "polarity"
    for kind, name in ((Kind.NAME, "name"), (Kind.WORD, "word")):
        if kind in kinds:
            return name
    if shares_differ(left, right, aligned):
        return "polarity"
    places = [there for _, there in aligned.same]
    leading = ways(left)
    turned = leading != ways(right) or roles_crossed(left, right, aligned) or (leading and places != sorted(places))
    return "order" if turned or not _order_kept(places) else ""


def _stance(claim: Claim, without: Collection[str] = ()) -> Counter[str]:
    """The words of a text that turn or weaken what it says, and how often each stands; `without` are left out."""
    turning = _turning(claim.sentence, without)
    turning[claim.mode] = 1
    return turning


def _turning(sentence: str, without: Collection[str] = ()) -> Counter[str]:
    found = [word.lower for word in words(sentence)]
    turning = Counter(
        PRONOUNS.get(word, lemma(word) if word in APPROXIMATE else word)
        for before, word in pairwise(("", *found))
        if word not in without
        and (word in EXCEPTIVE or word in APPROXIMATE or word in TURNING)
        and (before, word) not in RECIPROCAL
    )
    turning["not"] = sum(word in NEGATORS or word in NEGATING_VERBS for word in found)
    return turning


def _order_kept(places: Sequence[int]) -> bool:
    """Whether at most one block of words moved; `A sued B` and `B sued A` fail."""
    ordered = sorted(places)
    begin = next((at for at, place in enumerate(places) if place != ordered[at]), len(places))
    end = next((at for at in range(len(places), begin, -1) if places[at - 1] != ordered[at - 1]), begin)
    middle, target = list(places[begin:end]), ordered[begin:end]
    return (len(middle) > 3 and any(middle[cut:] + middle[:cut] == target for cut in range(len(middle)))) or not middle


def agreement(left: Claim | Sequence[Claim], right: Claim | Sequence[Claim], cosine: float | None) -> float | None:
    """How surely two claims state one fact in other words, in [0.7, 1]; None where they do not, or nobody can tell.

    `cosine` in [-1, 1] compares their meaning; without it (None) there is no opinion. Claims that contradict one
    another, name different things, or state different numbers or dates never agree.
    """
    lefts = (left,) if isinstance(left, Claim) else tuple(left)
    rights = (right,) if isinstance(right, Claim) else tuple(right)
    if cosine is None or not lefts or not rights:
        return None
    likely = _likelihood(likeness(lefts, rights), cosine)
    return None if likely is None or contradiction(lefts, rights, cosine) else likely


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two wordings are that nothing keeps apart.

    `share` of words in common (Dice, in [0, 1]); `exchanged` counts the words that each side has instead of the
    other's, `further` those that only one side adds; `length` is the natural log of the shorter side's terms.
    `slotted` tells that all that differs stands in one another's place, as in counter-claims; the longer two claims
    are that are equal otherwise, the more it tells.
    """

    share: float
    exchanged: int
    further: int
    length: float
    slotted: bool

    @property
    def features(self) -> tuple[float, ...]:
        """What `_likelihood` weighs, next to the cosine."""
        return self.share, min(self.exchanged, 3), min(self.further, 4), self.length, self.slotted * self.length


def _likelihood(alike: Likeness | None, cosine: float) -> float | None:
    """How likely two passages agree, from how alike they are and the cosine; None below 0.7."""
    if alike is None:
        return None
    evidence = sum(weight * value for weight, value in zip(WEIGHTS, alike.features, strict=True))
    likely = 1 / (1 + math.exp(-(BIAS + OF_COSINE * cosine + evidence)))
    return round(likely, 3) if likely >= LEAST_AGREEMENT else None


Said = tuple[str, datetime | None]  # a passage and its memory's time


def passages_agree(left: Said, right: Said, cosine: float) -> bool:
    """Whether `agreement` holds between all that two passages claim; what can decide alone is read first."""
    return _likelihood(_share_of(left, right), cosine) is not None and not _contradict(left, right)


@lru_cache(maxsize=4_096)
def _share_of(left: Said, right: Said) -> Likeness | None:
    mine, theirs = _whole(*left), _whole(*right)
    if not (mine and theirs) or _denials(mine) != _denials(theirs):  # `_alike` asks it too: long texts are spared all
        return None
    return _alike(read_claim(mine, left[1]), read_claim(theirs, right[1]))


@lru_cache(maxsize=1_024)
def _contradict(left: Said, right: Said) -> bool:
    return contradiction(read_claims(*left), read_claims(*right)) is not None


@lru_cache(maxsize=1_024)
def _whole(text: str, said_at: datetime | None) -> str:
    """A passage as the one sentence that `_merged` reads, without reading each of its sentences first."""
    said = sentences(text[:LONGEST_PASSAGE])[:MOST_SENTENCES]
    return " ".join(one for one in said if _says_something(one, said_at))


def _says_something(sentence: str, said_at: datetime | None) -> bool:
    """Whether a sentence has any term; most hold a word that is no small word, and need not be read to tell."""
    plain = (word.lower for word in words(sentence) if word.lower[0].isalnum())
    return any(word not in SILENT for word in plain) or bool(read_claim(sentence, said_at).terms)


def likeness(left: Sequence[Claim], right: Sequence[Claim]) -> Likeness | None:
    """How alike two passages are; None where something keeps them from agreeing."""
    return _alike(_merged(left), _merged(right))


def _merged(claims: Sequence[Claim]) -> Claim:
    """A passage as one claim; a single sentence is itself."""
    return (
        claims[0] if len(claims) == 1 else read_claim(" ".join(claim.sentence for claim in claims), claims[0].said_at)
    )


def _alike(left: Claim, right: Claim) -> Likeness | None:
    """How alike two claims are; None where names, numbers, dates or polarity part them.

    A word exchanged in its slot parts them too: two wordings of one fact differ in more than one word, or in none that
    counts. Counter-claims are made by exchanging one word, and their cosine is as high as that of paraphrases.
    """
    if not _meant_alike(left, right) or _denials(left.sentence) != _denials(right.sentence):
        return None
    aligned = align(left, right)
    if aligned.rivals or aligned.opposite or flips(left, right, aligned):
        return None
    if any(left.terms[i].value and left.terms[i].lemma != right.terms[j].lemma for i, j in aligned.same):
        return None
    ours, theirs = [left.terms[i] for i in aligned.left], [right.terms[j] for j in aligned.right]
    if any(left.terms[i].kind is right.terms[j].kind is Kind.NAME for i, j in aligned.swapped):
        return None
    if any(_stands_alone(ours, kind) and _stands_alone(theirs, kind) for kind in VALUES):
        return None
    if _lists_differ(left, right, aligned) or is_parted(left, right, aligned):
        return None
    total = len(left.terms) + len(right.terms)
    share = 2 * len(aligned.same) / total if total else 0.0
    if (aligned.swapped and share > LOOSE) or any(term.lemma in TIMELY for term in (*ours, *theirs)):
        return None
    if share > NEARLY_ONE and _turns(left, right, aligned, ours, theirs):
        return None
    return _measured(aligned, ours, theirs, share, _is_slotted(left, right, aligned))


def _meant_alike(left: Claim, right: Claim) -> bool:
    """Whether both claim something in one way; whoever reports what was said may quote it or not."""
    if left.mode is right.mode:
        return left.mode is not Mode.QUESTION
    reports = all(not claim.lemmas.isdisjoint(ATTITUDE_LEMMAS) for claim in (left, right))
    return reports and {left.mode, right.mode} == {Mode.ASSERTED, Mode.QUOTED}


def _turns(left: Claim, right: Claim, aligned: Alignment, ours: Sequence[Term], theirs: Sequence[Term]) -> bool:
    """Whether two claims of nearly the same words state two things, by the few that are left over or by their order."""
    turned = any(_stands_alone([*ours, *theirs], kind) for kind in (Kind.QUANTIFIER, Kind.RELATION))
    reformed = _reformed(left, right, aligned)
    told = [[term for term in side if term.lemma not in LIGHT_VERBS] for side in (ours, theirs)]
    inverted = is_inverted(left, right, aligned)
    timed = tells_when(left) != tells_when(right)
    voiced = timed or is_passive(left) != is_passive(right)
    exchanged = (all(told) and _slots(left, right, aligned)[0] > 0) or (
        _roles_turned(left, right, aligned, reformed) and not inverted and not voiced
    )
    small = (LINKING if reformed or inverted else frozenset()) | (RELATIVE if inverted else frozenset())
    small |= (PASSIVE if voiced else frozenset()) | (WEATHER if timed else frozenset())
    return turned or exchanged or _stance(left, small) != _stance(right, small)


def _measured(
    aligned: Alignment, ours: Sequence[Term], theirs: Sequence[Term], share: float, slotted: bool
) -> Likeness:
    said = [sum(term.kind in CONTENT for term in side) for side in (ours, theirs)]
    exchanged = min(said) + len(aligned.swapped)
    terms = len(aligned.same) + len(aligned.swapped) + min(len(ours), len(theirs))
    return Likeness(share, exchanged, max(said) - min(said), math.log(max(1, terms)), slotted)


def _slots(left: Claim, right: Claim, aligned: Alignment) -> tuple[int, int]:
    """How many stretches of words stand in one another's place, and how many have no such counterpart.

    A counter-claim is made by exchanging a stretch between the same neighbours on both sides; who words a fact anew
    adds and leaves out here and there.
    """
    partner = dict(aligned.same)
    ours = _stretches(partner.keys(), len(left.terms))
    theirs = set(_stretches(partner.values(), len(right.terms)))
    ends = {-1: -1, len(left.terms): len(right.terms), **partner}
    slots = sum((ends[first - 1] + 1, ends[last]) in theirs for first, last in ours)
    return slots, len(ours) + len(theirs) - 2 * slots


def _is_slotted(left: Claim, right: Claim, aligned: Alignment) -> bool:
    slots, single = _slots(left, right, aligned)
    return slots > 0 and not single


def _stretches(told: Collection[int], length: int) -> list[tuple[int, int]]:
    """The runs of indices below `length` that are not among `told`, as first and last, the last not included."""
    places = [-1, *sorted(told), length]
    return [(one + 1, other) for one, other in pairwise(places) if other > one + 1]


def _lists_differ(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether both list things that the other does not: rhubarb and mint, lemon and elderflower."""
    if any(_is_listed(left, here) and _is_listed(right, there) for here, there in aligned.swapped):
        return True
    return all(
        sum(_is_listed(claim, index) for index in over) > 1
        for claim, over in ((left, aligned.left), (right, aligned.right))
    )


def _is_listed(claim: Claim, index: int) -> bool:
    """Whether a word or name stands beside a comma or an `and`."""
    term, parts = claim.terms[index], words(claim.sentence)
    beside = parts[max(0, term.place - 1) : term.place + 2]
    return term.kind in CONTENT and any(word.lower in LISTING for word in beside)


def _reformed(left: Claim, right: Claim, aligned: Alignment) -> frozenset[int]:
    """The words of the left side, by index, that are another part of speech on the right: allergic, allergy."""
    return frozenset(
        here
        for here, there in aligned.same
        if left.terms[here].value is None
        and not _inflected(left.terms[here].text.lower(), right.terms[there].text.lower())
    )


def _inflected(left: str, right: str) -> bool:
    """Whether two forms of one word are equal but for number or person."""
    shorter, longer = sorted((left, right), key=len)
    return longer in (shorter, shorter + "s", shorter + "es") or is_irregular(left) or is_irregular(right)


def _roles_turned(left: Claim, right: Claim, aligned: Alignment, reformed: Collection[int]) -> bool:
    """Whether words that kept their part of speech stand the other way round; the others were moved by grammar.

    `Marta teaches Ivan` and `Ivan teaches Marta` are two facts, `allergic to peanuts` and `a peanut allergy` are one.
    """
    if _order_kept([there for _, there in aligned.same]):
        return False
    kept = [(here, there) for here, there in aligned.same if here not in reformed]
    places = [there for _, there in kept]
    for at, ((here, there), (after, other)) in enumerate(pairwise(kept)):
        if _are_joined(left, here, after) and _are_joined(right, other, there):  # black and white, white and black
            places[at], places[at + 1] = other, there
    return places != sorted(places)


def _are_joined(claim: Claim, here: int, there: int) -> bool:
    """Whether two words stand on either side of an `and`, in this order."""
    between = words(claim.sentence)[claim.terms[here].place + 1 : claim.terms[there].place]
    return any(word.lower in ("and", "&") for word in between) and len(between) <= JOINED_OVER


@lru_cache(maxsize=1_024)
def _denials(sentence: str) -> Counter[str]:
    """The denials and hedges among a sentence's turning words."""
    return Counter({word: count for word, count in _turning(sentence).items() if word == "not" or word in EXCEPTIVE})


LINKING: Final = frozenset(("to", "for"))  # they come and go with the part of speech of what they link
RELATIVE: Final = frozenset(("we", "i", "you"))  # the vet is X, X is the vet we take her to
RECIPROCAL: Final = frozenset((("each", "other"), ("one", "another")))  # they leave nothing out
PASSIVE: Final = frozenset(("by", "was", "were"))
WEATHER: Final = frozenset(("it",))  # when it rains
JOINED_OVER: Final = 3  # words: an `and` and an article
LISTING: Final = frozenset((",", ";", "and", "or", "&"))
VALUES: Final = (Kind.NAME, Kind.QUANTITY, Kind.MOMENT)
NEARLY_ONE: Final = 0.75  # above this share of common words every small word counts
LOOSE: Final = 0.7  # up to this share one word may stand in another's slot


def _stands_alone(terms: Sequence[Term], kind: Kind) -> bool:
    return any(term.kind is kind for term in terms)


def agreement_of(left: str, right: str, cosine: float | None) -> float | None:
    """`agreement` of two texts, times unknown."""
    return agreement(read_claims(left, None), read_claims(right, None), cosine)
