"""Other processes for the tests of stores: real ones, that are started, asked and killed."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mmind.stores.served import ServedAt

PUTTER = """
import importlib, sys
from pathlib import Path
from mmind.stores.registry import EngineOptions
from mmind.stores.served import ServedAt
from mmind.values.memory import Memory
module, place, who, count = sys.argv[1], Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
place = ServedAt(sys.argv[2]) if "://" in sys.argv[2] else place
engine = importlib.import_module(module).open_engine("here", place, EngineOptions())
print("up", flush=True)
sys.stdin.readline()
for number in range(count):
    engine.put(Memory(store="here", id=f"{who}-{number}", text=f"{who} said {number}. " * 20))
    assert engine.get(f"{who}-{number // 2}") is not None
    print(f"{who}-{number}", flush=True)
"""


def python(code: str, *arguments: str | Path) -> str:
    """What a fresh Python prints when it runs the code; its failure is the test's."""
    done = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def sql(database: Path, statement: str) -> str:
    """What another program's SQLite (the standard library's, in a process of its own) answers."""
    code = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); print(c.execute(sys.argv[2]).fetchall()); c.commit()"
    return python(code, database, statement)


def putters(module: str, place: Path | ServedAt, processes: int, count: int) -> list[str]:
    """Ids that so many processes acknowledged, each putting and getting `count` memories in one store at once."""
    running = [_start(module, place, f"p{number}", count) for number in range(processes)]
    _go(running)
    finished = [process.communicate(timeout=100) for process in running]
    assert [process.returncode for process in running] == [0] * processes, [errors for _, errors in finished]
    return [line for output, _ in finished for line in output.split()]


def put_until_killed(module: str, place: Path | ServedAt, who: str, after: int) -> list[str]:
    """Ids that a process acknowledged before it was killed without warning, at about its `after`-th put."""
    process = _start(module, place, who, 100_000)
    _go([process])
    assert process.stdout is not None
    seen = [process.stdout.readline().strip() for _ in range(after)]
    process.kill()
    rest = process.communicate(timeout=60)[0].splitlines(keepends=True)
    return [*seen, *(line.strip() for line in rest if line.endswith("\n"))]


@contextmanager
def running(code: str, *arguments: str | Path) -> Iterator[subprocess.Popen[str]]:
    """A process that has printed its first line; it is told to go on by the end of its input, and waited for."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        assert process.stdout.readline().strip() == "up"
        yield process
    finally:
        process.communicate(timeout=60)


@contextmanager
def open_to_all() -> Iterator[Path]:
    """A folder that a user without rights may enter (pytest's own are closed), removed at the end."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def without_rights(code: str, *arguments: str | Path) -> str:
    """As `python`, as a user whom permissions hold: root is made nobody once everything is imported."""
    drop = "import os\nif os.geteuid() == 0: os.setuid(65534)\n" if hasattr(os, "geteuid") else ""
    return python(code.replace("# drop rights\n", drop), *arguments)


def _start(module: str, place: Path | ServedAt, who: str, count: int) -> subprocess.Popen[str]:
    where = place.url if isinstance(place, ServedAt) else str(place)
    return subprocess.Popen(
        [sys.executable, "-c", PUTTER, module, where, who, str(count)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _go(processes: list[subprocess.Popen[str]]) -> None:
    """Wait until all are up, and let them loose together."""
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "up"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
