"""What the tests of the index are made of: an engine whose every answer is in sight, two tiny embedders, questions."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from mmind.index import open_index
from mmind.index.index import Index
from mmind.text.tokens import query_terms, tokens
from mmind.values.errors import EngineUnavailable
from mmind.values.memory import Memory
from mmind.values.ports import Changes, Embedder, Engine, Health, Mark
from mmind.values.query import Hit, Query

if TYPE_CHECKING:
    from numpy.typing import NDArray

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@dataclass
class Shelf:
    """An engine in memory. `fault` makes it fail, `before_each` is called before a memory is handed out."""

    memories: dict[str, Memory] = field(default_factory=dict)
    where: str = "shelf"
    fault: str = ""
    before_each: Callable[[Memory], None] = lambda _: None
    read: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, *memories: Memory, where: str = "shelf") -> Shelf:
        return cls({memory.id: memory for memory in memories}, where=where)

    def get(self, id: str) -> Memory | None:
        return self.memories.get(id)

    def put(self, memory: Memory) -> Memory:
        self.memories[memory.id] = memory
        return memory

    def delete(self, id: str) -> bool:
        return self.memories.pop(id, None) is not None

    def changes(self, since: Mark) -> Changes:
        if self.fault:
            raise EngineUnavailable(self.fault, hint="plug it in")
        known = since.fingerprints
        changed = [memory for memory in self.memories.values() if known.get(memory.id) != memory.fingerprint]
        gone = [name for name in known if name not in self.memories]
        return Changes(self._handed_out(changed), gone, "", len(changed))

    def health(self) -> Health:
        return Health(True, self.where)

    def close(self) -> None:
        return None

    def _handed_out(self, memories: Sequence[Memory]) -> Iterator[Memory]:
        for memory in memories:
            self.before_each(memory)
            self.read.append(memory.id)
            yield memory


class WordVectors:
    """Texts that share words are near each other; remembers every text it was given."""

    dimension = 64
    is_local = True

    def __init__(self, identity: str = "words-64") -> None:
        self.identity = identity
        self.embedded: list[str] = []
        self.fault = ""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.fault:
            raise EngineUnavailable(self.fault)
        self.embedded += texts
        rows = np.full((len(texts), self.dimension), 1e-3, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in tokens(text):
                row[hashlib.blake2b(word.encode()).digest()[0] % self.dimension] += 1.0
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def close(self) -> None:
        return None


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def pass_seconds(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def memory(id: str, text: str, **facts: object) -> Memory:
    """A memory of the store `notes`, whose fingerprint is its content."""
    made = Memory(store="notes", id=id, text=text, **facts)  # type: ignore[arg-type] - facts are fields of Memory
    return Memory(**{**_fields(made), "fingerprint": hashlib.blake2b(repr(made).encode()).hexdigest()})


def _fields(made: Memory) -> dict[str, object]:
    return {name: getattr(made, name) for name in Memory.__dataclass_fields__}


def index_of(
    home: Path, engine: Engine, embedder: Embedder | None = None, clock: Callable[[], datetime] = lambda: NOON
) -> Index:
    """An index with the one store `notes`, in `home`."""
    return open_index(home / "index.db", {"notes": engine}, embedder, clock)


def level(index: Index, rebuild: bool = False) -> Index:
    """The same index, brought level in the foreground."""
    index.complete(lambda _: None, rebuild)
    return index


def asked(text: str, embedder: Embedder | None = None, **bounds: object) -> Query:
    """A query as the router makes it."""
    vector = None if embedder is None else tuple(embedder.embed([text])[0].tolist())
    model = "" if embedder is None else embedder.identity
    return Query(text, query_terms(text), vector, model, **bounds)  # type: ignore[arg-type] - bounds are fields of Query


def found(index: Index, query: Query | str, pool: int = 100, store: str = "notes") -> list[str]:
    """The ids of the memories that are found, in order, without doubles."""
    return list(dict.fromkeys(hit.memory.id for hit in hits(index, query, pool, store)))


def hits(index: Index, query: Query | str, pool: int = 100, store: str = "notes") -> Sequence[Hit]:
    """The hits for a query, or for a text asked by words."""
    return index.searcher(store).search(asked(query) if isinstance(query, str) else query, pool)


def steps_taken(index: Index, work: Callable[[], object]) -> int:
    """How many steps SQLite's machine takes in this thread for a piece of work on the index, without those inside
    FTS5, whose statements go on counting from their first use."""
    import apsw

    steps = list[int]()

    def count(event: dict[str, Any]) -> None:
        if "'main'" not in event["sql"]:
            steps.append(event["stmt_status"]["SQLITE_STMTSTATUS_VM_STEP"])

    with index._database.reading() as connection:
        connection.trace_v2(apsw.SQLITE_TRACE_PROFILE, count)
    work()
    return sum(steps)


def engines(**shelves: Engine) -> Mapping[str, Engine]:
    """Engines by store name."""
    return shelves
