"""A server that cannot be reached is not tried at every call: each try may take seconds, and answers must not wait."""

from __future__ import annotations

import threading
import time

from mmind.values.errors import EngineError

DOWN_SECONDS = 1.0


class Outage:
    """Remembers for a while that a server could not be reached, and why. Thread-safe."""

    def __init__(self) -> None:
        self._turn = threading.Lock()
        self._fault: EngineError | None = None
        self._until = 0.0

    def check(self) -> None:
        """Raise the remembered fault while it is fresh."""
        with self._turn:
            fault = self._fault if time.monotonic() < self._until else None
        if fault is not None:
            raise type(fault)(fault.message, fault.hint)

    def began(self, fault: EngineError, waited_seconds: float = 0.0) -> EngineError:
        """Remember the fault as long as it was waited for, a second at least, and give it back to be raised."""
        with self._turn:
            self._fault, self._until = fault, time.monotonic() + max(DOWN_SECONDS, waited_seconds)
        return fault

    def ended(self) -> None:
        """The server answered."""
        with self._turn:
            self._fault = None
