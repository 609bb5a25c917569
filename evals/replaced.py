"""The ranking that the router replaced: ask every store, sort by best similarity, and know nothing else."""

from __future__ import annotations

from collections.abc import Sequence

from evals.case import Case
from evals.grade import Answered
from mmind.router.candidate import Candidate


def best_similarity(case: Case, candidates: Sequence[Candidate], names: dict[str, str]) -> Answered:
    """The case's memories by cosine (by words where there is no vector): no age, no trust, no groups, no conflicts.

    It always takes what it found for an answer, since a similarity alone does not say when nothing was found.
    """
    ordered = sorted(candidates, key=lambda one: -(one.cosine if one.cosine is not None else one.lexical or 0.0))
    best: dict[str, Candidate] = {}
    for one in ordered:
        best.setdefault(one.memory.handle, one)
    shown = list(best.values())[: case.limit]
    return Answered(
        results=tuple((names.get(one.memory.handle, one.memory.handle),) for one in shown),
        relevant=bool(shown),
        stores=(shown[0].memory.store,) if shown else (),
        text=shown[0].passage.text if shown else "",
    )
