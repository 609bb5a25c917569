"""The `mysql` engine: memories as rows of a MySQL or MariaDB database that other programs can read and edit."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from mmind.stores.mysql_schema import MEMORY_COLUMNS, MOST_ID_BYTES, MOST_STORE_BYTES
from mmind.stores.mysql_server import MysqlServer
from mmind.stores.pace import Pace
from mmind.stores.registry import EngineOptions
from mmind.stores.rows import fields_of, fingerprint_of, memory_of
from mmind.stores.served import ServedAt
from mmind.stores.server_address import address_of
from mmind.values.errors import EngineError, EngineUnavailable
from mmind.values.memory import Memory
from mmind.values.ports import Changes, Health, Mark

if TYPE_CHECKING:
    from pymysql.cursors import Cursor

_COLUMNS = ", ".join(MEMORY_COLUMNS)
_NAMES = [name for name in MEMORY_COLUMNS if name != "id"]
_SET = ", ".join(f"{name} = %({name})s" for name in _NAMES)
_HERE = "WHERE store = %(store)s AND id = %(id)s"
# `edited` is set to NULL by hand: the server would set it to the time, as it does for other programs.
_UPDATE = f"UPDATE mmind_memories SET {_SET}, revision = %(revision)s, edited = NULL {_HERE}"  # noqa: S608 - our own column names
_INSERT = (
    f"INSERT INTO mmind_memories(store, {_COLUMNS}, revision, edited) VALUES"  # noqa: S608 - our own column names
    f" (%(store)s, {', '.join(f'%({name})s' for name in MEMORY_COLUMNS)}, %(revision)s, NULL)"
)
_SELECT = f"SELECT {_COLUMNS} FROM mmind_memories WHERE store = %s"  # noqa: S608 - our own column names
# One statement makes the store's row or takes the next number, and holds the row until the commit: see the schema.
_NEXT = (
    "INSERT INTO mmind_stores(store, identity, revision, entries) VALUES (%s, %s, LAST_INSERT_ID(1), 0)"
    " ON DUPLICATE KEY UPDATE revision = LAST_INSERT_ID(revision + 1)"
)
_COUNT = "UPDATE mmind_stores SET entries = entries + %s WHERE store = %s"
_NEWER = (
    "SELECT id, revision, 0 FROM mmind_memories WHERE store = %s AND revision > %s"
    " UNION ALL SELECT id, revision, 1 FROM mmind_gone WHERE store = %s AND revision > %s ORDER BY 2"
)
_AT = (
    "SELECT id, revision FROM mmind_memories WHERE store = %s AND {column} = %s"
    " UNION ALL SELECT id, revision FROM mmind_gone WHERE store = %s AND {column} = %s ORDER BY 2 DESC LIMIT 1"
)
_AT_REVISION, _OF_ID = _AT.format(column="revision"), _AT.format(column="id")
# What the server itself notes of rows that other programs inserted or updated; a sum, because their order of commit
# may differ from the order of their times.
_EDITS = (
    "SELECT count(*), coalesce(sum(crc32(concat(id, ' ', edited))), 0) FROM mmind_memories"
    " WHERE store = %s AND edited IS NOT NULL"
)
# Left to itself MariaDB reads the whole rows: 280 ms at 100,000 memories, for 50 with a small index.
_ENTRIES = "SELECT count(*) FROM mmind_memories FORCE INDEX (mmind_edited) WHERE store = %s"
_BATCH = 200  # memories read in one transaction while the index takes them one by one
_PAGE = 1000  # rows compared at a time
_COMPARED = 1000  # of more that were written, those that the index knows are told apart when they are handed out


def open_engine(store: str, location: ServedAt, options: EngineOptions) -> MysqlEngine:  # noqa: ARG001 - the registry's signature
    """The engine over the database that the URL names. Cheap; nothing is connected, and nothing made before a put.

    Raises ConfigError when the URL makes no sense.
    """
    return MysqlEngine(store, MysqlServer(address_of(location.url, 3306, location.variable or "MMIND_MYSQL_URL")))


@dataclass(frozen=True, slots=True)
class _State:
    """Where a store stands: its identity, its newest revision and whose it is, and the signs of other programs."""

    identity: str = ""
    revision: int = 0
    newest: str = ""
    signs: str = ""

    @property
    def cursor(self) -> str:
        return json.dumps([self.identity, self.revision, self.newest, self.signs])


class MysqlEngine:
    """Keeps the promises of `values.ports.Engine` in the tables `mmind_…` of one database, by name of the store."""

    def __init__(self, store: str, server: MysqlServer) -> None:
        self._store = store
        self._server = server
        self._lacking = 0
        self._counting = Pace()

    @property
    def where(self) -> str:
        """The place as it may be shown; asks no server."""
        return self._server.where

    def get(self, id: str) -> Memory | None:
        """The memory with this id, or None. Raises EngineError."""
        if not _fits(id):
            return None
        with self._server.reading() as cursor:
            return None if cursor is None else self._read(cursor, [id]).get(id)

    def put(self, memory: Memory) -> Memory:
        """Keep the memory, replacing one of the same id; committed when it returns. Raises EngineError."""
        if not memory.id or not _fits(memory.id) or len(self._store.encode()) > MOST_STORE_BYTES:
            reason = f"{self._server.where} takes ids of 1 to {MOST_ID_BYTES} bytes"
            raise EngineUnavailable(reason, hint="give the memory a shorter id")
        return self._server.write(lambda cursor: self._write(cursor, memory))

    def delete(self, id: str) -> bool:
        """Remove the memory; False when there was none. Raises EngineError."""
        if self.get(id) is None:  # makes no table, and takes no lock, for nothing
            return False
        return self._server.write(lambda cursor: self._remove(cursor, id))

    def changes(self, since: Mark) -> Changes:
        """What was committed after the mark; everything, compared by fingerprint, after another program's edits.

        Raises EngineError, and reports nothing gone, when the database cannot be read.
        """
        with self._server.reading() as cursor:
            state = _State() if cursor is None else self._state(cursor)
            if cursor is None or not state.identity:
                return Changes(iter(()), tuple(since.fingerprints), "", total=0)
            known = self._known_revision(cursor, since.cursor, state)
            if known is None:
                changed, gone = self._compare_all(cursor, since.fingerprints)
            else:
                changed, gone = self._compare_since(cursor, known, since.fingerprints)
        return Changes(self._unknown(changed, since.fingerprints), gone, state.cursor, total=len(changed))

    def health(self) -> Health:
        """How the database is, how many memories are in it, and whether a commit outlives a power cut. Never raises."""
        where = self._server.where
        try:
            with self._server.reading() as cursor:
                if cursor is None:
                    return Health(usable=True, where=where, entries=0, notes=("empty: nothing was stored yet",))
                entries = self._entries(cursor)
                flush = _numbers(cursor, "SELECT @@innodb_flush_log_at_trx_commit")[0]
            return Health(usable=True, where=where, entries=entries, notes=tuple(_durability(flush)))
        except EngineError as fault:
            return Health(usable=False, where=where, reason=fault.message, hint=fault.hint)

    def close(self) -> None:
        """Close the connections."""
        self._server.close()

    def _read(self, cursor: Cursor, ids: Sequence[str]) -> dict[str, Memory]:
        cursor.execute(f"{_SELECT} AND id IN %s", (self._store, tuple(ids)))
        return {memory.id: memory for memory in map(self._memory, cursor.fetchall())}

    def _memory(self, row: Sequence[Any]) -> Memory:
        kept = _decoded(row)
        key = str(kept[0])
        fields = dict(zip(MEMORY_COLUMNS, kept, strict=True))
        return memory_of(self._store, key, fields, path=f"{self._server.where}#{key}", fingerprint=_fingerprint(kept))

    def _write(self, cursor: Cursor, memory: Memory) -> Memory:
        row = {"store": self._store, "id": memory.id, **_bindings(memory), "revision": self._next_revision(cursor)}
        if not cursor.execute(_UPDATE, row):
            cursor.execute(_INSERT, row)
            cursor.execute(_COUNT, (1, self._store))
            cursor.execute("DELETE FROM mmind_gone WHERE store = %s AND id = %s", (self._store, memory.id))
        kept = self._read(cursor, [memory.id]).get(memory.id)
        if kept is None:  # a trigger that a person added took it away
            reason = f"{self._server.where} did not keep the memory"
            raise EngineUnavailable(reason, hint="look for triggers of other programs on its tables")
        return kept

    def _remove(self, cursor: Cursor, id: str) -> bool:
        revision = self._next_revision(cursor)
        if not cursor.execute("DELETE FROM mmind_memories WHERE store = %s AND id = %s", (self._store, id)):
            return False
        cursor.execute(_COUNT, (-1, self._store))
        cursor.execute("REPLACE INTO mmind_gone VALUES (%s, %s, %s)", (self._store, id, revision))
        return True

    def _next_revision(self, cursor: Cursor) -> int:
        cursor.execute(_NEXT, (self._store, uuid.uuid4().hex))
        return _numbers(cursor, "SELECT LAST_INSERT_ID()")[0]

    def _state(self, cursor: Cursor) -> _State:
        cursor.execute("SELECT identity, revision, entries FROM mmind_stores WHERE store = %s", (self._store,))
        identity, revision, entries = cast("tuple[str, int, int]", cursor.fetchone() or ("", 0, 0))
        edits, digest = _numbers(cursor, _EDITS, self._store)
        if not identity and not edits:
            return _State()
        newest, _ = self._change(cursor, _AT_REVISION, revision) or ("", 0)
        return _State(
            identity or "edited by hand", revision, newest, f"{self._missing(cursor, entries)} {edits} {digest}"
        )

    def _entries(self, cursor: Cursor) -> int:
        written = _numbers(cursor, "SELECT max(entries) FROM mmind_stores WHERE store = %s", self._store)
        return written[0] - self._missing(cursor, written[0])

    def _missing(self, cursor: Cursor, entries: int) -> int:
        """How many more memories mmind wrote than are there: what other programs removed, less what they added.

        Counting takes the longer the more there are, so it is not done every time.
        """
        if self._counting.is_due():
            with self._counting.looking():
                self._lacking = entries - _numbers(cursor, _ENTRIES, self._store)[0]
        return self._lacking

    def _change(self, cursor: Cursor, statement: str, value: int | str) -> tuple[str, int] | None:
        """(id, revision) of the change that the statement finds, or None."""
        cursor.execute(statement, (self._store, value, self._store, value))
        row = cursor.fetchone()
        return None if row is None else (_text(row[0]), int(row[1]))

    def _known_revision(self, cursor: Cursor, mark: str, now: _State) -> int | None:
        """The revision of a mark's cursor, or None when it comes from another database or another history of this one,
        or from before edits of other programs, which have no revision."""
        if mark == now.cursor:
            return now.revision
        try:
            then = _State(*json.loads(mark))
        except (ValueError, TypeError):
            return None
        if (then.identity, then.signs) != (now.identity, now.signs) or then.revision > now.revision:
            return None
        latest = self._change(cursor, _OF_ID, then.newest)
        # A backup that was put back, and written to since, has not got the change that the mark saw last.
        return then.revision if latest is not None and latest[1] >= then.revision else None

    def _compare_since(
        self, cursor: Cursor, revision: int, fingerprints: Mapping[str, str]
    ) -> tuple[list[str], list[str]]:
        """Ids that changed after the revision, and ids that are gone; looks at the mapping only when it must."""
        cursor.execute(_NEWER, (self._store, revision, self._store, revision))
        rows = [(_text(key), is_gone) for key, _, is_gone in cursor.fetchall()]
        changed = [key for key, is_gone in rows if not is_gone]
        if len(changed) <= _COMPARED:
            kept = (memory for ids in _batches(changed) for memory in self._read(cursor, ids).values())
            changed = [memory.id for memory in kept if fingerprints.get(memory.id) != memory.fingerprint]
        return changed, [key for key, is_gone in rows if is_gone and key in fingerprints]

    def _compare_all(self, cursor: Cursor, fingerprints: Mapping[str, str]) -> tuple[list[str], list[str]]:
        """As `_compare_since`, over all memories; where nothing is known yet, no text is read twice."""
        if not fingerprints:
            cursor.execute("SELECT id FROM mmind_memories WHERE store = %s ORDER BY id", (self._store,))
            return [_text(key) for (key,) in cursor.fetchall()], []
        changed, present, after = list[str](), set[str](), b""
        while True:
            cursor.execute(f"{_SELECT} AND id > %s ORDER BY id LIMIT %s", (self._store, after, _PAGE))
            rows = cursor.fetchall()
            for row in map(_decoded, rows):
                present.add(str(row[0]))
                if fingerprints.get(str(row[0])) != _fingerprint(row):
                    changed.append(str(row[0]))
            if len(rows) < _PAGE:
                return changed, [key for key in fingerprints if key not in present]
            after = rows[-1][0]

    def _unknown(self, ids: Sequence[str], fingerprints: Mapping[str, str]) -> Iterator[Memory]:
        """The memories with these ids, without those that are as the fingerprints say."""
        return (memory for memory in self._load(ids) if fingerprints.get(memory.id) != memory.fingerprint)

    def _load(self, ids: Sequence[str]) -> Iterator[Memory]:
        for batch in _batches(ids):
            with self._server.reading() as cursor:
                found = {} if cursor is None else self._read(cursor, batch)
            yield from found.values()


def _bindings(memory: Memory) -> dict[str, object]:
    fields = fields_of(memory)
    lists = {name: json.dumps(value, ensure_ascii=False) for name, value in fields.items() if isinstance(value, list)}
    return {**fields, **lists}


def _decoded(row: Sequence[Any]) -> list[object]:
    return [_text(row[0]), *row[1:]]


def _fingerprint(row: Sequence[object]) -> str:
    return fingerprint_of(json.dumps(row, default=repr).encode())


def _text(value: bytes | str) -> str:
    return value.decode("utf-8", "backslashreplace") if isinstance(value, bytes) else value


def _fits(id: str) -> bool:
    return len(id.encode("utf-8", "replace")) <= MOST_ID_BYTES


def _batches(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    return (ids[start : start + _BATCH] for start in range(0, len(ids), _BATCH))


def _numbers(cursor: Cursor, statement: str, *values: str) -> list[int]:
    cursor.execute(statement, values or None)
    return [int(value or 0) for value in cursor.fetchone() or ()]


def _durability(flush: int) -> Iterator[str]:
    if flush != 1:
        yield (
            f"the server writes its log about once a second (innodb_flush_log_at_trx_commit = {flush}): a crash of its"
            " machine may lose the last second; set it to 1"
        )
