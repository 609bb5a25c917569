"""The index as the router sees it: it keeps itself level, it is searched, and it counts words for BM25."""

from __future__ import annotations

import atexit
import contextlib
import functools
import time
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from mmind.embedding.backfill import Backfill
from mmind.index import search, sources, status, words
from mmind.index.backlog import SourceBacklog
from mmind.index.courtesy import Courtesy
from mmind.index.database import Database
from mmind.index.scanner import Scanner
from mmind.index.sources import Source, State
from mmind.index.spelling import Spellings
from mmind.index.tidying import tidy
from mmind.index.vectors import SourceVectors
from mmind.index.writing import SourceWriter
from mmind.text.prepared import prepare
from mmind.values.errors import EngineDamaged, EngineUnavailable, MmindError
from mmind.values.memory import Memory
from mmind.values.ports import Clock, Embedder, Engine, Freshness, Progress
from mmind.values.query import Hit, Query, TermStatistics

CLOSE_SECONDS = 5.0  # the longest wait for a memory that is under way
GIVE_WAY_SECONDS = 0.2  # how long a batch of vectors waits for a question


class Index:
    """Indexer, Lexicon and, by store, Searcher over one `index.db`. Thread-safe. Made by `open_index`."""

    def __init__(self, path: Path, engines: Mapping[str, Engine], embedder: Embedder | None, clock: Clock) -> None:
        self._database = Database(path)
        self._clock = clock
        self._courtesy = Courtesy()
        self._sources = {store: Source(store, engine) for store, engine in engines.items()}
        self._vectors = {store: SourceVectors() for store in engines}
        self._spellings = Spellings()
        self._model = embedder.identity if embedder else ""
        self._is_tidy = False  # once in the life of a process is enough
        self._backfill = self._backfill_of(embedder) if embedder else None
        on_level = self._backfill.wake if self._backfill else _nothing
        self._scanners = {
            store: Scanner(self._database, source, clock, self._courtesy, on_level)
            for store, source in self._sources.items()
        }
        self._at_exit = _close_at_exit(self)

    def searcher(self, store: str) -> StoreSearcher:
        """The searcher of one store. Raises KeyError when the index was opened without an engine of that name."""
        return StoreSearcher(functools.partial(self._search, self._sources[store], self._vectors[store]))

    def refresh(self, wait_seconds: float) -> None:
        """See what changed in every store, waiting at most so long; the rest goes on in the background.

        Never raises: what failed stands in `freshness`.
        """
        deadline = time.monotonic() + wait_seconds
        try:
            states = self._states()
        except MmindError:
            states = {}
        due = [scanner for store, scanner in self._scanners.items() if scanner.is_due(states.get(store))]
        for scanner, number in [(scanner, scanner.ask()) for scanner in due]:
            scanner.wait(number, max(0.0, deadline - time.monotonic()))

    def add(self, memory: Memory) -> None:
        """Take a memory in at once: its words always, its vectors when they are few. A store that the index was not
        opened with is none of its business. Raises EngineError when the index fails; the next scan then finds it."""
        source = self._sources.get(memory.store)
        if source is None:
            return
        try:
            prepared = prepare(memory)
        except UnicodeEncodeError as error:
            raise EngineUnavailable(
                f"{memory.handle!a} cannot be indexed: not valid Unicode", hint="rename it"
            ) from error
        with self._courtesy.question():
            with self._database.writing() as connection:
                state = sources.enter(connection, source, self._clock())
                writer = SourceWriter(connection, state.number, source.written)
                writer.put(prepared)
                writer.settle()
            writer.remember()
            if self._backfill is not None:
                self._backfill.embed_now(memory.store, prepared.texts_to_embed())

    def remove(self, store: str, id: str) -> None:
        """Drop a memory at once. Never raises: where the index fails, the next scan sees that it is gone."""
        source = self._sources.get(store)
        if source is None or not self._database.is_there():
            return
        with contextlib.suppress(MmindError, UnicodeEncodeError), self._database.writing() as connection:
            state = sources.find(connection, source)
            if state is not None:
                writer = SourceWriter(connection, state.number, source.written)
                writer.drop(id)
                writer.settle()

    def complete(self, report: Callable[[Progress], None], rebuild: bool) -> None:
        """Bring words and vectors of every store level in the foreground; `rebuild` starts from nothing, vectors too.

        A store whose engine fails stands in `freshness` and stops nothing. Raises EngineUnavailable when the index
        or the model fails, the model at the end. An interrupt at any time leaves what was done in order.
        """
        if rebuild:
            self._database.start_over()
        else:
            with contextlib.suppress(EngineDamaged):
                self._database.check()
        for scanner in self._scanners.values():
            scanner.scan(report, _never)
        faults = list(self._completed(self._backfill, report)) if self._backfill is not None else []
        tidy(self._database, self._model, self._clock(), self._sources.values())
        if faults:
            raise faults[0]

    def freshness(self) -> Mapping[str, Freshness]:
        """How far the index is with each store it was opened with. Never raises."""
        vector_fault = self._backfill.fault if self._backfill else None
        try:
            return status.freshness(
                self._database, tuple(self._scanners.values()), self._model, vector_fault, self._clock()
            )
        except MmindError as error:
            return {
                store: Freshness(store, pending_words=-1, fault=error.message, hint=error.hint)
                for store in self._sources
            }

    def statistics(self, terms: Sequence[str]) -> TermStatistics:
        """Sums for BM25 over the stores the index was opened with. All zero while the index cannot be read: the
        searches name that fault, and an answer must not fail for want of a count."""
        if not self._database.is_there():
            return TermStatistics()
        try:
            with self._courtesy.question(), self._database.reading() as connection:
                states = [sources.find(connection, source) for source in self._sources.values()]
                return search.statistics(connection, [state for state in states if state is not None], terms)
        except MmindError:
            return TermStatistics()

    def alike(self, asked: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """For each folded word the nearest of the stores that the index was opened with, see `values.ports.Lexicon`."""
        found: dict[str, list[str]] = {word: [] for word in asked}
        if not self._database.is_there():
            return found
        with contextlib.suppress(MmindError), self._courtesy.question(), self._database.reading() as connection:
            for state in filter(None, (sources.find(connection, source) for source in self._sources.values())):
                for word, near in self._spellings.alike(connection, state.number, asked).items():
                    found[word] += near
        return found

    def holds(self, together: Sequence[str], beside: Sequence[str]) -> bool:
        """Whether any passage of these stores holds some terms side by side, see `values.ports.Lexicon`."""
        if not self._database.is_there():
            return False
        with contextlib.suppress(MmindError), self._courtesy.question(), self._database.reading() as connection:
            states = filter(None, (sources.find(connection, source) for source in self._sources.values()))
            return any(words.holds(connection, state.number, together, beside) for state in states)
        return False

    def close(self) -> None:
        """Stop background work, at the memory or the batch under way, and close the file. Harmless when repeated."""
        atexit.unregister(self._at_exit)
        for scanner in self._scanners.values():
            scanner.stop()
        if self._backfill is not None:
            self._backfill.stop()
        deadline = time.monotonic() + CLOSE_SECONDS  # for all of them: several may wait for servers that are silent
        for scanner in self._scanners.values():
            scanner.join(max(0.0, deadline - time.monotonic()))
        self._database.close()

    def _completed(self, backfill: Backfill, report: Callable[[Progress], None]) -> Iterator[MmindError]:
        """Embed what waits in every store; why some of it could not be."""
        for store in self._sources:
            try:
                backfill.complete(store, report)
            except MmindError as fault:
                yield fault

    def _backfill_of(self, embedder: Embedder) -> Backfill:
        backlogs = {
            store: SourceBacklog(self._database, source, embedder.identity, self._clock)
            for store, source in self._sources.items()
        }
        return Backfill(embedder, backlogs, lambda: self._courtesy.give_way(GIVE_WAY_SECONDS), self._tidy_once)

    def _tidy_once(self) -> None:
        if not self._is_tidy:
            tidy(self._database, self._model, self._clock(), self._sources.values())
            self._is_tidy = True

    def _search(self, source: Source, vectors: SourceVectors, query: Query, pool: int) -> Sequence[Hit]:
        if not self._database.is_there():
            return []
        try:
            with self._courtesy.question(), self._database.reading() as connection:
                return search.search(connection, source, vectors, query, pool)
        except EngineDamaged:
            self._scanners[source.store].ask()
            raise

    def _states(self) -> Mapping[str, State | None]:
        if not self._database.is_there():
            return {}
        with self._database.reading() as connection:
            return {store: sources.find(connection, source) for store, source in self._sources.items()}


class StoreSearcher:
    """Searches the part of the index that holds one store."""

    def __init__(self, find: Callable[[Query, int], Sequence[Hit]]) -> None:
        self._find = find

    def search(self, query: Query, pool: int) -> Sequence[Hit]:
        """At most `pool` hits by words, best first, then those by vector that are not among them, at most `pool`.

        At most three passages of one memory by each signal. Raises EngineDamaged when the index was found damaged
        (it is being made anew) and EngineUnavailable when it cannot be used.
        """
        return self._find(query, pool)


def _close_at_exit(index: Index) -> Callable[[], None]:
    """Daemon threads that are inside SQLite or a model when the interpreter ends could crash it."""
    reference = weakref.ref(index)

    def close() -> None:
        if (living := reference()) is not None:
            living.close()

    atexit.register(close)
    return close


def _never() -> bool:
    return False


def _nothing() -> None:
    return None
