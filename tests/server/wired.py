"""A server process and its wire, as a client holds it: raw bytes in, parsed lines out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests import warm_start
from tests.servers.programs import wait_a_moment
from tests.warm_start import WarmProcess

PATIENCE = 100.0
"""Seconds after which a test gives a silent server up; nothing is asserted about time."""

INITIALIZE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "raw session", "version": "1"},
}
ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "raw session", "version": "1"},
}


def environment(home: Path, **variables: str) -> dict[str, str]:
    """A clean environment: nothing of this machine's but the path, and no PYTHONUNBUFFERED, which hides faults."""
    plain = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ}
    return {**plain, "HOME": str(home), "MMIND_HOME": str(home / "data"), "MMIND_EMBED_MODEL": "none", **variables}


def vault(home: Path, notes: dict[str, str]) -> Path:
    """A folder of notes."""
    folder = home / "vault"
    folder.mkdir(exist_ok=True)
    for name, text in notes.items():
        (folder / name).write_text(text, "utf-8")
    return folder


class Wired:
    """A running server. Every line that it writes must be JSON-RPC: `receive` fails on anything else."""

    def __init__(self, process: subprocess.Popen[bytes] | WarmProcess) -> None:
        self.process = process
        assert self.process.stdin
        assert self.process.stdout
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self._watchdog = threading.Timer(PATIENCE, self.process.kill)
        self._watchdog.start()
        self._log = bytearray()
        self._logger = threading.Thread(target=self._keep_log, daemon=True)
        self._logger.start()

    @classmethod
    def mmind(cls, folder: Path | None, variables: dict[str, str]) -> Self:
        """The server, from a warm start where that is the same."""
        return cls(warm_start.start([] if folder is None else [str(folder)], variables))

    @classmethod
    def cold(cls, folder: Path | None, variables: dict[str, str]) -> Self:
        """The server as clients start it: a new interpreter."""
        return cls.started([sys.executable, "-m", "mmind", *([] if folder is None else [str(folder)])], variables)

    @classmethod
    def started(cls, command: Iterable[str], variables: dict[str, str]) -> Self:
        """A server behind some other command."""
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return cls(subprocess.Popen(list(command), env=variables, **pipes))

    def write(self, data: bytes) -> None:
        """Send raw bytes."""
        self.stdin.write(data)
        self.stdin.flush()

    def send(self, id: Any, method: str, **params: Any) -> None:
        """Send one request."""
        message = {"jsonrpc": "2.0", "id": id, "method": method, **({"params": params} if params else {})}
        self.write(json.dumps(message).encode() + b"\n")

    def receive(self) -> dict[str, Any]:
        """The next line."""
        line = self.stdout.readline()
        assert line.endswith(b"\n"), f"the server is gone: {self.log()[-2000:]}"
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        assert isinstance(message, dict)
        return message

    def ask(self, id: Any, method: str, **params: Any) -> dict[str, Any]:
        """Send one request and take the next line, which must be its answer."""
        self.send(id, method, **params)
        answer = self.receive()
        assert answer["id"] == id
        return answer

    def greet(self) -> dict[str, Any]:
        """The handshake of the earlier era."""
        answer = self.ask("hello", "initialize", **INITIALIZE)
        self.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        return answer

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool and give its result."""
        result = self.ask(name, "tools/call", name=name, arguments=arguments)["result"]
        assert isinstance(result, dict)
        return result

    def found(self, query: str) -> list[dict[str, Any]]:
        """The results of a question, asked until there are some: a scan may still be under way."""
        while not (results := self.call("retrieve", query=query)["structuredContent"]["results"]):
            wait_a_moment()
        assert isinstance(results, list)
        return results

    def log(self) -> str:
        """What came on standard error; whole once the process has ended."""
        return self._log.decode("utf-8", "replace")

    def ended(self) -> int:
        """Wait for the end of the process and give its status."""
        status = self.process.wait(PATIENCE)
        self._logger.join(PATIENCE)
        return status

    def close(self) -> int:
        """Close the input, as a client does that is done."""
        self.stdin.close()
        return self.ended()

    def _keep_log(self) -> None:
        assert self.process.stderr
        while chunk := self.process.stderr.read1(1 << 16):  # type: ignore[attr-defined]
            self._log += chunk

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._watchdog.cancel()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        self._logger.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None and not stream.closed:
                try:
                    stream.close()
                except BrokenPipeError:
                    continue
