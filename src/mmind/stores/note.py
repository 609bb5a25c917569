"""A file of text as a memory: its facts, and which of its times counts."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from mmind.stores.containment import shown_path
from mmind.stores.fingerprint import Content
from mmind.stores.folder import Reading
from mmind.stores.scan import Found
from mmind.text.decode import decode
from mmind.text.notes import NoteFacts, describe
from mmind.values.memory import Memory, TextFormat, Trust

MARKDOWN_SUFFIXES = (".md", ".markdown")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def is_markdown(name: str) -> bool:
    """Whether a file of this name is a Markdown note."""
    return name.lower().endswith(MARKDOWN_SUFFIXES)


def read_note(store: str, id_: str, found: Found, content: Content, trust: Trust) -> Reading:
    """A Markdown file as a memory, with the facts from its front matter, its text and its name."""
    decoded = decode(content.data)
    if decoded.text is None:
        return Reading(None, decoded.problem)
    facts = describe(decoded.text, found.place.rpartition("/")[2])
    time, time_kind = note_time(facts, content)
    memory = Memory(
        store=store,
        id=id_,
        text=decoded.text,
        title=facts.title,
        tags=facts.tags,
        aliases=facts.aliases,
        links=facts.links,
        created=facts.created,
        time=time,
        time_kind=time_kind,
        trust=trust,
        writer=writer_of(trust),
        path=shown_path(found.path),
        format=TextFormat.MARKDOWN,
        truncated=content.is_cut,
    )
    return Reading(memory, "; ".join(filter(None, (decoded.problem, facts.problem))))


def read_plain(store: str, id_: str, found: Found, content: Content, trust: Trust) -> Reading:
    """Any other file of text as a memory, called as the file is."""
    decoded = decode(content.data)
    if decoded.text is None:
        return Reading(None, decoded.problem)
    time = file_time(content)
    memory = Memory(
        store=store,
        id=id_,
        text=decoded.text,
        title=found.place.rpartition("/")[2],
        time=time,
        time_kind="file mtime" if time else "",
        trust=trust,
        writer=writer_of(trust),
        path=shown_path(found.path),
        truncated=content.is_cut,
    )
    return Reading(memory, decoded.problem)


def writer_of(trust: Trust) -> str:
    """Who wrote a file that does not say so."""
    return "user" if trust is Trust.CURATED else "agent"


def note_time(facts: NoteFacts, content: Content) -> tuple[datetime | None, str]:
    """The time that recency uses and which it is: what the front matter says, else the name, else the file system."""
    for moment, kind in ((facts.updated, "front matter"), (facts.date, "front matter"), (facts.day, "file name")):
        if moment is not None:
            return moment, kind
    time = file_time(content)
    return time, "file mtime" if time else ""


def file_time(content: Content) -> datetime | None:
    """The file's mtime in UTC, or None where it lies outside the years 1 to 9999."""
    try:
        return _EPOCH + timedelta(microseconds=content.status.st_mtime_ns // 1000)
    except OverflowError:
        return None
