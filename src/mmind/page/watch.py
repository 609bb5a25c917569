"""Is somebody looking? The page holds a line open; when the last one is gone for a while, the program may end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

GRACE_SECONDS = 5.0
"""How long nobody may look before it ends: a reload takes less."""

BEAT_SECONDS = 1.0


class Watch:
    """Counts the open lines. Lives on the server's event loop."""

    def __init__(self, end: Callable[[], None], grace_seconds: float = GRACE_SECONDS) -> None:
        self._end = end
        self._grace = grace_seconds
        self._lines = 0
        self._ending: asyncio.TimerHandle | None = None

    async def line(self) -> AsyncIterator[bytes]:
        """A line that beats until the browser closes it."""
        self._lines += 1
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None
        try:
            while True:
                yield b"\n"
                await asyncio.sleep(BEAT_SECONDS)
        finally:
            self._lines -= 1
            if self._lines == 0:
                self._ending = asyncio.get_running_loop().call_later(self._grace, self._end)
