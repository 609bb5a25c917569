from __future__ import annotations

import pytest

from mmind.dashboard.app import PLACES
from tests.dashboard.driving import SMALL, Driver, drive
from tests.dashboard.sample import Sample, dashboard

WORDS = {
    "stores": "skipped",
    "access": "What agents may do with each store",
    "engines": "Which engine keeps each store",
    "tuning": "semantic weight",
    "audit": "following",
    "paths": "Where everything lies",
    "ask": "ask your memories",
}


@pytest.mark.parametrize("name", list(PLACES))
def test_a_key_leads_to_each_place_and_escape_back(home: Sample, name: str) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press(PLACES[name][0])
        await driver.sees(WORDS[name])
        assert driver.app.place.id == name
        if name in ("tuning", "ask"):  # the line has the keys: escape leaves it first where there are rows to go to
            await driver.press("escape")
        await driver.press("escape")
        assert driver.app.place.id == "stores"

    drive(dashboard(home), steps)


@pytest.mark.parametrize("size", [SMALL, (60, 12), (130, 40), (250, 70)])
def test_every_place_can_be_drawn_at_every_size(home: Sample, size: tuple[int, int]) -> None:
    async def steps(driver: Driver) -> None:
        await driver.sees("ready")
        for name, (_, words) in PLACES.items():
            driver.app.action_go(name)
            await driver.sees(words if size[0] >= 80 or name == driver.app.place.id else words.split()[0])
            lines = driver.text().split("\n")
            assert len(lines) == size[1]
            assert {len(line) for line in lines} <= set(range(size[0] - 4, size[0] + 1))

    drive(dashboard(home), steps, size)


def test_a_screen_that_is_resized_is_drawn_anew(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.sees("ready")
        await driver.sees("half-life 1,095")
        assert "notes that already exist" not in driver.text().split("\n")[2]
        await driver.pilot.resize_terminal(150, 40)
        await driver.until(lambda: "notes that already exist" in driver.text().split("\n")[2])
        for name in PLACES:
            driver.app.action_go(name)
            await driver.pilot.resize_terminal(80, 24)
            await driver.pilot.resize_terminal(40, 10)
            await driver.pilot.resize_terminal(150, 40)
        await driver.press("q")

    drive(dashboard(home), steps)


def test_letters_go_into_a_line_that_is_typed_in(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("slash")
        await driver.type("aqtb")
        await driver.sees("aqtb", "near misses only")

    drive(dashboard(home), steps)


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
def test_the_dashboard_is_left_by_a_key(home: Sample, key: str) -> None:
    app = dashboard(home)

    async def steps(driver: Driver) -> None:
        await driver.press(key)

    drive(app, steps)
    assert not app.is_running


def test_help_tells_the_keys_of_every_place_and_closes(home: Sample) -> None:
    async def steps(driver: Driver) -> None:
        await driver.press("question_mark")
        await driver.sees("everywhere", "back to the stores")
        await driver.press("end")
        await driver.sees("esc closes this page")
        for key in ("escape", "question_mark", "question_mark", "q", "question_mark", "enter"):
            await driver.press(key)
        assert len(driver.app.screen_stack) == 1

    drive(dashboard(home), steps, (100, 30))
