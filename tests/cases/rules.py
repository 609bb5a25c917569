"""Files that a case describes in words, made with the product itself; by their path in the case."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mmind.index import open_index
from mmind.stores.registry import EngineOptions, open_engine_row
from mmind.stores.sqlite_file import MEMORY_COLUMNS, SCHEMA_VERSION
from mmind.values.memory import Memory

if TYPE_CHECKING:
    from numpy.typing import NDArray

EARLIER = datetime.now(UTC) - timedelta(days=2)
WINCH = ("The ferry winch was overhauled in Vigo.", "The gangway is painted green.", "The mooring lines are spliced.")
LOCK = (
    "The canal lock has two chambers.",
    "The canal lock was dredged in spring.",
    "The canal lock gate is oak.",
    "The canal lock crew is four.",
    "The canal lock bell is brass.",
)


class OtherModel:
    """An embedder of another name and another dimension than the product's own."""

    identity = "another-model/1536"
    dimension = 1536
    is_local = True

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text, from its length alone."""
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in enumerate(texts):
            vectors[row, len(text) % self.dimension] = 1.0
        return vectors

    def close(self) -> None:
        """Nothing is held."""


def older_database(path: Path) -> None:
    """Three rows under the current schema, whose newest column is then dropped and whose version lowered by one."""
    engine = open_engine_row("sqlite", path, EngineOptions(), store="sqlite")
    for number, text in enumerate(WINCH):
        engine.put(Memory(store="sqlite", id=f"old-{number}", text=text, created=EARLIER, time=EARLIER))
    engine.close()
    connection = sqlite3.connect(path)
    newest = list(MEMORY_COLUMNS)[-1]
    connection.execute(f"ALTER TABLE memories DROP COLUMN {newest}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION - 1}")
    connection.commit()
    connection.close()


def index_of_another_model(path: Path) -> None:
    """Five texts in the vector store, with vectors of another model there and in the index."""
    model = OtherModel()
    engine = open_engine_row("local", path, EngineOptions(embedder=model), store="vector")
    for number, text in enumerate(LOCK):
        engine.put(Memory(store="vector", id=f"lock-{number}", text=text, created=EARLIER, time=EARLIER))
    index = open_index(path.parent / "index.db", {"vector": engine}, model, lambda: EARLIER)
    index.complete(lambda _: None, rebuild=False)
    index.close()
    engine.close()


RULES: dict[str, Callable[[Path], None]] = {
    "data/memory.db": older_database,
    "data/vector-index": index_of_another_model,
}
