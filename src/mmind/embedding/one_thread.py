"""Linear algebra on one thread for a while, for whoever is at it; with as many as before once all are done."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Any


class OneThread:
    """A context that numpy's libraries (BLAS) compute in on one thread.

    Two threads that wait for work by spinning cost more than they gain where others work too. Limits of threadpoolctl
    that overlap do not end well (the last one out puts back what it found, which was one); here the first one in sets
    it, and the last one out puts back what was there.
    """

    def __init__(self) -> None:
        import numpy  # noqa: F401 - its libraries must be there to be found
        from threadpoolctl import ThreadpoolController

        self._libraries = ThreadpoolController()  # looked for once: each time would take half a millisecond
        self._lock = threading.Lock()
        self._within = 0
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if self._within == 0:
                self._limit = self._libraries.limit(limits=1, user_api="blas")
            self._within += 1

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._within -= 1
            if self._within == 0:
                self._limit.restore_original_limits()
