from __future__ import annotations

from pathlib import Path

import pytest

from mmind.stores.registry import ENGINES, EngineRow, load_opener, open_engine_row
from mmind.stores.served import ServedAt
from mmind.values.errors import ConfigError, EngineUnavailable
from tests.stores.processes import python


def test_an_unknown_engine_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no engine called 'vectra'") as refused:
        open_engine_row("vectra", tmp_path)
    assert all(name in refused.value.hint for name in ENGINES)


def test_a_missing_driver_is_named_with_the_command_that_installs_it() -> None:
    row = EngineRow(slot="session", opener="no_such_driver_of_ours:open_engine", extra="redis")
    with pytest.raises(EngineUnavailable, match="redis engine needs no_such_driver_of_ours") as refused:
        load_opener("redis", row)
    assert 'pip install --upgrade "redis' in refused.value.hint


def test_an_engine_that_is_served_takes_a_url_and_the_others_a_path(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="sqlite engine takes a path"):
        open_engine_row("sqlite", ServedAt("postgresql://somewhere/notes"))


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("postgresql://mads:hunter2@db.example:5433/notes?sslmode=require", "postgresql://db.example:5433/notes"),
        ("postgresql://mads:p%40ss@db.example/notes", "postgresql://db.example/notes"),
        ("postgresql://mads:pa/ss?w@rd@db.example/notes", "postgresql://db.example/notes"),
        ("postgresql://mads:x@[::1]:5432/notes", "postgresql://[::1]:5432/notes"),
        ("postgresql://mads:x@one:1,two:2/notes", "postgresql://one:1,two:2/notes"),
        ("postgresql:///notes?host=/run/postgresql&password=hunter2", "postgresql:///run/postgresql/notes"),
        ("redis://:hunter2@cache:6379/3", "redis://cache:6379/3"),
        ("https://key@qdrant.example", "https://qdrant.example"),
        ("unix:///run/redis.sock?db=1&password=hunter2", "unix:///run/redis.sock"),
        ("mysql://mads:hunter2", "mysql://"),
    ],
)
def test_of_a_url_only_host_port_and_database_are_shown(url: str, shown: str) -> None:
    place = ServedAt(url, "MMIND_POSTGRES_URL")
    assert (place.address, str(place)) == (shown, shown)
    assert "hunter2" not in repr(place)


def test_a_driver_that_lacks_a_library_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> None:
        raise ImportError("no wrapper available:\n- libpq is missing")

    monkeypatch.setattr("importlib.import_module", broken)
    with pytest.raises(EngineUnavailable, match=r"cannot load its driver \(no wrapper available: - libpq") as refused:
        load_opener("postgres", ENGINES["postgres"])
    assert '"psycopg[' in refused.value.hint


def test_the_registry_itself_imports_no_driver() -> None:
    code = "import sys, mmind.stores.registry; print(sorted({'apsw', 'plyvel', 'yaml', 'numpy'} & set(sys.modules)))"
    assert python(code) == "[]"


def test_opening_every_engine_creates_nothing(tmp_path: Path) -> None:
    for name, row in ENGINES.items():
        open_engine_row(name, ServedAt(f"{row.server}://nowhere/0") if row.is_served else tmp_path / name).close()
    assert list(tmp_path.iterdir()) == []
