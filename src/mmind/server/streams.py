"""The process's own streams: the wire is taken away from everybody else, so that only protocol bytes are on it."""

from __future__ import annotations

import os
import select
import sys
import threading
from collections.abc import Callable
from typing import BinaryIO


def claim_streams() -> tuple[BinaryIO, BinaryIO]:
    """Private copies of standard input and output; a stray print of any library then lands on standard error.

    Children read an empty input. Where standard error is closed, stray output is thrown away.
    """
    source, sink = os.dup(0), os.dup(1)
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    try:
        os.dup2(2, 1)
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.close(nowhere)
    sys.stdout.flush()  # only now: what was printed while modules loaded is no protocol either
    return os.fdopen(source, "rb"), os.fdopen(sink, "wb", buffering=0)


class Wire:
    """Writes whole lines to the client from any thread; `on_broken` is called once, when the client is gone."""

    def __init__(self, sink: BinaryIO, on_broken: Callable[[], None]) -> None:
        self._sink = sink
        self._on_broken = on_broken
        self._lock = threading.Lock()
        self._is_broken = False

    def send(self, line: bytes) -> None:
        """Write one line. Does nothing once the client is gone."""
        with self._lock:
            if self._is_broken:
                return
            try:
                self._write(line + b"\n")
            except OSError:
                self._is_broken = True
        if self._is_broken:
            self._on_broken()

    def is_read(self) -> bool:
        """Whether somebody still holds the other end, as far as the system tells (Windows does not)."""
        if self._is_broken or not hasattr(select, "poll"):
            return not self._is_broken
        poll = select.poll()
        poll.register(self._sink.fileno(), 0)
        return not poll.poll(0)

    def _write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[self._sink.write(view) or 0 :]
