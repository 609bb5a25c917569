"""What a missing driver and memories of a newer version are answered with."""

from __future__ import annotations

import sys
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from mmind.disk.installed import Installation, Installer
from mmind.stores import drivers

ROOT = Path(__file__).parents[2]


def test_the_drivers_of_an_extra_are_named_as_the_installed_package_lists_them(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = ["apsw>=3.54", 'psycopg[binary]>=3.2; extra == "postgres"', "redis>=5.2; extra == 'redis'"]
    monkeypatch.setattr(drivers, "requires", lambda _: listed)
    pip = f"install it with: {sys.executable} -m pip install --upgrade"
    assert drivers.install_hint("postgres") == f'{pip} "psycopg[binary]>=3.2"'
    assert drivers.install_hint("redis") == f'{pip} "redis>=5.2"'
    assert drivers.install_hint("plot") == f'{pip} "multimodemind[plot]"'
    assert drivers.install_hint("") == f"{pip} multimodemind"


def test_without_any_list_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> list[str]:
        raise PackageNotFoundError(name)

    monkeypatch.setattr(drivers, "requires", missing)
    assert drivers.install_hint("redis").endswith(' -m pip install --upgrade "multimodemind[redis]"')


def test_what_uvx_starts_is_not_installed_into_but_started_with_more(monkeypatch: pytest.MonkeyPatch) -> None:
    made_for_each_start = Installation(Installer.UVX, Path("/cache/archive-v0/x"), "/cache/archive-v0/x/bin/python")
    monkeypatch.setattr(drivers, "installation", lambda: made_for_each_start)
    assert drivers.install_hint("redis") == 'start mmind with: uvx --with "redis>=5.2" --from multimodemind mmind'


@pytest.mark.parametrize("extra", ["postgres", "mysql", "redis", "qdrant", "plot"])
def test_every_extra_of_the_project_is_installed_by_the_names_that_it_lists(extra: str) -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert drivers.install_hint(extra).endswith(" ".join(f'"{name}"' for name in extras[extra]))


def test_nothing_in_the_code_names_pip_but_what_knows_who_installed_mmind() -> None:
    source = ROOT / "src" / "mmind"
    named = {
        file.relative_to(source).as_posix() for file in source.rglob("*.py") if "pip install" in file.read_text("utf-8")
    }
    assert named == {"disk/installed.py"}


@pytest.mark.parametrize(
    ("record", "hint"),
    [
        ("", f"update mmind with: {sys.executable} -m pip install --upgrade multimodemind"),
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
