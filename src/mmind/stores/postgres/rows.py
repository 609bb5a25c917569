"""A memory and its passages as rows of schema `mmind`, and back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from mmind.stores.postgres.terms import tsvector
from mmind.stores.rows import fields_of, fingerprint_of, time_kind
from mmind.text.fields import joined
from mmind.text.passages import PASSAGES_VERSION
from mmind.text.prepared import PreparedPassage
from mmind.text.spelling import SPELLING_VERSION
from mmind.text.tags import tag_key
from mmind.text.tokens import TOKENIZER_VERSION
from mmind.values.memory import Memory, Passage, TextFormat, Trust

CUT = f"{TOKENIZER_VERSION}/{PASSAGES_VERSION}/{SPELLING_VERSION}"  # what a memory's passages were made by

FACTS = "m.id, m.title, m.tags, m.aliases, m.links, m.created, m.time, m.trust, m.writer, m.session, m.format,"
FACTS += " m.truncated, m.fingerprint"
PASSAGE = "p.ordinal, p.heading, p.line_start, p.line_end, p.text"


def key_of(id: str) -> bytes:
    """16 bytes that stand for an id of any length and any signs."""
    return hashlib.blake2b(id.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def kept(memory: Memory, address: str) -> Memory:
    """The memory as the engine gives it back: with path, kind of time and fingerprint."""
    return replace(
        memory,
        time_kind=time_kind(memory.created, memory.time),
        path=f"{address}#{memory.id}",
        fingerprint=fingerprint_of(json.dumps([memory.id, fields_of(memory)]).encode()),
    )


def memory_values(memory: Memory) -> dict[str, object]:
    """The bindings of a memory's row."""
    return {
        "store": memory.store,
        "key": key_of(memory.id),
        "id": memory.id,
        "text": memory.text,
        "title": memory.title,
        "tags": list(memory.tags),
        "aliases": list(memory.aliases),
        "links": list(memory.links),
        "created": memory.created,
        "time": memory.time,
        "trust": memory.trust.value,
        "writer": memory.writer,
        "session": memory.session,
        "format": memory.format.value,
        "truncated": memory.truncated,
        "tag_keys": sorted({tag_key(tag) for tag in memory.tags}),
        "fingerprint": memory.fingerprint,
        "cut": CUT,
    }


def memory_of(store: str, row: Sequence[Any], address: str, text: str = "") -> Memory:
    """The memory of a row of `FACTS`."""
    key, title, tags, aliases, links, created, time, trust, writer, session, form, truncated, fingerprint = row
    created, time = _utc(created), _utc(time)
    return Memory(
        store=store,
        id=key,
        text=text,
        title=title,
        tags=tuple(tags),
        aliases=tuple(aliases),
        links=tuple(links),
        created=created,
        time=time,
        time_kind=time_kind(created, time),
        trust=Trust(trust),
        writer=writer,
        session=session,
        path=f"{address}#{key}",
        fingerprint=fingerprint,
        format=TextFormat(form),
        truncated=truncated,
    )


def passage_values(store: str, memory: int, prepared: PreparedPassage) -> dict[str, object]:
    """The bindings of a passage's row."""
    passage = prepared.passage
    return {
        "store": store,
        "memory": memory,
        "ordinal": passage.ordinal,
        "heading": list(passage.heading),
        "line_start": passage.line_start,
        "line_end": passage.line_end,
        "text": passage.text,
        "tokens": joined(prepared.tokens),
        "length": prepared.length,
        "digest": prepared.digest,
        "words": tsvector(prepared.tokens),
    }


def passage_of(row: Sequence[Any]) -> Passage:
    """The passage of a row of `PASSAGE`."""
    ordinal, heading, line_start, line_end, text = row
    return Passage(ordinal, text, line_start, line_end, tuple(heading))


def _utc(moment: datetime | None) -> datetime | None:
    return None if moment is None else moment.astimezone(UTC)
