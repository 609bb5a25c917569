"""Background work gives way while a question is being answered.

A question makes many short calls into SQLite, and after each it must get Python's lock back; beside a thread that
tokenises without a pause it would wait 5 ms each time.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator


class Courtesy:
    """Counts the questions under way."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._questions = 0

    @contextlib.contextmanager
    def question(self) -> Iterator[None]:
        """For the time of one question, background work waits."""
        with self._changed:
            self._questions += 1
        try:
            yield
        finally:
            with self._changed:
                self._questions -= 1
                self._changed.notify_all()

    def give_way(self, most_seconds: float) -> None:
        """Wait until nobody asks, at most so long: under steady questions the work still comes forward."""
        if self._questions:
            with self._changed:
                self._changed.wait_for(lambda: not self._questions, most_seconds)
