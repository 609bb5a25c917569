"""Which memories are compared with one another, and what becomes of the rest; a crowd of copies takes few places."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from mmind.router.candidate import Candidate
from mmind.router.group import Group, is_same, token_set
from mmind.router.subjects import subject_of
from mmind.text.labels import is_record
from mmind.text.overlap import overlaps, shared_counts
from mmind.values.memory import Trust

# Updates, conflicts, duplicates and agreements are looked for among so many of the best: everything that a page shows.
COMPARED = 50
# So many of the user's own are among them whatever agents wrote: what contradicts a crowd must be there to do it.
LEAST_CURATED = 12
# So many memories of one text and one tier are compared; further ones join the group of these and say nothing more.
MOST_ALIKE = 3


@dataclass(frozen=True, slots=True)
class Shortlist:
    """Memories to be compared, best first, and the others, best first."""

    compared: tuple[Candidate, ...]
    rest: tuple[Candidate, ...]


def shortlist(memories: Sequence[Candidate]) -> Shortlist:
    """The memories worth comparing. `memories` are best first, one passage of each."""
    seen: dict[tuple[str, Trust], int] = {}
    voices: list[int] = []
    for place, one in enumerate(memories):
        key = (plain(one), one.memory.trust)
        seen[key] = seen.get(key, 0) + 1
        if seen[key] <= MOST_ALIKE:
            voices.append(place)
    chosen = frozenset(_chosen(voices, memories))
    return Shortlist(
        compared=tuple(one for place, one in enumerate(memories) if place in chosen),
        rest=tuple(one for place, one in enumerate(memories) if place not in chosen),
    )


def _chosen(voices: Sequence[int], memories: Sequence[Candidate]) -> list[int]:
    """The first fifty places; where the user has too few of them, the last of the agents' yield to the user's next."""

    def is_curated(place: int) -> bool:
        return memories[place].memory.trust is Trust.CURATED

    first, later = list(voices[:COMPARED]), [place for place in voices[COMPARED:] if is_curated(place)]
    missing = max(0, LEAST_CURATED - sum(map(is_curated, first)))
    late = later[:missing]
    of_agents = [place for place in first if not is_curated(place)]
    yielding = frozenset(of_agents[len(of_agents) - len(late) :])
    return [*(place for place in first if place not in yielding), *late]


def with_the_rest(
    groups: Sequence[Group], rest: Sequence[Candidate], threshold: float, differ: Callable[[str, str], object]
) -> tuple[list[Group], list[Group]]:
    """The groups with those of the rest that say the same as their best, and the others, each alone.

    So a copy beyond the fifty compared neither stands on the page again nor escapes what became of its group.
    """
    members = [list(group.members) for group in groups]
    if not rest:
        return [*groups], []
    by_text = {_copied(one): place for place, group in enumerate(groups) for one in group.members}
    near = _near([group.best for group in groups], rest, threshold)
    alone: list[Group] = []
    for one, places in zip(rest, near, strict=True):
        home = by_text.get(_copied(one), -1)
        if home < 0:
            same = (place for place in places if is_same(groups[place].best, one, threshold, differ))
            home = next(same, -1)
        if home < 0:
            alone.append(Group((one,)))
        else:
            members[home].append(one)
    return [Group(_best_first(each)) for each in members], alone


def _near(bests: Sequence[Candidate], rest: Sequence[Candidate], threshold: float) -> list[list[int]]:
    """For each of the rest the places of those it overlaps by the threshold; nearly always of none."""
    texts = (one.passage.text for one in (*bests, *rest))
    is_near = overlaps(shared_counts(map(token_set, texts)))[len(bests) :, : len(bests)] >= threshold
    return [row.nonzero()[0].tolist() for row in is_near]


def _best_first(members: Sequence[Candidate]) -> tuple[Candidate, ...]:
    return tuple(sorted(members, key=lambda one: one.order)) if len(members) > 1 else tuple(members)


def _copied(candidate: Candidate) -> tuple[str, frozenset[str]]:
    """What copies have in common: their text, and what it tells of where it is properties."""
    return plain(candidate), subject_of(candidate) if is_record(candidate.passage.text) else frozenset()


def plain(candidate: Candidate) -> str:
    """The passage's text without case and with single blanks: copies differ in no more."""
    return _plain(candidate.passage.text)


@lru_cache(maxsize=1 << 10)  # asked for twice in a question, of the same passages question after question
def _plain(text: str) -> str:
    return " ".join(text.casefold().split())
