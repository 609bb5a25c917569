"""The passages of one store that wait for vectors of one model, shared among processes and machines."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from mmind.embedding.backfill import Task
from mmind.stores.postgres import near_index, vectors
from mmind.stores.postgres.connections import Connection, Connections
from mmind.stores.postgres.model import Model
from mmind.values.errors import EngineDamaged
from mmind.values.ports import Embedder, Progress

if TYPE_CHECKING:
    from mmind.values.ports import Vectors

CHUNK = 512  # passages taken on at a time
ASK_AGAIN_SECONDS = 300.0  # how often a database without pgvector is asked whether it has it now
SAVE_SECONDS = 60.0
# A new model lets all passages wait: a minute for a million, for which no write must wait.
ENTER_SECONDS, ENTER_AT_ONCE_SECONDS = 1800.0, 5.0


class StoreBacklog:
    """A `Backlog` (`embedding/backfill.py`) whose claims are rows of the database. It is empty without pgvector."""

    def __init__(self, connections: Connections, store: str, embedder: Embedder) -> None:
        self._connections = connections
        self._store = store
        self._embedder = embedder
        self._model: Model | None = None
        self._asked = -ASK_AGAIN_SECONDS

    @contextlib.contextmanager
    def claimed(
        self,
        is_stopped: Callable[[], bool],  # noqa: ARG002 - it waits for nobody
        aside: AbstractSet[bytes],
    ) -> Iterator[list[Task]]:
        """The texts of those written last that nobody took on and that were not set aside, at most 512; what is in the
        list at the end is given back."""
        model = self._entered(ENTER_SECONDS)
        if model is None:
            yield []
            return
        with self._in(self._connections.writing()) as connection:
            tasks = vectors.claim(connection, model, self._store, CHUNK, aside)
        try:
            yield tasks
        finally:
            if tasks:
                with self._in(self._connections.writing()) as connection:
                    vectors.unclaim(connection, model, tasks)

    def save(self, tasks: Sequence[Task], made: Vectors) -> None:
        """Keep vectors (n, d), one a task; their passages wait no longer."""
        model = self._entered(ENTER_SECONDS)
        if model is not None:
            with self._in(self._connections.writing(SAVE_SECONDS)) as connection:
                vectors.extension(connection)
                vectors.put_vectors(connection, model, tasks, made)

    def lacking(self, digests: Sequence[bytes]) -> set[bytes]:
        """Those of some texts that have no vector of the model; none without pgvector."""
        model = self._entered(ENTER_AT_ONCE_SECONDS)
        if model is None:
            return set()
        with self._in(self._connections.reading()) as connection:
            return set(digests) - vectors.with_vectors(connection, model, digests)

    def count(self) -> int:
        """How many passages wait; 0 without pgvector."""
        model = self._entered(ENTER_SECONDS)
        if model is None:
            return 0
        with self._in(self._connections.reading(SAVE_SECONDS)) as connection:
            return vectors.count_pending(connection, model, self._store)

    def begin_fill(self) -> bool:
        """Before all that waits is embedded: where very much does, the index over its vectors is dropped, to be made
        when they are all there. False without pgvector. Raises EngineError."""
        self._asked = -ASK_AGAIN_SECONDS
        model = self._entered(ENTER_SECONDS)
        if model is not None:
            with self._in(self._connections.writing(SAVE_SECONDS)) as connection:
                near_index.put_off(connection, model)
        return model is not None

    def end_fill(self, report: Callable[[Progress], None]) -> None:
        """Make the index over the vectors where it is missing, by the process that is done last. Raises EngineError."""
        model = self._entered(ENTER_SECONDS)
        if model is None:
            return
        with self._in(self._connections.writing(near_index.BUILD_SECONDS)) as connection:
            if vectors.extension(connection) and near_index.is_due(connection, model):
                count = vectors.count(connection, model)
                report(Progress(self._store, "index of vectors", 0, count))
                near_index.make(connection, model)
                report(Progress(self._store, "index of vectors", count, count))

    def _entered(self, seconds: float) -> Model | None:
        """The embedder's model in the database; None where that has no pgvector."""
        if self._model is None and time.monotonic() - self._asked >= ASK_AGAIN_SECONDS:
            with self._in(self._connections.writing(seconds)) as connection:
                self._model = vectors.enter_model(connection, self._embedder.identity, self._embedder.dimension)
            self._asked = time.monotonic()
        return self._model

    @contextlib.contextmanager
    def _in(self, transaction: AbstractContextManager[Connection]) -> Iterator[Connection]:
        try:
            with transaction as connection:
                yield connection
        except EngineDamaged:  # somebody dropped the tables or the extension: the model is entered anew, later
            self._model, self._asked = None, time.monotonic()
            raise
