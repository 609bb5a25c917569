"""Corroboration: the same claim, found independently, counts for more; up to a bound."""

from __future__ import annotations

# Three further stores that agree are as much as four: beyond that a chorus proves diligence in copying, not truth.
MOST_COUNTED = 3


def corroboration(extra_origins: int, boost: float) -> float:
    """A multiplier of 1 or more: `boost` for each further independent origin, at most three of them."""
    return 1.0 + boost * min(max(extra_origins, 0), MOST_COUNTED)
