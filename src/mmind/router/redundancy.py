"""After scoring: what says nearly what a better result says leaves its place to what says something else.

Maximal marginal relevance (Carbonell and Goldstein 1998), for near copies alone: three notes of one decision, in almost
the same words, would fill the first places of a page. Copies to the letter are made one result later on
(`router.group`), and that several memories agree is told with the best of them (`router.corroborate`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import islice

from mmind.router.candidate import Candidate
from mmind.values.bundle import Factor, Score

# Cosines of vectors of passages: from .9 on two short notes say the same, two sentences often already at .8. On the dev
# halves of six public sets .85 to .9 gains .002 macro nDCG@10 (in four of them); on nine sets made of other texts
# nothing, and where every near copy is asked for, loses .002.
NEAR_COPY = 0.9
MOST_LOST = 0.4  # by a copy
LOOKED_AT = 12  # texts, the best ones: what a page shows first. Copies in several stores are one text


def with_near_copies_lower(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates, best first, near copies of better ones lowered by a factor.

    Equal texts are not, and nothing without a vector. Of the best, each next place goes to the one with the highest
    score after this factor.
    """
    best_texts = set(islice(dict.fromkeys(one.passage.text for one in candidates), LOOKED_AT))
    left = [one for one in candidates if one.passage.text in best_texts]
    rest = [one for one in candidates if one.passage.text not in best_texts]
    placed: list[Candidate] = []
    while left:
        best = min((_lowered(one, placed) for one in left), key=lambda one: one.order)
        left = [one for one in left if one.hit is not best.hit]
        placed.append(best)
    return sorted([*placed, *rest], key=lambda one: one.order)


def _lowered(candidate: Candidate, above: Sequence[Candidate]) -> Candidate:
    likeness, nearest = max(((_likeness(candidate, one), one) for one in above), key=_by_likeness, default=(0.0, None))
    if nearest is None or likeness <= NEAR_COPY:
        return candidate
    value = 1.0 - MOST_LOST * (likeness - NEAR_COPY) / (1.0 - NEAR_COPY)
    factor = Factor("redundancy", value, f"says nearly what {nearest.memory.handle} says", {"likeness": likeness})
    return replace(candidate, score=Score((*candidate.score.factors, factor)))


def _by_likeness(pair: tuple[float, Candidate]) -> float:
    return pair[0]


def _likeness(one: Candidate, other: Candidate) -> float:
    """The cosine of two passages, at most 1; 0 for passages of one memory, for equal texts, and without vectors."""
    here, there = one.hit.vector, other.hit.vector
    is_one = one.memory.handle == other.memory.handle or one.passage.text == other.passage.text
    if is_one or here is None or there is None or len(here) != len(there):
        return 0.0
    import numpy as np

    return min(1.0, float(np.einsum("i,i->", np.asarray(here, np.float32), np.asarray(there, np.float32))))
