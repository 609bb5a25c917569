"""After scoring: what says nearly what a better result says leaves its place to what says something else.

Maximal marginal relevance (Carbonell and Goldstein 1998), for near copies alone: three notes of one decision, in almost
the same words, would fill the first places of a page. Copies to the letter are made one result later on
(`router.group`), and that several memories agree is told with the best of them (`router.corroborate`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from mmind.router.candidate import Candidate
from mmind.values.bundle import Factor

# Cosines of vectors of passages: from .9 on two short notes say the same, two sentences often already at .8. On the dev
# halves of six public sets .85 to .9 gains .002 macro nDCG@10 (in four of them); on nine sets made of other texts
# nothing, and where every near copy is asked for, loses .002.
NEAR_COPY = 0.9
MOST_LOST = 0.4  # by a copy
LOOKED_AT = 12  # texts, the best ones: what a page shows first. Copies in several stores are one text


def with_near_copies_lower(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, best first, near copies of better ones lowered by a factor, all copies of a text alike.

    Equal texts are no near copies, nor passages of one memory, nor what has no vector. Of the best texts, each next
    place goes to the one with the highest score after this factor.
    """
    best: dict[str, Candidate] = {}
    for one in candidates:
        if len(best) < LOOKED_AT:
            best.setdefault(one.passage.text, one)
    factors = _factors(list(best.values()))
    lowered = (_times(one, factors.get(one.passage.text)) for one in candidates)
    return sorted(lowered, key=lambda one: one.order)


def _factors(best: Sequence[Candidate]) -> dict[str, Factor]:
    """The factor of each text that nearly says what one placed above it says."""
    likenesses = _likenesses(best)
    left, above = set(range(len(best))), list[int]()
    found: dict[str, Factor] = {}
    while left:
        factors = {place: _factor(place, above, likenesses, best) for place in left}
        nextly = min(left, key=lambda place: _times(best[place], factors[place]).order)
        if factor := factors[nextly]:
            found[best[nextly].passage.text] = factor
        left.remove(nextly)
        above.append(nextly)
    return found


def _factor(
    place: int, above: Sequence[int], likenesses: Mapping[tuple[int, int], float], best: Sequence[Candidate]
) -> Factor | None:
    nearest = max(above, key=lambda other: likenesses.get((place, other), 0.0), default=place)
    likeness = likenesses.get((place, nearest), 0.0)
    if likeness <= NEAR_COPY:
        return None
    value = 1.0 - MOST_LOST * (likeness - NEAR_COPY) / (1.0 - NEAR_COPY)
    return Factor("redundancy", value, f"says nearly what {best[nearest].memory.handle} says", {"likeness": likeness})


def _likenesses(best: Sequence[Candidate]) -> dict[tuple[int, int], float]:
    """The cosine of each two passages of different memories, at most 1, both ways; of those with like vectors."""
    import numpy as np

    unit = [None if one.hit.vector is None else np.asarray(one.hit.vector, np.float32) for one in best]
    found: dict[tuple[int, int], float] = {}
    for (here, mine), (there, other) in combinations(enumerate(unit), 2):
        if mine is None or other is None or len(mine) != len(other):
            continue
        if best[here].memory.handle != best[there].memory.handle:
            # As in the index: not `@`, whose threads spin beside other load.
            found[here, there] = found[there, here] = min(1.0, float(np.einsum("i,i->", mine, other)))
    return found


def _times(candidate: Candidate, factor: Factor | None) -> Candidate:
    return replace(candidate, score=candidate.score.times(factor)) if factor else candidate
