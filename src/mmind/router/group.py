"""Step 7: what says the same becomes one group; the curated twin speaks for it, and every place is kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mmind.router.candidate import Candidate
from mmind.router.subjects import are_records_of_others
from mmind.text.overlap import overlap, overlaps, shared_counts
from mmind.text.tokens import distinct
from mmind.values.memory import Trust


@dataclass(frozen=True, slots=True)
class Group:
    """Candidates that state the same, best score first. `members[0]` has the best score; `speaker` lends the words."""

    members: tuple[Candidate, ...]

    @property
    def best(self) -> Candidate:
        """The member with the best score, which is the group's."""
        return self.members[0]

    @property
    def speaker(self) -> Candidate:
        """The best curated member if there is one, else the best of all."""
        return next((one for one in self.members if one.memory.trust is Trust.CURATED), self.members[0])

    @property
    def places(self) -> tuple[Candidate, ...]:
        """The speaker first, then the other members in order of score."""
        return (self.speaker, *(one for one in self.members if one is not self.speaker))


def group_duplicates(
    candidates: Sequence[Candidate],
    threshold: float,
    differ: Callable[[str, str], object],
    disputed: Collection[tuple[str, str]] = (),
) -> list[Group]:
    """Groups in the order of their best member. `candidates` are best first, one passage of each memory.

    Two belong together when their token sets overlap by `threshold` (Jaccard, in [0, 1]) and `differ` finds no
    difference in numbers, dates, names or polarity between the two texts, and they are not a `disputed` pair of ids.
    Each candidate is held against the best member of each group only, so a chain of small changes never melts its
    ends together.
    """
    near = overlaps(shared_counts(token_set(one.passage.text) for one in candidates)) >= threshold
    close: list[list[bool]] = near.tolist()
    groups: list[list[int]] = []
    for place, candidate in enumerate(candidates):
        home = next(
            (
                group
                for group in groups
                if close[group[0]][place]  # first: it spares nearly every pair the rest
                and (candidates[group[0]].memory.handle, candidate.memory.handle) not in disputed
                and is_same(candidates[group[0]], candidate, threshold, differ)
            ),
            None,
        )
        if home is None:
            groups.append([place])
        else:
            home.append(place)
    return [Group(tuple(candidates[place] for place in group)) for group in groups]


def one_passage_a_memory(candidates: Sequence[Candidate]) -> list[list[Candidate]]:
    """The candidates, best first, gathered by memory: the first of each list is that memory's best passage."""
    by_memory: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        by_memory.setdefault(candidate.memory.handle, []).append(candidate)
    return list(by_memory.values())


@lru_cache(maxsize=4096)
def token_set(text: str) -> frozenset[str]:
    """The distinct tokens of a text, remembered, since the same passages come back query after query."""
    return distinct(text)


def is_same(left: Candidate, right: Candidate, threshold: float, differ: Callable[[str, str], object]) -> bool:
    """Whether two passages overlap by `threshold` and `differ` finds nothing that parts them."""
    mine, other = token_set(left.passage.text), token_set(right.passage.text)
    shorter, longer = min(len(mine), len(other)), max(len(mine), len(other))
    if shorter < threshold * longer or overlap(mine, other) < threshold:
        return False
    if are_records_of_others(left, right):
        return False
    return not differ(left.passage.text, right.passage.text)
