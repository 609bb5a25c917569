"""Who states the same fact in other words: linked, never merged, and each counts as support for the other."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations

from mmind.router.candidate import Candidate
from mmind.router.group import Group
from mmind.router.nearness import Nearness
from mmind.text.claims import read_claims
from mmind.text.sameness import agreement

# No pair below this is ever judged to agree, whatever its words; spares the reading of most pairs.
LEAST_COSINE = 0.7


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
    cosine = near.between(one, other)
    if cosine is None or cosine < LEAST_COSINE:
        return False
    mine = read_claims(one.passage.text, one.memory.time)
    theirs = read_claims(other.passage.text, other.memory.time)
    return agreement(mine, theirs, cosine) is not None


def _at_odds(left: Group, right: Group, enemies: Collection[frozenset[str]]) -> bool:
    return any(
        frozenset((one.memory.handle, other.memory.handle)) in enemies
        for one in left.members
        for other in right.members
    )
