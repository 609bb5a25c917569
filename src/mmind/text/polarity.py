"""Where a sentence denies: negators, the word each of them negates, and how far it reaches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from mmind.text.lexicon import rows, vocabulary
from mmind.text.sentences import Word

NEGATORS: Final = vocabulary("negators")
NEGATING_VERBS: Final = vocabulary("negating verbs")
DROPPING: Final = vocabulary("dropping")  # `dropped support for` denies the support
WHOLE: Final = vocabulary("whole")  # negators that speak for every subject
# Phrases in which a negator denies nothing, as words.
IDIOMS: Final = tuple(tuple(phrase.split()) for phrase in rows("idioms.txt"))
TOTAL: Final = vocabulary("total")  # `not all` denies the all
STOPS: Final = vocabulary("stops")
# Words between a negator and what it negates.
LIGHT: Final = vocabulary("light")
BARRING: Final = vocabulary("barring")  # kept from, refrained from
WILLING: Final = vocabulary("willing")  # who is too happy to help will help
BEING: Final = frozenset(("is", "are", "was", "were", "be", "been"))
JOINTS: Final = STOPS | NEGATORS | {"and", "or"}
# In whatever denies stands one of these; `ne` makes a denial of `plus`.
_MAY_DENY: Final = NEGATORS | NEGATING_VERBS | DROPPING | BARRING | {"rather", "instead", "too", "ne", "n'"}
WITHIN: Final = 6  # words between a verb that keeps from something and what is not done


@dataclass(frozen=True, slots=True)
class Negation:
    """One denial: the place of its negator, of the word it negates, and the end of its reach (not included).

    `whole` tells that it speaks for every subject (nobody, none, no …). Places count words from 0.
    """

    place: int
    head: int
    end: int
    whole: bool


def negations(words: Sequence[Word]) -> tuple[Negation, ...]:
    """The denials of a sentence in order; idioms such as `not only` and an answering `No,` are none."""
    lowers = [word.lower for word in words]
    if _MAY_DENY.isdisjoint(lowers):
        return ()
    found: list[Negation] = []
    french = "ne" in lowers or "n'" in lowers
    for place, word in enumerate(lowers):
        prefers = place and (lowers[place - 1], word) in (("rather", "than"), ("instead", "of"))
        if word in NEGATORS or word in NEGATING_VERBS or word in DROPPING or prefers or (french and word == "plus"):
            negation = _negation_at(lowers, place) or _barring_at(lowers, place)
            if negation:
                found.append(negation)
        elif word == "too" or word in BARRING:
            negation = _barring_at(lowers, place)
            if negation:
                found.append(negation)
    return tuple(found)


def _negation_at(lowers: Sequence[str], place: int) -> Negation | None:
    word = lowers[place]
    after = lowers[place + 1] if place + 1 < len(lowers) else ""
    before = lowers[place - 1] if place else ""
    if word in WHOLE and "than" in lowers[place:] and _compares(lowers, place):
        return None  # nothing is more important than sleep
    if word == "no" and (after in (",", ".", "!", ":", "") or after[:1].isdigit()):
        return None
    if word in DROPPING:
        return Negation(place, place + 1, place + 2, False) if after == "support" else None
    if word in NEGATING_VERBS and not (
        after in ("to", "in")
        or word.startswith(("lack", "unable", "den", "avoid"))
        or after.endswith("ing")
        or (word == "incapable" and after == "of")
    ):
        return None
    if word in ("impossible", "forbidden", "prohibited") and after not in ("to", "from"):
        return None
    if word in ("lack", "lacks") and after == "of" and before in ("the", "a"):
        return None
    if word == "denied" and before in ("was", "were", "been"):
        return None
    if any(_stands(phrase, lowers, place) for phrase in IDIOMS):
        return None
    end = place + 1
    while end < len(lowers) and lowers[end] not in STOPS:
        end += 1
    head = place + 1
    while head < end and lowers[head] in LIGHT and not (head == place + 1 and lowers[head] in TOTAL):
        head += 1
    if word in ("none", "nothing", "nobody", "nowhere") and head >= end:
        return _looking_back(lowers, place, end, word)
    if head >= end:
        return _looking_back(lowers, place, end, word) if after in ("", ".", "?", "!", ",") else None
    if word in ("without", "than", "of"):
        end = _phrase_end(lowers, head, end)
    return Negation(place, head, end, word in WHOLE)


def _compares(lowers: Sequence[str], place: int) -> bool:
    """Whether a word before `than` compares: more, less, taller."""
    before = lowers[place : lowers.index("than", place)]
    return "more" in before or "less" in before or (before[-1].endswith("er") and before[-2] in BEING)


def _barring_at(lowers: Sequence[str], place: int) -> Negation | None:
    """The denial of what is kept from being done: kept the dog from barking, too heavy to carry."""
    word, after = lowers[place], lowers[place + 1 : place + 1 + WITHIN]
    if word == "too":
        if "to" not in after[1:] or after[0] in WILLING or not JOINTS.isdisjoint(after[: after.index("to", 1)]):
            return None
        head = place + 2 + after.index("to", 1)
    elif word in BARRING and "from" in after:
        head = place + 2 + after.index("from")
    else:
        return None
    if head >= len(lowers) or not lowers[head].isalpha() or (word != "too" and not lowers[head].endswith("ing")):
        return None
    return Negation(place, head, head + 1, False)


def _looking_back(lowers: Sequence[str], place: int, end: int, word: str) -> Negation | None:
    """A denial whose word stands before it: `I think not`, `protects none`."""
    head = place - 1
    while head >= 0 and lowers[head] in LIGHT:
        head -= 1
    return Negation(place, head, end, word in WHOLE) if head >= 0 and lowers[head] not in STOPS else None


def _phrase_end(lowers: Sequence[str], head: int, end: int) -> int:
    for at in range(head + 1, end):
        if lowers[at] in (
            "and",
            "in",
            "on",
            "at",
            "from",
            "to",
            "by",
            "for",
            "is",
            "are",
            "was",
            "were",
            "until",
            "after",
            "before",
        ):
            return at
    return end


def _stands(phrase: Sequence[str], lowers: Sequence[str], place: int) -> bool:
    """Whether a phrase stands around `place`, with its own negator there."""
    for offset, word in enumerate(phrase):
        if word == lowers[place] and place >= offset:
            begin = place - offset
            if tuple(lowers[begin : begin + len(phrase)]) == tuple(phrase):
                return True
    return False
