"""Server programs for tests: found, started until they answer, stopped, killed and started again."""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

START_SECONDS = 60.0


def program(*names: str) -> str:
    """The path of the first of these programs that is there, "" when none is; Debian keeps servers in /usr/sbin."""
    found = (shutil.which(name, path=f"{os.environ.get('PATH', '')}{os.pathsep}/usr/sbin") for name in names)
    return next(filter(None, found), "")


def free_port() -> int:
    """A port of this machine that nobody uses, below those that systems hand out to whoever asks for any: one of these
    could be another's before a server takes it, or while a server that comes back is down."""
    while True:
        port = random.SystemRandom().randrange(10_000, 30_000)
        with socket.socket() as listener, contextlib.suppress(OSError):
            listener.bind(("127.0.0.1", port))
            return port


def kept_port(folder: Path) -> int:
    """A free port for the server whose files lie in this folder: the same one whenever a server starts there again, so
    that it is still the same place to those who used it before."""
    noted = folder / "port"
    if not noted.exists():
        noted.write_text(str(free_port()))
    return int(noted.read_text())


class ServerProcess:
    """One server program: started until it answers, stopped, killed, and started again at the same place."""

    def __init__(self, command: Sequence[str], log: Path, answers: Callable[[], bool]) -> None:
        self._command = command
        self._log = log
        self._answers = answers
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it answers; its own words are the error when it does not."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            ended = self._process.poll() is not None
            assert not ended, self._log.read_text(errors="replace")[-3000:]
            assert time.monotonic() < deadline, self._log.read_text(errors="replace")[-3000:]
            wait_a_moment()

    def stop(self) -> None:
        """End it in good order."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait(30)

    def kill(self) -> None:
        """End it as a crash would."""
        assert self._process is not None
        self._process.kill()
        self._process.wait(30)

    @property
    def pid(self) -> int:
        """The process, for signals."""
        assert self._process is not None
        return self._process.pid


def wait_a_moment() -> None:
    """Between two looks at something that another process brings about."""
    time.sleep(0.02)
