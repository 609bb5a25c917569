"""Forgetting many memories at once: all that one writer stored, or all of a span of time (after a poisoning)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from mmind.router.transfer import everything
from mmind.router.write import delete
from mmind.values.door import Door
from mmind.values.errors import MmindError
from mmind.values.memory import Memory, StorePolicy
from mmind.values.ports import Indexer, Record, Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Which memories are meant: what this writer stored, in this time (both ends inclusive). Empty means any."""

    origin: str = ""
    since: datetime | None = None
    until: datetime | None = None

    def holds(self, memory: Memory) -> bool:
        """Whether a memory is meant. Either of its two times counts: a statement that was repeated has a later one."""
        is_by = not self.origin or memory.writer.casefold() == self.origin.casefold()
        moments = [moment for moment in (memory.created, memory.time) if moment is not None]
        return is_by and (not (self.since or self.until) or any(self._covers(moment) for moment in moments))

    def _covers(self, moment: datetime) -> bool:
        return (self.since is None or self.since <= moment) and (self.until is None or moment <= self.until)


@dataclass(frozen=True, slots=True)
class Purged:
    """What became of it: the memories that are gone, and why others stayed, by handle or by store."""

    gone: tuple[Memory, ...]
    kept: Mapping[str, str]


def meant(stores: list[Store], span: Span) -> Iterator[Memory]:
    """The memories of these stores that are meant. Raises EngineError."""
    for store in stores:
        yield from (memory for memory in everything(store) if span.holds(memory))


def purge(store: Store, policy: StorePolicy, span: Span, indexer: Indexer, record: Record) -> Purged:
    """Remove what is meant from one store and from the index. One that cannot be removed stops none of the others."""
    gone: list[Memory] = []
    kept: dict[str, str] = {}
    try:
        for memory in list(meant([store], span)):
            try:
                gone.append(delete(memory.handle, store, policy, Door.USER, record))
                indexer.remove(memory.store, memory.id)
            except MmindError as error:
                kept[memory.handle] = str(error)
    except MmindError as error:
        kept[store.name] = str(error)
    return Purged(tuple(gone), kept)
