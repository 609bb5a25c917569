"""What a missing driver is answered with."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import TYPE_CHECKING

from mmind.stores import drivers

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).parents[2]


def test_the_drivers_of_an_extra_are_named_as_the_installed_package_lists_them(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = ["apsw>=3.54", 'psycopg[binary]>=3.2; extra == "postgres"', "redis>=5.2; extra == 'redis'"]
    monkeypatch.setattr(drivers, "requires", lambda _: listed)
    assert drivers.install_hint("postgres") == 'install it with: pip install --upgrade "psycopg[binary]>=3.2"'
    assert drivers.install_hint("redis") == 'install it with: pip install --upgrade "redis>=5.2"'
    assert drivers.install_hint("plot") == 'install it with: pip install "multimodemind[plot]"'


def test_without_any_list_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> list[str]:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(drivers, "requires", missing)
    assert drivers.install_hint("redis") == 'install it with: pip install "multimodemind[redis]"'


def test_what_a_plot_asks_for_is_what_the_extra_asks_for() -> None:
    asked = '"matplotlib>=3.9"'
    assert f"plot = [{asked}]" in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert asked in (ROOT / "src/mmind/cli/explain_plot.py").read_text(encoding="utf-8")
