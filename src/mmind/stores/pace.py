"""When to look again for what only a look at everything can show, such as what other programs removed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

CHEAP_SECONDS = 0.03  # below what lets the index rest after a scan: others' writes are then seen at every question
CHEAP_REST, COSTLY_REST = 10.0, 200.0  # times as long as the look took


class Pace:
    """A look that is repeated at most a tenth of the time, and a two-hundredth when it is costly."""

    def __init__(self) -> None:
        self._due_at = 0.0

    def is_due(self) -> bool:
        """Whether to look again now."""
        return time.monotonic() >= self._due_at

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Measures the look that is made inside; one that fails is due again at once."""
        started = time.monotonic()
        yield
        ended = time.monotonic()
        rest = CHEAP_REST if ended - started < CHEAP_SECONDS else COSTLY_REST
        self._due_at = ended + rest * (ended - started)
