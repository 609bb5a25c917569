"""What tests of every folder may ask for."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.servers import Servers


@pytest.fixture(scope="session")
def servers() -> Iterator[Servers]:
    """Private servers, started on demand, in a folder that the users they run as may enter (not so pytest's own)."""
    with tempfile.TemporaryDirectory(prefix="mmind-servers-") as name:
        Path(name).chmod(0o755)
        running = Servers(Path(name))
        yield running
        running.stop()
