"""Who plays which part in a claim, read from what marks a term: a preposition, an `'s`, or its side of the verb.

`Jan moved it from Hull to Bergen` and `Jan moved it to Hull from Bergen` hold the same words; Hull and Bergen have
changed their parts. Where grammar was turned (`A beat B`, `B was beaten by A`) parts change and the fact stays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mmind.text.alignment import CONTENT, Alignment
from mmind.text.claims import DETERMINERS, Claim, Kind, is_auxiliary
from mmind.text.lexicon import is_irregular, verbs, vocabulary
from mmind.text.parting import equates, is_inverted, is_passive, tells_when
from mmind.text.sentences import Word, words

SUBJECT: Final = "subject"
OBJECT: Final = "object"
OWNER: Final = "'s"
CORE: Final = frozenset((SUBJECT, OBJECT))
MARKING: Final = vocabulary("marking")
ENDING: Final = frozenset(".!?;")
JOINING: Final = frozenset(("and", "or", "but"))
BY: Final = "by"
# Read off a single sentence; in longer texts the same words return in other parts, and chance decides.
MOST_TERMS: Final = 30
# Words that lead a term the other way round, by the first of each pair and by the second.
_WAYS: Final = (
    ("to into onto toward towards", "from out off"),
    ("before until till", "after since"),
    ("over above", "under below beneath"),
    ("inside within in", "outside out"),
    ("for", "against"),
)
CONTRARY: Final = frozenset(
    pair
    for ones, others in _WAYS
    for one in ones.split()
    for other in others.split()
    for pair in ((one, other), (other, one))
)

Pairs = Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Cast:
    """Two aligned claims and the part of each aligned word or name.

    `parts` maps a pair of indices (left, right) to what marks it on either side. `same_verb` tells that the first words
    after the subjects are aligned, `equating` that both say that two things are one, `turned` that one is a passive or
    names the two things in the other order.
    """

    left: Claim
    right: Claim
    parts: Mapping[tuple[int, int], tuple[str, str]]
    same_verb: bool
    equating: bool
    turned: bool


def cast(left: Claim, right: Claim, aligned: Alignment) -> Cast:
    """The parts of two claims; those of long ones are left out."""
    pairs = [(i, j) for i, j in aligned.same if left.terms[i].kind in CONTENT]
    if max(len(left.terms), len(right.terms)) > MOST_TERMS:
        pairs = []
    here, there = (_markers(claim) if pairs else () for claim in (left, right))
    verb = dict(aligned.same).get(left.predicate) == right.predicate
    turned = bool(pairs) and (_has_passive(left) != _has_passive(right) or is_inverted(left, right, aligned))
    return Cast(
        left=left,
        right=right,
        parts={(i, j): (here[i], there[j]) for i, j in pairs},
        same_verb=verb and left.terms[left.predicate].kind is Kind.WORD,
        equating=equates(left) and equates(right),
        turned=turned,
    )


def is_recast(cast: Cast, aligned: Alignment) -> bool:
    """Whether two have exchanged their parts, one leads the other way, or what is told of one is told of another."""
    if tells_when(cast.left) != tells_when(cast.right):
        return False
    return (
        any(parts in CONTRARY for parts in cast.parts.values())
        or _parts_exchanged(cast)
        or _subject_changed(cast)
        or _voice_turned_alone(cast)
        or _owned_alone(cast, aligned)
    )


def remarked(cast: Cast) -> int:
    """How many words have another part on the other side, as they have where grammar was changed."""
    return sum(here != there for here, there in cast.parts.values())


def led_along(cast: Cast, pair: tuple[int, int]) -> bool:
    """Whether two aligned words are led by the same preposition, so that their place in the sentence tells nothing."""
    here, there = cast.parts.get(pair, ("", ""))
    if not here or here != there or here in CORE or here == OWNER:
        return False
    alike = (other for other, parts in cast.parts.items() if parts == (here, there))
    return all((pair[0] < i) == (pair[1] < j) for i, j in alike if (i, j) != pair)  # not `by A, then by B`


def _parts_exchanged(cast: Cast) -> bool:
    """Whether two words each have the part that the other has on the other side."""
    found: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for pair, parts in cast.parts.items():
        found.setdefault(parts, []).append(pair)
    return any(
        here < there and _counts(cast, (here, there), pairs, found[there, here])
        for (here, there), pairs in found.items()
        if (there, here) in found
    )


def _counts(cast: Cast, parts: tuple[str, str], ones: Pairs, others: Pairs) -> bool:
    """Whether an exchange of two parts changes what is said: always, but where the verb decides who has which."""
    if CORE.isdisjoint(parts):
        return True
    if cast.turned:
        return False
    if set(parts) != CORE:  # `replace A with B` needs no common verb
        return OBJECT in parts or cast.same_verb or cast.equating
    if cast.same_verb:
        verb = cast.left.predicate
        return any(i != verb for i, _ in ones) and any(i != verb for i, _ in others)
    return cast.equating and any((i < k) != (j < m) for i, j in ones for k, m in others)


def _subject_changed(cast: Cast) -> bool:
    """Whether one left the subject and another entered it, though the verb is the same: a man with a dog, a dog …"""
    if cast.turned or not cast.same_verb:
        return False
    left, right = (claim.terms[claim.predicate].lemma for claim in (cast.left, cast.right))
    moved = [
        here == SUBJECT
        for (index, _), (here, there) in cast.parts.items()
        if (here == SUBJECT) != (there == SUBJECT) and index != cast.left.predicate
    ]
    return left == right and len(set(moved)) > 1


def _voice_turned_alone(cast: Cast) -> bool:
    """Whether only the verb was turned, and all words kept their order: `A replaced B`, `A was replaced by B`."""
    places = [there for _, there in sorted(cast.parts)]
    if places != sorted(places) or is_passive(cast.left) == is_passive(cast.right):
        return False
    wanted = (OBJECT, BY) if is_passive(cast.right) else (BY, OBJECT)
    return wanted in cast.parts.values()


def _owned_alone(cast: Cast, aligned: Alignment) -> bool:
    """Whether one side speaks of something of the other's, and all else is equal: Kate's mother is a judge, Kate is."""
    if len(aligned.left) + len(aligned.right) != 1 or aligned.swapped:
        return False
    over = aligned.left[0] - 1 if aligned.left else aligned.right[0] - 1
    side = 0 if aligned.left else 1
    return any(
        pair[side] == over and parts[side] == OWNER and parts[1 - side] != OWNER for pair, parts in cast.parts.items()
    )


@lru_cache(maxsize=1_024)
def _markers(claim: Claim) -> tuple[str, ...]:
    """What marks each term; "" for a subject or object of a further sentence, of which the verb is not known."""
    parts = words(claim.sentence)
    end = next((place for place, word in enumerate(parts) if word.lower in ENDING), len(parts))
    at = {term.place: index for index, term in enumerate(claim.terms)}
    found: list[str] = []
    for index, term in enumerate(claim.terms):
        marker = _marker(parts, term.place, at)
        if isinstance(marker, int):  # it belongs to the phrase of the term before
            inherited = "" if claim.terms[marker].lemma in verbs() else found[marker]
            marker = "" if inherited == OWNER or inherited in CORE else inherited
        core = "" if term.place > end else SUBJECT if index < claim.predicate else OBJECT
        found.append(marker or core)
    return tuple(found)


def _marker(parts: Sequence[Word], place: int, at: Mapping[int, int]) -> str | int:
    """The `'s` after a term or the preposition before it, the index of the term just before it, or ""."""
    if place + 1 < len(parts) and parts[place + 1].lower in ("'s", "’s"):
        return OWNER
    for before in range(place - 1, -1, -1):
        word = parts[before]
        if word.lower in MARKING:
            leading = parts[before - 1].lower if before else ""
            return leading if leading == "than" or (leading, word.lower) == ("out", "of") else word.lower
        if before in at:
            is_near = before == place - 1 or (before == place - 2 and parts[before + 1].lower == OWNER)
            return at[before] if is_near else ""
        if is_auxiliary(word) or not word.lower[0].isalnum() or word.lower in JOINING:
            return ""
    return ""


@lru_cache(maxsize=1_024)
def _has_passive(claim: Claim) -> bool:
    """Whether a form of `be` or `get` stands shortly before a participle."""
    parts = words(claim.sentence)
    return any(
        word.lower in PASSIVE_VERBS
        and any(_is_participle(after) for after in _until_noun(parts[place + 1 : place + 4]))
        for place, word in enumerate(parts)
    )


def _until_noun(parts: Sequence[Word]) -> Sequence[Word]:
    stop = next((place for place, word in enumerate(parts) if word.lower in DETERMINERS), len(parts))
    return parts[:stop]


def _is_participle(word: Word) -> bool:
    return word.lower.endswith(("ed", "en")) or (is_irregular(word.lower) and not is_auxiliary(word))


PASSIVE_VERBS: Final = frozenset(["is", "are", "was", "were", "be", "been", "being", "get", "gets", "got"])
