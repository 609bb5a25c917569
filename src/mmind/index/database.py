"""Connections to `index.db`: one a thread, opened under a file lock, opened anew when the file was replaced.

Nothing here or elsewhere in this package opens the file by other means than apsw while a connection may be live:
a plain open and close in the same process cancels SQLite's POSIX locks (https://www.sqlite.org/howtocorrupt.html, 2.2).
"""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from mmind.disk.locks import held
from mmind.disk.refusals import way_out
from mmind.index import schema
from mmind.values.errors import EngineDamaged, EngineUnavailable

if TYPE_CHECKING:
    import apsw

BUSY_MILLISECONDS = 10_000
LOCK_SECONDS = 30.0
CHECKED_EVERY = timedelta(days=1)  # reading 100 MB takes about a second of one core

_Identity = tuple[int, int]  # device and inode: which file a path named at a moment


class Database:
    """The file and this process's connections to it. Thread-safe; a connection never leaves its thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._local = threading.local()
        self._connections: weakref.WeakSet[apsw.Connection] = weakref.WeakSet()
        self._listing = threading.Lock()
        self._closed = False

    def is_there(self) -> bool:
        """Whether there is an index at all; reading one that is not there would make it."""
        return self.path.exists()

    @contextlib.contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """One consistent view of the index. Raises EngineDamaged (made anew already) or EngineUnavailable."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """One transaction that is kept whole or not at all. Raises as `reading` does."""
        with self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    def start_over(self) -> None:
        """Empty the index, whatever version made it; vectors go as well. Raises EngineUnavailable."""
        self._let_go()
        with self._faults_named(), self._alone():
            try:
                self._remove()
            except PermissionError:  # Windows keeps a file that another process has open
                connection = self._connected()
                schema.empty(connection)
                connection.close()

    def check(self) -> None:
        """Read the whole file and see that SQLite and FTS5 find every part in order. Raises as `reading` does."""
        import apsw

        if not self.is_there():
            return
        with self.reading() as connection:
            if connection.execute("PRAGMA integrity_check(1)").get != "ok":
                raise apsw.CorruptError("integrity_check failed")

    def check_daily(self, now: datetime) -> None:
        """Check once a day, whichever process comes first; a new index is left for a day. Raises as `reading` does."""
        with self.reading() as connection:
            if self._is_checked(connection, now):
                return
        with self.writing() as connection:
            if self._is_checked(connection, now):
                return
            is_new = not connection.execute("SELECT 1 FROM meta WHERE key = 'checked'").get
            connection.execute("INSERT OR REPLACE INTO meta VALUES ('checked', ?)", (now.isoformat(),))
        if not is_new:
            self.check()

    @staticmethod
    def _is_checked(connection: apsw.Connection, now: datetime) -> bool:
        last = connection.execute("SELECT value FROM meta WHERE key = 'checked'").get
        return last is not None and timedelta(0) <= now - datetime.fromisoformat(str(last)) < CHECKED_EVERY

    def close(self) -> None:
        """Close every connection of this process. Threads that still use one get EngineUnavailable."""
        self._closed = True
        with self._listing:
            opened = list(self._connections)
        for connection in opened:
            _close(connection)

    @contextlib.contextmanager
    def _transaction(self, begin: str) -> Iterator[apsw.Connection]:
        with self._faults_named():
            connection = self._begun(begin)
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                _roll_back(connection)
                raise

    def _begun(self, begin: str) -> apsw.Connection:
        """This thread's connection inside a transaction, of a file that is in place and of our version."""
        if self._closed:
            raise EngineUnavailable("the search index is closed", hint="open the memory again")
        connection = self._current() or self._open()
        connection.execute(begin)
        if schema.stored_versions(connection) == schema.versions():
            return connection
        _roll_back(connection)
        connection = self._open()
        connection.execute(begin)
        return connection

    def _current(self) -> apsw.Connection | None:
        mine = self._mine()
        if mine is None or mine[1] == _identity(self.path):
            return mine[0] if mine else None
        self._let_go()
        return None

    def _mine(self) -> tuple[apsw.Connection, _Identity] | None:
        return getattr(self._local, "mine", None)

    def _let_go(self) -> None:
        mine = self._mine()
        self._local.mine = None
        if mine is not None:
            _close(mine[0])

    def _open(self) -> apsw.Connection:
        """A fresh connection for this thread; the file is made, or made anew, where needed."""
        import apsw

        self._let_go()
        with self._alone():
            try:
                connection = self._settled()
            except apsw.Error as error:
                if not _is_damage(error):
                    raise
                self._remove()
                connection = self._settled()
            identity = _identity(self.path)
        assert identity is not None
        self._local.mine = (connection, identity)
        with self._listing:
            self._connections.add(connection)
        return connection

    def _settled(self) -> apsw.Connection:
        connection = self._connected()
        try:
            schema.create(connection)
        except BaseException:
            _close(connection)
            raise
        return connection

    def _connected(self) -> apsw.Connection:
        import apsw

        if not self.path.exists():
            _create(self.path)
        connection = apsw.Connection(str(self.path))
        connection.set_busy_timeout(BUSY_MILLISECONDS)
        try:
            for pragma in ("journal_mode=wal", "synchronous=normal", "temp_store=memory", "cache_size=-16000"):
                connection.execute(f"PRAGMA {pragma}")
        except BaseException:
            _close(connection)
            raise
        return connection

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Opening, making and removing the file, by one process and thread at a time."""
        lock = _beside(self.path, ".lock")
        with held(lock, LOCK_SECONDS) as is_ours:
            if not is_ours:
                message = "another program holds the search index"
                raise EngineUnavailable(message, hint=f"end the mmind process that holds {lock}")
            yield

    @contextlib.contextmanager
    def _faults_named(self) -> Iterator[None]:
        import apsw

        try:
            yield
        except (apsw.Error, OSError, UnicodeDecodeError) as error:
            if _is_damage(error):
                self._replace_damaged()
                message = f"the search index was damaged ({error}) and is being made anew"
                raise EngineDamaged(message, hint="ask again in a moment") from error
            if isinstance(error, apsw.BusyError):
                raise EngineUnavailable("the search index is busy", hint="ask again in a moment") from error
            hint = way_out(error, f"check the free space and the access rights of {self.path.parent}")
            raise EngineUnavailable(f"the search index cannot be used: {error}", hint=hint) from error

    def _replace_damaged(self) -> None:
        """Remove the file this thread found damaged, unless another process has put a new one in its place."""
        mine = self._mine()
        self._let_go()
        if mine is None:
            return
        with self._alone(), contextlib.suppress(PermissionError):  # Windows: as long as others have it open
            if _identity(self.path) == mine[1]:
                self._remove()

    def _remove(self) -> None:
        """Delete the file. Connections of others keep the deleted one until their next question, which is harmless:
        SQLite sees that the file has moved and leaves the new one's journal alone."""
        for path in (self.path, _beside(self.path, "-wal"), _beside(self.path, "-shm")):
            path.unlink(missing_ok=True)


def _is_damage(error: Exception) -> bool:
    """Pages or text that cannot be read, or tables that are not there although the version says so."""
    import apsw

    if isinstance(error, apsw.SQLError):
        return "no such" in str(error)
    return isinstance(error, apsw.CorruptError | apsw.NotADBError | UnicodeDecodeError)


def _create(path: Path) -> None:
    """An empty file only the user can read. Journals without a database are left-overs of one that was deleted."""
    for suffix in ("-wal", "-shm"):
        _beside(path, suffix).unlink(missing_ok=True)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


def _roll_back(connection: apsw.Connection) -> None:
    import apsw

    with contextlib.suppress(apsw.Error):
        if connection.in_transaction:
            connection.execute("ROLLBACK")


def _close(connection: apsw.Connection) -> None:
    import apsw

    with contextlib.suppress(apsw.Error):
        connection.close()


def _beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _identity(path: Path) -> _Identity | None:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino
