"""Which sentences of different passages are alike enough to be read against one another; all pairs at once."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Final

from mmind.text.contradiction import enough_shared
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
BLOCK: Final = 256  # rows held against all others at once, so that memory stays within some megabytes
WORD_BITS: Final = 64


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

    words = list(chain.from_iterable(one.lemmas for one in said))
    columns = {word: place for place, word in enumerate(dict.fromkeys(words))}
    cells = list(map(columns.__getitem__, words))
    sizes = np.fromiter((len(one.lemmas) for one in said), np.int64, len(said))
    passage = np.repeat(np.arange(len(skimmed)), [len(each) for each in skimmed])
    row, column = np.repeat(np.arange(len(said)), sizes), np.asarray(cells, np.int64)
    stands = np.zeros((len(skimmed), len(columns)), np.bool_)
    stands[passage[row], column] = True
    shared = np.flatnonzero(stands.sum(axis=0) > 1)  # a lemma that one passage alone has can be shared with none
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
    """The pairs of rows that share enough, as lower row, higher row and likeness; each pair once, in no order.

    Only a row of which enough words are known elsewhere can be the shorter of a pair, and most of a long text's are
    not, so these alone are held against all.
    """
    import numpy as np

    least, passage = _least_table(int(rows.sizes.max())), rows.passage.astype(np.int32)  # narrow: half a million cells
    is_open = (rows.known >= least[rows.sizes, rows.sizes]) | rows.turns
    shorter = np.flatnonzero(is_open)
    found = [np.zeros((3, 0), np.int64)]
    for begin in range(0, len(shorter), BLOCK):
        block = shorter[begin : begin + BLOCK]
        shared = _shared(rows, block)
        needed = np.take(np.take(least, rows.sizes[block], axis=0), rows.sizes, axis=1)  # six times as fast as indexing
        needed[rows.turns[block]] = 1
        needed[:, rows.turns] = 1
        is_once = ~is_open[None, :] | (np.arange(len(rows.sizes))[None, :] > block[:, None])
        here, there = np.nonzero((shared >= needed) & is_once & (passage[block][:, None] != passage[None, :]))
        found.append(np.stack((block[here], there, shared[here, there])))
    one, other, count = np.concatenate(found, axis=1)
    bonus = TURNING_BONUS * (rows.turns[one] | rows.turns[other])
    likeness = 2 * count / (rows.sizes[one] + rows.sizes[other]) + bonus
    return np.minimum(one, other), np.maximum(one, other), likeness


def _shared(rows: _Rows, block: Integers) -> NDArray[np.uint8] | NDArray[np.uint16]:
    """How many lemmas each row of a block shares with each row."""
    import numpy as np

    kind = np.uint8 if rows.known.max() < 256 else np.uint16
    shared = np.zeros((len(block), len(rows.masks)), kind)
    for column in np.ascontiguousarray(rows.masks.T):
        shared += np.bitwise_count(column[block][:, None] & column)
    return shared


def _least_table(most: int) -> NDArray[np.uint16]:
    """How many lemmas two sentences must share, by how many each has, up to `most`; as `enough_shared` has it."""
    return _table(-(-most // WORD_BITS) * WORD_BITS)


@lru_cache(maxsize=4)
def _table(most: int) -> NDArray[np.uint16]:
    import numpy as np

    return np.asarray([[_least(left, right) for right in range(most + 1)] for left in range(most + 1)], np.uint16)


def _least(left: int, right: int) -> int:
    """More is never less enough, so halving finds it; one more than there are where none is enough."""
    counts = range(1, min(left, right) + 1)
    if not counts or not enough_shared(counts[-1], left, right):
        return max(left, right) + 1
    return counts[bisect_left(counts, True, key=lambda count: enough_shared(count, left, right))]
