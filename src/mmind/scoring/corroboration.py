"""Corroboration: the same claim, found independently, counts for more; up to a bound."""

from __future__ import annotations

# Three further stores that agree are as much as four: beyond that a chorus proves diligence in copying, not truth.
MOST_COUNTED = 3


def corroboration(extra_origins: int, boost: float, standing: float = 1.0) -> float:
    """A multiplier of 1 or more: `boost` for each further independent origin, at most three of them.

    `standing` is the relevance of the claim over that of the most relevant one, in [0, 1]: agreement makes a claim more
    believable and no more to the point, so the bonus is whole for the best, and a sixteenth at half of its relevance.
    Its square instead cost a corpus whose every third document lies in two stores .003 more of nDCG@10 (dev halves).
    """
    return 1.0 + boost * min(max(extra_origins, 0), MOST_COUNTED) * standing**4
