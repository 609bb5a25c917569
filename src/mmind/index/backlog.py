"""The passages of one source that wait for vectors of one model, shared among processes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mmind.disk.locks import held
from mmind.embedding.backfill import Task
from mmind.index import models, sources
from mmind.index.agenda import Agenda
from mmind.index.database import Database
from mmind.index.locks import work_lock
from mmind.index.sources import Source
from mmind.values.ports import Clock

if TYPE_CHECKING:
    from mmind.values.ports import Vectors

BREATH_SECONDS = 0.03  # after a chunk, so that another process that waits for the lease gets it


class SourceBacklog:
    """A `Backlog` (`embedding/backfill.py`) in `index.db`. Who embeds holds a lease, a lock file, a chunk long."""

    def __init__(self, database: Database, source: Source, model: str, clock: Clock) -> None:
        self._database = database
        self._source = source
        self._model = model
        self._clock = clock
        self._lease = work_lock(database.path, "embed", model)
        self._agenda = Agenda()  # for who holds the lease

    @contextmanager
    def claimed(self, is_stopped: Callable[[], bool], aside: AbstractSet[bytes]) -> Iterator[list[Task]]:
        """The texts of the newest memories that wait, a chunk of them, once no other process embeds; none when
        nothing waits any more but what was set aside."""
        if not self._is_anything_waiting():  # asked after every scan, and most often nothing is
            yield []
            return
        with held(self._lease, math.inf, lambda: is_stopped() or not self._is_anything_waiting()) as is_ours:
            yield self._next(aside) if is_ours else []
        time.sleep(BREATH_SECONDS)

    def save(self, tasks: Sequence[Task], vectors: Vectors) -> None:
        """Keep vectors (n, d), one a task; the passages of their texts, in all sources, wait no longer."""
        with self._database.writing() as connection:
            model = models.enter_model(connection, self._model, self._clock())
            models.put_vectors(connection, model, tasks, vectors)

    def lacking(self, digests: Sequence[bytes]) -> set[bytes]:
        """Those of some texts that have no vector of the model."""
        with self._database.reading() as connection:
            model = models.find_model(connection, self._model)
            return set(digests) - (set() if model is None else models.with_vectors(connection, model, digests))

    def count(self) -> int:
        """How many passages of the source wait."""
        if not self._database.is_there():
            return 0
        with self._database.reading() as connection:
            state = sources.find(connection, self._source)
            return 0 if state is None else models.waiting(connection, self._model, state)

    def _is_anything_waiting(self) -> bool:
        if not self._database.is_there():
            return False
        with self._database.reading() as connection:
            state = sources.find(connection, self._source)
            model = models.find_model(connection, self._model)
            if state is None or model is None:
                return state is not None and state.passages > 0
            return models.newest_waiting(connection, model, state.number) > 0

    def _next(self, aside: AbstractSet[bytes]) -> list[Task]:
        with self._database.writing() as connection:
            state = sources.find(connection, self._source)
            model = models.enter_model(connection, self._model, self._clock())
            return self._agenda.take(connection, model, state.number, aside) if state else []
