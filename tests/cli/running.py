"""The command as a process: what is run, and what is expected of it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from typing import Any

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]


def answered(done: Done) -> Any:
    """The JSON of a run that went well."""
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def refused(done: Done) -> tuple[int, str]:
    """The exit code and the one line of a run that was refused."""
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    return done.returncode, done.stderr.rstrip("\n")
