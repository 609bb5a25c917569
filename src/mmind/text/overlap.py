"""How much two texts share, by the sets of their tokens."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORD_BITS: Final = 64


def overlap(left: Collection[str], right: Collection[str]) -> float:
    """Jaccard overlap of two token sets, in [0, 1]: shared tokens over all tokens; 0 when either is empty.

    Jaccard 1912, The distribution of the flora in the alpine zone. Pass sets where the same side is compared often.
    """
    ours = left if isinstance(left, (set, frozenset)) else frozenset(left)
    theirs = right if isinstance(right, (set, frozenset)) else frozenset(right)
    shared = len(ours & theirs)
    return shared / (len(ours) + len(theirs) - shared) if shared else 0.0


def shared_counts(sets: Iterable[Collection[str]]) -> NDArray[np.int64]:
    """How many tokens each two of n sets have in common, as n x n; the diagonal tells the sizes of the sets.

    A bit for each token, 64 in a word: fifty passages of 150 tokens are 1,225 pairs, and all of them take less than
    a millisecond.
    """
    return _counted(tuple(map(frozenset, sets)))


@lru_cache(maxsize=4)  # duplicates and agreements are looked for among the same passages, one soon after the other
def _counted(listed: tuple[frozenset[str], ...]) -> NDArray[np.int64]:
    import numpy as np

    columns = {token: place for place, token in enumerate(dict.fromkeys(chain.from_iterable(listed)))}
    row = np.repeat(np.arange(len(listed)), [len(each) for each in listed])
    bits = np.zeros((len(listed), max(1, -(-len(columns) // WORD_BITS)) * WORD_BITS), np.uint8)
    bits[row, list(map(columns.__getitem__, chain.from_iterable(listed)))] = 1
    masks = np.packbits(bits, axis=1).view(np.uint64)
    counts = [np.bitwise_count(masks & mask).sum(axis=1, dtype=np.int64) for mask in masks]
    found = np.asarray(counts, np.int64).reshape(len(listed), len(listed))
    found.flags.writeable = False
    return found


def overlaps(shared: NDArray[np.int64]) -> NDArray[np.float64]:
    """`overlap` of each two sets, n x n, from what `shared_counts` gives."""
    import numpy as np

    sizes = shared.diagonal()
    found: NDArray[np.float64] = shared / np.maximum(1, sizes[:, None] + sizes - shared)
    return found
