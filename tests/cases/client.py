"""A client of `python -m mmind`: raw bytes in, raw lines out, every answer matched to its request by id."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests import warm_start

PATIENCE = 120.0
"""Seconds after which a silent server is given up."""

GREETING = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "cases", "version": "1"},
}
# A client that dies with its pipes held by others: the server's parent alone is gone.
PARENT = "import subprocess, sys; sys.exit(subprocess.Popen(sys.argv[1:]).wait())"


@dataclass(slots=True)
class Answer:
    """The answer to one request: the JSON-RPC message (None when none came), its size on the wire, and how long."""

    message: dict[str, Any] | None
    size: int
    seconds: float


@dataclass(slots=True)
class Waiting:
    """A request on its way."""

    sent: float
    done: threading.Event = field(default_factory=threading.Event)
    answer: Answer | None = None


class Client:
    """One server process and the client's ends of its pipes."""

    def __init__(
        self,
        command: Sequence[str],
        environment: dict[str, str],
        cwd: Path,
        *,
        beneath_a_parent: bool = False,
        is_warm: bool = False,
    ) -> None:
        """`command` as it is; with `is_warm` it stands for the arguments of `mmind` alone, from a warm start."""
        self._is_beneath_a_parent = beneath_a_parent
        words = [sys.executable, "-c", PARENT, *command] if beneath_a_parent else list(command)
        # A session of its own, so that whatever is left can be ended as a group.
        if is_warm:
            self.process = warm_start.start(words, environment, cwd=cwd, own_session=True)
        else:
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
            self.process = subprocess.Popen(words, env=environment, cwd=cwd, start_new_session=True, **pipes)
        self.lines: list[bytes] = []
        self.log = bytearray()
        self._waiting: dict[str, Waiting] = {}
        self._lock = threading.Lock()
        self._number = 0
        self._is_at_end = threading.Event()
        self._stop_reading, self._stop_writing = os.pipe()
        self._threads = [threading.Thread(target=target, daemon=True) for target in (self._take_lines, self._take_log)]
        for thread in self._threads:
            thread.start()

    def greet(self) -> Answer:
        """The handshake."""
        answer = self.ask("initialize", GREETING)
        self.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        return answer

    def ask(self, method: str, params: dict[str, Any] | None = None) -> Answer:
        """Send a request and wait for its answer."""
        return self.wait(self.send(method, params))

    def send(self, method: str, params: dict[str, Any] | None = None) -> Waiting:
        """Send a request; the answer is waited for with `wait`."""
        with self._lock:
            self._number += 1
            id_ = f"case-{self._number}"
        waiting = self._waiting[id_] = Waiting(time.monotonic())
        message = {"jsonrpc": "2.0", "id": id_, "method": method, **({} if params is None else {"params": params})}
        if not self.write(json.dumps(message).encode() + b"\n"):
            self._settle(id_, None, 0)
        return waiting

    def wait(self, waiting: Waiting, seconds: float = PATIENCE) -> Answer:
        """The answer to a request; one without a message when the server ended or stayed silent."""
        waiting.done.wait(seconds)
        return waiting.answer or Answer(None, 0, time.monotonic() - waiting.sent)

    def write(self, data: bytes) -> bool:
        """Send raw bytes; False when the server no longer reads."""
        stdin = self.process.stdin
        assert stdin
        try:
            with self._lock:
                stdin.write(data)
                stdin.flush()
        except (OSError, ValueError):
            return False
        return True

    def is_alive(self) -> bool:
        """Whether the server runs."""
        return self.process.poll() is None and not self._is_at_end.is_set()

    def close_stdin(self) -> None:
        """End the server's input."""
        assert self.process.stdin
        try:
            self.process.stdin.close()
        except OSError:
            return

    def close_stdout(self) -> None:
        """Let go of the server's output. A read under way would keep the pipe, so the reader closes it itself."""
        os.write(self._stop_writing, b"x")
        self._threads[0].join(PATIENCE)

    def kill_parent(self) -> None:
        """Kill the server's parent; the pipes stay open."""
        self.process.kill()

    def signal(self, name: str) -> None:
        """Send a signal by its name."""
        self.process.send_signal(getattr(signal, name if name.startswith("SIG") else f"SIG{name}"))

    def has_ended_within(self, seconds: float) -> bool:
        """Whether the server is gone in time. One that lost its parent is seen to go by the end of its output."""
        if self._is_beneath_a_parent:
            return self._is_at_end.wait(seconds)
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def status(self) -> int | None:
        """The exit status; None while it runs, or where only its parent's is known."""
        return None if self._is_beneath_a_parent else self.process.poll()

    def stop(self) -> int:
        """End the input, as a client does that is done, and give the server's status."""
        self.close_stdin()
        status = self.process.wait(PATIENCE)
        for thread in self._threads:
            thread.join(PATIENCE)
        return status

    def end(self) -> None:
        """Whatever still runs of this server is ended; only its own group is touched."""
        with suppress(ProcessLookupError, PermissionError):
            if os.name == "posix":
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()  # where there is no group, or not yet
        self.process.wait(PATIENCE)
        for thread in self._threads:
            thread.join(PATIENCE)
        for end in (self._stop_reading, self._stop_writing):
            os.close(end)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                if stream is not None:
                    stream.close()
            except OSError:
                continue

    def _take_lines(self) -> None:
        assert self.process.stdout
        with self.process.stdout as stdout:
            rest = b""
            while chunk := self._chunk(stdout.fileno()):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    self.lines.append(line)
                    self._match(line)
            if rest:
                self.lines.append(rest)
        self._is_at_end.set()
        for id_ in list(self._waiting):
            self._settle(id_, None, 0)

    def _chunk(self, output: int) -> bytes:
        """What comes next; nothing at the end, or when reading shall stop."""
        if os.name == "posix":
            readable, _, _ = select.select([output, self._stop_reading], [], [])
            if self._stop_reading in readable:
                return b""
        return os.read(output, 1 << 16)

    def _match(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError:
            return
        if isinstance(message, dict) and isinstance(message.get("id"), str):
            self._settle(message["id"], message, len(line) + 1)

    def _settle(self, id_: str, message: dict[str, Any] | None, size: int) -> None:
        waiting = self._waiting.pop(id_, None)
        if waiting is not None:
            waiting.answer = Answer(message, size, time.monotonic() - waiting.sent)
            waiting.done.set()

    def _take_log(self) -> None:
        assert self.process.stderr
        while chunk := self.process.stderr.read1(1 << 16):  # type: ignore[attr-defined]
            self.log += chunk
