"""E9 and E12 of `values.ports.Engine` for engines on servers: nobody is there, or nobody answers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from mmind.stores.registry import ENGINES, EngineOptions, open_engine_row
from mmind.stores.served import ServedAt
from mmind.values.errors import EngineUnavailable
from mmind.values.ports import Engine, Mark
from tests.stores.contract.rows import WINCH

SCHEMES = {"postgres": "postgresql", "qdrant": "http"}

pytestmark = pytest.mark.parametrize("name", sorted(name for name, row in ENGINES.items() if row.is_served))


@pytest.fixture
def engine(name: str) -> Iterator[Engine]:
    """The engine at a port on which nobody listens."""
    server = ENGINES[name].server
    url = f"{SCHEMES.get(server, server)}://mads:hush-hush@127.0.0.1:1/0"
    opened = open_engine_row(name, ServedAt(url, f"MMIND_{server.upper()}_URL"), EngineOptions(), store="here")
    yield opened
    opened.close()


def test_health_speaks_where_no_server_is(name: str, engine: Engine) -> None:
    """E9; and no word of it is the user or the password."""
    health = engine.health()
    assert health.usable is False
    assert health.reason
    assert f"MMIND_{ENGINES[name].server.upper()}_URL" in health.hint
    assert "127.0.0.1:1" in health.where
    assert not {word for word in ("hush-hush", "mads") if word in repr(health)}


def test_a_server_that_is_not_there_is_unavailable_and_not_empty(name: str, engine: Engine) -> None:
    """E12."""
    known = Mark("", {"winch": "known"})
    for ask in (
        lambda: engine.changes(known),
        lambda: engine.get("winch"),
        lambda: engine.put(WINCH),
        lambda: engine.delete("winch"),
    ):
        with pytest.raises(EngineUnavailable) as told:
            ask()
        assert told.value.hint
        assert "\n" not in str(told.value)
        assert "hush-hush" not in str(told.value)
