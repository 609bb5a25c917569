"""The labelled cases, graded with the edited table beside the saved one; from a source checkout only."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import mmind
from mmind.dashboard.draft import Table, as_variables
from mmind.values.errors import EngineUnavailable


@dataclass(frozen=True, slots=True)
class CaseGrades:
    """One case: what the router gets wrong with each table; nothing where it passes."""

    name: str
    saved: tuple[str, ...]
    edited: tuple[str, ...]


@dataclass(slots=True)
class Grades:
    """How far the grading is, and what it found."""

    done: int = 0
    total: int = 0
    passed_saved: int = 0
    passed_edited: int = 0
    worse: list[CaseGrades] = field(default_factory=list)
    better: list[CaseGrades] = field(default_factory=list)

    def add(self, case: CaseGrades, done: int, total: int) -> None:
        """Count one case in."""
        self.done, self.total = done, total
        self.passed_saved += not case.saved
        self.passed_edited += not case.edited
        if case.edited and not case.saved:
            self.worse.append(case)
        elif case.saved and not case.edited:
            self.better.append(case)


def checkout() -> Path | None:
    """The source checkout that this package runs from, if it does: the cases are not part of what is installed."""
    root = Path(mmind.__file__).resolve().parents[2]
    return root if (root / "evals" / "edited.py").is_file() and (root / "pyproject.toml").is_file() else None


class Evaluation:
    """One run of the grading, in a process of its own that can be stopped."""

    NEEDS: ClassVar[str] = "the labelled cases are part of a source checkout, and this mmind runs from elsewhere"

    def __init__(self, saved: Table, edited: Table, environ: Mapping[str, str], only: str = "") -> None:
        """`only` grades the cases whose names start so."""
        self._tables = json.dumps({"saved": as_variables(saved), "edited": as_variables(edited)})
        self._environ = environ
        self._words = ["--only", only] if only else []
        self._process: subprocess.Popen[bytes] | None = None
        self.is_stopped = False

    def run(self, report: Callable[[CaseGrades, int, int], None]) -> None:
        """Grade all cases, reporting each. Raises EngineUnavailable when that cannot be done; returns when stopped."""
        root = checkout()
        if root is None:
            raise EngineUnavailable(self.NEEDS, "clone the repository, or save and watch your own questions")
        with self._started(root) as process:
            assert process.stdout
            with contextlib.suppress(BrokenPipeError):  # it has ended; its exit code tells
                self._tell(process)
            for line in process.stdout:
                record = json.loads(line)
                case = CaseGrades(record["case"], tuple(record["saved"]), tuple(record["edited"]))
                report(case, record["done"], record["total"])
        if process.returncode and not self.is_stopped:
            raise EngineUnavailable("the evaluation failed", "run `make eval` to see why")

    def stop(self) -> None:
        """End the run: the cases that are being graded are the last ones, and what they made is cleared away."""
        self.is_stopped = True
        if self._process:
            _leave(self._process)

    def _tell(self, process: subprocess.Popen[bytes]) -> None:
        """Give it the tables; from then on the end of its input, be it ours, tells it to end."""
        assert process.stdin
        process.stdin.write(self._tables.encode() + b"\n")
        process.stdin.flush()
        self._process = process
        if self.is_stopped:  # before there was anything to stop
            _leave(process)

    def _started(self, root: Path) -> subprocess.Popen[bytes]:
        plain = {name: value for name, value in self._environ.items() if not name.startswith(("MMIND_", "OPENAI_"))}
        return subprocess.Popen(  # noqa: S603 - this interpreter, on a module of this checkout
            [sys.executable, "-m", "evals.edited", "--while-open", *self._words],
            cwd=root,
            env=plain,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )


def _leave(process: subprocess.Popen[bytes]) -> None:
    assert process.stdin
    process.stdin.close()
