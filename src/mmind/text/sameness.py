"""Whether two near-copies say the same: what forbids calling them one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Final

from mmind.text.alignment import align
from mmind.text.claims import (
    APPROXIMATE,
    EXCEPTIVE,
    PRONOUNS,
    Claim,
    Kind,
    read_claim,
)
from mmind.text.comparison import flips
from mmind.text.lexicon import lemma, vocabulary
from mmind.text.parting import roles_crossed, shares_differ, ways
from mmind.text.polarity import NEGATING_VERBS, NEGATORS
from mmind.text.sentences import pieces, words

# Words that carry nothing by themselves when two near-copies are compared: "using Next.js" is "with Next.js".
CARRIERS: Final = frozenset(map(lemma, vocabulary("carriers")))
# Small words that decide what is said: who, whether, in which direction, now or then.
TURNING: Final = vocabulary("turning")
RECIPROCAL: Final = frozenset((("each", "other"), ("one", "another")))  # they leave nothing out


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
    if turned or not order_kept(places):
        return "order"
    return "polarity" if flips(left, right, aligned) else ""


def _stance(claim: Claim) -> Counter[str]:
    """The words of a text that turn or weaken what it says, and how often each stands."""
    found = [word.lower for word in words(claim.sentence)]
    turning = Counter(
        PRONOUNS.get(word, lemma(word) if word in APPROXIMATE else word)
        for before, word in pairwise(("", *found))
        if (word in EXCEPTIVE or word in APPROXIMATE or word in TURNING) and (before, word) not in RECIPROCAL
    )
    turning["not"] = sum(word in NEGATORS or word in NEGATING_VERBS for word in found)
    turning[claim.mode] = 1
    return turning


def order_kept(places: Sequence[int]) -> bool:
    """Whether at most one block of words moved; `A sued B` and `B sued A` fail."""
    ordered = sorted(places)
    begin = next((at for at, place in enumerate(places) if place != ordered[at]), len(places))
    end = next((at for at in range(len(places), begin, -1) if places[at - 1] != ordered[at - 1]), begin)
    middle, target = list(places[begin:end]), ordered[begin:end]
    return (len(middle) > 3 and any(middle[cut:] + middle[:cut] == target for cut in range(len(middle)))) or not middle
