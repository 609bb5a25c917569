"""Before scoring: the best passage of a first look draws its neighbours in meaning up a little."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from mmind.router.candidate import Candidate
from mmind.scoring.relevance import drawn


def with_feedback(candidates: Sequence[Candidate], relevance: Callable[[Candidate], float]) -> list[Candidate]:
    """The candidates with their `meaning`; unchanged where the most relevant of them has no vector.

    A passage whose store gives no vector is taken to be as near to the best passage as it is to the query, so that
    it neither gains nor loses against those that have one.
    """
    of = [relevance(one) for one in candidates]
    most = max(of, default=0.0)
    equal = (one for one, value in zip(candidates, of, strict=True) if value == most)
    best = min(equal, key=lambda one: one.order, default=None)
    if best is None or best.cosine is None or best.hit.vector is None:
        return list(candidates)
    cosine_of_best = _meaning(best, best.cosine)
    likenesses = _likenesses(candidates, best, best.hit.vector)
    return [_drawn(one, like, cosine_of_best) for one, like in zip(candidates, likenesses, strict=True)]


def _drawn(candidate: Candidate, likeness: float | None, cosine_of_best: float) -> Candidate:
    if candidate.cosine is None:
        return candidate
    near = _meaning(candidate, candidate.cosine)
    return replace(candidate, meaning=drawn(near, near if likeness is None else likeness, cosine_of_best))


def _meaning(candidate: Candidate, cosine: float) -> float:
    return cosine if candidate.meaning is None else candidate.meaning


def _likenesses(candidates: Sequence[Candidate], best: Candidate, vector: Sequence[float]) -> list[float | None]:
    """The cosine of each candidate with the best passage; None where its store gave no vector of the same kind.

    The best passage and its copies are taken to be as near to it as its nearest neighbour is: they stay ahead by what
    they were ahead, so that age and trust still decide between two passages that are nearly as good.
    """
    import numpy as np

    places = [
        place
        for place, one in enumerate(candidates)
        if one.cosine is not None
        and one.hit.vector is not None
        and len(one.hit.vector) == len(vector)
        and one.passage.text != best.passage.text
    ]
    found: list[float | None] = [None] * len(candidates)
    if not places:
        return found
    matrix = np.asarray([candidates[place].hit.vector for place in places], np.float32)
    # As in the index: not `@`, whose threads spin beside other load.
    for place, value in zip(places, np.einsum("ij,j->i", matrix, np.asarray(vector, np.float32)), strict=True):
        found[place] = float(value)
    nearest = max(value for value in found if value is not None)
    return [nearest if one.passage.text == best.passage.text else found[place] for place, one in enumerate(candidates)]
