"""A server that takes calls and never says a word, as a host behind a broken firewall does."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def silent_server() -> Iterator[int]:
    """Its port. The system takes the calls; nobody ever answers them."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(50)
        yield int(listener.getsockname()[1])
