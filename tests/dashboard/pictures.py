"""The pictures of the dashboard tour: `python -m tests.dashboard.pictures` (or `make screenshots`) writes them.

They show a home that is the same wherever it is made, at a time that stands still; what no two runs have alike (how
long a question took) is fixed.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from unittest.mock import patch

from mmind.dashboard.ask_panel import AskPanel
from mmind.dashboard.audit_panel import AuditPanel
from mmind.dashboard.stores_panel import StoresPanel
from mmind.router import retrieve
from tests.dashboard import sample
from tests.dashboard.driving import Driver, ask_in_tuning, drive

FOLDER = sample.ROOT / "docs" / "pictures"
SMALL, WIDE = (80, 24), (120, 36)
QUESTION = "What is the gateway request timeout?"
FONTS = "ui-monospace, 'Fira Code', 'Cascadia Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace"
Steps = Callable[[Driver], Awaitable[None]]


async def _stores(driver: Driver) -> None:
    panel = driver.app.query_one(StoresPanel)
    await driver.until(lambda: panel.status and _is_level(panel))
    driver.app.look(is_recorded=False)
    # The last of these is known once the vault was scanned by this process, though the index was level before.
    await driver.sees("level with the store", "1 thing was skipped", "notes were written at once")


def _is_level(panel: StoresPanel) -> bool:
    stores = panel.status.stores if panel.status else ()
    if all(store.index and not store.index.pending_words and store.index.passages >= 0 for store in stores):
        return True
    panel.dashboard.look(is_recorded=False)
    return False


async def _access(driver: Driver) -> None:
    await _stores(driver)
    await driver.press("a")
    await driver.to_row("vector", "access-rows")
    await driver.press("enter")
    await driver.sees("saved access.vector = read")


async def _engines(driver: Driver) -> None:
    await _stores(driver)
    await driver.press("b", "c")
    await driver.sees("● works")


async def _tuning(driver: Driver) -> None:
    await _stores(driver)
    panel = await ask_in_tuning(driver, QUESTION)
    await driver.to_row("trust generated", "tuning-knobs")
    await driver.press(*["left"] * 12)
    await driver.until(lambda: panel.edited_answer and panel.edited_answer is not panel.saved_answer)
    await driver.sees("draft: 1 number differs", "▲")


async def _log(driver: Driver) -> None:
    await _stores(driver)
    await driver.press("l", "v")
    panel = driver.app.query_one(AuditPanel)
    await driver.sees("the chain holds")
    while panel.records[panel.query_one("#audit-rows").cursor].get("event") != "write":  # type: ignore[attr-defined]
        await driver.press("up")


async def _paths(driver: Driver) -> None:
    await _stores(driver)
    await driver.press("p", "down")
    await driver.sees("paths.vault")


async def _ask(driver: Driver) -> None:
    await _stores(driver)
    await driver.press("slash")
    await driver.type(QUESTION)
    panel = driver.app.query_one(AskPanel)
    await driver.until(lambda: panel.asked and panel.asked.bundle)
    await driver.sees("= score")


PICTURES: dict[str, tuple[Steps, tuple[int, int]]] = {
    "dashboard-stores": (_stores, SMALL),
    "dashboard-stores-wide": (_stores, WIDE),
    "dashboard-access": (_access, SMALL),
    "dashboard-engines": (_engines, SMALL),
    "dashboard-tuning": (_tuning, SMALL),
    "dashboard-tuning-wide": (_tuning, WIDE),
    "dashboard-log": (_log, SMALL),
    "dashboard-paths": (_paths, SMALL),
    "dashboard-ask": (_ask, SMALL),
}


def taken(name: str, home: sample.Sample) -> str:
    """The picture of that name as SVG, without anything that is fetched from a network."""
    steps, size = PICTURES[name]
    shot: list[str] = []

    async def shoot(driver: Driver) -> None:
        await steps(driver)
        await driver.pilot.pause()
        shot.append(driver.app.export_screenshot(title="mmind dashboard"))

    with patch.object(retrieve.time, "perf_counter", lambda: 0.0):
        drive(sample.dashboard(home), shoot, size)
    return offline(shot[0], name)


def offline(svg: str, name: str) -> str:
    """An SVG that names the fonts of whoever looks at it, and ids that depend on nothing but its name."""
    svg = re.sub(r"@font-face\s*\{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"font-family:\s*[^;]*;", f"font-family: {FONTS};", svg)
    return re.sub(r"terminal-\d+", name, svg)


def words(svg: str) -> str:
    """What a picture says, without its numbers and bars: these may differ a little from one processor to another."""
    lines = re.findall(r"<text[^>]*>(.*?)</text>", svg, re.DOTALL)
    letters = re.sub(r"&#?\w+;", " ", " ".join(lines))
    return " ".join(re.sub(r"[^A-Za-z?!:·→]+", " ", letters).split())


def main() -> int:
    """Write all pictures, or those that are named."""
    FOLDER.mkdir(exist_ok=True)
    for name in sys.argv[1:] or PICTURES:
        with tempfile.TemporaryDirectory() as folder:
            home = sample.make(Path(folder) / "ann", "local")
            (FOLDER / f"{name}.svg").write_text(taken(name, home), "utf-8")
        print(f"docs/pictures/{name}.svg")
    return 0


if __name__ == "__main__":
    sys.exit(main())
