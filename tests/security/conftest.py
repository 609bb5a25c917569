"""One HTTP server for all tests that only knock at its door."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.server.over_http import Served, served
from tests.server.wired import vault


@pytest.fixture(scope="session")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server over a vault of one note."""
    home = tmp_path_factory.mktemp("door")
    notes = vault(home, {"rent.md": "# Rent\nThe rent is 900 euros.\n"})
    with served(home, str(notes), patience=3600.0) as server:  # shared by all: its time is that of the session
        yield server
