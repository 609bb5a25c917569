"""Where `served_bench.py` keeps what it measures: the data home of each engine and size, and its private server."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from tests.servers import RunningServer, mysql, qdrant, redis
from tests.servers.postgres import Cluster, PostgresPlaces, programs_with_vectors

from mmind.stores.postgres.connections import Connections
from mmind.stores.served import ServedAt

if TYPE_CHECKING:
    from tests.servers.programs import ServerProcess

POSTGRES = "-c shared_buffers=1GB -c max_wal_size=8GB -c wal_level=minimal -c max_wal_senders=0"
MARIADB = ("--innodb-buffer-pool-size=512M", "--innodb-flush-log-at-trx-commit=0")
REDIS = ("--appendfsync", "no")
SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Kind:
    """Which store an engine fills in this bench, and the setting that puts it there ("": it is there by itself)."""

    store: str
    setting: str = ""


KINDS: Mapping[str, Kind] = {
    "sqlite": Kind("sqlite"),
    "postgres": Kind("sqlite", "MMIND_BACKEND_STRUCTURED"),
    "mysql": Kind("sqlite", "MMIND_BACKEND_STRUCTURED"),
    "redis": Kind("leveldb", "MMIND_BACKEND_SESSION"),
    "qdrant": Kind("vector", "MMIND_BACKEND_VECTOR"),
}


@dataclass(frozen=True, slots=True)
class Place:
    """The data home of one engine and size, the URL of its server ("" for files), and the processor seconds that this
    server has used so far."""

    engine: str
    home: Path
    url: str = ""
    server_seconds: Callable[[], float] = field(default=lambda: 0.0)

    @property
    def store(self) -> str:
        """The store that the engine fills."""
        return KINDS[self.engine].store

    @property
    def settings(self) -> dict[str, str]:
        """The environment of a process that uses it."""
        served = {KINDS[self.engine].setting: self.engine, f"MMIND_{self.engine.upper()}_URL": self.url}
        return {"MMIND_HOME": str(self.home), **(served if self.url else {})}


class _OfOneProcess(Protocol):
    process: ServerProcess


class Places:
    """The places in one folder; each private server starts when the first engine asks for it.

    Those of `KEPT` have one for each size, which goes on with what an earlier run over the folder left.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: dict[str, RunningServer] = {}

    def place(self, engine: str, size: int) -> Place:
        """The place for an engine and so many memories. Raises tests.servers.Absent without a server program."""
        home = self._folder / f"{engine}-{size}"
        home.mkdir(exist_ok=True)
        if engine == "sqlite":
            return Place(engine, home)
        if engine == "postgres" and (given := os.environ.get("MMIND_TEST_POSTGRES_URL")):
            return Place(engine, home, given, lambda: _backends(given))
        server = self._server(engine, size)
        url = server.url(f"bench {size}")
        if engine == "postgres":
            return Place(engine, home, url, lambda: _backends(url))
        if not hasattr(server, "process"):  # a real one that the environment names: on another machine, perhaps
            return Place(engine, home, url)
        process = cast("_OfOneProcess", server).process
        return Place(engine, home, url, lambda: _ticks(process.pid) / SECOND)

    def stop(self) -> None:
        """End all that run."""
        for server in self._running.values():
            server.stop()

    def _server(self, engine: str, size: int) -> RunningServer:
        name = f"{engine}-{size}-server" if engine in KEPT else engine
        if name not in self._running:
            folder = self._folder / name if engine in KEPT else Path(tempfile.mkdtemp(dir=self._folder))
            folder.mkdir(exist_ok=True)
            folder.chmod(0o755)
            self._running[name] = STARTS[engine](folder)
        return self._running[name]


KEPT = ("mysql", "redis")
STARTS: Mapping[str, Callable[[Path], RunningServer]] = {
    "postgres": lambda folder: PostgresPlaces(Cluster(folder, programs_with_vectors(), settings=POSTGRES)),
    "mysql": lambda folder: mysql.start(folder, MARIADB),
    "redis": lambda folder: redis.start(folder, REDIS),
    "qdrant": qdrant.start,
}


@contextmanager
def places(folder: Path) -> Iterator[Places]:
    """Places in a folder; their servers end with the block."""
    folder.mkdir(exist_ok=True)
    folder.chmod(0o755)
    made = Places(folder)
    try:
        yield made
    finally:
        made.stop()


def asked_of(url: str, statement: str) -> object:
    """The one value of a statement of Postgres."""
    connections = Connections(ServedAt(url))
    with connections.writing(600) as connection:
        row = connection.execute(statement.encode()).fetchone()
    connections.close()
    return row[0] if row else None


def _backends(url: str) -> float:
    """Processor seconds of the living backends of a database, where its Postgres is on this machine."""
    listed = (
        "SELECT array_agg(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    backends = cast("list[int] | None", asked_of(url, listed)) or []
    return sum(map(_ticks, backends)) / SECOND


def _ticks(process: int) -> int:
    try:
        fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:  # it has ended, or is on another machine
        return 0
    return int(fields[11]) + int(fields[12])
