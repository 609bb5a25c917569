"""Engine, Searcher and Lexicon of one store in Postgres."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, LiteralString

from psycopg import sql

from mmind.embedding.backfill import Backfill
from mmind.stores.postgres import near_index, rows, search, spelling, vectors, writing
from mmind.stores.postgres.backlog import StoreBacklog
from mmind.stores.postgres.changes import compare_all, compare_since, cursor_now, known_position
from mmind.stores.postgres.connections import READ_SECONDS, WRITE_SECONDS, Connection, Connections
from mmind.stores.postgres.model import Model
from mmind.stores.postgres.schema import Schema
from mmind.stores.postgres.terms import Frequencies, side_by_side
from mmind.stores.served import ServedAt
from mmind.text.plain import counted
from mmind.text.prepared import prepare
from mmind.values.errors import EngineDamaged, EngineError
from mmind.values.memory import Memory
from mmind.values.ports import Changes, Embedder, Freshness, Health, Mark, Progress
from mmind.values.query import Hit, Query, TermStatistics

FOLD_EVERY = 64  # puts and removals of this process
BATCH = 200  # memories read in one go while an index takes them one by one
SAME_QUESTION_SECONDS = 10.0
LEVEL_SECONDS = 1.0  # how often a search looks what waits for a vector
HEALTH_SECONDS = 2.5
COMPLETE_SECONDS = 3600.0


class PostgresEngine:
    """Keeps the promises of `values.ports.Engine` and `SelfSearching` in schema `mmind` of a Postgres database.

    Without pgvector in the database, and without an embedder, words alone answer.
    """

    def __init__(self, store: str, place: ServedAt, embedder: Embedder | None) -> None:
        self._store = store
        self._address = place.address
        self._connections = Connections(place)
        self._schema = Schema(self._connections)
        self._backlog = StoreBacklog(self._connections, store, embedder) if embedder else None
        self._backfill = Backfill(embedder, {store: self._backlog}) if embedder and self._backlog else None
        self._frequencies = Frequencies(store)
        self._spellings = spelling.Spellings(store)
        self._embedder = embedder
        self._level = Freshness(store, age_seconds=0.0)
        self._levelled = -LEVEL_SECONDS
        self._models: dict[str, Model] = {}
        self._changed = 0
        self._lock = threading.Lock()
        self._asked: dict[tuple[str, ...], tuple[float, Mapping[str, int]]] = {}

    def get(self, id: str) -> Memory | None:
        """The memory with this id, or None. Raises EngineError."""
        with self._reading() as connection:
            if connection is None:
                return None
            found = self._read(connection, "m.key = %s", rows.key_of(id))
        return next(iter(found), None)

    def put(self, memory: Memory) -> Memory:
        """Keep the memory, replacing one of the same id; committed when it returns. Raises EngineError.

        Its vectors are made after that, and words find it without them.
        """
        kept = rows.kept(memory, self._address)
        prepared = prepare(kept)
        self._schema.make()
        with self._writing() as connection:
            writing.put(connection, prepared)
            self._fold_sometimes(connection)
        if self._backfill is not None:
            self._backfill.embed_now(self._store, prepared.texts_to_embed())
        return kept

    def delete(self, id: str) -> bool:
        """Remove the memory; False when there was none. Raises EngineError."""
        if self.get(id) is None:  # makes no schema for nothing
            return False
        with self._writing() as connection:
            self._fold_sometimes(connection)
            held = spelling.terms_of(connection, self._store, id)
            if not writing.delete(connection, self._store, id):
                return False
        with contextlib.suppress(EngineError):  # the memory is gone; words that stay are dropped by `complete`
            self._drop_words(held)
        return True

    def changes(self, since: Mark) -> Changes:
        """What was written or removed since the mark; everything, compared by fingerprint, for another's mark.

        Raises EngineError when the server cannot be asked, and then reports nothing gone.
        """
        with self._reading() as connection:
            if connection is None:
                return Changes(iter(()), list(since.fingerprints), "", total=0)
            cursor = cursor_now(connection)
            position = known_position(since.cursor, cursor)
            if position is None:
                changed, gone = compare_all(connection, self._store, since.fingerprints)
            else:
                changed, gone = compare_since(connection, self._store, position, since.fingerprints)
        return Changes(self._load(changed), gone, cursor, total=len(changed))

    def search(self, query: Query, pool: int) -> Sequence[Hit]:
        """At most `pool` hits by words, best first, then those by vector that are not among them, at most `pool`.

        At most three passages of one memory by each signal. Raises EngineError.
        """
        with self._reading() as connection:
            if connection is None or pool < 1:
                return []
            scope = search.scope(connection, self._store, query)
            frequencies = self._just_counted(query.terms)
            if frequencies is None:
                frequencies = self._frequencies.of(connection, query.terms, scope.passages)
            found = dict.fromkeys(search.by_words(scope, frequencies, pool))
            version = vectors.extension(connection) if query.vector is not None else None
            model = self._model(connection, query.model) if version else None
            if model is not None and version is not None:
                found |= dict.fromkeys(search.by_vector(scope, model, version, query, pool))
            self._note_level(connection, scope.passages)
            return search.hits(scope, query, list(found), model, self._address)

    def statistics(self, terms: Sequence[str]) -> TermStatistics:
        """Sums for BM25 over the store. A search for the same terms that follows uses the counts again, once.

        All zero while the server cannot be asked: the search names that fault.
        """
        try:
            with self._reading() as connection:
                if connection is None:
                    return TermStatistics()
                counted = self._counted(connection, terms)
        except EngineError:
            return TermStatistics()
        self._remember(tuple(terms), counted.frequencies)
        return counted

    def alike(self, asked: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """For each folded word the nearest words of the store, see `values.ports.Lexicon`."""
        with contextlib.suppress(EngineError), self._reading() as connection:
            if connection is not None:
                return self._spellings.alike(connection, asked)
        return dict.fromkeys(asked, ())

    def holds(self, together: Sequence[str], beside: Sequence[str]) -> bool:
        """Whether any passage of the store holds some terms side by side, see `values.ports.Lexicon`."""
        with contextlib.suppress(EngineError), self._reading() as connection:
            if connection is not None:
                return side_by_side(connection, self._store, together, beside)
        return False

    def freshness(self) -> Freshness:
        """How many passages waited for a vector when the store was last asked. Asks nothing, never raises."""
        return self._level

    def complete(self, report: Callable[[Progress], None], rebuild: bool) -> None:
        """Cut anew what another version cut (with `rebuild` everything), make the vectors that lack, tidy up.

        Raises EngineError when the server or the model fails.
        """
        with self._reading() as connection:
            if connection is None:
                return
        self._cut_anew(report, rebuild)
        if self._backlog is not None and self._backfill is not None:
            with self._writing(COMPLETE_SECONDS) as connection:
                vectors.tidy(connection)
            if self._backlog.begin_fill():
                self._backfill.complete(self._store, report)
                self._backlog.end_fill(report)
        with self._writing(COMPLETE_SECONDS) as connection:
            writing.fold(connection, self._store)
            connection.execute("ANALYZE mmind.memory, mmind.passage")
            idle = spelling.idle(connection, self._store)
        self._drop_words(idle)

    def health(self) -> Health:
        """How the server is, its version and pgvector's, and how many memories it holds. Never raises."""
        try:
            with self._reading(HEALTH_SECONDS) as connection:
                if connection is None:
                    return Health(True, self._address, 0, notes=("empty: nothing was stored yet",))
                return self._health(connection)
        except EngineError as fault:
            return Health(False, self._address, reason=fault.message, hint=fault.hint)

    def close(self) -> None:
        """End background work and close the connections."""
        if self._backfill is not None:
            self._backfill.stop()
        self._connections.close()

    @contextlib.contextmanager
    def _reading(self, seconds: float = READ_SECONDS) -> Iterator[Connection | None]:
        """A view of the database, or None where nothing was ever stored."""
        with self._damage_noticed(), self._connections.reading(seconds) as connection:
            yield connection if self._schema.is_there(connection) else None

    @contextlib.contextmanager
    def _writing(self, seconds: float = WRITE_SECONDS) -> Iterator[Connection]:
        with self._damage_noticed(), self._connections.writing(seconds) as connection:
            yield connection

    @contextlib.contextmanager
    def _damage_noticed(self) -> Iterator[None]:
        try:
            yield
        except EngineDamaged:
            self._schema.forget()
            self._models.clear()
            raise

    def _model(self, connection: Connection, identity: str) -> Model | None:
        """The model of this name; one that was found once has its number for good."""
        model = self._models.get(identity) or vectors.find_model(connection, identity)
        if model is not None:
            self._models[identity] = model
        return model

    def _read(self, connection: Connection, condition: LiteralString, value: object) -> list[Memory]:
        statement = sql.SQL("SELECT m.text, {} FROM mmind.memory m WHERE m.store = %s AND {} ORDER BY m.number").format(
            sql.SQL(rows.FACTS), sql.SQL(condition)
        )
        found = connection.execute(statement, (self._store, value)).fetchall()
        return [rows.memory_of(self._store, row[1:], self._address, text=row[0]) for row in found]

    def _load(self, numbers: Sequence[int]) -> Iterator[Memory]:
        for start in range(0, len(numbers), BATCH):
            with self._reading() as connection:
                if connection is None:
                    return
                batch = self._read(connection, "m.number = ANY(%s)", list(numbers[start : start + BATCH]))
            yield from batch

    def _fold_sometimes(self, connection: Connection) -> None:
        with self._lock:
            self._changed += 1
            is_due = self._changed % FOLD_EVERY == 0
        if is_due:
            writing.fold(connection, self._store)

    def _counted(self, connection: Connection, terms: Sequence[str]) -> TermStatistics:
        scope = search.scope(connection, self._store, Query("", ()))
        frequencies = self._frequencies.of(connection, terms, scope.passages)
        return TermStatistics(scope.passages, scope.length, frequencies)

    def _drop_words(self, terms: Sequence[str]) -> None:
        """Forget the words of those terms that stand nowhere any more; commonly held ones are not counted twice."""
        with self._reading() as connection:
            left = self._counted(connection, terms).frequencies if connection else {}
        rare = [term for term in terms if term not in left]
        for start in range(0, len(rare), spelling.DROPPED_AT_ONCE):
            with self._writing() as connection:
                spelling.drop(connection, self._store, rare[start : start + spelling.DROPPED_AT_ONCE])

    def _remember(self, terms: tuple[str, ...], frequencies: Mapping[str, int]) -> None:
        with self._lock:
            if len(self._asked) > 16:
                self._asked.clear()
            self._asked[terms] = (time.monotonic(), frequencies)

    def _just_counted(self, terms: tuple[str, ...]) -> Mapping[str, int] | None:
        with self._lock:
            seen, known = self._asked.pop(terms, (0.0, None))
        return known if time.monotonic() - seen < SAME_QUESTION_SECONDS else None

    def _note_level(self, connection: Connection, passages: int) -> None:
        """See how many passages wait for a vector, and wake the thread that makes them."""
        if self._embedder is None or self._backfill is None or time.monotonic() - self._levelled < LEVEL_SECONDS:
            return
        self._levelled = time.monotonic()
        model = self._model(connection, self._embedder.identity)
        waiting = vectors.count_pending(connection, model, self._store) if model else 0
        fault = self._backfill.fault
        hint = f"no new vectors: {fault}" if fault else ""
        self._level = Freshness(self._store, passages=passages, age_seconds=0.0, pending_vectors=waiting, hint=hint)
        if waiting or (model is None and passages):
            self._backfill.wake()

    def _cut_anew(self, report: Callable[[Progress], None], rebuild: bool) -> None:
        statement = "SELECT number FROM mmind.memory WHERE store = %s AND (cut <> %s OR %s)"
        with self._writing(COMPLETE_SECONDS) as connection:
            numbers = [number for (number,) in connection.execute(statement, (self._store, rows.CUT, rebuild))]
        for done, memory in enumerate(self._load(numbers), 1):
            with self._writing() as connection:
                writing.put(connection, prepare(memory))
            report(Progress(self._store, "words", done, len(numbers)))

    def _health(self, connection: Connection) -> Health:
        row: Any = connection.execute(
            "SELECT current_setting('server_version'), (SELECT coalesce(sum(memories), 0)::bigint FROM mmind.tally"
            " WHERE store = %s), (SELECT extversion FROM pg_extension WHERE extname = 'vector')",
            (self._store,),
        ).fetchone()
        version, entries, extension = row
        notes = [f"PostgreSQL {version.split()[0]}" + (f", pgvector {extension}" if extension else "")]
        if extension is None:
            notes.append(vectors.MISSING)
        elif self._embedder is not None and (model := self._model(connection, self._embedder.identity)):
            waiting = vectors.count_pending(connection, model, self._store)
            notes += [f"{counted(waiting, 'passage waits', 'passages wait')} for a vector"] if waiting else []
            if near_index.is_possible(model) and not near_index.is_there(connection, model):
                notes.append(near_index.MISSING)
        if self._backfill is not None and self._backfill.fault is not None:
            notes.append(f"no new vectors: {self._backfill.fault}")
        return Health(True, self._address, entries, notes=tuple(notes))
