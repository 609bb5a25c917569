"""The one way in: every write passes the same access check, gets its trust from the door, and is durable when told."""

from __future__ import annotations

import base64
import hashlib
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypeVar

from mmind.router.parse import clean
from mmind.router.secrecy import refuse_secrets
from mmind.values.door import Door
from mmind.values.errors import AccessDenied, BadRequest, EngineUnavailable, MmindError, NotFound
from mmind.values.memory import Access, Memory, StorePolicy, TextFormat, Trust
from mmind.values.ports import AuditEvent, Engine, Record, Store
from mmind.values.reports import Stored

LONGEST_CONTENT = 100_000
CLEANED = "NUL characters and halves of surrogate pairs were replaced"

T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a caller wants kept, its arguments already checked. `content` is still as it came."""

    store: str
    content: str
    title: str = ""
    tags: tuple[str, ...] = ()
    session: str = ""
    writer: str = ""
    may_hold_secrets: bool = False


def parse_content(content: str) -> tuple[str, str]:
    """The text that will be kept, and a note when it had to be cleaned. Raises BadRequest when blank or too long."""
    text = clean(content)
    if not text.strip():
        raise BadRequest("content: is blank", "give the text to remember")
    if len(text) > LONGEST_CONTENT:
        raise BadRequest(f"content: at most {LONGEST_CONTENT:,} characters, got {len(text):,}", "split it into parts")
    return text, CLEANED if text != content else ""


def content_id(text: str, session: str) -> str:
    """The id of a memory: the same content in the same session is the same memory, whoever stores it and when.

    13 characters of base32 over 64 bits of BLAKE2b; spacing at the ends and Unicode composition do not count.
    """
    named = f"{unicodedata.normalize('NFC', text.strip())}\0{session}"
    digest = hashlib.blake2b(named.encode(), digest_size=8).digest()
    return base64.b32encode(digest).decode("ascii").rstrip("=").lower()


def check_writable(store: Store, policy: StorePolicy, record: Record, attempt: AuditEvent) -> Engine:
    """The one check that every write passes. Raises AccessDenied or EngineUnavailable with the way out."""
    if policy.access is not Access.READ_WRITE:
        record(replace(attempt, kind="deny", outcome="denied", error="read-only"))
        undone = "removed" if attempt.kind == "forget" else "written"
        hint = _way_out(policy, is_removal=attempt.kind == "forget")
        raise AccessDenied(f"the {policy.name} store is read-only, nothing was {undone}", hint)
    if store.engine is None:
        record(replace(attempt, outcome="failed", error=store.fault))
        raise EngineUnavailable(f"the {policy.name} store is not available: {store.fault}", store.hint)
    return store.engine


def _way_out(policy: StorePolicy, *, is_removal: bool) -> str:
    """What helps where a store is read-only; no setting opens the vault, or what is wrapped."""
    opened = f"let the user set MMIND_ACCESS_{policy.name.upper()}=read/write"
    if policy.is_wrapped:
        return f"{'remove it where it lies' if is_removal else 'write to another store'}: mmind only reads it"
    if policy.engine == "markdown":
        return f"{'delete the note yourself' if is_removal else 'write to another store'}: mmind never writes notes"
    return opened if is_removal else f"write to another store, or {opened}"


def put(draft: Draft, store: Store, policy: StorePolicy, door: Door, now: datetime, record: Record) -> Stored:
    """Keep a draft. Storing the same content twice is one memory, whose time is that of the later statement.

    A memory of the user's is never changed by an agent, and never loses its tier; the user storing what an agent
    wrote before makes it curated.
    """
    text, note = parse_content(draft.content)
    attempt = AuditEvent(
        "write",
        "ok",
        policy.name,
        writer=_writer(draft, door),
        session=draft.session,
        size_bytes=len(text),
        content=text,
    )
    engine = check_writable(store, policy, record, attempt)
    if not draft.may_hold_secrets:
        refuse_secrets((text, draft.title, *draft.tags, draft.session), record, attempt)
    fresh = _memory(draft, text, door, now)
    known = engine.get(fresh.id)
    if known is not None and known.trust is Trust.CURATED and door.trust is Trust.GENERATED:
        return Stored(memory=known, is_new=False, note="the user already keeps this; nothing was changed")
    kept = audited(lambda: engine.put(_renewed(known, fresh)), record, replace(attempt, ids=(fresh.handle,)))
    if known is not None:
        note = "; ".join(part for part in ("kept already; its time is now that of this statement", note) if part)
    return Stored(memory=kept, is_new=known is None, note=note)


def delete(handle: str, memory_store: Store, policy: StorePolicy, door: Door, record: Record) -> Memory:
    """Remove the memory with this handle and give it back. An agent may remove generated ones only."""
    key = handle.partition(":")[2]
    attempt = AuditEvent("forget", "ok", policy.name, ids=(handle,))
    engine = check_writable(memory_store, policy, record, attempt)
    memory = engine.get(key)
    if memory is None:
        raise not_found(handle)
    if memory.trust is Trust.CURATED and door.trust is Trust.GENERATED:
        record(replace(attempt, kind="deny", outcome="denied", error="curated"))
        raise AccessDenied("this memory is the user's own, nothing was removed", "the user can run `mmind forget`")
    audited(lambda: engine.delete(key), record, attempt)
    return memory


def not_found(handle: str) -> NotFound:
    """The error for a handle that names nothing."""
    return NotFound(f"no memory has the id {handle[:200]!r}", "ids look like store:id, as retrieve returns them")


def resolve(handle: str, stores: Mapping[str, Store]) -> Store:
    """The store that a handle names. Raises NotFound."""
    name, _, key = handle.partition(":")
    if not key or name not in stores:
        raise not_found(handle)
    return stores[name]


def audited(work: Callable[[], T], record: Record, attempt: AuditEvent) -> T:
    """Announce a piece of work in the log, do it, and log how it ended; without the announcement nothing is done."""
    record(replace(attempt, outcome="begun"))
    try:
        done = work()
    except MmindError as error:
        try_record(record, replace(attempt, outcome="failed", error=error.message))
        raise
    try_record(record, attempt)
    return done


def try_record(record: Record, event: AuditEvent) -> str:
    """Log an event whose subject must not fail for the log's sake; gives the reason when it could not be logged."""
    try:
        record(event)
    except MmindError as error:
        return str(error)
    return ""


def _writer(draft: Draft, door: Door) -> str:
    """Who stores it, in the log as in the memory."""
    return draft.writer or door.value


def _memory(draft: Draft, text: str, door: Door, now: datetime) -> Memory:
    return Memory(
        store=draft.store,
        id=content_id(text, draft.session),
        text=text,
        title=draft.title,
        tags=draft.tags,
        created=now,
        time=now,
        time_kind="stored",
        trust=door.trust,
        writer=_writer(draft, door),
        session=draft.session,
        format=TextFormat.MARKDOWN,
    )


def _renewed(known: Memory | None, fresh: Memory) -> Memory:
    if known is None:
        return fresh
    return replace(
        fresh,
        created=known.created or fresh.created,
        title=fresh.title or known.title,
        tags=tuple(dict.fromkeys((*known.tags, *fresh.tags))),
    )
