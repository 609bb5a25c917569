"""Who states the same fact in other words: linked, never merged, and each counts as support for the other."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from mmind.router.candidate import Candidate
from mmind.router.group import Group, token_set
from mmind.router.nearness import Nearness
from mmind.text.claims import read_claims
from mmind.text.overlap import overlap
from mmind.text.sameness import agreement, difference
from mmind.text.sentences import sentences

# No pair below this is ever judged to agree, whatever its words; spares the reading of most pairs.
LEAST_COSINE = 0.7
# Two sentences with this share of common tokens and no difference that matters are one sentence.
LEAST_OVERLAP = 0.82


def find_agreements(
    groups: Sequence[Group], near: Nearness, disputed: Collection[tuple[str, str]]
) -> dict[int, tuple[int, ...]]:
    """For each group by place, the places of the groups that agree with it; nothing for a group that stands alone.

    `disputed` are pairs of ids that contradict one another, in either order: groups that hold such a pair never agree.
    """
    enemies = {frozenset(pair) for pair in disputed}
    links: dict[int, list[int]] = {}
    for (here, left), (there, right) in combinations(enumerate(groups), 2):
        if _agree(left, right, near) and not _at_odds(left, right, enemies):
            links.setdefault(here, []).append(there)
            links.setdefault(there, []).append(here)
    return {place: tuple(others) for place, others in links.items()}


def supporters(groups: Sequence[Group], links: Mapping[int, Sequence[int]], place: int) -> tuple[Candidate, ...]:
    """Every candidate that stands for the same fact as the group at `place` in other words."""
    return tuple(member for other in links.get(place, ()) for member in groups[other].members)


def _agree(left: Group, right: Group, near: Nearness) -> bool:
    one, other = left.speaker, right.speaker
    if _holds(one.passage.text, other.passage.text) or _holds(other.passage.text, one.passage.text):
        return True
    cosine = near.between(one, other)
    if cosine is None or cosine < LEAST_COSINE:
        return False
    mine = read_claims(one.passage.text, one.memory.time)
    theirs = read_claims(other.passage.text, other.memory.time)
    return agreement(mine, theirs, cosine) is not None


def _holds(longer: str, shorter: str) -> bool:
    """Whether every sentence of the shorter text stands in the longer one, but for words that change nothing.

    So a memory that repeats one line of a long note is linked with it, though the two are far from being copies.
    """
    mine, other = token_set(longer), token_set(shorter)
    if not other or len(other) >= len(mine) or len(mine & other) < LEAST_OVERLAP * len(other):
        return False
    there = sentences(longer)
    return all(any(_is_same(one, said) for said in there) for one in sentences(shorter))


def _is_same(left: str, right: str) -> bool:
    return overlap(token_set(left), token_set(right)) >= LEAST_OVERLAP and not difference(left, right)


def _at_odds(left: Group, right: Group, enemies: Collection[frozenset[str]]) -> bool:
    return any(
        frozenset((one.memory.handle, other.memory.handle)) in enemies
        for one in left.members
        for other in right.members
    )
