"""Who is asking right now: set by the face that took the call, read when the call is logged."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Caller:
    """`transport` is stdio, http or cli; `client` the name that the client gives itself; `scope` what its token may."""

    transport: str = ""
    client: str = ""
    scope: str = ""
    request_id: str = ""


_CALLER: ContextVar[Caller] = ContextVar("mmind_caller")
_NOBODY = Caller()


@contextmanager
def calling(caller: Caller) -> Iterator[None]:
    """Log what happens inside, on this thread or task, as done for `caller`."""
    token = _CALLER.set(caller)
    try:
        yield
    finally:
        _CALLER.reset(token)


def current() -> Caller:
    """The caller of this thread or task; an empty one where no face has set it."""
    return _CALLER.get(_NOBODY)
