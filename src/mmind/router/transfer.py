"""Memories out of the stores, whole, and into them again: to keep a copy, or to move to another engine or machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum

from mmind.router.write import audited, check_writable, parse_content
from mmind.values.door import Door
from mmind.values.errors import EngineUnavailable
from mmind.values.memory import Memory, StorePolicy, Trust
from mmind.values.ports import AuditEvent, Mark, Record, Store


class Taken(StrEnum):
    """What became of a memory that came back."""

    NEW = "new"
    CHANGED = "changed"
    KNOWN = "known"
    KEPT = "kept"  # what lies there is newer, or the user's own where the other is an agent's: it stays


def everything(store: Store) -> Iterator[Memory]:
    """Every memory of a store, oldest id first. Raises EngineError."""
    if store.engine is None:
        raise EngineUnavailable(f"the {store.name} store is not available: {store.fault}", store.hint)
    yield from sorted(store.engine.changes(Mark()).changed, key=lambda memory: memory.id)


def take(memory: Memory, store: Store, policy: StorePolicy, door: Door, record: Record) -> Taken:
    """Put back a memory under its own id. Its tier is at most that of the door. Raises AccessDenied or EngineError.

    What lies there already is not overwritten by something older, and what the user wrote not by what an agent wrote.
    """
    text, _ = parse_content(memory.text)
    trust = memory.trust if door.trust is Trust.CURATED else Trust.GENERATED
    fresh = replace(memory, store=store.name, text=text, trust=trust, path="", fingerprint="", truncated=False)
    attempt = AuditEvent("write", "ok", store.name, (fresh.handle,), writer=memory.writer, size_bytes=len(text))
    engine = check_writable(store, policy, record, attempt)
    known = engine.get(memory.id)
    if known is not None:
        if _bare(known) == _bare(fresh):
            return Taken.KNOWN
        if not _yields(known, fresh):
            return Taken.KEPT
    audited(lambda: engine.put(fresh), record, attempt)
    return Taken.NEW if known is None else Taken.CHANGED


def _bare(memory: Memory) -> Memory:
    """The memory without what the engine sets."""
    return replace(memory, path="", time_kind="", fingerprint="")


def _yields(known: Memory, fresh: Memory) -> bool:
    if known.trust is not fresh.trust:
        return fresh.trust is Trust.CURATED
    return known.time is None or (fresh.time is not None and fresh.time >= known.time)
