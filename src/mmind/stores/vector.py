"""The `local` semantic engine: memories and their vectors side by side in one SQLite file, complete in itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

from mmind.stores.registry import EngineOptions
from mmind.stores.sqlite import SqliteEngine, write_memory
from mmind.stores.sqlite_file import SqliteFile
from mmind.text.plain import agreeing, counted
from mmind.values.errors import EngineError
from mmind.values.memory import Memory
from mmind.values.ports import Changes, Embedder, Health, Mark

_BATCH = 500
_KEEP_VECTOR = "INSERT OR REPLACE INTO vectors(id, model, dimension, vector) VALUES (?, ?, ?, ?)"

# A vector never outlives the text it was made from, whoever changes or deletes the memory.
_VECTOR_TABLE = """
CREATE TABLE IF NOT EXISTS vectors(
    id TEXT NOT NULL PRIMARY KEY, model TEXT NOT NULL, dimension INTEGER NOT NULL, vector BLOB NOT NULL
) WITHOUT ROWID;
CREATE TRIGGER IF NOT EXISTS vector_outdated AFTER UPDATE OF id, title, text ON memories
WHEN old.id <> new.id OR old.title <> new.title OR old.text <> new.text BEGIN
    DELETE FROM vectors WHERE id IN (old.id, new.id);
END;
CREATE TRIGGER IF NOT EXISTS vector_removed AFTER DELETE ON memories BEGIN
    DELETE FROM vectors WHERE id = old.id;
END;
"""


def open_engine(store: str, location: Path, options: EngineOptions) -> VectorEngine:
    """The engine over `vectors.db` in the folder `location`. Cheap; no file is made before the first put."""
    return VectorEngine(store, location, options.embedder)


class VectorEngine:
    """Keeps the promises of `values.ports.Engine`, and a vector beside each memory where there is an embedder.

    Each vector is kept with its model and dimension. Those of another model stay, are never compared with a query of
    this one, and give way when the memory is put again.
    """

    def __init__(self, store: str, folder: Path, embedder: Embedder | None) -> None:
        self._store = store
        self._embedder = embedder
        self._file = SqliteFile(folder / "vectors.db", _VECTOR_TABLE)
        self._memories = SqliteEngine(store, self._file, drive=folder.parent)
        self._fault = ""

    def get(self, id: str) -> Memory | None:
        """The memory with this id, or None. Raises EngineError."""
        return self._memories.get(id)

    def put(self, memory: Memory) -> Memory:
        """Keep the memory and its vector in one transaction; without a vector when the embedder fails.

        `health` then says so: a write is never lost for want of a model. Raises EngineError.
        """
        vector = self._embed(memory)  # before the transaction: no other process waits for a model
        with self._file.writing() as connection:
            kept = write_memory(connection, self._store, memory, self._file.path)
            if vector is not None and self._embedder is not None:
                row = (memory.id, self._embedder.identity, self._embedder.dimension, vector)
                connection.execute(_KEEP_VECTOR, row)
        return kept

    def delete(self, id: str) -> bool:
        """Remove the memory and its vector; False when there was none. Raises EngineError."""
        return self._memories.delete(id)

    def changes(self, since: Mark) -> Changes:
        """As the `sqlite` engine's. Raises EngineError."""
        return self._memories.changes(since)

    def vectors(self, model: str) -> Iterator[tuple[str, bytes]]:
        """(id, vector) for each memory that has one of this model: unit length, little-endian float16, by id.

        Raises EngineError.
        """
        after = ""
        query = "SELECT id, vector FROM vectors WHERE model = ? AND id > ? ORDER BY id LIMIT ?"
        while True:
            with self._file.reading() as connection:
                found = [] if connection is None else connection.execute(query, (model, after, _BATCH)).fetchall()
            rows = cast("list[tuple[str, bytes]]", found)
            yield from rows
            if len(rows) < _BATCH:
                return
            after = rows[-1][0]

    def health(self) -> Health:
        """How the file is, and how many of its memories have a vector of the model in use. Never raises."""
        health = self._memories.health()
        if not health.usable or not health.entries:
            return health
        try:
            return replace(health, notes=(*health.notes, *self._notes(health.entries)))
        except EngineError as fault:
            return Health(usable=False, where=health.where, reason=fault.message, hint=fault.hint)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _embed(self, memory: Memory) -> bytes | None:
        if self._embedder is None:
            return None
        text = f"{memory.title}\n\n{memory.text}" if memory.title else memory.text
        try:
            vector = self._embedder.embed([text])[0]
        except EngineError as fault:
            self._fault = str(fault)
            return None
        self._fault = ""
        return bytes(vector.astype("<f2"))

    def _notes(self, entries: int) -> Iterator[str]:
        with self._file.reading() as connection:
            query = "SELECT model, count(*) FROM vectors GROUP BY model ORDER BY model"
            rows = [] if connection is None else connection.execute(query).fetchall()
        counts = dict(cast("list[tuple[str, int]]", rows))
        model = self._embedder.identity if self._embedder else ""
        others = ", ".join(f"{count} of {name}" for name, count in counts.items() if name != model)
        if others:
            yield f"kept and not compared, because they are of another model: vectors {others}"
        if model and counts.get(model, 0) < entries:
            lacking = entries - counts[model] if model in counts else entries
            share = f"{lacking:,} of {counted(entries, 'memory', 'memories')} {agreeing(lacking, 'has', 'have')}"
            yield f"{share} no vector of {model} in this file; the index makes its own, and search uses those"
        if self._fault:
            yield f"the last memory was stored without a vector: {self._fault}"
