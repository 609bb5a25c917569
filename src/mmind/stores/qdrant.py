"""The `qdrant` engine: memories and their vectors as points of a Qdrant collection, which other tools can search."""

from __future__ import annotations

import json
import re
import threading
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mmind.stores.drivers import update_hint
from mmind.stores.pace import Pace
from mmind.stores.qdrant_server import Payload, QdrantCollection
from mmind.stores.registry import EngineOptions
from mmind.stores.rows import fields_of, fingerprint_of, memory_of
from mmind.stores.served import ServedAt
from mmind.values.errors import EngineError, EngineUnavailable
from mmind.values.memory import Memory
from mmind.values.ports import Changes, Embedder, Health, Mark

SCHEMA_VERSION = 1
# Qdrant hands out no numbers in the order of writes. Each write carries its writer's clock, and a reader looks back
# this far behind the newest it has seen: further than clocks differ, and than a write takes to arrive.
WINDOW_MS = 10 * 60 * 1000
SWEEP_MS = 10 * 60 * 1000  # everything is compared this often, whatever clocks and other programs did
_MEMORY, _GONE, _OURS = "memory", "gone", "mmind"  # what a point is: `kind` in its payload
_NAMESPACE = uuid.UUID("5d0f6a3e-9a0e-4a77-8a50-6d6d696e6421")
_BATCH = 200


def open_engine(store: str, location: ServedAt, options: EngineOptions) -> QdrantEngine:
    """The engine over a collection of its own on the server that the URL names. Cheap; nothing is connected or made.

    Raises ConfigError when the URL makes no sense.
    """
    return QdrantEngine(store, QdrantCollection(store, location), options.embedder)


@dataclass(frozen=True, slots=True)
class _State:
    """What a cursor holds: which collection, how far its writers' clocks were seen, and when all was compared."""

    identity: str = ""
    seen_ms: int = 0
    swept_ms: int = 0

    @property
    def cursor(self) -> str:
        return json.dumps([self.identity, self.seen_ms, self.swept_ms])


class QdrantEngine:
    """Keeps the promises of `values.ports.Engine` in one collection, a point a memory, its fields as payload.

    Where there is an embedder, a memory's vector of its model stands beside it. What is gone leaves a point without a
    text and without a vector, so that other machines hear of it.
    """

    def __init__(self, store: str, collection: QdrantCollection, embedder: Embedder | None) -> None:
        self._store = store
        self._collection = collection
        self._embedder = embedder
        self._turn = threading.Lock()
        self._vector_sizes: dict[str, int] | None = None  # None: not known whether the collection is there
        self._fault = ""
        self._counting = Pace()

    @property
    def where(self) -> str:
        """The place as it may be shown; asks no server."""
        return self._collection.where

    def get(self, id: str) -> Memory | None:
        """The memory with this id, or None. Raises EngineError."""
        payload = self._collection.payload(_point(id))
        return self._memory(payload) if payload and payload.get("kind") == _MEMORY else None

    def put(self, memory: Memory) -> Memory:
        """Keep the memory, and its vector; applied when it returns. Without a vector when the embedder fails.

        `health` then says so: a write is never lost for want of a model. Raises EngineError.
        """
        sizes = self._prepared()
        vectors = {name: each for name, each in self._embed(memory).items() if len(each) == sizes.get(name)}
        point, kept = point_of(memory, _now_ms())
        try:
            self._collection.put(point, kept, vectors)
        except EngineError:
            self._vector_sizes = None  # somebody may have removed the collection: the next write makes it anew
            raise
        return self._memory(kept)

    def delete(self, id: str) -> bool:
        """Remove the memory; False when there was none. Raises EngineError."""
        if self.get(id) is None:
            return False
        self._prepared()  # refuses to touch what a newer version made
        self._collection.put(_point(id), {"kind": _GONE, "id": id, "changed": _now_ms()}, {})
        return True

    def changes(self, since: Mark) -> Changes:
        """What writers said since the mark; everything, compared by fingerprint, every ten minutes.

        Raises EngineError, and reports nothing gone, when the collection cannot be read.
        """
        now = _now_ms()
        identity = self._identity()
        if not identity:
            return Changes(iter(()), tuple(since.fingerprints), "", total=0)
        then = _state_in(since.cursor)
        if then.identity == identity and 0 <= now - then.swept_ms < SWEEP_MS and then.seen_ms <= now:
            recent = self._recent(then, now, since.fingerprints)
            if recent is not None:
                return recent
        return self._sweep(_State(identity, now, now), since.fingerprints)

    def health(self) -> Health:
        """How the collection is, how many memories are in it, and what is said of its vectors. Never raises."""
        where = self._collection.where
        try:
            if not self._identity():
                return Health(usable=True, where=where, entries=0, notes=("empty: nothing was stored yet",))
            entries = self._collection.count(_MEMORY)
            return Health(usable=True, where=where, entries=entries, notes=tuple(self._notes()))
        except EngineError as fault:
            return Health(usable=False, where=where, reason=fault.message, hint=fault.hint)

    def close(self) -> None:
        """Close the connections."""
        self._collection.close()

    def _recent(self, then: _State, now: int, fingerprints: Mapping[str, str]) -> Changes | None:
        """What changed by its writers' clocks; None when the number of memories shows that there must be more."""
        fields = ("kind", "id", "fingerprint")
        found = list(self._collection.scroll(fields, changed_from=then.seen_ms - WINDOW_MS))
        changed = [str(each["id"]) for each in found if _is_news(each, fingerprints)]
        gone = [str(each["id"]) for each in found if each.get("kind") == _GONE and each["id"] in fingerprints]
        if not self._adds_up(fingerprints, changed, gone):
            return None
        is_quiet = not changed and not gone and now - then.seen_ms < WINDOW_MS // 2
        state = then if is_quiet else replace(then, seen_ms=now)
        return Changes(self._load(changed), gone, state.cursor, total=len(changed))

    def _adds_up(self, fingerprints: Mapping[str, str], changed: Sequence[str], gone: Sequence[str]) -> bool:
        """Whether the index will hold as many memories as there are. Not looked at every time: it reads all ids."""
        if not self._counting.is_due():
            return True
        with self._counting.looking():
            new = sum(key not in fingerprints for key in changed)
            return self._collection.count(_MEMORY) == len(fingerprints) + new - len(gone)

    def _sweep(self, state: _State, fingerprints: Mapping[str, str]) -> Changes:
        """Compare every memory with the fingerprints."""
        changed, present = list[str](), set[str]()
        for each in self._collection.scroll(("kind", "id", "fingerprint"), kind=_MEMORY):
            present.add(str(each["id"]))
            if _is_news(each, fingerprints):
                changed.append(str(each["id"]))
        gone = [key for key in fingerprints if key not in present]
        return Changes(self._load(changed), gone, state.cursor, total=len(changed))

    def _load(self, ids: Sequence[str]) -> Iterator[Memory]:
        for start in range(0, len(ids), _BATCH):
            found = self._collection.payloads([_point(key) for key in ids[start : start + _BATCH]])
            yield from (self._memory(payload) for payload in found if payload.get("kind") == _MEMORY)

    def _memory(self, payload: Payload) -> Memory:
        key = str(payload.get("id", ""))
        path = f"{self._collection.where}#{key}"
        return memory_of(self._store, key, payload, path=path, fingerprint=str(payload.get("fingerprint", "")))

    def _identity(self) -> str:
        """The collection's, "" while it is not there. Raises EngineUnavailable when it is newer, or not ours."""
        ours = self._collection.payload(_point(_OURS, _OURS))
        if ours is None and self._collection.is_there() and self._collection.count(""):
            ours = self._collection.payload(_point(_OURS, _OURS))  # another machine may just have made it
            if ours is None:
                reason = f"{self._collection.where} is a collection of another program"
                raise EngineUnavailable(reason, hint="set another collection_prefix in MMIND_QDRANT_URL")
        if ours is None:
            self._vector_sizes = None
            return ""
        if int(ours.get("schema", 0)) > SCHEMA_VERSION:
            reason = f"{self._collection.where} was made by a newer version of mmind"
            raise EngineUnavailable(reason, hint=update_hint())
        return str(ours.get("identity", ""))

    def _prepared(self) -> dict[str, int]:
        """The collection's named vectors and their dimensions, once it is there: the model's in use if we make it."""
        with self._turn:
            if self._vector_sizes is None:
                if not self._identity():
                    self._make()
                self._vector_sizes = self._collection.vector_sizes()
            return self._vector_sizes

    def _make(self) -> None:
        if not self._collection.is_there():
            model = self._embedder
            self._collection.make({} if model is None else {_vector_name(model.identity): model.dimension})
        ours: Payload = {"kind": _OURS, "schema": SCHEMA_VERSION, "identity": uuid.uuid4().hex}
        self._collection.put(_point(_OURS, _OURS), ours, {})

    def _embed(self, memory: Memory) -> dict[str, list[float]]:
        """The memory's vector under the name of its model; nothing without a model."""
        if self._embedder is None:
            return {}
        text = f"{memory.title}\n\n{memory.text}" if memory.title else memory.text
        try:
            vector = self._embedder.embed([text])[0]
        except EngineError as fault:
            self._fault = str(fault)
            return {}
        self._fault = ""
        return {_vector_name(self._embedder.identity): [float(value) for value in vector]}

    def _notes(self) -> Iterator[str]:
        sizes = self._collection.vector_sizes()
        if self._embedder is not None and _vector_name(self._embedder.identity) not in sizes:
            others = ", ".join(sizes) or "no model"
            yield (
                f"the collection keeps vectors of {others}, not of {self._embedder.identity}: new memories stand there"
                " without one; the index makes its own, and search uses those"
            )
        if self._fault:
            yield f"the last memory was stored without a vector: {self._fault}"
        if self._collection.is_unencrypted:
            yield "the key of Qdrant goes over the network in the open; use https"


def point_of(memory: Memory, changed_ms: int) -> tuple[str, Payload]:
    """The id of a memory's point, and its payload when it was written then."""
    fields = fields_of(memory)
    kept = {"kind": _MEMORY, "id": memory.id, **fields, "fingerprint": _fingerprint(fields), "changed": changed_ms}
    return _point(memory.id), kept


def _is_news(payload: Payload, fingerprints: Mapping[str, str]) -> bool:
    is_memory = payload.get("kind") == _MEMORY
    return is_memory and fingerprints.get(str(payload["id"])) != str(payload.get("fingerprint", ""))


def _state_in(cursor: str) -> _State:
    try:
        return _State(*json.loads(cursor))
    except (ValueError, TypeError):
        return _State()


def _point(id: str, kind: str = _MEMORY) -> str:
    """The point's id: Qdrant takes numbers and UUIDs only."""
    return str(uuid.uuid5(_NAMESPACE, f"{kind} {id}"))


def _vector_name(identity: str) -> str:
    return re.sub(r"[^\w.-]", "-", identity, flags=re.ASCII)


def _fingerprint(fields: Payload) -> str:
    return fingerprint_of(json.dumps(fields, sort_keys=True, ensure_ascii=False).encode())


def _now_ms() -> int:
    """This machine's clock, to tell newer writes from older ones; it is never shown, and nothing is ranked by it."""
    return time.time_ns() // 1_000_000
