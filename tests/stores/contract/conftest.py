"""What every contract test needs: any engine of the registry, opened over a folder of the test's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mmind.stores.registry import EngineOptions, open_engine_row
from mmind.values.ports import Engine

OpenEngine = Callable[[str, Path], Engine]


@pytest.fixture
def engine_at() -> Iterator[OpenEngine]:
    """Opens the engine called so at `folder/place`, under the store name `here`; closes it after the test."""
    opened: list[Engine] = []

    def open_one(name: str, folder: Path) -> Engine:
        opened.append(open_engine_row(name, folder / "place", EngineOptions(), store="here"))
        return opened[-1]

    yield open_one
    for engine in opened:
        engine.close()
