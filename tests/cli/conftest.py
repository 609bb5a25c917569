"""A vault of two notes, and the command as a process with a home of the test's own."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests import warm_start
from tests.cli.running import Done, Run

RENT = "# Flat\n\n## Rent\n\nThe rent of 900 € is due on the 5th of each month.\n"
PLANTS = "# Balcony\n\nThe basil wants water every second day.\n"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """Two notes in a folder with a blank in its name."""
    folder = tmp_path / "my notes"
    (folder / "home").mkdir(parents=True)
    (folder / "home" / "flat.md").write_text(RENT, encoding="utf-8")
    (folder / "plants.md").write_text(PLANTS, encoding="utf-8")
    return folder


@pytest.fixture
def mmind(tmp_path: Path) -> Run:
    """Runs `mmind …` in a clean environment, by words alone; keyword arguments are more variables."""

    def run(*argv: str, stdin: bytes = b"", **variables: str) -> Done:
        kept = {name: os.environ[name] for name in ("PATH", "SYSTEMROOT", "TMPDIR", "TEMP") if name in os.environ}
        environ = {**kept, "HOME": str(tmp_path), "MMIND_HOME": str(tmp_path / "data"), "MMIND_EMBED_MODEL": "none"}
        return warm_start.run(argv, {**environ, **variables}, cwd=tmp_path, stdin=stdin)

    return run
