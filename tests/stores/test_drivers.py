"""What a missing driver and memories of a newer version are answered with."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from mmind.stores import drivers

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


@pytest.mark.parametrize(
    ("record", "hint"),
    [
        ("", "update mmind with: pip install --upgrade multimodemind"),
        (
            '{"dir_info": {"editable": true}, "url": "file:///src"}',
            "`git pull` in the folder that it was installed from",
        ),
        ('{"dir_info": {}, "url": "file:///src"}', "install it again from where it came"),
        ('{"url": "https://host/x.git", "vcs_info": {"vcs": "git", "commit_id": "1"}}', "install it again from where"),
    ],
    ids=["an index", "a clone in place", "a folder", "a repository"],
)
def test_what_brings_a_newer_mmind_depends_on_where_this_one_came_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record: str, hint: str
) -> None:
    """Only what came from an index is to be had there."""
    told = tmp_path / "multimodemind-1.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: multimodemind\nVersion: 1\n")
    if record:
        (told / "direct_url.json").write_text(record)
    monkeypatch.syspath_prepend(tmp_path)
    assert hint in drivers.update_hint()
