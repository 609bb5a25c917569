"""Exact cosine search over one source's vectors, held in memory as float32 and kept level with the rows."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, cast

from mmind.index import file_order
from mmind.index.filters import Passing

if TYPE_CHECKING:
    import apsw
    import numpy as np
    from numpy.typing import NDArray

    from mmind.index.file_order import Part

    Floats = NDArray[np.float32]
    Halves = NDArray[np.float16]
    Integers = NDArray[np.int64]

_Row = tuple[int, int, bytes]  # passage, memory, float16 values
ROWS_AT_ONCE = 10_000  # read between two copies into the matrix: a million at once would take as much memory again

_ALL = (
    "SELECT passage.number, passage.memory, vector.value FROM passage"
    " CROSS JOIN vector ON vector.model = ?1 AND vector.digest = passage.digest"
    " WHERE passage.source = ?2 AND passage.number > ?3"
)
_HOW_MANY = "SELECT count(*) FROM passage WHERE source = ?"
_LATE = (  # passages that were there when their vector came
    "SELECT passage.number, passage.memory, vector.value FROM vector"
    " CROSS JOIN passage ON passage.digest = vector.digest"
    " WHERE vector.model = ?1 AND vector.number > ?4 AND passage.source = ?2 AND passage.number <= ?3"
)


@dataclass(frozen=True, slots=True)
class Near:
    """A passage's cosine with the query in [-1, 1], and its own vector, unit length."""

    cosine: float
    vector: Sequence[float]


class Cosines:
    """The cosine of one query with every passage of a source that has a vector; `matrix` holds these by row."""

    def __init__(self, passages: Integers, memories: Integers, matrix: Floats, asked: Floats) -> None:
        import numpy as np

        self._passages = passages
        self._memories = memories
        self._matrix = matrix
        self._values = np.clip(np.einsum("ij,j->i", matrix, asked), -1.0, 1.0)

    def at(self, place: int | None) -> Near | None:
        """What is known of the passage in this row; None when it has no vector."""
        if place is None:
            return None
        vector = cast("Sequence[float]", self._matrix[place].copy())  # a copy: the row may move after the question
        return Near(float(self._values[place]), vector)

    def best(self, most: int, most_of_one: int, passing: Passing | None) -> list[int]:
        """The `most` nearest passages, nearest first, at most `most_of_one` of one memory, of those that pass."""
        import numpy as np

        places = np.arange(len(self._values))
        if passing is not None:
            listed = np.fromiter(passing.listed, np.int64)
            places = np.flatnonzero(np.isin(self._passages, listed, invert=passing.are_barred))
        wanted = 8 * most
        if len(places) > wanted:  # most often these few hold enough different memories
            near = np.argpartition(-self._values[places], wanted)[:wanted]
            found = self._capped(places[near], most, most_of_one)
            if len(found) == most:
                return found
        return self._capped(places, most, most_of_one)

    def _capped(self, places: NDArray[np.intp], most: int, most_of_one: int) -> list[int]:
        import numpy as np

        found, taken = list[int](), dict[int, int]()
        for place in places[np.lexsort((self._passages[places], -self._values[places]))]:
            memory = int(self._memories[place])
            taken[memory] = taken.get(memory, 0) + 1
            if taken[memory] <= most_of_one:
                found.append(int(self._passages[place]))
                if len(found) == most:
                    break
        return found


class SourceVectors:
    """The matrix of one source. Thread-safe: one thread at a time brings it level and multiplies."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._matrix: Floats
        self._passages: Integers
        self._memories: Integers
        self._forget("")

    @contextlib.contextmanager
    def cosines(
        self, connection: apsw.Connection, source: int, model: int, removals: int, vector: Sequence[float]
    ) -> Iterator[Cosines | None]:
        """The cosines of a unit vector, as of the connection's transaction; None when there is nothing to compare.

        They hold until the end of the `with` block: the next question may move rows.
        """
        import numpy as np

        asked = np.asarray(vector, dtype=np.float32)
        with self._lock:
            self._level(connection, source, model, removals)
            if not self._count or self._matrix.shape[1] != len(asked):
                yield None
                return
            # Not `@`: BLAS's threads spin beside other load. 20,000 vectors on two busy cores, p50: 16 ms through BLAS
            # with its two threads, 6 ms through einsum; with one thread each they are equal (best of 30: 2.0 ms).
            end = self._count
            yield Cosines(self._passages[:end], self._memories[:end], self._matrix[:end], asked)

    def place(self, passage: int) -> int | None:
        """The row of a passage, inside a `cosines` block; None when it has no vector."""
        return self._place.get(passage)

    def _forget(self, origin: str) -> None:
        self._origin = origin
        self._count = self._expected = 0
        self._removals = self._last_passage = self._last_vector = 0
        self._place: dict[int, int] = {}

    def _level(self, connection: apsw.Connection, source: int, model: int, removals: int) -> None:
        """Take in what is new, let go of what is gone. Never backwards: another thread may have seen a later view."""
        generation = connection.execute("SELECT value FROM meta WHERE key = 'generation'").get
        origin = f"{generation}/{source}/{model}"
        if origin != self._origin:
            self._forget(origin)
            self._removals = removals
        sequences: list[Any] = connection.execute("SELECT name, seq FROM sqlite_sequence").fetchall()
        last = dict(sequences)
        last_passage, last_vector = last.get("passage", 0), last.get("vector", 0)
        if removals > self._removals:
            self._remove_dead(connection, source, last_passage)
            self._removals = removals
        if last_passage > self._last_passage or last_vector > self._last_vector:
            for passages, memories, halves in self._new(connection, source, model):
                self._append(passages, memories, halves)
            self._last_passage = max(last_passage, self._last_passage)
            self._last_vector = max(last_vector, self._last_vector)

    def _new(self, connection: apsw.Connection, source: int, model: int) -> Iterator[Part]:
        """What is not in the matrix yet."""
        if not self._count:
            self._expected = int(connection.execute(_HOW_MANY, (source,)).get)
        if not self._last_passage and file_order.is_worth_it(connection, source):
            return file_order.parts(connection, model, source, ROWS_AT_ONCE)
        bounds = (model, source, self._last_passage, self._last_vector)
        late = connection.execute(_LATE, bounds) if self._last_passage else ()
        rows = cast("Iterable[_Row]", chain(late, connection.execute(_ALL, bounds[:3])))
        return _in_parts(row for row in rows if row[0] not in self._place)

    def _append(self, passages: Integers, memories: Integers, halves: Halves) -> None:
        if not len(passages):
            return
        start, end = self._count, self._count + len(passages)
        self._reserve(end, halves.shape[1])
        self._matrix[start:end], self._passages[start:end], self._memories[start:end] = halves, passages, memories
        self._place.update(zip(passages.tolist(), range(start, end), strict=True))
        self._count = end

    def _reserve(self, rows: int, width: int) -> None:
        """Room for so many rows; it grows by half, so that appending stays cheap.

        At first for all that are expected and an eighth more, or the first write would copy everything; room that
        nobody has written to takes no memory.
        """
        import numpy as np

        count = self._count
        if count and rows <= len(self._matrix):
            return
        room = rows + rows // 2 if count else max(rows, self._expected + self._expected // 8)
        matrix, passages, memories = (
            np.empty((room, width), np.float32),
            np.empty(room, np.int64),
            np.empty(room, np.int64),
        )
        if count:
            matrix[:count], passages[:count], memories[:count] = (
                self._matrix[:count],
                self._passages[:count],
                self._memories[:count],
            )
        self._matrix, self._passages, self._memories = matrix, passages, memories

    def _remove_dead(self, connection: apsw.Connection, source: int, last_passage: int) -> None:
        """The last row moves into each gap."""
        import numpy as np

        if not self._count:
            return
        # One text of all numbers, and not a row each: 0.07 s of processor for a million, where rows took 0.32.
        statement = "SELECT group_concat(number) FROM passage WHERE source = ?"
        listed = connection.execute(statement, (source,)).get
        alive = np.fromstring(str(listed), np.int64, sep=",") if listed else np.empty(0, np.int64)
        mine = self._passages[: self._count]
        for passage in mine[(mine <= last_passage) & ~np.isin(mine, alive)].tolist():
            gap, last = self._place.pop(passage), self._count - 1
            if gap != last:
                for column in (self._matrix, self._passages, self._memories):
                    column[gap] = column[last]
                self._place[int(self._passages[gap])] = gap
            self._count = last


def _in_parts(rows: Iterator[_Row]) -> Iterator[Part]:
    import numpy as np

    while batch := list(islice(rows, ROWS_AT_ONCE)):
        passages, memories, values = zip(*batch, strict=True)
        halves = np.frombuffer(b"".join(values), np.float16).reshape(len(batch), -1)
        yield np.array(passages, np.int64), np.array(memories, np.int64), halves
