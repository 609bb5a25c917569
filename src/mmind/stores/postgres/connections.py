"""Connections to one Postgres: kept and used again, made anew after a restart of the server, each with a time limit.

Not psycopg_pool: it makes connections in threads of its own, so that a caller learns "no connection within 3 s" and
never why, and a refused connection is only known after that time.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

import psycopg
from psycopg import conninfo, sql

from mmind.stores.outage import Outage
from mmind.stores.postgres import faults
from mmind.stores.served import ServedAt
from mmind.values.errors import EngineError, EngineUnavailable

CONNECT_SECONDS = 3
READ_SECONDS = 4.0  # below the five seconds that a retrieve gives each store
WRITE_SECONDS = 20.0
GRACE_SECONDS = 1.0  # the server cancels a late statement itself; one that is frozen or cut off cannot
IDLE_SECONDS = 1.5  # for a sign of life from a connection that was at rest
MOST_IDLE = 4

Connection = psycopg.Connection[tuple[Any, ...]]


class Connections:
    """One-thread-at-a-time connections to the server at `place`. Thread-safe. Connects when first needed."""

    def __init__(self, place: ServedAt) -> None:
        self.place = place
        self._idle: list[Connection] = []
        self._outage = Outage()
        self._lock = threading.Lock()
        self._closed = False

    @contextlib.contextmanager
    def reading(self, seconds: float = READ_SECONDS) -> Iterator[Connection]:
        """One consistent view of the database, in a transaction that cannot write. Raises EngineError."""
        with self._transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", seconds) as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self, seconds: float = WRITE_SECONDS) -> Iterator[Connection]:
        """One transaction that is kept whole, durably, or not at all. Raises EngineError."""
        with self._transaction("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE", seconds) as connection:
            yield connection

    def close(self) -> None:
        """Close what is idle; what is in use is closed when it is given back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    @contextlib.contextmanager
    def _transaction(self, begin: str, seconds: float) -> Iterator[Connection]:
        connection = self._begun(begin, seconds)
        watch = _Watch(connection, seconds + GRACE_SECONDS)
        try:
            yield connection
            connection.execute("COMMIT")
        except psycopg.Error as error:
            if watch.has_fired:
                raise self._silent(seconds) from None
            raise faults.working(self.place, error, seconds) from None
        finally:
            watch.end()
            self._give_back(connection)

    def _begun(self, begin: str, seconds: float) -> Connection:
        """A connection inside a transaction: an idle one that still lives, or a new one.

        `jit` costs more than it gains in questions of some milliseconds.
        """
        local = f"SET LOCAL statement_timeout = {int(seconds * 1000)}; SET LOCAL timezone = 'UTC'; SET LOCAL jit = off"
        statement = sql.SQL(f"{begin}; {local}")
        while (idle := self._taken()) is not None:
            watch = _Watch(idle, IDLE_SECONDS)
            try:
                idle.execute(statement)
                return idle
            except psycopg.Error:  # the server was restarted, or the network was
                idle.close()
                if watch.has_fired:
                    raise self._silent(IDLE_SECONDS) from None
            finally:
                watch.end()
        connection = self._connected()
        try:
            connection.execute(statement)
        except psycopg.Error as error:
            connection.close()
            raise faults.working(self.place, error, seconds) from None
        return connection

    def _silent(self, seconds: float) -> EngineError:
        """The fault of a server that was waited for in vain; for a while nobody waits for it again."""
        return self._outage.began(faults.silent(self.place, seconds), seconds)

    def _taken(self) -> Connection | None:
        self._outage.check()
        with self._lock:
            if self._closed:
                raise EngineUnavailable("the store is closed", hint="open the memory again")
            return self._idle.pop() if self._idle else None

    def _connected(self) -> Connection:
        try:
            wanted = conninfo.conninfo_to_dict(self.place.url)
        except psycopg.Error:
            raise faults.bad_url(self.place) from None
        wanted.setdefault("application_name", "mmind")
        wanted.setdefault("connect_timeout", CONNECT_SECONDS)
        started = time.monotonic()
        try:
            # Without prepared statements: plans depend on the words asked for, and poolers in between forget them.
            return psycopg.connect(**wanted, autocommit=True, prepare_threshold=None)  # type: ignore[arg-type]
        except (psycopg.Error, OSError, UnicodeError) as error:
            fault, waited = faults.connecting(self.place, error), time.monotonic() - started
            # What is refused at once is asked again at once: a server that was restarted is there a moment later.
            raise (self._outage.began(fault, waited) if waited > IDLE_SECONDS else fault) from None

    def _give_back(self, connection: Connection) -> None:
        with contextlib.suppress(psycopg.Error):
            if connection.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
                connection.execute("ROLLBACK")
        with self._lock:
            if not (connection.closed or self._closed or len(self._idle) >= MOST_IDLE):
                self._idle.append(connection)
                return
        connection.close()


class _Watch:
    """Hangs up after so many seconds, from another thread: whoever waits for a silent server gets an error at once."""

    def __init__(self, connection: Connection, seconds: float) -> None:
        self.has_fired = False
        self._connection = connection
        self._timer = threading.Timer(seconds, self._fire)
        self._timer.daemon = True
        self._timer.start()

    def end(self) -> None:
        """The server answered, or nobody waits any more."""
        self._timer.cancel()

    def _fire(self) -> None:
        self.has_fired = True
        with contextlib.suppress(OSError, psycopg.Error, ValueError):
            double = socket.fromfd(self._connection.fileno(), socket.AF_INET, socket.SOCK_STREAM)
            with double:
                double.shutdown(socket.SHUT_RDWR)
