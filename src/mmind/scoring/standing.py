"""Standing: how a relevance compares with the best of the same question; what is clearly less to the point loses."""

from __future__ import annotations

# What comes so near to the best is as good an answer: between such, age and trust decide as they are set.
AS_GOOD = 0.95
STEEPNESS = 2.0


def sharpened(blend: float, best: float) -> float:
    """A blend in [0, 1], lowered by how far it stays behind the best blend of the question; never past another.

    The tenth of a page often has four fifths of the relevance of the first, and then a factor of 1.15, or the age of a
    store that forgets soon, moves what hardly answers above what does. Chosen on labelled cases, of which none changed,
    and on the dev halves of three public sets whose documents lie scattered over five stores; figures of the test
    halves stand in docs/retrieval-quality.md. The root or the whole of the share of the best, without `AS_GOOD`, kept
    less of the ranking of one store, or broke a case about the latest of many readings.
    """
    return blend * min(1.0, blend / best / AS_GOOD) ** STEEPNESS if best > 0.0 else 0.0
