"""How much two texts share, by the sets of their tokens."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import chain, count
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

    columns = defaultdict[str, int](count().__next__)
    sizes = np.fromiter(map(len, listed), np.int64, len(listed))
    column = np.fromiter(map(columns.__getitem__, chain.from_iterable(listed)), np.int64, int(sizes.sum()))
    row = np.repeat(np.arange(len(listed)), sizes)
    is_shared = np.bincount(column) > 1  # most tokens are those of one text, and are in common with none
    place = np.cumsum(is_shared) - 1
    kept = is_shared[column]
    bits = np.zeros((len(listed), max(1, -(-int(is_shared.sum()) // WORD_BITS)) * WORD_BITS), np.uint8)
    bits[row[kept], place[column[kept]]] = 1
    masks = np.packbits(bits, axis=1).view(np.uint64)
    columns_of_bits = np.ascontiguousarray(masks.T)
    found = bits_shared(columns_of_bits, columns_of_bits, int(sizes.max(initial=0))).astype(np.int64)
    np.fill_diagonal(found, sizes)
    found.flags.writeable = False
    return found


def bits_shared(left: NDArray[np.uint64], right: NDArray[np.uint64], most: int) -> NDArray[np.unsignedinteger]:
    """How many bits each of m sets has in common with each of n others, m x n; none has more than `most`.

    Of both sides the masks, turned: words x m and words x n, a word for each 64 bits.
    """
    import numpy as np

    both = np.empty((left.shape[1], right.shape[1]), np.uint64)
    counted, found = np.empty(both.shape, np.uint8), np.zeros(both.shape, np.min_scalar_type(most))
    for mine, others in zip(left, right, strict=True):
        np.bitwise_and(mine[:, None], others, out=both)
        found += np.bitwise_count(both, out=counted)
    return found


def overlaps(shared: NDArray[np.int64]) -> NDArray[np.float64]:
    """`overlap` of each two sets, n x n, from what `shared_counts` gives."""
    import numpy as np

    sizes = shared.diagonal()
    found: NDArray[np.float64] = shared / np.maximum(1, sizes[:, None] + sizes - shared)
    return found
