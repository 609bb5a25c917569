"""`mmind` as a process from a warm start: forked from one that has imported everything and done nothing else.

A cold start takes half a second to a second of processor for imports alone, and the tests start hundreds. A forked
process has an id, streams, environment, folder and end of its own like any other. What a start does by itself (what is
imported when, the handshake before that, the end) is tested on cold ones: `tests/server/test_front.py`, `tests/cases`,
`tests/crash`, `tests/load`, `tests/interop`. Where there is no fork (or no pidfd, by which an end is seen), and where a
test sets what the interpreter itself reads, all starts are cold.
"""

from __future__ import annotations

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any

PATIENCE = 100.0
MOST_BYTES = 100_000  # of one request: a packet of a Unix socket holds some 200 kB
LISTENED_TO = ("PYTHON", "LANG", "LC_")  # what the interpreter reads at its start


@dataclass(frozen=True, slots=True)
class Job:
    """What a forked process becomes: `mmind ARGV` in an environment, a folder, and a session of its own or ours."""

    argv: list[str]
    environ: dict[str, str]
    cwd: str
    own_session: bool = False


class WarmProcess:
    """One forked `mmind`, with what the tests use of `subprocess.Popen`."""

    def __init__(self, job: Job, streams: Sequence[int]) -> None:
        self.args = job.argv
        self.pid = _nursery().fork(asdict(job), streams)
        self.returncode: int | None = None
        self._asking = threading.Lock()
        self.stdin: IO[Any] | None = None
        self.stdout: IO[Any] | None = None
        self.stderr: IO[Any] | None = None
        self._end = os.pidfd_open(self.pid)  # readable once the process has ended; nobody has its id until then

    def poll(self) -> int | None:
        """The exit code (the negative number of a signal), or None while it runs."""
        return self._ended(0)

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code, once it has ended. Raises subprocess.TimeoutExpired."""
        code = self._ended(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        return code

    def send_signal(self, number: int) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it without warning."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def _ended(self, timeout: float | None) -> int | None:
        if self.returncode is None and select.select([self._end], [], [], timeout)[0]:
            with self._asking:  # a test and its watchdog may both look
                if self.returncode is None:
                    self.returncode = _nursery().exit_code(self.pid)
        return self.returncode

    def __del__(self) -> None:
        os.close(self._end)


def is_possible(argv: Sequence[str], environ: Mapping[str, str]) -> bool:
    """Whether a warm start is the same as a cold one here."""
    asks_interpreter = any(name.startswith(LISTENED_TO) for name in environ)
    length = sum(len(word.encode("utf-8", "surrogatepass")) for word in (*argv, *environ, *environ.values()))
    return _can_fork() and not asks_interpreter and length < MOST_BYTES


@cache
def _can_fork() -> bool:
    try:
        os.close(os.pidfd_open(os.getpid()))
    except (AttributeError, OSError):  # another system, or a container that forbids it
        return False
    return True


def start(
    argv: Sequence[str],
    environ: Mapping[str, str],
    *,
    text: bool = False,
    cwd: Path | None = None,
    own_session: bool = False,
) -> Any:
    """A running `mmind ARGV` with pipes, as subprocess.Popen gives it."""
    folder = str(cwd or Path.cwd())
    if not is_possible(argv, environ):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        command = [sys.executable, "-m", "mmind", *argv]
        return subprocess.Popen(
            command, env=dict(environ), text=text, cwd=folder, start_new_session=own_session, **pipes
        )
    ours: list[int] = []
    theirs: list[int] = []
    for is_input in (True, False, False):
        reading, writing = os.pipe()
        ours.append(writing if is_input else reading)
        theirs.append(reading if is_input else writing)
    process = WarmProcess(Job(list(argv), dict(environ), folder, own_session), theirs)
    for stream in theirs:
        os.close(stream)
    more = {"encoding": "utf-8"} if text else {}
    process.stdin = os.fdopen(ours[0], "w" if text else "wb", -1, **more)
    process.stdout = os.fdopen(ours[1], "r" if text else "rb", -1, **more)
    process.stderr = os.fdopen(ours[2], "r" if text else "rb", -1, **more)
    return process


def run(
    argv: Sequence[str],
    environ: Mapping[str, str],
    *,
    cwd: Path | None = None,
    stdin: bytes = b"",
    timeout: float = 100,
) -> subprocess.CompletedProcess[str]:
    """Run `mmind ARGV` to its end: its exit code and what it said. Raises subprocess.TimeoutExpired."""
    folder = str(cwd or Path.cwd())
    if not is_possible(argv, environ):
        command = [sys.executable, "-m", "mmind", *argv]
        done = subprocess.run(
            command, input=stdin, capture_output=True, timeout=PATIENCE, env=dict(environ), cwd=folder, check=False
        )
        return subprocess.CompletedProcess(command, done.returncode, done.stdout.decode(), done.stderr.decode())
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        given.write(stdin)
        given.seek(0)
        files = (given, output, errors)
        process = WarmProcess(Job(list(argv), dict(environ), folder), [file.fileno() for file in files])
        try:
            process.wait(PATIENCE)
        finally:
            process.kill()
            process.wait()
        said = [_whole(file) for file in files[1:]]
    return subprocess.CompletedProcess(["mmind", *argv], process.wait(), *said)


def _whole(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8")


class Nursery:
    """The process that others are forked from, and our end of the line to it."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._turn = threading.Lock()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(theirs.fileno())],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env={name: os.environ[name] for name in ("PATH", "HOME", "SYSTEMROOT") if name in os.environ},
                pass_fds=[theirs.fileno()],
            )

    def fork(self, job: Mapping[str, Any], streams: Sequence[int]) -> int:
        """The id of a new process that does the job with these as its standard streams."""
        return self._asked(job, streams)

    def exit_code(self, pid: int) -> int:
        """How a process ended that has ended."""
        return os.waitstatus_to_exitcode(self._asked({"ended": pid}, ()))

    def _asked(self, request: Mapping[str, Any], streams: Sequence[int]) -> int:
        with self._turn:
            socket.send_fds(self._line, [json.dumps(request).encode()], list(streams))
            answer = self._line.recv(100)
        assert answer, f"no more processes can be forked: {self._process.communicate()[1].decode()}"
        return int(answer)


_NURSERIES: list[Nursery] = []


def _nursery() -> Nursery:
    """The one of this process, started when it is first needed; it ends with its line to us."""
    if not _NURSERIES:
        _NURSERIES.append(Nursery())
    return _NURSERIES[0]


def _next_job(line: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """In the nursery: fork for each job. Returns in the new process, and never in the nursery."""
    while True:
        message, streams, _, _ = socket.recv_fds(line, 2 * MOST_BYTES, 3)
        if not message:
            os._exit(0)
        request = json.loads(message)
        if "ended" in request:
            line.send(str(os.waitpid(request["ended"], 0)[1]).encode())
            continue
        pid = os.fork()
        if pid == 0:
            return request, streams
        line.send(str(pid).encode())
        for stream in streams:
            os.close(stream)


def _import_everything() -> None:
    import mmind

    for module in pkgutil.walk_packages(mmind.__path__, "mmind."):
        if not module.name.startswith(("mmind.dashboard", "mmind.__main__")):
            with contextlib.suppress(ImportError):  # a driver that is not installed here
                importlib.import_module(module.name)
    assert threading.active_count() == 1, f"imports started threads: {threading.enumerate()}"
    gc.collect()
    gc.freeze()  # a collection in a forked process would copy every page of what is shared


def _become_mmind() -> int:
    """The whole life of a nursery, and then of each process that it forks."""
    sys.path.pop(0)  # the folder of this file, which is no part of mmind
    _import_everything()
    with socket.socket(fileno=int(sys.argv[1])) as line:
        job, streams = _next_job(line)
    for place, stream in enumerate(streams):
        os.dup2(stream, place)
        os.close(stream)
    if job["own_session"]:
        os.setsid()
    os.chdir(job["cwd"])
    os.environ.clear()
    os.environ.update(job["environ"])
    tempfile.tempdir = None
    from mmind import __main__ as mmind

    sys.argv = [mmind.__file__, *job["argv"]]
    return mmind.main()


def _end(code: int) -> None:
    """As an interpreter ends, but for clearing away all that was imported, which takes longer than most commands."""
    threading._shutdown()  # type: ignore[attr-defined] # waits for the threads that are to be waited for
    atexit._run_exitfuncs()
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)


if __name__ == "__main__":
    _end(_become_mmind())
