"""What tests of every folder may ask for."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import Servers


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """Private servers, started on demand, in a folder that the users they run as may enter (not so pytest's own)."""
    with tempfile.TemporaryDirectory(prefix="mmind-servers-", dir=_quick_disk()) as name:
        Path(name).chmod(0o755)
        running = Servers(Path(name))
        yield running
        running.stop()


def _quick_disk() -> str | None:
    """Memory in place of a disk, where there is enough: a database of its own for each test is many files."""
    memory = Path("/dev/shm")
    has_room = memory.is_dir() and os.access(memory, os.W_OK) and shutil.disk_usage(memory).free > 4 << 30
    return str(memory) if has_room else None
