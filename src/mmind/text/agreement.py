"""Whether different words state one fact, as far as words, their order and a cosine tell.

What parts two accounts for certain is asked first: values, denials, names, roles, the few words left over where nearly
all are common. What remains is weighed by a logistic function.
"""

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
from mmind.text.casting import Cast, cast, is_recast, led_along, remarked
from mmind.text.claims import (
    APPROXIMATE,
    AUXILIARIES,
    COPULAS,
    DETERMINERS,
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
from mmind.text.comparison import ATTITUDE_LEMMAS, flips
from mmind.text.contradiction import contradiction
from mmind.text.lexicon import lemma, vocabulary
from mmind.text.parting import head_changed, is_inverted, is_parted
from mmind.text.polarity import NEGATING_VERBS, NEGATORS
from mmind.text.sameness import CARRIERS, RECIPROCAL, order_kept
from mmind.text.sentences import sentences, words

# Verbs that say no more than that it is so: a backup runs, is made, takes place.
LIGHT_VERBS: Final = frozenset(map(lemma, vocabulary("light verbs")))
# Words that may be no term of a claim.
SILENT: Final = FUNCTION | NEGATORS | {"longer", "anymore"}
# The logistic weights, fitted by `evals/agreement_fit.py` on STS-b, pairs of memories and labelled contradictions. The
# bias is 0.44 more than fitted, so that what is likely by 0.6 there is called 0.7: chosen by cross-validation.
BIAS: Final = -14.28
WEIGHTS: Final = (22.12, -24.28, 1.99, 0.63, -0.17, -2.57, -2.22, 4.28, -4.7, -1.39, 0.41, -1.14, -3.1)
LEAST_AGREEMENT: Final = 0.7
NEAR: Final = 0.85  # above this cosine more of it tells less: counter-claims are there too


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
    return None if likely is None or contradiction(lefts, rights) else likely


def agreement_of(left: str, right: str, cosine: float | None) -> float | None:
    """`agreement` of two texts, times unknown."""
    return agreement(read_claims(left, None), read_claims(right, None), cosine)


@dataclass(frozen=True, slots=True)
class Likeness:
    """How alike two wordings are that nothing keeps apart.

    `share` of words in common (Dice, in [0, 1]); `exchanged` counts the words that each side has instead of the
    other's, `further` those that only one side adds; `length` is the natural log of the shorter side's terms. `slots`
    are the stretches of words that stand in one another's place, as in counter-claims, `single` those without such a
    counterpart. `moved` tells that common words stand in another order, as in other grammar, `remarked` counts those
    with another preposition or side of the verb; `reordered` tells that nothing but the order differs, `headed` that
    one side adds a noun to a noun, which may make another thing of it.
    """

    share: float
    exchanged: int
    further: int
    length: float
    slots: int
    single: int
    moved: bool
    remarked: int
    reordered: bool
    headed: bool

    @property
    def slotted(self) -> bool:
        """Whether all that differs stands in one another's place."""
        return self.slots > 0 and not self.single

    def features(self, cosine: float) -> tuple[float, ...]:
        """What `WEIGHTS` weigh, in their order.

        What the order and the places of words tell grows with how many of them are common.
        """
        return (
            cosine,
            max(0.0, cosine - NEAR),
            self.share,
            min(self.exchanged, 3),
            min(self.further, 4),
            self.length,
            self.moved,
            self.moved * self.share,
            self.slotted * self.share,
            (self.slots > 0 and self.single == 1) * self.share,
            self.remarked,
            self.headed,
            self.reordered,
        )


def _likelihood(alike: Likeness | None, cosine: float) -> float | None:
    """How likely two passages agree, from how alike they are and the cosine; None below 0.7."""
    if alike is None:
        return None
    evidence = sum(weight * value for weight, value in zip(WEIGHTS, alike.features(cosine), strict=True))
    likely = 1 / (1 + math.exp(-(BIAS + evidence)))
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
    """How alike two claims are; None where values, polarity, roles or what they speak of part them."""
    if not _meant_alike(left, right) or _denials(left.sentence) != _denials(right.sentence):
        return None
    aligned = align(left, right)
    if _values_differ(left, right, aligned) or _denying(left, aligned.left) != _denying(right, aligned.right):
        return None
    if _lists_differ(left, right, aligned) or is_parted(left, right, aligned) or _turned(left, right):
        return None
    exchanged = [{pair[side] for pair in aligned.swapped} for side in (0, 1)]
    if _said_to_be(left, {*aligned.left, *exchanged[0]}) and _said_to_be(right, {*aligned.right, *exchanged[1]}):
        return None
    roles = cast(left, right, aligned)
    if is_recast(roles, aligned):
        return None
    share = 2 * len(aligned.same) / max(1, len(left.terms) + len(right.terms))
    if share < LEAST_SHARE or (share <= NEARLY_ONE and _deny_apart(left, right, aligned)):
        return None
    if share > NEARLY_ONE and _small_words_differ(left, right, aligned):
        return None
    return _measured(roles, aligned, share)


def _meant_alike(left: Claim, right: Claim) -> bool:
    """Whether both claim something in one way; whoever reports what was said may quote it or not."""
    if left.mode is right.mode:
        return left.mode is not Mode.QUESTION
    reports = all(not claim.lemmas.isdisjoint(ATTITUDE_LEMMAS) for claim in (left, right))
    return reports and {left.mode, right.mode} == {Mode.ASSERTED, Mode.QUOTED}


def _values_differ(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether opposites or values of one field stand against each other, or each side holds a value of its own."""
    if aligned.rivals or aligned.opposite or flips(left, right, aligned):
        return True
    if any(left.terms[i].value and left.terms[i].lemma != right.terms[j].lemma for i, j in aligned.same):
        return True
    if any(_kind_of(left.terms[i]) is _kind_of(right.terms[j]) is Kind.NAME for i, j in aligned.swapped):
        return True
    ours, theirs = ({_kind_of(claim.terms[i]) for i in over} for claim, over in _sides(left, right, aligned))
    if any(kind in ours and kind in theirs for kind in VALUES) or _compounds_differ(left, right, aligned):
        return True
    counted = [Kind.QUANTITY in kinds for kinds in (ours, theirs)]
    return (counted[0] and Kind.QUANTIFIER in theirs) or (counted[1] and Kind.QUANTIFIER in ours)  # every day, some


def _said_to_be(claim: Claim, alone: Collection[int]) -> bool:
    """Whether a claim ends in what its subject is, and the other says nothing of it: she is employed; password: tulip.

    What somebody is doing (is cutting, is slicing) is left to the cosine.
    """
    last = len(claim.terms) - 1
    if last not in alone or claim.terms[last].text.endswith("ing"):
        return False
    parts, place = words(claim.sentence), claim.terms[last].place
    ends = not any(word.lower[-1].isalnum() for word in parts[place + 1 :])
    return place > 0 and ends and (parts[place - 1].lower in COPULAS or parts[place - 1].lower == ":")


def _compounds_differ(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether each side has a word of two parts, one of them shared: an open-deck barge, a closed-deck barge."""
    ours, theirs = (
        [frozenset(part for part in claim.terms[i].lemma.split("-") if len(part) > 2) for i in over]
        for claim, over in _sides(left, right, aligned)
    )
    return any(len(one) > 1 and len(other) > 1 and one & other and one != other for one in ours for other in theirs)


def _kind_of(term: Term) -> Kind:
    """The kind of a term; what is written with several hyphens is a name as well: harbour-backup-prod."""
    return Kind.NAME if term.text.count("-") > 1 else term.kind


def _sides(left: Claim, right: Claim, aligned: Alignment) -> tuple[tuple[Claim, Sequence[int]], ...]:
    """Each claim with the indices of what it alone holds."""
    return (left, aligned.left), (right, aligned.right)


def _turned(left: Claim, right: Claim) -> bool:
    """Whether one side goes up where the other goes down."""
    ways = [frozenset(word.lower for word in words(claim.sentence)) & UP_OR_DOWN for claim in (left, right)]
    return all(len(way) == 1 for way in ways) and ways[0] != ways[1]


def _deny_apart(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether both sides deny something, and nothing that both name is denied by both."""
    denied = [{negation.head for negation in claim.negations} for claim in (left, right)]
    return all(denied) and not any(
        left.terms[i].place in denied[0] and right.terms[j].place in denied[1] for i, j in aligned.same
    )


def _small_words_differ(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether two claims of nearly the same words differ in one that tells where, when, how many or how surely."""
    alone = [claim.terms[index] for claim, over in _sides(left, right, aligned) for index in over]
    if any(term.kind is Kind.QUANTIFIER or (term.kind is Kind.RELATION and term.lemma != "on") for term in alone):
        return True
    here, there = _persons(left.sentence), _persons(right.sentence)
    other_person = bool(here and there) and here.isdisjoint(there)
    deciding = [_deciding(claim.sentence) for claim in (left, right)]
    if any(term.lemma in PERMITTING for term in alone):  # the API allows it: we may
        deciding = [counts - Counter(may=counts["may"]) for counts in deciding]
    return other_person or deciding[0] != deciding[1]


@lru_cache(maxsize=1_024)
def _deciding(sentence: str) -> Counter[str]:
    """The small words that turn or weaken what is said among many equal words: against, up, out; almost, may."""
    found = (word.lower for word in words(sentence))
    return Counter(
        "almost" if word in APPROXIMATE else "may" if word in UNSURE else word
        for word in found
        if word in DECIDING or (word in APPROXIMATE and word != "about") or word in UNSURE
    )


@lru_cache(maxsize=1_024)
def _persons(sentence: str) -> frozenset[str]:
    return frozenset(PRONOUNS[word.lower] for word in words(sentence) if word.lower in PRONOUNS)


@lru_cache(maxsize=1_024)
def _denials(sentence: str) -> Counter[str]:
    """The denials and exceptions among a sentence's words; `yet to be found` is a denial, `hard to find` nearly one."""
    found = [word.lower for word in words(sentence)]
    counts = Counter(
        "other" if word in OTHERS else word
        for before, word in pairwise(("", *found))
        if word in EXCEPTIVE and (before, word) not in RECIPROCAL
    )
    counts["not"] = sum(word in NEGATORS for word in found)
    counts["not"] += sum(pair == ("yet", "to") for pair in pairwise(found))
    counts["hard"] = sum(pair in (("hard", "to"), ("difficult", "to")) for pair in pairwise(found))
    counts["far"] = sum(
        pair in (("far", "from"), ("different", "from"), ("distinct", "from")) for pair in pairwise(found)
    )
    return counts


def _denying(claim: Claim, over: Collection[int]) -> int:
    """How many verbs that deny (fail, refuse, lack) one side alone has."""
    return sum(claim.terms[index].text.lower() in NEGATING_VERBS for index in over)


def _measured(roles: Cast, aligned: Alignment, share: float) -> Likeness:
    left, right = roles.left, roles.right
    over = (*aligned.left, *(i for i, _ in aligned.swapped)), (*aligned.right, *(j for _, j in aligned.swapped))
    ours, theirs = _telling(left, over[0]), _telling(right, over[1])
    if bool(ours) != bool(theirs):  # a light verb against another word tells something: the tap runs, the tap drips
        ours, theirs = ours or _content(left, over[0]), theirs or _content(right, over[1])
    slots, single = _slots(left, right, aligned, (ours, theirs))
    terms = len(aligned.same) + len(aligned.swapped) + min(len(aligned.left), len(aligned.right))
    places = [there for _, there in aligned.same]
    return Likeness(
        share=share,
        exchanged=min(len(ours), len(theirs)),
        further=abs(len(ours) - len(theirs)),
        length=math.log(max(1, terms)),
        slots=slots,
        single=single,
        moved=places != sorted(places),
        remarked=remarked(roles),
        reordered=_is_reordered(roles, aligned),
        headed=head_changed(left, right, aligned),
    )


def _telling(claim: Claim, over: Collection[int]) -> frozenset[int]:
    """The words and names among what one side alone holds, but for those that carry nothing by themselves."""
    silent = LIGHT_VERBS | CARRIERS
    return frozenset(index for index in _content(claim, over) if claim.terms[index].lemma not in silent)


def _content(claim: Claim, over: Collection[int]) -> frozenset[int]:
    return frozenset(index for index in over if claim.terms[index].kind in CONTENT)


def _slots(
    left: Claim, right: Claim, aligned: Alignment, telling: tuple[frozenset[int], frozenset[int]]
) -> tuple[int, int]:
    """How many stretches of words stand in one another's place, and how many have no such counterpart.

    A counter-claim is made by exchanging a stretch between the same neighbours on both sides; who words a fact anew
    adds and leaves out here and there.
    """
    partner = dict(aligned.same)
    ours = _stretches(partner.keys(), len(left.terms))
    theirs = set(_stretches(partner.values(), len(right.terms)))
    ends = {-1: -1, len(left.terms): len(right.terms), **partner}
    facing = ((one, (ends[one[0] - 1] + 1, ends[one[1]])) for one in ours)
    slots = sum(
        other in theirs and not telling[0].isdisjoint(range(*one)) and not telling[1].isdisjoint(range(*other))
        for one, other in facing
    )
    return slots, len(ours) + len(theirs) - 2 * slots


def _stretches(told: Collection[int], length: int) -> list[tuple[int, int]]:
    """The runs of indices below `length` that are not among `told`, as first and last, the last not included."""
    places = [-1, *sorted(told), length]
    return [(one + 1, other) for one, other in pairwise(places) if other > one + 1]


def _is_reordered(roles: Cast, aligned: Alignment) -> bool:
    """Whether the same words stand in another order, with no grammar that would account for it.

    Words that took their preposition with them may stand anywhere.
    """
    left, right = roles.left, roles.right
    if aligned.left or aligned.right or aligned.swapped or _small_words(left) != _small_words(right):
        return False
    kept = [pair for pair in aligned.same if not led_along(roles, pair)]
    places = [there for _, there in kept]
    for at, ((here, there), (after, other)) in enumerate(pairwise(kept)):
        if _are_joined(left, here, after) and _are_joined(right, other, there):  # black and white, white and black
            places[at], places[at + 1] = other, there
    return not order_kept(places) and not is_inverted(left, right, aligned)


@lru_cache(maxsize=1_024)
def _small_words(claim: Claim) -> Counter[str]:
    """The words of a claim that are no terms, without articles and auxiliaries."""
    told = {term.place for term in claim.terms}
    found = (word.lower for place, word in enumerate(words(claim.sentence)) if place not in told)
    return Counter(word for word in found if word[-1].isalnum() and word not in DETERMINERS and word not in AUXILIARIES)


def _are_joined(claim: Claim, here: int, there: int) -> bool:
    """Whether two words stand on either side of an `and`, in this order."""
    between = words(claim.sentence)[claim.terms[here].place + 1 : claim.terms[there].place]
    return any(word.lower in ("and", "&") for word in between) and len(between) <= JOINED_OVER


def _lists_differ(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether both list things that the other does not: rhubarb and mint, lemon and elderflower."""
    if any(_is_listed(left, here) and _is_listed(right, there) for here, there in aligned.swapped):
        return True
    return all(sum(_is_listed(claim, index) for index in over) > 1 for claim, over in _sides(left, right, aligned))


def _is_listed(claim: Claim, index: int) -> bool:
    """Whether a word or name stands beside a comma or an `and`."""
    term, parts = claim.terms[index], words(claim.sentence)
    beside = parts[max(0, term.place - 1) : term.place + 2]
    return term.kind in CONTENT and any(word.lower in LISTING for word in beside)


OTHERS: Final = frozenset(("other", "others", "another"))
DECIDING: Final = frozenset(["against", "up", "down", "out", "away", "off", "outside", "elsewhere", "instead", "than"])
UP_OR_DOWN: Final = frozenset(("up", "down"))
PERMITTING: Final = frozenset(map(lemma, ("allow", "permit", "let")))
UNSURE: Final = frozenset(("may", "might", "could"))
JOINED_OVER: Final = 3  # words: an `and` and an article
LISTING: Final = frozenset((",", ";", "and", "or", "&"))
VALUES: Final = (Kind.NAME, Kind.QUANTITY, Kind.MOMENT)
LEAST_SHARE: Final = 0.2  # without a common word there is only the cosine: he slept, he woke
NEARLY_ONE: Final = 0.75  # above this share of common words every small word counts
