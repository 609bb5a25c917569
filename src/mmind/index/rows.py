"""A memory's facts and its passages as rows, and back; the text of a memory is kept by passages only."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from mmind.index.sources import from_microseconds, microseconds
from mmind.values.memory import Memory, Passage, TextFormat, Trust

if TYPE_CHECKING:
    import apsw

MEMORY_COLUMNS = (
    "id, title, tags, aliases, created, time, time_kind, trust, writer, session, path, fingerprint, format, truncated"
)
PASSAGE_COLUMNS = "ordinal, heading, line_start, line_end, text"


_TRUSTS = {trust.value: trust for trust in Trust}
_FORMATS = {form.value: form for form in TextFormat}


def memory_row(memory: Memory) -> tuple[apsw.SQLiteValue, ...]:
    """The values of `MEMORY_COLUMNS`; links are in the tokens and nowhere else."""
    return (
        memory.id,
        memory.title,
        _packed(memory.tags),
        _packed(memory.aliases),
        _when(memory.created),
        _when(memory.time),
        memory.time_kind,
        memory.trust.value,
        memory.writer,
        memory.session,
        memory.path,
        memory.fingerprint,
        memory.format.value,
        int(memory.truncated),
    )


def memory_of(store: str, row: Sequence[Any]) -> Memory:
    """The memory of a row of `MEMORY_COLUMNS`, without text and links."""
    key, title, tags, aliases, created, time, kind, trust, writer, session, path, fingerprint, form, truncated = row
    return Memory(
        store=store,
        id=key,
        text="",
        title=title,
        tags=unpacked(tags),
        aliases=unpacked(aliases),
        created=_time(created),
        time=_time(time),
        time_kind=kind,
        trust=_TRUSTS[trust],
        writer=writer,
        session=session,
        path=path,
        fingerprint=fingerprint,
        format=_FORMATS[form],
        truncated=bool(truncated),
    )


def passage_row(passage: Passage) -> tuple[apsw.SQLiteValue, ...]:
    """The values of `PASSAGE_COLUMNS`."""
    return passage.ordinal, _packed(passage.heading), passage.line_start, passage.line_end, passage.text


def passage_of(row: Sequence[Any]) -> Passage:
    """The passage of a row of `PASSAGE_COLUMNS`."""
    ordinal, heading, line_start, line_end, text = row
    return Passage(ordinal, text, line_start, line_end, unpacked(heading))


def _packed(strings: Sequence[str]) -> str:
    return json.dumps(strings) if strings else ""


@lru_cache(maxsize=1 << 12)  # the passages of a note share its headings and tags
def unpacked(packed: str) -> tuple[str, ...]:
    """The strings of a column that holds several."""
    return tuple(json.loads(packed)) if packed else ()


def _when(time: datetime | None) -> int | None:
    return None if time is None else microseconds(time)


def _time(count: int | None) -> datetime | None:
    return None if count is None else from_microseconds(count)
