"""A private MariaDB for tests, from the system's packages (Debian: mariadb-server)."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Sequence
from contextlib import closing
from getpass import getuser
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit, urlunsplit

import pymysql

from mmind.stores.mysql_login import login_of
from mmind.stores.server_address import address_of
from tests.servers import Absent
from tests.servers.programs import ServerProcess, kept_port, program

PASSWORD = "p@ss/wörd:?#%é"


class Mariadb:
    """A server on a free port, with a user `mmind` (password PASSWORD) who may use what `database` made."""

    def __init__(self, folder: Path, more: Sequence[str] = ()) -> None:
        self.port = kept_port(folder)
        self._short = Path(tempfile.mkdtemp(prefix="mm"))  # a socket's path has at most 107 bytes
        self.socket = self._short / "socket"
        self._databases: dict[str, str] = {}
        if not (folder / "data").exists():
            self._make_data(folder)
        options = [
            f"--datadir={folder / 'data'}",
            f"--socket={self.socket}",
            f"--tmpdir={self._short}",  # a server that starts empties its own of temporary tables, whoever made them
            f"--port={self.port}",
            f"--pid-file={folder / 'pid'}",
            f"--user={getuser()}",
            "--bind-address=127.0.0.1",
            "--innodb-buffer-pool-size=64M",
            "--skip-name-resolve",
            *more,
        ]
        command = [program("mariadbd", "mysqld"), "--no-defaults", *options]
        self.process = ServerProcess(command, folder / "log", self._answers)

    def database(self, key: str) -> str:
        """The name of the database for this key, which is made at the first call."""
        if key not in self._databases:
            name = f"t{len(self._databases)}"
            self.execute(f"CREATE DATABASE IF NOT EXISTS {name}")
            self.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE, CREATE ON {name}.* TO mmind@'127.0.0.1'")
            self._databases[key] = name
        return self._databases[key]

    def url(self, key: str) -> str:
        """The address of the database for this key, user and password in it."""
        return f"mysql://mmind:{quote(PASSWORD, safe='')}@127.0.0.1:{self.port}/{self.database(key)}"

    def is_untouched(self, key: str) -> bool:
        """Whether no table was made for this key."""
        return not self.execute(f"SHOW TABLES FROM {self.database(key)}")

    def stop(self) -> None:
        """End it; its files stay in its folder, and `start` goes on with them."""
        self.process.stop()
        shutil.rmtree(self._short, ignore_errors=True)

    def execute(self, statement: str, values: Sequence[object] = (), database: str | None = None) -> list[Any]:
        """What the server's owner is answered, from outside mmind."""
        with closing(self._connect(database)) as connection, connection.cursor() as cursor:
            cursor.execute(statement, values or None)
            return list(cursor.fetchall())

    def version(self) -> str:
        """As the server says it."""
        return str(self.execute("SELECT version()")[0][0])

    def make_user(self) -> None:
        """The user with a password that must be percent-encoded in a URL."""
        self.execute("CREATE USER IF NOT EXISTS mmind@'127.0.0.1' IDENTIFIED BY %s", [PASSWORD])

    def _connect(self, database: str | None = None) -> Any:
        return pymysql.connect(
            unix_socket=str(self.socket), user="root", autocommit=True, charset="utf8mb4", database=database
        )

    def _answers(self) -> bool:
        try:
            with socket.socket(socket.AF_UNIX) as knock:  # PyMySQL leaves a socket open that finds nobody
                knock.connect(str(self.socket))
            self._connect().close()
        except (pymysql.MySQLError, OSError):
            return False
        return True

    def _make_data(self, folder: Path) -> None:
        command = [
            program("mariadb-install-db", "mysql_install_db"),
            "--no-defaults",
            f"--datadir={folder / 'data'}",
            f"--tmpdir={self._short}",
            f"--user={getuser()}",
            "--auth-root-authentication-method=normal",
            "--skip-test-db",
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


class RemoteMysql:
    """The server that MMIND_TEST_MYSQL_URL names, for the contract tests; its user may make databases."""

    def __init__(self, url: str) -> None:
        self._address = address_of(url, 3306, "MMIND_TEST_MYSQL_URL")
        self._url = url
        self._mark = uuid.uuid4().hex[:8]
        self._databases: dict[str, str] = {}

    def url(self, key: str) -> str:
        """The address of the database for this key, which is made at the first call."""
        if key not in self._databases:
            name = f"mmind_test_{self._mark}_{len(self._databases)}"
            self._execute(f"CREATE DATABASE {name}")
            self._databases[key] = name
        return urlunsplit(urlsplit(self._url)._replace(path=f"/{self._databases[key]}"))

    def is_untouched(self, key: str) -> bool:
        """Whether no table was made for this key."""
        return key not in self._databases or not self._execute(f"SHOW TABLES FROM {self._databases[key]}")

    def version(self) -> str:
        """As the server says it."""
        return str(self._execute("SELECT version()")[0][0])

    def stop(self) -> None:
        """Remove the databases that the tests made."""
        for name in self._databases.values():
            self._execute(f"DROP DATABASE {name}")

    def _execute(self, statement: str) -> list[Any]:
        with closing(pymysql.connect(**login_of(self._address))) as connection, connection.cursor() as cursor:
            cursor.execute(statement)
            return list(cursor.fetchall())


def start(folder: Path, more: Sequence[str] = ()) -> Mariadb | RemoteMysql:
    """The server that MMIND_TEST_MYSQL_URL names, else a MariaDB with its files in `folder`. Raises Absent."""
    url = os.environ.get("MMIND_TEST_MYSQL_URL")
    return RemoteMysql(url) if url else start_mariadb(folder, more)


def start_mariadb(folder: Path, more: Sequence[str] = ()) -> Mariadb:
    """A server with its files in `folder`. Raises Absent."""
    if not program("mariadbd", "mysqld") or not program("mariadb-install-db", "mysql_install_db"):
        raise Absent("mariadbd was not found (Debian: apt-get install mariadb-server)")
    server = Mariadb(folder, more)
    server.process.start()
    server.make_user()
    return server
