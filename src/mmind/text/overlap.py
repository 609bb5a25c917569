"""How much two texts share, by the sets of their tokens."""

from __future__ import annotations

from collections.abc import Collection


def overlap(left: Collection[str], right: Collection[str]) -> float:
    """Jaccard overlap of two token sets, in [0, 1]: shared tokens over all tokens; 0 when either is empty.

    Jaccard 1912, The distribution of the flora in the alpine zone. Pass sets where the same side is compared often.
    """
    ours = left if isinstance(left, (set, frozenset)) else frozenset(left)
    theirs = right if isinstance(right, (set, frozenset)) else frozenset(right)
    shared = len(ours & theirs)
    return shared / (len(ours) + len(theirs) - shared) if shared else 0.0
