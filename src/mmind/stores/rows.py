"""A memory as named fields, the way our databases keep it: words a person can read, times as ISO 8601 in UTC."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from mmind.values.memory import Memory, TextFormat, Trust

Fields = dict[str, object]


def fields_of(memory: Memory) -> Fields:
    """What is kept of a memory beside its id. `updated` is the time that recency uses."""
    return {
        "text": memory.text,
        "title": memory.title,
        "tags": list(memory.tags),
        "created": iso_utc(memory.created),
        "updated": iso_utc(memory.time),
        "trust": memory.trust.value,
        "writer": memory.writer,
        "session": memory.session,
        "aliases": list(memory.aliases),
        "links": list(memory.links),
        "format": memory.format.value,
        "truncated": memory.truncated,
    }


def memory_of(store: str, id: str, fields: Mapping[str, object], path: str, fingerprint: str) -> Memory:
    """The memory that these fields describe. A field that is missing or makes no sense takes its default.

    People and other programs edit our databases, so nothing here raises.
    """
    created, updated = utc_time(fields.get("created")), utc_time(fields.get("updated"))
    return Memory(
        store=store,
        id=id,
        text=text_of(fields.get("text")),
        title=text_of(fields.get("title")),
        tags=strings_of(fields.get("tags")),
        aliases=strings_of(fields.get("aliases")),
        links=strings_of(fields.get("links")),
        created=created,
        time=updated,
        time_kind=time_kind(created, updated),
        trust=Trust.CURATED if fields.get("trust") == Trust.CURATED else Trust.GENERATED,
        writer=text_of(fields.get("writer")),
        session=text_of(fields.get("session")),
        path=path,
        fingerprint=fingerprint,
        format=TextFormat.MARKDOWN if fields.get("format") == TextFormat.MARKDOWN else TextFormat.PLAIN,
        truncated=bool(fields.get("truncated")),
    )


def time_kind(created: datetime | None, updated: datetime | None) -> str:
    """Which time the time of a memory is: "created", "updated", or "" where nobody knows one."""
    return "" if updated is None else "created" if updated == created else "updated"


def fingerprint_of(kept: bytes) -> str:
    """32 hex digits that change whenever the kept bytes do (BLAKE2b; hashing costs less than reading)."""
    return hashlib.blake2b(kept, digest_size=16).hexdigest()


def iso_utc(moment: datetime | None) -> str | None:
    """`2026-05-01T12:00:00Z`, with microseconds where there are any; None stays None. A naive time is taken as UTC."""
    if moment is None:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.astimezone(UTC).isoformat().replace("+00:00", "Z")


def utc_time(value: object) -> datetime | None:
    """The moment that an ISO 8601 text names, in UTC, or None where it names none. No offset means UTC."""
    if not isinstance(value, str) or not value:
        return None
    try:
        moment = datetime.fromisoformat(value.strip())
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def text_of(value: object) -> str:
    """Any value of a database as text; nothing for null, and bytes as UTF-8."""
    if value is None:
        return ""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def strings_of(value: object) -> tuple[str, ...]:
    """The strings of a list, of a JSON list in a text, or (typed by hand) of words with commas between them."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except ValueError:
            value = [part.strip() for part in str(value).split(",")]
    if not isinstance(value, Sequence) or isinstance(value, str | bytes):
        return ()
    return tuple(part for part in value if isinstance(part, str) and part)
