from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.dashboard import sample


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sample home without a model; each test takes a copy."""
    return sample.make(tmp_path_factory.mktemp("sample") / "ann").folder


@pytest.fixture
def home(made_once: Path, tmp_path: Path) -> sample.Sample:
    """A sample home of the test's own."""
    folder = tmp_path / "ann"
    shutil.copytree(made_once, folder)
    return sample.at(folder)


@pytest.fixture
def bare(tmp_path: Path) -> sample.Sample:
    """A home with nothing in it."""
    return sample.make(tmp_path / "ann", has_vault=False)
