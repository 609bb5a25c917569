"""What parts two accounts that share most of their words, though it need not make them contradict each other.

Such accounts are neither copies of one claim nor two wordings of it: another room, another share, a word that takes
something away, or who did it to whom.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from mmind.text.alignment import CONTENT, Alignment
from mmind.text.claims import COPULAS, DETERMINERS, Claim, Kind, Term, is_auxiliary
from mmind.text.lexicon import Bond, bond, is_irregular, lemma, rows, vocabulary
from mmind.text.sentences import Word, words

# By lemma, but for adverbs, which lose what they mean with their ending: nearly, near.
PRIVATIVE: Final = frozenset(lemma(word) for word in vocabulary("privative") if not word.endswith("ly"))
PRIVATIVE_ADVERBS: Final = frozenset(word for word in vocabulary("privative") if word.endswith("ly"))
DENYING: Final = tuple(vocabulary("denying beginnings"))
BY_CHANCE: Final = tuple(vocabulary("prefixed by chance"))
SHARES: Final = frozenset(map(lemma, vocabulary("shares")))
JOINING: Final = frozenset(("and", "or", "&"))
OBJECT_WITHIN: Final = 3  # terms from the verb on
DIRECTIONS: Final = frozenset(("to", "from", "into", "by", "against", "before", "after", "than", "instead"))


def is_parted(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether two accounts are of different things or shares, or one takes away what the other states."""
    ours, theirs = _alone(left, right, aligned)
    return (
        _deprives(ours) != _deprives(theirs)
        or shares_differ(left, right, aligned)
        or _are_siblings(ours, theirs)
        or _belongs_elsewhere(left, aligned.left)
        or _belongs_elsewhere(right, aligned.right)
        or _lists_one_more(left, right, aligned)
        or _changed_places(left, aligned)
    )


def _alone(left: Claim, right: Claim, aligned: Alignment) -> tuple[list[Term], list[Term]]:
    """The terms of each side that have no equal on the other."""
    ours = [left.terms[here] for here in (*aligned.left, *(here for here, _ in aligned.swapped))]
    theirs = [right.terms[there] for there in (*aligned.right, *(there for _, there in aligned.swapped))]
    return ours, theirs


def _deprives(terms: Sequence[Term]) -> bool:
    return any(
        term.lemma in PRIVATIVE or term.text.lower() in PRIVATIVE_ADVERBS or _is_prefixed(term)
        for term in terms
        if term.kind in CONTENT
    )


def _is_prefixed(term: Term) -> bool:
    """Whether a word begins as words that deny do (unrelated, incapable, non-existent), or ends in -less."""
    word = term.text.lower()
    if term.kind is Kind.NAME or len(word) < 7 or word.startswith(BY_CHANCE):
        return False
    return word.endswith("less") or word.startswith(DENYING)


def shares_differ(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether all, most or always stands on one side only, or is another share on the other (usually, always)."""
    alone = [left.terms[i] for i in aligned.left] + [right.terms[j] for j in aligned.right]
    if any(term.lemma in SHARES for term in alone):
        return True
    pairs = ((left.terms[i], right.terms[j]) for i, j in aligned.same)
    return any(one.lemma != other.lemma and bool(_kinds(one.lemma) & _kinds(other.lemma)) for one, other in pairs)


@cache
def _siblings() -> dict[str, frozenset[int]]:
    """For each word, or words joined by `_`, the numbers of the kinds to which it belongs."""
    kinds: dict[str, set[int]] = {}
    for number, row in enumerate(rows("siblings.txt")):
        for entry in row.split():
            kinds.setdefault("_".join(lemma(word) for word in entry.split("_")), set()).add(number)
    return {entry: frozenset(found) for entry, found in kinds.items()}


def _kinds(key: str) -> frozenset[int]:
    return _siblings().get(key, frozenset())


def _are_siblings(ours: Sequence[Term], theirs: Sequence[Term]) -> bool:
    """Whether each side names another thing of one kind: a bedroom and a living room."""
    here, there = [set(_entries(terms)) for terms in (ours, theirs)]
    return any(_kinds(one) & _kinds(other) for one in here - there for other in there - here)


def _entries(terms: Sequence[Term]) -> Iterator[str]:
    """The keys of a side under which siblings are looked up: single words, neighbours, and the parts of compounds."""
    for term in terms:
        yield from (term.lemma, *(lemma(part) for part in term.text.lower().split("-")[1:]))
    for one, other in pairwise(sorted(terms, key=lambda term: term.place)):
        if other.place == one.place + 1:
            yield f"{one.lemma}_{other.lemma}"


def head_changed(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether a noun that one side adds may make another thing of what both name: the leader, the leader's assassin."""
    return _adds_head(left, aligned.left, right) or _adds_head(right, aligned.right, left)


def _adds_head(claim: Claim, over: Collection[int], other: Claim) -> bool:
    parts, terms = words(claim.sentence), claim.terms
    return any(
        terms[index].kind is Kind.WORD
        and _is_noun(terms[index])
        and terms[index - 1].kind in CONTENT
        and terms[index - 1].lemma in other.lemmas
        and [word.lower for word in parts[terms[index - 1].place + 1 : terms[index].place]] in ([], ["'s"])
        and _ends_phrase(parts, terms[index].place + 1)
        for index in over
        if index
    )


def _belongs_elsewhere(claim: Claim, over: Collection[int]) -> bool:
    """Whether one side says of whom or of what a thing is, and the other does not: the Middle Kingdom of China."""
    parts = words(claim.sentence)
    named = (claim.terms[index] for index in over if claim.terms[index].kind is Kind.NAME)
    return any(term.place > 1 and parts[term.place - 1].lower == "of" for term in named)


def _lists_one_more(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether all that one side adds is a further member of a list: written in Kotlin, in Kotlin and Java."""
    if bool(aligned.left) == bool(aligned.right):
        return False
    claim, over = (left, aligned.left) if aligned.left else (right, aligned.right)
    side = 0 if aligned.left else 1
    told = {claim.terms[pair[side]].place for pair in aligned.same}
    return any(_is_joined_to(claim, claim.terms[index], told) for index in over)


def _is_joined_to(claim: Claim, term: Term, told: Collection[int]) -> bool:
    """Whether a noun stands beside an `and`, and a word at one of the places `told` on its other side."""
    if term.kind not in CONTENT or not _is_noun(term):
        return False
    parts, place = claim.parts, term.place
    for step in (-1, 1):
        at = place + step
        if 0 <= at < len(parts) and parts[at].lower in JOINING:
            beyond = at + step
            if 0 <= beyond < len(parts) and parts[beyond].lower in DETERMINERS:  # the nation and the man
                beyond += step
            if beyond in told:
                return True
    return False


def _changed_places(left: Claim, aligned: Alignment) -> bool:
    """Whether two words that shut one another out, and they alone, stand where the other stood: A north, B south."""
    pairs = sorted(aligned.same)
    places = [there for _, there in pairs]
    moved = [at for at, there in enumerate(places) if there != sorted(places)[at]]
    if len(moved) != 2 or moved[1] - moved[0] < 2:
        return False
    one, other = (left.terms[pairs[at][0]].lemma for at in moved)
    return bond(one, other, alike=True) in (Bond.OPPOSITE, Bond.RIVAL)


def _ends_phrase(parts: Sequence[Word], place: int) -> bool:
    return place >= len(parts) or not parts[place].lower[0].isalnum()


def _is_noun(term: Term) -> bool:
    word = term.text.lower()
    return not (word.endswith(("ing", "ed", "ly")) or is_irregular(word))


def roles_crossed(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether who does it on one side has it done on the other: `A beats B`, `B beats A`; not `B is beaten by A`."""
    if tells_when(left) != tells_when(right):
        return False
    there = dict(aligned.same)
    here = {other: one for one, other in aligned.same}
    (ours, mine), (theirs, its) = _agents(left), _agents(right)
    voices = ["by" in {word.lower for word in words(claim.sentence)} for claim in (left, right)]
    crossed = there.get(ours) in its and here.get(theirs) in mine and voices[0] == voices[1]
    return crossed and not is_inverted(left, right, aligned)


def tells_when(claim: Claim) -> bool:
    """Whether a claim tells with a clause of its own when it is so: it floods when it rains, rain floods it."""
    return any(word.lower in ("when", "whenever") for word in words(claim.sentence))


def is_passive(claim: Claim) -> bool:
    """Whether something is done by somebody: was written by Ann."""
    parts = words(claim.sentence)
    return any(
        word.lower == "by" and parts[place - 1].lower.endswith(("ed", "en", "n", "t"))
        for place, word in enumerate(parts)
        if place
    ) and any(map(is_auxiliary, parts))


def is_inverted(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether both sides say that two things are one, in either order: `the vet is Dr Okafor`, `Dr Okafor is the vet`.

    `Anna is Ben's boss` and `Ben is Anna's boss` are not: what stands on one side of the verb must cross it as a whole.
    """
    if not (equates(left) and equates(right)):
        return False
    moved = {(here >= left.predicate, there >= right.predicate) for here, there in aligned.same}
    sides = [(claim.predicate, len(claim.terms) - claim.predicate) for claim in (left, right)]
    whole = sides[0][1] == sides[1][0] or sides[0][0] == sides[1][1]
    return moved == {(False, True), (True, False)} and whole


def equates(claim: Claim) -> bool:
    """Whether the first verb of a claim says that two things are one, or what something is."""
    verb = next((word.lower for word in words(claim.sentence) if is_auxiliary(word)), "")
    return verb in COPULAS


def _agents(claim: Claim) -> tuple[int, range]:
    """The index of the last word of the subject, and those of the words among which the object begins."""
    return claim.predicate - 1, range(claim.predicate, min(claim.predicate + OBJECT_WITHIN, len(claim.terms)))


def ways(claim: Claim) -> tuple[str, ...]:
    """The words of direction in order: `from A to B` is not `to A from B`."""
    return tuple(word.lower for word in words(claim.sentence) if word.lower in DIRECTIONS)
