"""Which sentences of different passages are alike enough to be read against one another; all pairs at once."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, count
from typing import TYPE_CHECKING, Final

from mmind.text.contradiction import MOST_EXTRA, enough_shared
from mmind.text.overlap import WORD_BITS, bits_shared
from mmind.text.skimming import Skimmed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]

# So many pairs of sentences are read closely, at about 0.07 ms each: the most alike, since what contradicts differs in
# one thing. A sentence that announces a change shares fewer words with what it changes, and gets a start. Those with a
# side of the user's have as many to themselves: forty memories of an agent that end in `Note 1.`, `Note 2.` meet one
# another 780 times, and would be all that is read.
MOST_READ: Final = 60
TURNING_BONUS: Final = 0.3
# A sentence is skimmed whole and by its clauses, so of so many pairs of rows the best 60 pairs of sentences are left.
MOST_SORTED: Final = 8 * MOST_READ
BLOCK: Final = 64  # rows held against others at once, so that what is computed stays within the processor's cache


Meeting = tuple[int, int, str, str]


@dataclass(frozen=True, slots=True)
class _Rows:
    """All skimmed sentences, one a row: their passage, how many lemmas they have, and whether they turn something.

    `masks` (rows x words of 64 bits) tell which of the lemmas that several passages have stand in a row, `known` how
    many of them do.
    """

    passage: Integers
    sizes: Integers
    turns: NDArray[np.bool_]
    masks: NDArray[np.uint64]
    known: Integers


def meetings(skimmed: Sequence[Sequence[Skimmed]], own: Collection[int] = ()) -> list[Meeting]:
    """The pairs of sentences of different passages that share enough words to be about one thing, most alike first.

    As places of the passages (lower first) and the two sentences. At most MOST_READ that have a side in one of the
    passages `own`, by place, and then at most as many others: in a diary or a log thousands of sentences are alike,
    and a reader waits. Pairs that are equally alike come in the order of the passages.
    """
    import numpy as np

    said = list(chain.from_iterable(skimmed))
    if not said:
        return []
    rows = _rows(skimmed, said)
    first, second, likeness = _alike(rows)
    is_own = np.isin(rows.passage, list(own))
    has_own = is_own[first] | is_own[second]
    return [
        meeting
        for asked in (has_own, ~has_own)
        for meeting in _most_alike(said, rows.passage, (first[asked], second[asked]), likeness[asked])
    ]


def _most_alike(
    said: Sequence[Skimmed], passage: Integers, pairs: tuple[Integers, Integers], likeness: NDArray[np.float64]
) -> list[Meeting]:
    """The best of some pairs of rows as meetings, at most MOST_READ."""
    found: dict[Meeting, None] = {}
    for most in (MOST_SORTED, len(likeness)):
        found = {}
        for here, there in _best(*pairs, likeness, most):
            one, other = said[here].sentence, said[there].sentence
            if one != other:
                found[int(passage[here]), int(passage[there]), one, other] = None
            if len(found) == MOST_READ:
                return list(found)
    return list(found)


def _best(first: Integers, second: Integers, likeness: NDArray[np.float64], most: int) -> Iterator[tuple[int, int]]:
    """At least `most` of the pairs where there are so many, most alike first; pairs as like as the last come too."""
    import numpy as np

    if most < len(likeness):
        least = np.partition(likeness, len(likeness) - most)[len(likeness) - most]
        kept = np.flatnonzero(likeness >= least)
        first, second, likeness = first[kept], second[kept], likeness[kept]
    order = np.lexsort((first, second, -likeness))
    return zip(first[order].tolist(), second[order].tolist(), strict=True)


def _rows(skimmed: Sequence[Sequence[Skimmed]], said: Sequence[Skimmed]) -> _Rows:
    import numpy as np

    sizes = np.fromiter((len(one.lemmas) for one in said), np.int64, len(said))
    passage = np.repeat(np.arange(len(skimmed)), [len(each) for each in skimmed])
    columns = defaultdict[str, int](count().__next__)
    words = chain.from_iterable(one.lemmas for one in said)
    column = np.fromiter(map(columns.__getitem__, words), np.int64, int(sizes.sum()))
    row = np.repeat(np.arange(len(said)), sizes)
    stands = np.zeros((len(skimmed), len(columns)), np.bool_)
    stands[passage[row], column] = True
    shared = np.flatnonzero(np.count_nonzero(stands, axis=0) > 1)  # what one passage alone has is shared with none
    place = np.full(len(columns), -1)
    place[shared] = np.arange(len(shared))
    kept = place[column] >= 0
    bits = np.zeros((len(said), max(1, -(-len(shared) // WORD_BITS)) * WORD_BITS), np.uint8)
    bits[row[kept], place[column[kept]]] = 1
    return _Rows(
        passage=passage,
        sizes=sizes,
        turns=np.fromiter((one.turns for one in said), np.bool_, len(said)),
        masks=np.packbits(bits, axis=1).view(np.uint64),
        known=np.bincount(row[kept], minlength=len(said)),
    )


def _alike(rows: _Rows) -> tuple[Integers, Integers, NDArray[np.float64]]:
    """The pairs of rows that share enough, as lower row, higher row and likeness; each pair once, in no order."""
    import numpy as np

    nothing = np.zeros((3, 0), np.int64)
    one, other, shared = np.concatenate([nothing, *_plainly_alike(rows), *_turning(rows)], axis=1)
    is_other = rows.passage[one] != rows.passage[other]
    one, other, shared = one[is_other], other[is_other], shared[is_other]
    bonus = TURNING_BONUS * (rows.turns[one] | rows.turns[other])
    likeness = 2 * shared / (rows.sizes[one] + rows.sizes[other]) + bonus
    return np.minimum(one, other), np.maximum(one, other), likeness


def _plainly_alike(rows: _Rows) -> Iterator[Integers]:
    """The pairs of rows that turn nothing, with how much they share; 3 x pairs.

    How much is enough depends on the shorter of two, and the longer may not be much longer; so each row is held against
    those that come soon after it by length. Only a row of which enough words are known elsewhere can be the shorter,
    and most of a long text's are not.
    """
    import numpy as np

    most = int(rows.sizes.max())
    order = np.argsort(rows.sizes, kind="stable")
    order = order[~rows.turns[order]]
    sizes = rows.sizes[order]
    least = _least_of_shorter(most)[sizes]
    last = np.searchsorted(sizes, sizes + MOST_EXTRA, side="right")
    columns = np.ascontiguousarray(rows.masks[order].T)
    shorter = np.flatnonzero(rows.known[order] >= least)
    for begin in range(0, len(shorter), BLOCK):
        block = shorter[begin : begin + BLOCK]
        shared = bits_shared(columns[:, block], columns[:, block[0] : last[block[-1]]], most)
        here, there = np.nonzero(shared >= least[block].astype(shared.dtype)[:, None])
        counts = shared[here, there]
        here, there = block[here], there + block[0]
        is_longer = (there > here) & (there < last[here])
        yield np.stack((order[here[is_longer]], order[there[is_longer]], counts[is_longer]))


def _turning(rows: _Rows) -> Iterator[Integers]:
    """The pairs of which one side turns something, as in `_plainly_alike`: one word in common is enough."""
    import numpy as np

    turning, columns = np.flatnonzero(rows.turns), np.ascontiguousarray(rows.masks.T)
    for begin in range(0, len(turning), BLOCK):
        block = turning[begin : begin + BLOCK]
        shared = bits_shared(columns[:, block], columns, int(rows.sizes.max()))
        here, there = np.nonzero(shared)
        counts = shared[here, there]
        is_once = ~rows.turns[there] | (there > block[here])
        yield np.stack((block[here][is_once], there[is_once], counts[is_once]))


@lru_cache(maxsize=4)
def _least_of_shorter(most: int) -> Integers:
    """How many lemmas two sentences must share, by those of the shorter, up to `most`; as `enough_shared` has it."""
    import numpy as np

    return np.asarray([_least(size) for size in range(most + 1)])


def _least(size: int) -> int:
    """More is never less enough, so halving finds it; one more than there are where none is enough."""
    counts = range(1, size + 1)
    if not counts or not enough_shared(size, size, size):
        return size + 1
    return counts[bisect_left(counts, True, key=lambda shared: enough_shared(shared, size, size))]
