"""All vectors of a source, read in the order in which they lie in the file.

Vectors are made for the newest memories first. In the order of the passages each would be looked for on its own, which
took twice the processor for a million (13 s for 7.5) and a multiple of the time; so what belongs together is found in
the indexes of the tables alone, and the vectors are read from one end to the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import apsw
    import numpy as np
    from numpy.typing import NDArray

    Integers = NDArray[np.int64]
    Part = tuple[Integers, Integers, NDArray[np.float16]]  # passages (n), their memories (n), their vectors (n, d)

WORTH_SHARE = 0.25  # of all passages; a smaller source is read on its own

_SHARE = "SELECT CAST(passages AS REAL) / max(1, (SELECT sum(passages) FROM source)) FROM source WHERE number = ?"
_LIE = (
    "SELECT vector.number, passage.number FROM vector CROSS JOIN passage ON passage.digest = vector.digest"
    " WHERE vector.model = ?"
)
_OF_MEMORY = "SELECT number, memory FROM passage INDEXED BY passage_memory"
_OF_SOURCE = "SELECT number, source FROM passage INDEXED BY passage_source WHERE source = ?"
_VALUES = "SELECT number, value FROM vector NOT INDEXED WHERE model = ? ORDER BY number"


def is_worth_it(connection: apsw.Connection, source: int) -> bool:
    """Whether reading what all sources have costs less than looking for the vectors of this one."""
    return float(connection.execute(_SHARE, (source,)).get or 0.0) >= WORTH_SHARE


def parts(connection: apsw.Connection, model: int, source: int, at_once: int) -> Iterator[Part]:
    """The passages of a source that have a vector of a model, some `at_once` vectors at a time, inside a reading
    transaction. Several passages may have one vector."""
    import numpy as np

    vectors, passages = _numbers(connection, _LIE, (model,)).T
    is_ours = np.isin(passages, _numbers(connection, _OF_SOURCE, (source,))[:, 0])
    order = np.flatnonzero(is_ours)[np.argsort(vectors[is_ours], kind="stable")]
    vectors, passages = vectors[order], passages[order]
    memories = _memories(connection, passages)
    rows = connection.execute(_VALUES, (model,))
    while read := list(islice(rows, at_once)):
        numbers = np.array([number for number, _ in read], np.int64)
        start, end = np.searchsorted(vectors, (numbers[0], numbers[-1] + 1))
        values: Any = [value for _, value in read]
        halves = np.frombuffer(b"".join(values), np.float16).reshape(len(read), -1)
        yield passages[start:end], memories[start:end], halves[np.searchsorted(numbers, vectors[start:end])]


def _memories(connection: apsw.Connection, passages: Integers) -> Integers:
    """The memory of each passage."""
    import numpy as np

    known = _numbers(connection, _OF_MEMORY, ())
    known = known[np.argsort(known[:, 0])]
    found: Integers = known[np.searchsorted(known[:, 0], passages), 1]
    return found


def _numbers(connection: apsw.Connection, statement: str, values: tuple[int, ...]) -> Integers:
    """The two columns of what a statement finds (n, 2)."""
    import numpy as np

    found: Any = chain.from_iterable(connection.execute(statement, values))
    return np.fromiter(found, np.int64).reshape(-1, 2)
