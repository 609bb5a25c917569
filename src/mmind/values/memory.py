"""What a store keeps, and the policy under which it keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Trust(StrEnum):
    """Who stands behind a memory: the user (curated) or an agent (generated). Stamped by the path of the write."""

    CURATED = "curated"
    GENERATED = "generated"


class Access(StrEnum):
    """What may be done with a store."""

    READ = "read"
    READ_WRITE = "read/write"


class TextFormat(StrEnum):
    """How a memory's text is cut into passages: by Markdown headings, or by paragraphs alone."""

    MARKDOWN = "markdown"
    PLAIN = "plain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One thing remembered.

    `store` and `id` name it: `id` is unique within its store (for a folder, the POSIX path relative to its root).
    `text` is the whole text, front matter included, with `\\n` line ends; line numbers count from 1 in it.
    Times are aware and in UTC, or None where nobody knows. `time` is the one that recency uses, and `time_kind` says
    which it is ("updated", "created", "front matter", "file name", "file mtime", "").
    `path` is where a person finds it (absolute path, or database and key). `links` is the text of its wikilinks.
    `fingerprint` changes whenever the memory does; the index compares it. `truncated` tells that the kept text is a
    bounded start of a larger one.
    """

    store: str
    id: str
    text: str
    title: str = ""
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    created: datetime | None = None
    time: datetime | None = None
    time_kind: str = ""
    trust: Trust = Trust.GENERATED
    writer: str = ""
    session: str = ""
    path: str = ""
    fingerprint: str = ""
    format: TextFormat = TextFormat.PLAIN
    truncated: bool = False

    @property
    def handle(self) -> str:
        """The id that is unique over all stores, as tools show and take it: `store:id`."""
        return f"{self.store}:{self.id}"


@dataclass(frozen=True, slots=True)
class Passage:
    """The part of a memory that is indexed and scored.

    `text` stands word for word in the memory at lines `line_start` to `line_end` (from 1, both inclusive);
    `heading` is the path of headings above it, outermost first.
    """

    ordinal: int
    text: str
    line_start: int
    line_end: int
    heading: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StorePolicy:
    """A named store and what holds for everything in it. Policy is a value: access, age and trust live here only."""

    name: str
    engine: str
    role: str
    access: Access
    half_life_days: float
    is_wrapped: bool = False  # a place of the user's own, which no setting opens for writing
    trust: Trust | None = None  # None: stamped by who writes (an agent's tool: generated; the user's command: curated)
