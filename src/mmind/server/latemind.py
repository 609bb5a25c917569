"""A mind that is opened late: after the handshake, once, and again if it could not be opened."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from mmind.values.errors import EngineUnavailable

if TYPE_CHECKING:
    from mmind.router.mind import Mind


class LateMind:
    """Opens on first use, for all callers once. A failure is told to the caller, and the next one tries again."""

    def __init__(self, open_mind: Callable[[], Mind]) -> None:
        self._open = open_mind
        self._lock = threading.Lock()
        self._mind: Mind | None = None
        self._is_closed = False

    def mind(self) -> Mind:
        """The open mind, its scan and model load started. Raises ConfigError as long as the settings are wrong."""
        with self._lock:
            if self._is_closed:
                raise EngineUnavailable("the server is stopping")
            if self._mind is None:
                self._mind = self._open()
                self._mind.warm()
            return self._mind

    def close(self) -> None:
        """Close the mind if it is open; none is opened after this."""
        with self._lock:
            self._is_closed = True
            if self._mind is not None:
                self._mind.close()
