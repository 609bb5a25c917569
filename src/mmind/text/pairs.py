"""Contradictions among many passages: a cheap look at all pairs of sentences, a close reading of those that meet."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final

from mmind.text.claims import read_claim
from mmind.text.comparison import Contradiction
from mmind.text.contradiction import judged
from mmind.text.meetings import meetings
from mmind.text.skimming import skim

LEAST_COSINE: Final = 0.3  # sentences less alike than this are about different things

Cosine = Callable[[int, int], float | None]


def contradictions(
    passages: Sequence[tuple[str, datetime | None]], cosine: Cosine | None = None, own: Collection[int] = ()
) -> tuple[tuple[int, int, Contradiction], ...]:
    """Every contradiction between two passages, by index (lower first), in order of the indices, a pair's surest first.

    A passage is its text and the memory's own time (UTC, or None). `cosine` gives the likeness of two passages by
    index, or None. Below 0.3 two passages of one sentence each are not compared; the vector of a longer one is a mean
    over all that it holds, and tells little of one sentence. `own` are the passages, by index, that the user wrote:
    among very many sentences theirs are read whatever else is alike.
    """
    found = dict[tuple[int, int, Contradiction], None]()  # a sentence and its main clause may show the same
    skimmed = [skim(text) for text, _ in passages]
    alone = [len({one.sentence for one in sentences}) == 1 for sentences in skimmed]
    for left, right, one, other in meetings(skimmed, own):
        likeness = cosine(left, right) if cosine and alone[left] and alone[right] else None
        if likeness is not None and likeness < LEAST_COSINE:
            continue
        verdict = _judged(one, passages[left][1], other, passages[right][1])
        if verdict:
            found[left, right, verdict] = None
    return tuple(sorted(found, key=lambda one: (one[0], one[1], -one[2].confidence)))


@lru_cache(maxsize=1 << 14)  # a verdict is None or a few strings; the same passages come back question after question
def _judged(left: str, said: datetime | None, right: str, other: datetime | None) -> Contradiction | None:
    return judged(read_claim(left, said), read_claim(right, other))
