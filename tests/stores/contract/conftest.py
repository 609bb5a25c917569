"""What every contract test needs: any engine of the registry, over a folder or a server's place of the test's own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mmind.stores.registry import ENGINES, EngineOptions, open_engine_row
from mmind.stores.served import ServedAt
from mmind.values.ports import Engine
from tests.servers import Servers

OpenEngine = Callable[[str, Path], Engine]
PlaceOf = Callable[[str, Path], Path | ServedAt]


@pytest.fixture
def place_of(servers: Servers) -> PlaceOf:
    """Where the engine called so keeps what belongs to a folder: `folder/place`, or a place of its own in a real
    server. Without that server the test is skipped by name, and fails in CI."""

    def place(name: str, folder: Path) -> Path | ServedAt:
        row = ENGINES[name]
        if not row.is_served:
            return folder / "place"
        return ServedAt(servers.get(row.server).url(str(folder)), f"MMIND_{row.server.upper()}_URL")

    return place


@pytest.fixture
def engine_at(place_of: PlaceOf) -> Iterator[OpenEngine]:
    """Opens the engine called so in its place for a folder, under the store name `here`; closes it after the test."""
    opened: list[Engine] = []

    def open_one(name: str, folder: Path) -> Engine:
        opened.append(open_engine_row(name, place_of(name, folder), EngineOptions(), store="here"))
        return opened[-1]

    yield open_one
    for engine in opened:
        engine.close()
