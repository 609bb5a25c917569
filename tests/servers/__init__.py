"""Real servers for the tests: private ones that are started when the first test asks, and stopped at the end.

One module a server, named as its setting (`postgres`: MMIND_POSTGRES_URL), with a function `start(folder)` that gives
a `RunningServer` whose files lie in `folder`, or raises `Absent` when this machine has no such server.
"""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Protocol, cast

import pytest


class Absent(Exception):
    """This machine has no such server; the message says what was looked for."""


class RunningServer(Protocol):
    """A server of our own. Each key (a test's folder) has a place of its own in it, empty at first."""

    def url(self, key: str) -> str:
        """The URL of the place for this key, as a user would set it; the same key gives the same place."""
        ...

    def is_untouched(self, key: str) -> bool:
        """Whether nothing was made in the place for this key."""
        ...

    def stop(self) -> None:
        """End the server and remove what it kept."""
        ...


class Servers:
    """The servers of a test session, each started when it is first asked for."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._running: dict[str, RunningServer | Absent] = {}

    def get(self, server: str) -> RunningServer:
        """The running server; without one the test is skipped with the reason, and fails for that reason in CI."""
        if server not in self._running:
            self._running[server] = self._started(server)
        found = self._running[server]
        if not isinstance(found, Absent):
            return found
        if os.environ.get("CI"):
            pytest.fail(f"no {server} server: {found}")
        pytest.skip(f"no {server} server: {found}")

    def stop(self) -> None:
        """End all that run."""
        for server in self._running.values():
            if not isinstance(server, Absent):
                server.stop()

    def _started(self, server: str) -> RunningServer | Absent:
        try:
            module = importlib.import_module(f"tests.servers.{server}")
            folder = self._folder / server
            folder.mkdir()
            return cast("RunningServer", module.start(folder))
        except Absent as absent:
            return absent
        except ModuleNotFoundError as error:
            return Absent(f"{error.name} is not installed")
