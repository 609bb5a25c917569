"""The dashboard driven as a user drives it: keys in, what stands on the screen out; no waiting by the clock."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.widgets import Input

from mmind.dashboard.app import Dashboard
from mmind.dashboard.rows import Rows
from mmind.dashboard.tuning_panel import TuningPanel

if TYPE_CHECKING:
    from textual.pilot import Pilot

SMALL = (80, 24)
LOOKS = 1000
HOPS = 8  # from the program to the widget that has the keys, up to whoever takes them, and on to what these tell
KEY_OF = {" ": "space", ",": "comma", "?": "question_mark", "/": "slash", "-": "minus", ".": "full_stop"}


@dataclass(frozen=True, slots=True)
class Driver:
    """A hand on the keys and an eye on the screen."""

    app: Dashboard
    pilot: Pilot[Any]

    def text(self) -> str:
        """What stands on the screen, line by line."""
        return "\n".join("".join(piece.text for piece in line) for line in self.app.screen._compositor.render_strips())

    def flat(self) -> str:
        """What stands on the screen, with every run of blanks and line ends as one blank."""
        return " ".join(self.text().split())

    async def press(self, *keys: str) -> None:
        """Press keys by their names; each one has done what it does when the next is pressed, and at the end.

        The framework waits until this process needs little of the processor, which a busy machine gives it anyway.
        """
        for key in keys:
            await self.pilot.press(key)
            for _ in range(HOPS):
                await self.pilot._wait_for_screen()

    async def type(self, words: str) -> None:
        """Type words, then enter."""
        await self.press(*(KEY_OF.get(letter, letter) for letter in words), "enter")

    async def until(self, holds: Callable[[], object]) -> None:
        """Wait for a condition; what never comes is given up after so many looks, with what stood on the screen."""
        for _ in range(LOOKS):
            if holds():
                return
            await self.pilot.pause(0.05)
        raise AssertionError(f"what was waited for did not come; the screen:\n{self.text()}")

    async def sees(self, *words: str) -> None:
        """Wait until all these words stand on the screen."""
        await self.until(lambda: all(word in self.flat() for word in words))

    async def to_row(self, words: str, rows: str) -> None:
        """Move the cursor of a list to the row that holds these words."""
        options = self.app.query_one(f"#{rows}", Rows).options
        place = next(place for place, option in enumerate(options) if words in str(option.prompt))
        await self.press("home", *["down"] * place)


def drive(app: Dashboard, steps: Callable[[Driver], Awaitable[None]], size: tuple[int, int] = SMALL) -> None:
    """Run the dashboard on a screen of this size while `steps` use it; the stores have answered once by then."""

    async def run() -> None:
        async with app.run_test(size=size) as pilot:
            await steps(Driver(app, pilot))

    try:
        asyncio.run(run())
    finally:
        app.session.close()


async def ask_in_tuning(driver: Driver, question: str) -> TuningPanel:
    """Go to tuning with a question, and wait for both answers."""
    await driver.press("t")
    panel = driver.app.query_one(TuningPanel)
    panel.query_one(Input).focus()
    await driver.type(question)
    await driver.until(lambda: panel.edited_answer)
    return panel
