"""Before scoring: a passage stands the better, the better those answer that are nearest to it in meaning.

The cluster hypothesis as a smoothing of scores: Diaz 2005, Regularizing ad hoc retrieval scores. Feedback asks what is
like the one best passage; this asks of every good passage whether what is like it is good as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import fmean

from mmind.router.candidate import Candidate

# So many of the best texts are moved; the others can only be their neighbours. 20 to 50 gain alike.
PLACED = 20
# A passage is counted beside so many others. On the dev halves of six public sets 4 to 7 gain .001 to .003 macro
# nDCG@10, on four sets that were made of other texts as much.
NEIGHBOURS = 5


def with_company(candidates: Sequence[Candidate], relevance: Callable[[Candidate], float]) -> list[Candidate]:
    """The candidates with their `company`; unchanged where fewer than two texts have a vector.

    The company of a text is the mean relevance of itself and of those nearest to it, over the highest such mean. A text
    without a vector has the mean of all, and what is behind those that are placed the least. Copies of a text are one
    text, and among six or fewer nothing moves, as all have the same company.
    """
    of = [relevance(one) for one in candidates]
    places = _of_distinct_texts(candidates, of)
    known = [place for place in places if _has_vector(candidates[place])]
    if len(known) < 2:
        return list(candidates)
    means = _means([candidates[place] for place in known], [of[place] for place in known])
    most, unknown = max(means), fmean(means)
    if most <= 0.0:
        return list(candidates)
    by_place = dict(zip(known, means, strict=False))
    shares = {candidates[place].passage.text: by_place.get(place, unknown) / most for place in places[:PLACED]}
    least = min(means) / most
    return [replace(one, company=shares.get(one.passage.text, least)) for one in candidates]


def _has_vector(candidate: Candidate) -> bool:
    return candidate.cosine is not None and candidate.hit.vector is not None


def _of_distinct_texts(candidates: Sequence[Candidate], of: Sequence[float]) -> list[int]:
    """The place of the most relevant candidate of each text, the most relevant text first."""
    found: dict[str, int] = {}
    for place in sorted(range(len(of)), key=lambda place: (-of[place], candidates[place].order)):
        found.setdefault(candidates[place].passage.text, place)
    return list(found.values())


def _means(candidates: Sequence[Candidate], of: Sequence[float]) -> list[float]:
    """Of each of the first `PLACED`, the mean relevance of itself and of those nearest to it."""
    import numpy as np

    matrix = np.asarray([one.hit.vector for one in candidates], np.float32)
    # As in the index: not `@`, whose threads spin beside other load.
    likeness = np.einsum("id,jd->ij", matrix[:PLACED], matrix)
    np.fill_diagonal(likeness, np.inf)
    nearest = np.argsort(-likeness, axis=1, kind="stable")[:, : NEIGHBOURS + 1]
    means: list[float] = np.asarray(of)[nearest].mean(axis=1).tolist()
    return means
