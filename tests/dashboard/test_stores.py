from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from mmind.audit.reading import tail
from mmind.dashboard.app import Dashboard
from mmind.dashboard.session import Session
from mmind.dashboard.stores_panel import StoresPanel
from mmind.values.door import Door
from mmind.wiring import open_mind
from tests.dashboard.driving import Driver, drive
from tests.dashboard.sample import NOW, Sample, dashboard
from tests.server.wired import Wired


def test_every_store_is_shown_with_its_state_engine_access_and_counts(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.sees("markdown ● ready markdown read 44", "sqlite ● ready sqlite read/write 2")
        rows = {line.split()[0] for line in driver.text().split("\n")[2:7]}
        assert rows == {"markdown", "sqlite", "leveldb", "files", "vector"}

    drive(dashboard(home), steps)


def test_what_was_skipped_is_shown_with_the_reason(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.sees("1 thing was skipped", "Old export.md it holds binary data, not text")
        await driver.press("down")
        await driver.sees("nothing was skipped", "~/.mmind/memory.db")

    drive(dashboard(home), steps)


def test_without_a_vault_the_screen_says_so_and_what_to_do(bare: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.sees("○ off", "no vault is configured", "MMIND_VAULT_PATH")

    drive(dashboard(bare), steps)


def test_a_vault_that_is_gone_is_silent_and_the_others_are_ready(home: Sample) -> None:
    (home.folder / "notes").rename(home.folder / "elsewhere")

    async def steps(driver: Driver) -> None:
        await driver.sees("✕ silent", "● ready", "does not exist")

    drive(dashboard(home), steps)


def test_looking_is_not_logged_but_at_the_start_and_when_asked_for(home: Sample) -> None:
    folder = home.home / "audit"

    def looks() -> int:
        return sum(record.get("event") == "sources" for record in tail(folder, 1000))

    before = looks()

    async def steps(driver: Driver) -> None:
        await driver.sees("ready")
        await driver.until(lambda: looks() == before + 1)
        panel = driver.app.query_one(StoresPanel)
        first = panel.status
        driver.app.look(is_recorded=False)
        await driver.until(lambda: panel.status is not first)
        assert looks() == before + 1
        await driver.press("r")
        await driver.until(lambda: looks() == before + 2)

    drive(dashboard(home), steps)


@pytest.fixture
def hanging(home: Sample) -> Iterator[Dashboard]:
    """A dashboard one of whose stores answers nobody, until the test is over."""
    gate = threading.Event()
    mind = open_mind(None, home.environ, Door.USER, lambda: NOW)
    mind.sources()  # it was there when the index was opened
    engine = mind._world.stores["leveldb"].engine
    assert engine is not None
    engine.health = gate.wait  # type: ignore[assignment,method-assign] # a store on a dead network drive
    yield Dashboard(Session(home.environ, None, lambda: NOW, opener=lambda: mind))
    gate.set()


def test_a_store_that_hangs_blocks_nothing(hanging: Dashboard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mmind.router.sources.HEALTH_LIMIT_SECONDS", 3600.0)  # it is waited for as long as this takes

    async def steps(driver: Driver) -> None:
        await driver.press("a")
        await driver.sees("What agents may do")
        await driver.press("escape")
        await driver.sees("the stores are being asked")

    drive(hanging, steps)


def test_a_store_that_hangs_is_named_and_the_others_are_ready(hanging: Dashboard) -> None:
    async def steps(driver: Driver) -> None:
        await driver.sees("✕ silent", "● ready")
        await driver.press("down", "down")
        await driver.sees("did not answer within")

    drive(hanging, steps)


def test_settings_that_went_wrong_meanwhile_are_told_and_the_last_good_ones_stay(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.sees("ready")
        (home.home / "config.toml").write_text("[ranking]\nrecency_floor = 9\n")
        await driver.sees("the saved file cannot be read", "recency_floor")

    drive(dashboard(home), steps)


def test_control_characters_of_a_file_name_do_not_reach_the_screen(home: Sample) -> None:
    (home.folder / "notes" / "evil\x1b[31m.md").write_bytes(b"\x00\x00\x00")

    async def steps(driver: Driver) -> None:
        await driver.sees("evil␛[31m.md")

    drive(dashboard(home), steps)


def test_nothing_of_the_vault_is_changed_by_looking(home: Sample) -> None:
    def state(folder: Path) -> list[tuple[str, int, bytes]]:
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        return [(str(path), path.stat().st_mtime_ns, path.read_bytes()) for path in files]

    before = state(home.folder / "notes")

    async def steps(driver: Driver) -> None:
        await driver.sees("ready")
        await driver.press("slash")
        await driver.type("rent")
        await driver.sees("results from")

    drive(dashboard(home), steps)
    assert state(home.folder / "notes") == before


def test_what_a_running_server_keeps_in_leveldb_is_shown_while_it_runs(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        with Wired.mmind(None, {**os.environ, **home.environ}) as wired:
            wired.greet()
            stored = wired.call("store", content="We are half-way through the checklist.", store="leveldb", session="s")
            assert not stored.get("isError")
            await driver.sees("leveldb ● ready leveldb read/write 1")
            assert not wired.call("retrieve", query="checklist", session="s").get("isError")

    drive(dashboard(home), steps)


def test_a_defect_ends_the_program_and_prints_no_variables(home: Sample) -> None:
    app = dashboard(home, OPENAI_API_KEY="sk-hunter2hunter2", MMIND_EMBED_MODEL="none")

    def broken() -> None:
        raise ZeroDivisionError("a defect")

    async def steps(driver: Driver) -> None:
        driver.app.aside(broken)
        await driver.until(lambda: driver.app.defect)

    with pytest.raises(ZeroDivisionError, match="a defect"):
        drive(app, steps)
    assert isinstance(app.defect, ZeroDivisionError)
    assert app._exit_renderables == []


def test_a_wrapped_place_stands_beside_the_others(home: Sample) -> None:
    (home.folder / "lab").mkdir()
    (home.folder / "lab" / "a.md").write_text("# Cellar\n\nThe cellar is dry.\n")
    with (home.home / "config.toml").open("a") as file:
        file.write('[sources.lab]\nkind = "vault"\npath = "~/lab"\n')

    async def steps(driver: Driver) -> None:
        await driver.until(lambda: driver.app.query_one(StoresPanel).status)  # the settings alone list the usual five
        await driver.press("end")
        await driver.sees("lab ● ready vault read 1")
        await driver.press("end")
        await driver.sees("~/lab")

    drive(dashboard(home), steps)


def test_a_list_that_is_longer_than_its_place_keeps_one_line_a_store(home: Sample) -> None:
    (home.folder / "lab").mkdir()
    with (home.home / "config.toml").open("a") as file:
        file.write('[sources.lab]\nkind = "vault"\npath = "~/lab"\n')

    async def steps(driver: Driver) -> None:
        await driver.until(lambda: driver.app.query_one(StoresPanel).status)
        shown = ["markdown", "sqlite", "leveldb", "files", "vector"]  # and the sixth below them
        await driver.until(lambda: [line[:12].strip() for line in driver.text().split("\n")[2:7]] == shown)
        await driver.sees("markdown ● ready markdown read 44 now 1 ")

    drive(dashboard(home), steps, (80, 14))


def test_a_log_that_cannot_be_written_stays_told_while_the_stores_are_looked_at(home: Sample) -> None:
    audit = home.home / "audit"
    audit.rename(home.home / "kept")
    audit.write_text("a file lies where the folder of the log should")

    async def steps(driver: Driver) -> None:
        await driver.sees("the audit log in", "nothing can be stored until then")
        panel = driver.app.query_one(StoresPanel)
        first = panel.status
        driver.app.look(is_recorded=False)
        await driver.until(lambda: panel.status is not first)
        await driver.sees("the audit log in", "nothing can be stored until then")

    drive(dashboard(home), steps)
