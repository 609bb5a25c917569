"""The `sqlite` engine: memories as rows of one file that any SQLite tool can read and edit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast

from mmind.stores.registry import EngineOptions
from mmind.stores.rows import Fields, fields_of, fingerprint_of, memory_of
from mmind.stores.sqlite_file import MEMORY_COLUMNS, SqliteFile, refuse_damage
from mmind.values.errors import EngineDamaged, EngineError, EngineUnavailable
from mmind.values.memory import Memory
from mmind.values.ports import Changes, Health, Mark

if TYPE_CHECKING:
    import apsw

_COLUMNS = ", ".join(MEMORY_COLUMNS)
_VALUES = ", ".join(f":{column}" for column in MEMORY_COLUMNS)
_UPDATES = ", ".join(f"{column} = excluded.{column}" for column in MEMORY_COLUMNS if column != "id")
# Not INSERT OR REPLACE: that would run no delete trigger and give the row a new place.
_UPSERT = f"INSERT INTO memories({_COLUMNS}) VALUES ({_VALUES}) ON CONFLICT(id) DO UPDATE SET {_UPDATES}"  # noqa: S608 - our own column names
_SELECT = f"SELECT {_COLUMNS} FROM memories"  # noqa: S608 - our own column names
_BYTES = ", ".join(
    f"CASE typeof({name}) WHEN 'text' THEN CAST({name} AS BLOB) ELSE {name} END" for name in MEMORY_COLUMNS
)
_SELECT_BYTES = f"SELECT {_BYTES} FROM memories"  # noqa: S608 - our own column names
_NEXT_ROWS = "SELECT rowid FROM memories WHERE rowid > ? ORDER BY rowid LIMIT ?"
_WAYS = ("NOT INDEXED ORDER BY rowid", "NOT INDEXED ORDER BY rowid DESC", "INDEXED BY sqlite_autoindex_memories_1")
_Row = tuple[object, ...]
_BATCH = 200  # memories read under one transaction while the index takes them one by one


def open_engine(store: str, location: Path, options: EngineOptions) -> SqliteEngine:  # noqa: ARG001 - the registry's signature
    """The engine over the database file at `location`. Cheap; no file is made before the first put."""
    return SqliteEngine(store, SqliteFile(location), drive=location.parent)


class SqliteEngine:
    """Keeps the promises of `values.ports.Engine` in one SQLite file (WAL, synchronous FULL).

    `drive` is the folder that must be there before a missing file counts as an empty store.
    """

    def __init__(self, store: str, file: SqliteFile, drive: Path) -> None:
        self._store = store
        self._file = file
        self._drive = drive

    def get(self, id: str) -> Memory | None:
        """The memory with this id, or None. Raises EngineError."""
        with self._file.reading() as connection:
            return None if connection is None else read_memory(connection, self._store, id, self._file.path)

    def put(self, memory: Memory) -> Memory:
        """Keep the memory, replacing one of the same id; durable when it returns. Raises EngineError."""
        with self._file.writing() as connection:
            return write_memory(connection, self._store, memory, self._file.path)

    def delete(self, id: str) -> bool:
        """Remove the memory; False when there was none. Raises EngineError."""
        if self.get(id) is None:  # makes no file, and takes no write lock, for nothing
            return False
        with self._file.writing() as connection:
            connection.execute("DELETE FROM memories WHERE id = ?", (id,))
            return connection.changes() > 0

    def changes(self, since: Mark) -> Changes:
        """What the change log holds after the mark; everything, compared by fingerprint, for a mark of another file.

        Raises EngineUnavailable when the file's folder is gone (a drive that is not there), and reports nothing gone.
        """
        try:
            with self._file.reading() as connection:
                if connection is None:
                    return _nothing_left(self._drive, since)
                cursor = _latest_cursor(connection)
                changed, gone = _compare(connection, since, cursor)
        except EngineDamaged as fault:
            rowids = self._readable_rows()
            if not rowids:
                raise
            return Changes(self._salvaged(rowids, since.fingerprints, fault), (), since.cursor)
        return Changes(self._load("id = ?", changed), gone, cursor, total=len(changed))

    def health(self) -> Health:
        """How the file is, and how many memories are in it. Never raises."""
        where = str(self._file.path)
        try:
            with self._file.reading() as connection:
                if connection is None:
                    return Health(usable=True, where=where, entries=0, notes=("empty: nothing was stored yet",))
                entries = connection.execute("SELECT count(*) FROM memories").get
            return Health(usable=True, where=where, entries=entries)
        except EngineError as fault:
            return Health(usable=False, where=where, reason=fault.message, hint=fault.hint)

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _load(self, where: str, keys: Sequence[int | str]) -> Iterator[Memory]:
        for start in range(0, len(keys), _BATCH):
            with self._file.reading() as connection:
                if connection is None:
                    return
                rows = [_row(connection, where, key) for key in keys[start:][:_BATCH]]
            yield from (_memory_of(self._store, row, self._file.path) for row in rows if row is not None)

    def _salvaged(self, rowids: Sequence[int], known: Mapping[str, str], fault: EngineDamaged) -> Iterator[Memory]:
        """What can still be read of a damaged file, then the damage. Nothing is told to be gone."""
        for rowid in rowids:
            with suppress(EngineDamaged):
                for memory in self._load("rowid = ?", [rowid]):
                    if known.get(memory.id) != memory.fingerprint:
                        yield memory
        raise fault

    def _readable_rows(self) -> Sequence[int]:
        """The rows of a damaged file, as far as its index or its table, read from either end, still leads to them."""
        found: dict[int, None] = {}
        for way in _WAYS:
            with suppress(EngineDamaged), self._file.reading() as connection:
                for (rowid,) in () if connection is None else connection.execute(f"SELECT rowid FROM memories {way}"):  # noqa: S608 - one of _WAYS
                    found[cast("int", rowid)] = None
        return list(found)


def read_memory(connection: apsw.Connection, store: str, id: str, path: Path) -> Memory | None:
    """The memory with this id from inside a transaction, or None."""
    row = _row(connection, "id = ?", id)
    return None if row is None else _memory_of(store, row, path)


def write_memory(connection: apsw.Connection, store: str, memory: Memory, path: Path) -> Memory:
    """Insert or replace the memory inside a write transaction, and give it back as kept."""
    connection.execute(_UPSERT, _bindings(memory.id, fields_of(memory)))
    kept = read_memory(connection, store, memory.id, path)
    if kept is None:  # a trigger that a person added took it away
        raise EngineUnavailable(f"{path} did not keep the memory", hint="look for triggers of other programs in it")
    return kept


def _memory_of(store: str, row: _Row, path: Path) -> Memory:
    fields = dict(zip(MEMORY_COLUMNS, row, strict=True))
    id_ = str(fields["id"])
    return memory_of(store, id_, fields, path=f"{path}#{id_}", fingerprint=_row_fingerprint(row))


def _row(connection: apsw.Connection, where: str, key: int | str) -> _Row | None:
    return next(iter(_rows(connection, f"WHERE {where}", (key,))), None)


def _rows(connection: apsw.Connection, where: str, bindings: tuple[int | str, ...]) -> Sequence[_Row]:
    """The rows; in a text that is not UTF-8 (another program's, or a damaged one) the bytes that are not are shown as
    signs, so that one memory silences no other."""
    try:
        return cast("list[_Row]", connection.execute(f"{_SELECT} {where}", bindings).fetchall())
    except UnicodeDecodeError:
        rows = cast("list[_Row]", connection.execute(f"{_SELECT_BYTES} {where}", bindings).fetchall())
    return [
        tuple(value.decode("utf-8", "replace") if isinstance(value, bytes) else value for value in row) for row in rows
    ]


def _bindings(id: str, fields: Fields) -> dict[str, apsw.SQLiteValue]:
    texts = {name: json.dumps(value, ensure_ascii=False) for name, value in fields.items() if isinstance(value, list)}
    return cast("dict[str, apsw.SQLiteValue]", {"id": id, **fields, **texts})


def _row_fingerprint(row: Sequence[object]) -> str:
    return fingerprint_of(json.dumps(row, default=repr).encode())


def _latest_cursor(connection: apsw.Connection) -> str:
    """`database:sequence:stamp` of the newest change."""
    database = connection.execute("SELECT value FROM mmind WHERE key = 'database'").get
    newest = connection.execute("SELECT sequence, stamp FROM changes ORDER BY sequence DESC LIMIT 1").fetchall()
    sequence, stamp = newest[0] if newest else (0, 0)
    return f"{database}:{sequence}:{stamp}"


def _known_sequence(cursor: str, latest: str, connection: apsw.Connection) -> int | None:
    """The sequence number in the cursor, or None when it comes from another file or another history of this one."""
    if cursor.count(":") != 2:
        return None
    (database, sequence, stamp), (database_now, newest, _) = cursor.split(":"), latest.split(":")
    if cursor == latest:
        return int(sequence)
    if database != database_now or int(sequence) >= int(newest):
        return None
    now = connection.execute("SELECT stamp FROM changes WHERE sequence = ?", (int(sequence),)).get
    return int(sequence) if now is None or str(now) == stamp else None  # None: that memory changed again since


def _compare(connection: apsw.Connection, since: Mark, cursor: str) -> tuple[list[str], list[str]]:
    """Ids that differ from the mark, and ids that are gone. Raises apsw.CorruptError where the file
    cannot say for sure."""
    sequence = _known_sequence(since.cursor, cursor, connection)
    if sequence is not None:
        return _compare_since(connection, sequence, since.fingerprints)
    refuse_damage(connection)
    return _compare_all(connection, since.fingerprints)


def _compare_all(connection: apsw.Connection, fingerprints: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Ids of all memories that differ from the fingerprints, and ids that only the fingerprints have."""
    changed, present = list[str](), set[str]()
    smallest = connection.execute("SELECT min(rowid) FROM memories").get
    last = -1 if smallest is None else cast("int", smallest) - 1
    while rowids := connection.execute(_NEXT_ROWS, (last, _BATCH)).fetchall():
        first, last = cast("int", rowids[0][0]), cast("int", rowids[-1][0])
        for row in _rows(connection, "WHERE rowid BETWEEN ? AND ? ORDER BY rowid", (first, last)):
            key = str(row[0])
            present.add(key)
            if fingerprints.get(key) != _row_fingerprint(row):
                changed.append(key)
    return changed, [key for key in fingerprints if key not in present]


def _compare_since(
    connection: apsw.Connection, sequence: int, fingerprints: Mapping[str, str]
) -> tuple[list[str], list[str]]:
    """As `_compare_all`, for what the change log holds after `sequence`; looks at the mapping only when it must."""
    changed, gone = [], []
    newer = "SELECT id, gone FROM changes WHERE sequence > ? ORDER BY sequence"
    for key, is_gone in cast("list[tuple[str, int]]", connection.execute(newer, (sequence,)).fetchall()):
        if is_gone:
            gone.append(key)
        elif fingerprints.get(key) != _row_fingerprint(_row(connection, "id = ?", key) or ()):
            changed.append(key)
    return changed, [key for key in gone if key in fingerprints]


def _nothing_left(drive: Path, since: Mark) -> Changes:
    if since.fingerprints and not drive.is_dir():
        raise EngineUnavailable(f"the folder {drive} is not there", hint="mount its drive, or make the folder")
    return Changes(iter(()), tuple(since.fingerprints), "", total=0)
