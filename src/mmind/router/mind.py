"""The mind: the five verbs over whatever stores it was wired with."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from types import TracebackType
from typing import Self

from mmind.values.bundle import Bundle
from mmind.values.ports import Progress
from mmind.values.reports import Page, Status, Stored


class Mind:
    """One memory over several stores. Thread-safe. Made by `mmind.open` or `mmind.wiring.open_mind`."""

    def retrieve(
        self,
        query: str,
        *,
        limit: int = 8,
        stores: Sequence[str] = (),
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        tags: Sequence[str] = (),
        session: str = "",
        max_tokens: int = 2000,
    ) -> Bundle:
        """The ranked answer of all stores. Raises BadRequest on an argument that is empty or out of range.

        `limit` 1 to 50; `stores` narrows the fan-out (empty: all); `since`/`until` are ISO 8601 dates or times, both
        inclusive; `max_tokens` 100 to 8,000 bounds the texts of the answer.
        """
        raise NotImplementedError

    def store(
        self,
        content: str,
        *,
        store: str = "sqlite",
        title: str = "",
        tags: Sequence[str] = (),
        session: str = "",
        writer: str = "",
    ) -> Stored:
        """Keep a memory, durable when this returns. Raises AccessDenied, BadRequest or EngineError."""
        raise NotImplementedError

    def get(self, id: str, *, offset: int = 0, line: int = 0, max_tokens: int = 4000) -> Page:
        """One memory in full by its handle (`store:id`), paged. `line` (from 1) beats `offset`. Raises NotFound."""
        raise NotImplementedError

    def forget(self, id: str) -> Stored:
        """Remove a memory by its handle. An agent may remove generated ones only. Raises NotFound or AccessDenied."""
        raise NotImplementedError

    def sources(self) -> Status:
        """Every store: health, engine, access, counts, index age and lag, what was skipped and why. Never raises."""
        raise NotImplementedError

    def index(self, report: Callable[[Progress], None], *, rebuild: bool = False) -> None:
        """Bring words and vectors of every store level in the foreground; `rebuild` starts from nothing."""
        raise NotImplementedError

    def warm(self) -> None:
        """Start scanning and loading the model in the background; returns at once. A server calls it once it is up."""
        raise NotImplementedError

    def close(self) -> None:
        """Stop background work and let go of every store. Harmless when called twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
