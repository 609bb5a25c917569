"""Which passages of one source are embedded next, without looking through all that wait each time."""

from __future__ import annotations

from collections import deque
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from mmind.embedding.backfill import Task
from mmind.index import models

if TYPE_CHECKING:
    import apsw

CHUNK = 256  # passages handed out at a time
# Sorting a million that wait took 0.5 s of processor, which each chunk of them would have to bear (2 ms a passage;
# embedding one takes 10): so one look serves for a fiftieth of them.
LOOKS = 50


class Agenda:
    """Passages in the order in which they were wanted at the last look, what came since then before them.

    For one thread at a time. Numbers that other processes have embedded meanwhile, or that are gone, are passed over.
    """

    def __init__(self) -> None:
        self._listed = deque[int]()
        self._newest = 0

    def take(self, connection: apsw.Connection, model: int, source: int, aside: AbstractSet[bytes]) -> list[Task]:
        """The texts to embed next, without doubles, of at most `CHUNK` passages; none when nothing waits but texts that
        were set aside."""
        after = self._newest if self._listed else 0
        newest = models.newest_waiting(connection, model, source)
        if newest > after:
            most = max(CHUNK, models.count_pending(connection, model, source) // LOOKS)
            self._listed.extendleft(reversed(models.most_wanted(connection, model, source, (after, most), aside)))
            self._newest = newest
        while self._listed:
            chunk = [self._listed.popleft() for _ in range(min(CHUNK, len(self._listed)))]
            tasks = models.tasks_of(connection, model, source, chunk)
            if tasks := [task for task in tasks if task.digest not in aside]:
                return tasks
        return []
