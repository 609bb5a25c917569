from __future__ import annotations

from pathlib import Path

import pytest

from mmind.stores.registry import ENGINES, EngineRow, load_opener, open_engine_row
from mmind.values.errors import ConfigError, EngineUnavailable
from tests.stores.processes import python


def test_an_unknown_engine_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no engine called 'vectra'") as refused:
        open_engine_row("vectra", tmp_path)
    assert all(name in refused.value.hint for name in ENGINES)


def test_a_missing_driver_is_named_with_the_extra_that_installs_it() -> None:
    row = EngineRow(slot="session", opener="no_such_driver_of_ours:open_engine", extra="redis")
    with pytest.raises(EngineUnavailable, match="redis engine needs no_such_driver_of_ours") as refused:
        load_opener("redis", row)
    assert "multimodemind[redis]" in refused.value.hint


def test_the_registry_itself_imports_no_driver() -> None:
    code = "import sys, mmind.stores.registry; print(sorted({'apsw', 'plyvel', 'yaml', 'numpy'} & set(sys.modules)))"
    assert python(code) == "[]"


def test_opening_every_engine_creates_nothing(tmp_path: Path) -> None:
    for name in ENGINES:
        open_engine_row(name, tmp_path / name).close()
    assert list(tmp_path.iterdir()) == []
