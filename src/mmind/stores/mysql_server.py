"""A MySQL or MariaDB database that several threads use: pooled connections, transactions, its errors put into words."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TypeVar

import pymysql
from pymysql.constants import ER

from mmind.stores import mysql_schema
from mmind.stores.drivers import update_hint
from mmind.stores.mysql_faults import number_of, worded
from mmind.stores.mysql_login import READ_SECONDS, WRITE_SECONDS, connected, let_answer, login_of
from mmind.stores.outage import Outage
from mmind.stores.server_address import Address
from mmind.values.errors import EngineUnavailable

if TYPE_CHECKING:
    from pymysql.cursors import Cursor

Answer = TypeVar("Answer")

LOCK_SECONDS = round(WRITE_SECONDS - 4)  # the server, and not the socket, ends a wait for a lock: it says why
IDLE_CONNECTIONS = 4
ATTEMPTS = 5  # a deadlock's loser, or of two primaries' writes the later one, must run again

# Names and text are always UTF-8 and the mode is ours, whatever the server's defaults are: nothing is cut in silence.
_MODES = "sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', time_zone = '+00:00'"
_SESSION = (
    f"SET SESSION {_MODES}, innodb_lock_wait_timeout = {LOCK_SECONDS}",
    "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
)
_READ = "START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"
_RETRIED = {ER.LOCK_DEADLOCK, 1020}  # 1020: the row changed since it was read (MariaDB, innodb_snapshot_isolation)


class MysqlServer:
    """The database that an address names. Nothing is connected before the first use, nothing made before a write."""

    def __init__(self, address: Address) -> None:
        self.where = address.where
        self._address = address
        self._login = login_of(address)
        self._turn = threading.Lock()
        self._idle: list[Any] = []
        self._outage = Outage()
        self._is_current = False

    @contextmanager
    def reading(self) -> Iterator[Cursor | None]:
        """A cursor inside a transaction that sees one moment, or None while the tables are not there.

        Raises EngineError.
        """
        with self._in_words(), self._connection(READ_SECONDS) as connection, connection.cursor() as cursor:
            cursor.execute(_READ)
            yield cursor if self._is_current or self._has_tables(cursor) else None
            connection.rollback()

    def write(self, work: Callable[[Cursor], Answer]) -> Answer:
        """What `work` gives, its changes committed; run again where the server asks for it. Raises EngineError."""
        for attempt in range(ATTEMPTS):
            with self._in_words(), self._connection(WRITE_SECONDS) as connection, connection.cursor() as cursor:
                if not self._is_current:
                    self._bring_up_to_date(cursor)
                try:
                    connection.begin()
                    answer = work(cursor)
                    connection.commit()
                except pymysql.MySQLError as error:
                    if number_of(error) not in _RETRIED or attempt == ATTEMPTS - 1:
                        raise
                    connection.rollback()
                    continue
                return answer
        raise AssertionError("the last attempt returns or raises")

    def close(self) -> None:
        """Close the connections that rest; the next use opens new ones."""
        with self._turn:
            idle, self._idle = self._idle, []
        for connection in idle:
            _end(connection)

    @contextmanager
    def _connection(self, answer_seconds: float) -> Iterator[Any]:
        """A connection that answers within this time; given back after use, thrown away after a fault."""
        connection = self._rested() or self._connect()
        let_answer(connection, answer_seconds)
        try:
            yield connection
        except BaseException:
            _end(connection)  # ends its transaction too
            raise
        with self._turn:
            if len(self._idle) < IDLE_CONNECTIONS:
                self._idle.append(connection)
                return
        _end(connection)

    def _rested(self) -> Any | None:
        """A connection from the pool that the server still answers on: it may have been restarted meanwhile."""
        while True:
            with self._turn:
                if not self._idle:
                    return None
                connection = self._idle.pop()
            let_answer(connection, READ_SECONDS)
            try:
                connection.ping(reconnect=False)
            except (pymysql.MySQLError, OSError):
                self._is_current = False  # another server may stand there now: its tables are looked at again
                _end(connection)
            else:
                return connection

    def _connect(self) -> Any:
        self._outage.check()
        try:
            connection = connected(self._login)
            with connection.cursor() as cursor:
                for statement in _SESSION:
                    cursor.execute(statement)
        except (pymysql.MySQLError, OSError, RuntimeError, UnicodeError) as error:
            raise self._outage.began(worded(error, self._address)) from error
        self._outage.ended()
        return connection

    def _has_tables(self, cursor: Cursor) -> bool:
        """Whether our tables are there, at the version that we know. Raises EngineUnavailable at a newer one."""
        version = self._version(cursor)
        self._is_current = version == mysql_schema.SCHEMA_VERSION
        return version > 0

    def _version(self, cursor: Cursor) -> int:
        try:
            cursor.execute("SELECT max(version) FROM mmind_schema")
        except pymysql.ProgrammingError as error:
            if number_of(error) == ER.NO_SUCH_TABLE:
                return 0
            raise
        version = int(_single(cursor) or 0)
        if version > mysql_schema.SCHEMA_VERSION:
            known = f"schema {version}; this one knows {mysql_schema.SCHEMA_VERSION}"
            reason = f"the tables in {self.where} were made by a newer version of mmind ({known})"
            raise EngineUnavailable(reason, hint=update_hint())
        return version

    def _bring_up_to_date(self, cursor: Cursor) -> None:
        """Make the tables, or run the steps that they lack; one client at a time, by a lock that ends with it."""
        lock = f"mmind schema {self._address.path}"[:64]
        cursor.execute("SELECT GET_LOCK(%s, %s)", (lock, LOCK_SECONDS))
        if not _single(cursor):
            raise EngineUnavailable(f"another program is changing the tables in {self.where}", hint="try again")
        cursor.execute(mysql_schema.VERSION_TABLE)
        for number in range(self._version(cursor), mysql_schema.SCHEMA_VERSION):
            for statement in mysql_schema.STEPS[number]:
                cursor.execute(statement)
            cursor.execute("INSERT INTO mmind_schema VALUES (%s)", (number + 1,))
        cursor.connection.commit()
        cursor.execute("SELECT RELEASE_LOCK(%s)", (lock,))
        self._is_current = True

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """Turn what the driver and the system raise into one line for people, without user and password."""
        try:
            yield
        except (pymysql.MySQLError, OSError) as error:
            if number_of(error) == ER.NO_SUCH_TABLE:
                self._is_current = False
            raise worded(error, self._address) from error


def _single(cursor: Cursor) -> Any:
    row = cursor.fetchone()
    return None if row is None else row[0]


def _end(connection: Any) -> None:
    """Close without a word to the server, which may be gone."""
    with suppress(pymysql.MySQLError, OSError):
        connection._force_close()  # noqa: SLF001 - `close` writes first, and waits where nobody reads
