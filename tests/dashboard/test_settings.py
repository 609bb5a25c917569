from __future__ import annotations

import os

import pytest

from mmind.config.presence import running_servers
from mmind.config.settings import load
from mmind.values.memory import Access
from tests.dashboard.driving import Driver, drive
from tests.dashboard.sample import Sample, dashboard
from tests.server.wired import Wired

SECRET = "hunter2hunter2"


def access(home: Sample, store: str) -> Access:
    return load(home.environ, None).access[store]


def test_access_is_thrown_with_enter_saved_at_once_and_undone(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("a")
        await driver.to_row("sqlite", "access-rows")
        await driver.press("enter")
        assert access(home, "sqlite") is Access.READ
        await driver.sees("saved access.sqlite = read", "no server is running")
        await driver.press("space")
        assert access(home, "sqlite") is Access.READ_WRITE
        await driver.press("u")
        assert access(home, "sqlite") is Access.READ
        await driver.sees("undone: access.sqlite = read")
        await driver.press("u", "u")
        assert access(home, "sqlite") is Access.READ_WRITE
        await driver.sees("nothing to undo")
        await driver.press("l")
        await driver.until(lambda: "nothing to undo" not in driver.flat())

    drive(dashboard(home), steps)


def test_d_goes_back_to_the_default(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("a")
        await driver.to_row("files", "access-rows")
        await driver.press("enter", "d")
        await driver.sees("saved access.files = read/write")
        assert load(home.environ, None).origins["access_files"] == "default"

    drive(dashboard(home), steps)


def test_what_the_store_cannot_give_is_refused_with_the_reason(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("a")
        await driver.to_row("markdown", "access-rows")
        await driver.press("enter")
        await driver.sees("has no way to write notes")
        assert access(home, "markdown") is Access.READ

    drive(dashboard(home), steps)


def test_what_the_environment_decides_is_pinned_and_its_variable_named(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("a")
        await driver.sees("pinned: MMIND_ACCESS_SQLITE")
        await driver.to_row("sqlite", "access-rows")
        await driver.sees("pinned by MMIND_ACCESS_SQLITE")
        await driver.press("enter")
        await driver.sees("access.sqlite is pinned: MMIND_ACCESS_SQLITE decides")
        await driver.press("d")
        await driver.sees("MMIND_ACCESS_SQLITE decides; unset it to choose here")
        assert "access" not in (home.home / "config.toml").read_text()

    drive(dashboard(home, MMIND_ACCESS_SQLITE="read"), steps)


def test_a_running_server_takes_an_edit_up_and_the_screen_says_when(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        with Wired.mmind(None, {**os.environ, **home.environ}) as wired:
            wired.greet()
            await driver.until(lambda: running_servers(home.home))
            await driver.press("a")
            await driver.to_row("sqlite", "access-rows")
            await driver.press("enter")
            await driver.sees("saved access.sqlite = read", f"server {wired.process.pid} has this in force")
            refused = wired.call("store", content="The cellar is dry.")
            assert refused["isError"]
        await driver.sees("no server is running")

    drive(dashboard(home), steps)


def test_a_server_whose_own_environment_decides_is_named(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        with Wired.mmind(None, {**os.environ, **home.environ, "MMIND_ACCESS_FILES": "read"}) as wired:
            wired.greet()
            await driver.press("a")
            await driver.sees(f"server {wired.process.pid} keeps access.files at read: MMIND_ACCESS_FILES is set")

    drive(dashboard(home), steps, (140, 30))


def test_an_edit_from_elsewhere_shows_by_itself(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("a")
        with (home.home / "config.toml").open("a") as file:
            file.write("[access]\nvector = 'read'\n")
        await driver.sees("vector read saved file")

    drive(dashboard(home), steps)


async def refuses_to_save(driver: Driver) -> None:
    await driver.press("a")
    await driver.to_row("sqlite", "access-rows")
    await driver.press("enter")
    await driver.sees("config.toml cannot be written", "sqlite read/write default")


def test_a_saved_file_that_cannot_be_written_is_told_and_nothing_changes(bare: Sample) -> None:
    (bare.home / "config.toml").symlink_to(bare.folder / "a drive that is not mounted" / "config.toml")
    drive(dashboard(bare), refuses_to_save)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs a user who is not root, on POSIX")
def test_a_home_that_may_not_be_written_is_shown_and_told(bare: Sample, request: pytest.FixtureRequest) -> None:
    bare.home.chmod(0o500)
    request.addfinalizer(lambda: bare.home.chmod(0o700))
    drive(dashboard(bare), refuses_to_save)


def test_a_path_is_typed_checked_and_kept_absolute(home: Sample, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home.folder)
    (home.folder / "other").mkdir()

    async def steps(driver: Driver) -> None:
        await driver.press("p")
        await driver.to_row("vault", "paths-rows")
        await driver.press("enter")
        await driver.sees("paths.vault", "takes a path")
        await driver.press("ctrl+u")
        await driver.type(".mmind")
        await driver.sees("lies inside")
        await driver.press("ctrl+u")
        await driver.type("other")
        await driver.sees("saved paths.vault", "servers take it up at their next start")
        assert load(home.environ, None).vault_path == home.folder / "other"
        await driver.press("escape")
        await driver.sees("markdown ● ready markdown read 0")

    drive(dashboard(home), steps)


def test_escape_leaves_a_line_as_it_was(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("p")
        await driver.to_row("vault", "paths-rows")
        await driver.press("enter", "x", "escape")
        assert len(driver.app.screen_stack) == 1
        assert load(home.environ, None).vault_path == home.folder / "notes"

    drive(dashboard(home), steps)


def test_an_engine_is_tested_before_it_is_used_and_no_secret_shows(home: Sample) -> None:
    url = f"redis://ann:{SECRET}@127.0.0.1:1/0"
    seen: list[str] = []

    async def steps(driver: Driver) -> None:
        await driver.press("b")
        await driver.to_row("redis", "engines-rows")
        await driver.sees("MMIND_REDIS_URL is set")
        await driver.press("c")
        await driver.sees("✕")
        seen.append(driver.text())
        await driver.press("enter")
        await driver.sees("saved backends.session = redis", "next start")
        seen.append(driver.text())
        assert load(home.environ, None).backend_session == "redis"
        await driver.press("d")
        assert load(home.environ, None).backend_session == "leveldb"
        await driver.press("u")
        assert load(home.environ, None).backend_session == "redis"
        await driver.press("escape")
        await driver.sees("leveldb ✕ silent redis")
        seen.append(driver.text())

    drive(dashboard(home, MMIND_REDIS_URL=url), steps, (130, 30))
    written = [path.read_bytes() for path in home.home.rglob("*") if path.is_file()]
    assert not any(SECRET in text for text in seen)
    assert not any(SECRET.encode() in text for text in written)


def test_the_connection_of_an_engine_in_use_works(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("b")
        await driver.to_row("sqlite", "engines-rows")
        await driver.press("c")
        await driver.sees("● works", "it answers, 2 memories")

    drive(dashboard(home), steps)


def test_an_engine_whose_server_has_no_address_is_saved_with_a_warning(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("b")
        await driver.to_row("redis", "engines-rows")
        await driver.press("enter")
        await driver.sees("saved backends.session = redis, but MMIND_REDIS_URL is not set")
        assert load(home.environ, None).backend_session == "redis"

    drive(dashboard(home), steps)


def test_an_engine_without_its_server_says_which_variable(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("b")
        await driver.to_row("postgres", "engines-rows")
        await driver.sees("set MMIND_POSTGRES_URL in the environment first")

    drive(dashboard(home), steps)


def test_every_setting_that_is_no_secret_has_a_place(home: Sample) -> None:
    from mmind.config.table import KNOBS
    from mmind.dashboard.draft import RANKING_KNOBS
    from mmind.dashboard.engines_panel import CHOICES
    from mmind.dashboard.knobs_panel import ACCESS, PATHS

    shown = {choice.knob for choice in CHOICES} | set(RANKING_KNOBS)
    shown |= {knob for knob in KNOBS if ACCESS.is_of(knob) or PATHS.is_of(knob)}
    assert [knob.name for knob in KNOBS if not knob.secret and knob not in shown] == []
