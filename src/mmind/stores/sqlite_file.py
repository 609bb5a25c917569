"""One SQLite file that several threads and processes use: opened, kept at one schema, its errors put into words.

Only apsw opens it: two SQLite libraries in one process cancel each other's locks, and so does a bare open and close
(SQLite, "How To Corrupt An SQLite Database File", 2.2). That is why nothing here ever reads the file itself.
"""

from __future__ import annotations

import os
import stat
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

import apsw

from mmind.disk.durable import make_private_file, may_be_made
from mmind.disk.refusals import reason, way_out
from mmind.disk.transaction import transaction
from mmind.stores.drivers import update_hint
from mmind.values.errors import EngineDamaged, EngineError, EngineUnavailable

SCHEMA_VERSION = 1
APPLICATION_ID = 0x6D6D6E64  # "mmnd" in the file's header tells our files from another program's
BUSY_SECONDS = 10.0  # SQLite's back-off is unfair: with four writers, waits of 1 to 2.5 s were measured

# A column that comes later goes to the end, with a default; an older file is then given what it lacks.
MEMORY_COLUMNS = {
    "id": "TEXT NOT NULL PRIMARY KEY DEFAULT (lower(hex(randomblob(8)))) CHECK (typeof(id) = 'text')",
    "text": "TEXT NOT NULL DEFAULT ''",
    "title": "TEXT NOT NULL DEFAULT ''",
    "tags": "TEXT NOT NULL DEFAULT '[]'",
    "created": "TEXT",
    "updated": "TEXT",
    "trust": "TEXT NOT NULL DEFAULT 'generated'",
    "writer": "TEXT NOT NULL DEFAULT ''",
    "session": "TEXT NOT NULL DEFAULT ''",
    "aliases": "TEXT NOT NULL DEFAULT '[]'",
    "links": "TEXT NOT NULL DEFAULT '[]'",
    "format": "TEXT NOT NULL DEFAULT 'plain'",
    "truncated": "INTEGER NOT NULL DEFAULT 0",
}

# Triggers see the edits of other programs too. They delete and insert, because a conflict clause inside a trigger gives
# way to that of the statement which fired it (SQLite, CREATE TRIGGER). `stamp` tells two histories apart that reached
# the same sequence number, as after a restored backup.
CHANGE_LOG = """
CREATE TABLE IF NOT EXISTS mmind(key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS changes(
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, gone INTEGER NOT NULL,
    stamp INTEGER NOT NULL DEFAULT (random())
);
CREATE TRIGGER IF NOT EXISTS memory_added AFTER INSERT ON memories BEGIN
    DELETE FROM changes WHERE id = new.id;
    INSERT INTO changes(id, gone) VALUES (new.id, 0);
END;
CREATE TRIGGER IF NOT EXISTS memory_changed AFTER UPDATE ON memories BEGIN
    DELETE FROM changes WHERE id IN (old.id, new.id);
    INSERT INTO changes(id, gone) SELECT old.id, 1 WHERE old.id <> new.id;
    INSERT INTO changes(id, gone) VALUES (new.id, 0);
END;
CREATE TRIGGER IF NOT EXISTS memory_removed AFTER DELETE ON memories BEGIN
    DELETE FROM changes WHERE id = old.id;
    INSERT INTO changes(id, gone) VALUES (old.id, 1);
END;
"""

Identity = tuple[int, ...]


class _Schema(Enum):
    BLANK = "no tables yet"
    OLDER = "ours, to be brought up to date"
    CURRENT = "ours"


@dataclass(slots=True)
class _Seat:
    """One connection, whose turn it is, and which file (device, inode) it was opened on."""

    turn: threading.Lock = field(default_factory=threading.Lock)
    connection: apsw.Connection | None = None
    identity: Identity | None = None

    def leave(self) -> None:
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.close()


class SqliteFile:
    """A file with a `memories` table, its change log, and what the SQL of `extra` makes besides.

    One connection reads and one writes, so that no reader of this process waits for a long write of another.
    """

    def __init__(self, path: Path, extra: str = "") -> None:
        self.path = path
        self._extra = extra
        self._reader = _Seat()
        self._writer = _Seat()

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection | None]:
        """A connection inside a read transaction, or None while there is nothing to read. Raises EngineError."""
        with self._reader.turn, _in_words(self.path, self._reader):
            connection = self._connect(self._reader)
            schema = _Schema.BLANK if connection is None else _schema_of(connection, self.path)
            if connection is None or schema is _Schema.BLANK:
                yield None
                return
            if schema is _Schema.OLDER:
                with self.writing():
                    pass
            with transaction(connection, "BEGIN"):
                yield connection

    @contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """A connection inside a write transaction that is durable when the block ends. Raises EngineError.

        Makes the file, private to its owner, when there is none. BEGIN IMMEDIATE: a transaction that reads before it
        writes fails at once under load, whatever the timeout.
        """
        with self._writer.turn, _in_words(self.path, self._writer):
            make_private_file(self.path)
            connection = self._connect(self._writer)
            if connection is None:
                raise EngineUnavailable(f"{self.path} was removed while it was being opened", hint="try again")
            _use_write_ahead_log(connection)
            with transaction(connection, "BEGIN IMMEDIATE"):
                schema = _schema_of(connection, self.path)
                if schema is not _Schema.CURRENT:
                    if schema is _Schema.OLDER:
                        _copy_aside(self.path)
                    _bring_up_to_date(connection, self._extra)
                yield connection
            _empty_write_ahead_log(connection)

    def close(self) -> None:
        """Close both connections; the next use opens them again."""
        for seat in (self._reader, self._writer):
            with seat.turn:
                seat.leave()

    def _connect(self, seat: _Seat) -> apsw.Connection | None:
        """The seat's connection to the file that lies at the path now; None when there is none."""
        identity = _identity(self.path)
        is_closed = identity is not None and seat is self._reader and not may_be_made(self.path)
        if is_closed and identity is not None:
            identity = (*identity, *_extent(self.path))  # what lies open to be read only is opened anew when it changed
        if identity != seat.identity:  # another file was put in its place: writing on into the old one would be lost
            seat.leave()
        seat.identity = identity
        if identity is not None and seat.connection is None:
            seat.connection = _open_closed(self.path) if is_closed else _open(self.path)
        return seat.connection


def _open(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.set_busy_timeout(round(BUSY_SECONDS * 1000))
    connection.execute("PRAGMA synchronous = FULL")  # "stored" means durable: the log is synced at each commit
    connection.execute("PRAGMA fullfsync = ON")  # macOS: a plain fsync stops at the drive's cache
    return connection


def _open_closed(path: Path) -> apsw.Connection:
    """A connection to a file that this user may only read, with the folder that SQLite would put its `-shm` into."""
    log = path.with_name(f"{path.name}-wal")
    is_whole = not log.exists() or log.stat().st_size == 0  # else what is in the log must be read as well
    uri = f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if is_whole else ''}"
    return apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)


def _extent(path: Path) -> Identity:
    found = path.stat()
    return found.st_mtime_ns, found.st_size


def _use_write_ahead_log(connection: apsw.Connection) -> None:
    """Readers and one writer at a time then do not wait for each other. A drive that cannot keeps its own mode."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
            return
        except apsw.BusyError:  # the change of mode does not wait by itself while another process makes the same one
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _empty_write_ahead_log(connection: apsw.Connection) -> None:
    """Move what was committed into the file itself, unless others are at work: they will do it.

    It costs two more syncs a write (1.4 for 0.5 ms where a sync takes 0.4). But then the file alone is the whole store
    whenever it rests, and may be copied, synced or replaced by people who never heard of a `-wal` beside it.
    """
    connection.set_busy_timeout(0)
    with suppress(apsw.Error):  # the write is durable in the log already
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.set_busy_timeout(round(BUSY_SECONDS * 1000))


def _schema_of(connection: apsw.Connection, path: Path) -> _Schema:
    """Which schema the file has. Raises EngineUnavailable when it is newer than ours, or another program's."""
    version = connection.execute("PRAGMA user_version").get
    is_marked = connection.execute("PRAGMA application_id").get == APPLICATION_ID
    if is_marked and version == SCHEMA_VERSION:
        return _Schema.CURRENT
    tables = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
    if not tables:
        return _Schema.BLANK
    if not is_marked and not {"memories", "changes"} <= tables:  # both: a dump read back, which loses the mark
        raise EngineUnavailable(f"{path} is a database of another program", hint="give this store a file of its own")
    if version > SCHEMA_VERSION:
        reason = f"{path} was made by a newer version of mmind (schema {version}; this one knows {SCHEMA_VERSION})"
        raise EngineUnavailable(reason, hint=update_hint())
    return _Schema.OLDER


def _bring_up_to_date(connection: apsw.Connection, extra: str) -> None:
    """Make the schema, or add to an older one what it lacks: columns first, then what needs them."""
    columns = ", ".join(f"{name} {definition}" for name, definition in MEMORY_COLUMNS.items())
    connection.execute(f"CREATE TABLE IF NOT EXISTS memories({columns})")
    present = {row[0] for row in connection.execute("SELECT name FROM pragma_table_info('memories')")}
    for name, definition in MEMORY_COLUMNS.items():
        if name not in present:
            connection.execute(f"ALTER TABLE memories ADD COLUMN {name} {definition}")
    connection.execute(CHANGE_LOG + extra)
    # A new identity: whatever an index holds of the older schema is compared once in full.
    connection.execute("INSERT OR REPLACE INTO mmind VALUES ('database', ?)", (uuid.uuid4().hex,))
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _copy_aside(path: Path) -> None:
    """Copy the file as last committed to `NAME.before-schema-N`, through SQLite and never by reading the file."""
    for number in range(1, 1000):
        copy = path.with_name(f"{path.name}.before-schema-{SCHEMA_VERSION}" + (f"-{number}" if number > 1 else ""))
        if not copy.exists():
            break
    make_private_file(copy)
    connection = _open(path)
    try:
        connection.execute("VACUUM INTO ?", (str(copy),))
    finally:
        connection.close()


def _identity(path: Path) -> Identity | None:
    """Device and inode of the file, or None when there is none. Raises EngineUnavailable when it is no file."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        kind = "a folder" if stat.S_ISDIR(found.st_mode) else "not a file"
        raise EngineUnavailable(f"{path} is {kind}, where a database file is expected", hint="move it, or name a file")
    return found.st_dev, found.st_ino


@contextmanager
def _in_words(path: Path, seat: _Seat) -> Iterator[None]:
    """Turn what SQLite and the system raise into one line for people; start afresh after damage."""
    try:
        yield
    except apsw.Error as error:
        number = seat.connection.system_errno if seat.connection and isinstance(error, apsw.IOError) else 0
        if isinstance(error, apsw.CorruptError | apsw.NotADBError | apsw.IOError):
            with suppress(apsw.Error):
                seat.leave()
        raise _fault(path, OSError(number, os.strerror(number)) if number else error) from error
    except OSError as error:
        hint = way_out(error, "check that the folder exists and that you may read and write it")
        raise EngineUnavailable(f"{path} cannot be used ({reason(error)})", hint) from error


_RECOVER = "save what is left with `sqlite3 FILE .recover`"
_FREE_SPACE = "free some space on its drive; nothing was changed"
_RESTORE = "restore a backup, or move the file away and a new one is made"
_FAULTS: tuple[tuple[type[apsw.Error], type[EngineError], str, str], ...] = (
    (apsw.NotADBError, EngineDamaged, "is not a SQLite database", _RESTORE),
    (apsw.CorruptError, EngineDamaged, "is damaged, and read as far as it can be", f"{_RECOVER}; {_RESTORE}"),
    (apsw.SQLError, EngineDamaged, "does not have the tables that mmind made", _RESTORE),
    (apsw.CantOpenError, EngineUnavailable, "cannot be opened", "check the permissions of the file and its folder"),
    (apsw.ReadOnlyError, EngineUnavailable, "cannot be written", "check the permissions of the file and its folder"),
    (apsw.PermissionsError, EngineUnavailable, "may not be used", "check the permissions of the file and its folder"),
    (apsw.FullError, EngineUnavailable, "cannot grow: the disk is full", _FREE_SPACE),
    (apsw.BusyError, EngineUnavailable, f"was kept busy for {BUSY_SECONDS:.0f} s by another program", "try again"),
)


def refuse_damage(connection: apsw.Connection) -> None:
    """Read the whole file, as a full comparison does. Raises apsw.CorruptError with the first thing that is wrong."""
    try:
        found = str(connection.execute("PRAGMA integrity_check(1)").get)
    except UnicodeDecodeError:
        found = "names that are no text"
    if found != "ok":
        raise apsw.CorruptError(" ".join(found.split()))


def _fault(path: Path, error: apsw.Error | OSError) -> EngineError:
    for kind, fault, words, hint in _FAULTS:
        if isinstance(error, kind):
            return fault(f"{path} {words} ({error})", hint)
    said = reason(error) if isinstance(error, OSError) else error
    return EngineUnavailable(f"{path} cannot be used ({said})", way_out(error, "check the drive, then try again"))
