"""The `redis` engine: memories as JSON values in Redis, which may be given a time to live."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mmind.stores import redis_scripts
from mmind.stores.drivers import update_hint
from mmind.stores.pace import Pace
from mmind.stores.redis_server import RedisServer
from mmind.stores.registry import EngineOptions
from mmind.stores.rows import Fields, fields_of, fingerprint_of, memory_of
from mmind.stores.served import ServedAt
from mmind.values.errors import EngineError, EngineUnavailable
from mmind.values.memory import Memory
from mmind.values.ports import Changes, Health, Mark

_MARK = "mmind"  # the JSON member that tells our values from what another program may put there
_FORMAT = 1
_BATCH = 200  # memories read at a time
_COMPARED = 1000  # of more that were written, those that the index knows are told apart when they are handed out
_LOOKED_FOR = 2000  # memories that Redis looks for at a time, in about a millisecond
_BURIED = 200  # at most so many missing memories are struck off the list by one write


def open_engine(store: str, location: ServedAt, options: EngineOptions) -> RedisEngine:  # noqa: ARG001 - the registry's signature
    """The engine over the Redis database that the URL names. Cheap; nothing is connected, nothing made before a put.

    Raises ConfigError when the URL makes no sense.
    """
    return RedisEngine(store, RedisServer(location))


@dataclass(frozen=True, slots=True)
class _State:
    """Where a store stands: its identity, its newest revision and whose it is, and up to where tombstones gave way."""

    identity: str = ""
    revision: int = 0
    newest: str = ""
    floor: int = 0

    @property
    def cursor(self) -> str:
        return json.dumps([self.identity, self.revision, self.newest])


class RedisEngine:
    """Keeps the promises of `values.ports.Engine` under keys `mmind:{STORE}:…`.

    A memory whose key expired, was evicted or removed by another program is gone; one that another program
    overwrote is read as it stands, but the index hears of it only when it is rebuilt.
    """

    def __init__(self, store: str, server: RedisServer) -> None:
        self._store = store
        self._server = server
        self._keys = [f"mmind:{{{store}}}:{name}" for name in ("head", "live", "gone")]
        self._head, self._live, self._gone = self._keys
        self._scripts: dict[str, Any] = {}
        self._missing: tuple[str, ...] = ()
        self._looking = Pace()

    @property
    def where(self) -> str:
        """The place as it may be shown; asks no server."""
        return self._server.where

    def get(self, id: str) -> Memory | None:
        """The memory with this id, or None. Raises EngineError."""
        return self._read([id]).get(id)

    def put(self, memory: Memory) -> Memory:
        """Keep the memory, replacing one of the same id; in Redis' log when it returns. Raises EngineError."""
        value = json.dumps({_MARK: _FORMAT, **fields_of(memory)}, ensure_ascii=False, separators=(",", ":")).encode()
        self._bury()
        self._run(redis_scripts.PUT, [self._key(memory.id)], [memory.id, value, self._server.expire_ms])
        return self._memory(memory.id, value)

    def delete(self, id: str) -> bool:
        """Remove the memory; False when there was none. Raises EngineError."""
        if self.get(id) is None:  # makes no key for nothing
            return False
        return bool(self._run(redis_scripts.DELETE, [self._key(id)], [id]))

    def changes(self, since: Mark) -> Changes:
        """What was written after the mark, and what is no more, be it that it expired.

        Raises EngineError, and reports nothing gone, when Redis cannot be read.
        """
        state = self._state()
        if not state.identity:
            return Changes(iter(()), tuple(since.fingerprints), "", total=0)
        known = self._known_revision(since.cursor, state)
        if known is None:
            changed, gone = self._compare_all(since.fingerprints)
        else:
            changed, gone = self._compare_since(known, since.fingerprints)
        return Changes(self._unknown(changed, since.fingerprints), gone, state.cursor, total=len(changed))

    def health(self) -> Health:
        """How Redis is, how many memories are in it, and what a crash of it may cost. Never raises."""
        where = self._server.where
        try:
            missing = len(self._look_for_missing())
            with self._server.asking() as client:
                entries = max(0, int(client.zcard(self._live)) - missing)
            notes = tuple(self._server.notes())
        except EngineError as fault:
            return Health(usable=False, where=where, reason=fault.message, hint=fault.hint)
        return Health(usable=True, where=where, entries=entries, notes=notes)

    def close(self) -> None:
        """Close the connections."""
        self._server.close()

    def _key(self, id: str) -> bytes:
        return f"mmind:{{{self._store}}}:memory:{id}".encode()

    def _run(self, script: str, keys: Sequence[bytes], arguments: Sequence[str | bytes | int]) -> Any:
        with self._server.asking() as client:
            known = self._scripts.setdefault(script, client.register_script(script))
            return known(keys=[*self._keys, *keys], args=[uuid.uuid4().hex, *arguments])

    def _read(self, ids: Sequence[str]) -> dict[str, Memory]:
        with self._server.asking() as client:
            values = client.mget([self._key(key) for key in ids])
        found = zip(ids, values, strict=True)
        return {key: self._memory(key, value) for key, value in found if value is not None}

    def _memory(self, id: str, value: bytes) -> Memory:
        path = f"{self._server.where}#{id}"
        return memory_of(self._store, id, _fields(value), path=path, fingerprint=fingerprint_of(value))

    def _state(self) -> _State:
        with self._server.asking() as client, client.pipeline(transaction=True) as pipeline:
            pipeline.hmget(self._head, "schema", "identity", "revision", "floor")
            for name in (self._live, self._gone):
                pipeline.zrevrange(name, 0, 0, withscores=True)
            (schema, identity, revision, floor), *newest = pipeline.execute()
        if int(schema or 0) > redis_scripts.SCHEMA_VERSION:
            reason = f"{self._server.where} holds memories of a newer version of mmind (schema {int(schema)})"
            raise EngineUnavailable(reason, hint=update_hint())
        last = max((pair for found in newest for pair in found), key=lambda pair: float(pair[1]), default=(b"", 0))
        return _State(_text(identity or b""), int(revision or 0), _text(last[0]), int(float(floor or 0)))

    def _known_revision(self, mark: str, now: _State) -> int | None:
        """The revision of a mark's cursor, or None when it comes from another database or another history of this one
        (a snapshot put back, a replica that had not heard all), or from before the oldest tombstone."""
        if mark == now.cursor:
            return now.revision
        try:
            identity, revision, newest = json.loads(mark)
        except (ValueError, TypeError):
            return None
        if identity != now.identity or not now.floor <= revision <= now.revision:
            return None
        with self._server.asking() as client, client.pipeline(transaction=True) as pipeline:
            pipeline.zscore(self._live, newest)
            pipeline.zscore(self._gone, newest)
            latest = max(float(score or 0) for score in pipeline.execute())
        return int(revision) if latest >= revision else None

    def _compare_since(self, revision: int, fingerprints: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """Ids that changed after the revision, and ids that are gone; looks at the mapping only when it must."""
        with self._server.asking() as client, client.pipeline(transaction=True) as pipeline:
            for name in (self._live, self._gone):
                pipeline.zrangebyscore(name, f"({revision}", "+inf")
            live, gone = (list(map(_text, found)) for found in pipeline.execute())
        changed = live
        if len(live) <= _COMPARED:
            changed = [memory.id for memory in self._unknown(live, fingerprints)]
        missing = dict.fromkeys([*gone, *self._look_for_missing()])
        return changed, [key for key in missing if key in fingerprints]

    def _compare_all(self, fingerprints: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """As `_compare_since`, over all memories; where nothing is known yet, no text is read twice."""
        if not fingerprints:
            return self._living(), []
        changed, present = list[str](), set[str]()
        for memory in self._load(self._living()):
            present.add(memory.id)
            if fingerprints.get(memory.id) != memory.fingerprint:
                changed.append(memory.id)
        return changed, [key for key in fingerprints if key not in present]

    def _living(self) -> list[str]:
        with self._server.asking() as client:
            return [_text(key) for key in client.zrange(self._live, 0, -1)]

    def _look_for_missing(self) -> tuple[str, ...]:
        """Ids on the list of the living whose memories expired or were removed by another program.

        As of the last look, which is not repeated every time: it asks for each memory.
        """
        if self._looking.is_due():
            with self._looking.looking():
                self._missing = tuple(self._absent())
        return self._missing

    def _absent(self) -> Iterator[str]:
        with self._server.asking() as client:
            script = self._scripts.setdefault(redis_scripts.MISSING, client.register_script(redis_scripts.MISSING))
            for first in range(0, int(client.zcard(self._live)), _LOOKED_FOR):
                found = script(keys=[self._live], args=[self._key(""), first, first + _LOOKED_FOR - 1])
                yield from map(_text, found)

    def _bury(self) -> None:
        """Strike what is missing off the list of the living; reading alone changes nothing in Redis."""
        dead, self._missing = self._missing[:_BURIED], self._missing[_BURIED:]
        if dead:
            self._run(redis_scripts.BURY, [self._key(key) for key in dead], dead)

    def _unknown(self, ids: Sequence[str], fingerprints: Mapping[str, str]) -> Iterator[Memory]:
        """The memories with these ids, without those that are as the fingerprints say."""
        return (memory for memory in self._load(ids) if fingerprints.get(memory.id) != memory.fingerprint)

    def _load(self, ids: Sequence[str]) -> Iterator[Memory]:
        for batch in _batches(ids):
            yield from self._read(batch).values()


def _fields(value: bytes) -> Fields:
    """The fields of a value that mmind wrote; another program's value is all text."""
    try:
        fields = json.loads(value)
    except ValueError:
        fields = None
    if isinstance(fields, dict) and _MARK in fields:
        return fields
    return {"text": value.decode("utf-8", "replace")}


def _text(key: bytes) -> str:
    return key.decode("utf-8", "backslashreplace")


def _batches(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[start : start + _BATCH] for start in range(0, len(ids), _BATCH))
