"""Who states the same fact in other words: linked, never merged, and each counts as support for the other."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from mmind.router.candidate import Candidate
from mmind.router.group import Group, token_set
from mmind.router.nearness import Nearness
from mmind.router.subjects import are_of_one_record
from mmind.text.agreement import passages_agree
from mmind.text.overlap import overlap, shared_counts
from mmind.text.sameness import difference
from mmind.text.sentences import sentences

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# No pair below this is ever judged to agree, whatever its words; spares the reading of most pairs.
LEAST_COSINE = 0.7
# Two sentences with this share of common tokens and no difference that matters are one sentence.
LEAST_OVERLAP = 0.82
# Agreement is looked for with so many of the best groups: what agrees further down changes no page.
MOST_ASKED = 15
# So many of the nearest pairs are read closely, at about 0.2 ms each; in a diary hundreds are near.
MOST_READ = 12


def find_agreements(
    groups: Sequence[Group], near: Nearness, disputed: Collection[tuple[str, str]]
) -> dict[int, tuple[int, ...]]:
    """For each group by place, the places of the groups that agree with it; nothing for a group that stands alone.

    `disputed` are pairs of ids that contradict one another, in either order: groups that hold such a pair never agree.
    Nor do those that hold the properties of two things.
    """
    enemies = {frozenset(pair) for pair in disputed}
    links: dict[int, list[int]] = {}
    for here, there in _agreeing(groups, near):
        if not _at_odds(groups[here], groups[there], enemies):
            links.setdefault(here, []).append(there)
            links.setdefault(there, []).append(here)
    return {place: tuple(sorted(others)) for place, others in links.items()}


def _agreeing(groups: Sequence[Group], near: Nearness) -> list[tuple[int, int]]:
    """The pairs of places that state the same fact: one holds the other, or the nearest of the rest when read."""
    speakers = [group.speaker for group in groups]
    said = [one.passage.text for one in speakers]
    holds = may_hold(shared_counts(map(token_set, said)))
    cosines = near.among(speakers)
    found, nearest = list[tuple[int, int]](), list[tuple[float, int, int]]()
    for here, there in combinations(range(len(groups)), 2):
        if here >= MOST_ASKED:
            break
        if (holds[here][there] and _holds(said[here], said[there])) or (
            holds[there][here] and _holds(said[there], said[here])
        ):
            found.append((here, there))
        elif cosines[here][there] >= LEAST_COSINE:
            nearest.append((cosines[here][there], here, there))
    nearest.sort(reverse=True)
    return found + [
        (here, there) for cosine, here, there in nearest[:MOST_READ] if _agree(speakers[here], speakers[there], cosine)
    ]


def supporters(groups: Sequence[Group], links: Mapping[int, Sequence[int]], place: int) -> tuple[Candidate, ...]:
    """Every candidate that stands for the same fact as the group at `place` in other words."""
    return tuple(member for other in links.get(place, ()) for member in groups[other].members)


def _agree(left: Candidate, right: Candidate, cosine: float) -> bool:
    return passages_agree((left.passage.text, left.memory.time), (right.passage.text, right.memory.time), cosine)


def may_hold(shared: NDArray[np.int64]) -> list[list[bool]]:
    """The cheap test before `_holds`, of every longer text (row) and shorter one: it has nearly all of its tokens."""
    sizes = shared.diagonal()
    found: list[list[bool]] = ((sizes > 0) & (sizes < sizes[:, None]) & (shared >= LEAST_OVERLAP * sizes)).tolist()
    return found


@lru_cache(maxsize=4_096)
def _holds(longer: str, shorter: str) -> bool:
    """Whether every sentence of the shorter text stands in the longer one, but for words that change nothing.

    So a memory that repeats one line of a long note is linked with it, though the two are far from being copies.
    """
    there = sentences(longer)
    return all(any(_is_same(one, said) for said in there) for one in sentences(shorter))


def _is_same(left: str, right: str) -> bool:
    return overlap(token_set(left), token_set(right)) >= LEAST_OVERLAP and not difference(left, right)


def _at_odds(left: Group, right: Group, enemies: Collection[frozenset[str]]) -> bool:
    return any(
        frozenset((one.memory.handle, other.memory.handle)) in enemies or not are_of_one_record(one, other)
        for one in left.members
        for other in right.members
    )
