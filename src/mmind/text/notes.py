"""What a note says about itself: title, aliases, tags, links and dates, from front matter, text and file name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from mmind.text.blocks import Heading, Line, outline
from mmind.text.frontmatter import Value, read
from mmind.text.inline import hashtags, shown_text, wikilinks
from mmind.text.stamps import named_day, stamp

MOST_TAGS = 200
MOST_LINKS = 2000
_LONGEST_NAME = 500  # characters of a title, alias, tag or link

# Keys as Obsidian's properties, templates and plugins, Hugo, Jekyll and Dendron write them; compared in lower case.
_CREATED = ("created", "created_at", "createdat", "date created", "date_created", "date-created", "creation_date")
_UPDATED = (
    *("updated", "updated_at", "updatedat", "modified", "modified_at", "lastmod", "last_modified", "last-modified"),
    *("last modified", "date modified", "date_modified", "date-modified", "date updated", "date_updated", "edited"),
)
_DATE = ("date", "datetime", "day", "published", "publish_date")


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteFacts:
    """What a note says about itself.

    `aliases` hold the file's stem where the title is another. `tags` are without `#`, each once whatever its case.
    `links` are the targets and the shown texts of its wikilinks and embeds. Times are aware and in UTC, or None:
    `created`, `updated` and `date` from front matter, `day` from the start of the file name. `problem` says in one
    line what of the front matter could not be read.
    """

    title: str
    aliases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    created: datetime | None = None
    updated: datetime | None = None
    date: datetime | None = None
    day: datetime | None = None
    problem: str = ""


def describe(text: str, name: str) -> NoteFacts:
    """The facts of a Markdown note. `name` is its file name or POSIX path. Never raises; linear in the text.

    The title is the front matter's, else the note's only heading of level 1 (with several they are sections, and name
    no note), else the file's stem.
    """
    front = read(text)
    fields = {key.lower(): value for key, value in front.fields.items()}
    shape = outline(text, front.end_line)
    prose = [
        line for line, kind in zip(text.split("\n"), shape.kinds, strict=True) if kind in (Line.TEXT, Line.HEADING)
    ]
    stem = _stem(name)
    title = _first_words(fields.get("title")) or _only_title(shape.headings) or stem
    aliases = [*_listed(fields, "aliases", "alias"), stem]
    return NoteFacts(
        title=title,
        aliases=_distinct((alias for alias in aliases if alias.casefold() != title.casefold()), MOST_TAGS),
        tags=_distinct((*_front_tags(fields), *hashtags(prose)), MOST_TAGS),
        links=_distinct((*wikilinks(_strings(fields)), *wikilinks(prose)), MOST_LINKS),
        created=_time(fields, _CREATED),
        updated=_time(fields, _UPDATED),
        date=_time(fields, _DATE),
        day=named_day(stem),
        problem=front.problem,
    )


def _stem(name: str) -> str:
    last = name.rsplit("/", 1)[-1]
    return re.sub(r"\.(?:md|markdown|mdown|mkd)$", "", last, flags=re.IGNORECASE) or last


def _only_title(headings: Sequence[Heading]) -> str:
    titles = [heading for heading in headings if heading.level == 1 and heading.text]
    return shown_text(titles[0].text)[:_LONGEST_NAME] if len(titles) == 1 else ""


def _first_words(value: Value | None) -> str:
    words = value if isinstance(value, str) else " ".join(value or ())
    return shown_text(" ".join(words.split()))[:_LONGEST_NAME]


def _listed(fields: Mapping[str, Value], *keys: str) -> Iterator[str]:
    """The strings of a list, or of one string with commas."""
    for key in keys:
        value = fields.get(key, ())
        yield from (value.split(",") if isinstance(value, str) else value)


def _front_tags(fields: Mapping[str, Value]) -> Iterator[str]:
    """Tags of front matter: a list, or one string with commas or (as no tag holds white space) with spaces."""
    for key in ("tags", "tag"):
        value = fields.get(key, ())
        if isinstance(value, str):
            value = tuple(value.split(",") if "," in value else value.split())
        yield from (tag.strip().lstrip("#").strip("/") for tag in value)


def _strings(fields: Mapping[str, Value]) -> Iterator[str]:
    for value in fields.values():
        yield from ((value,) if isinstance(value, str) else value)


def _time(fields: Mapping[str, Value], keys: Iterable[str]) -> datetime | None:
    for key in keys:
        value = fields.get(key)
        moment = stamp(value) if isinstance(value, str) else None
        if moment is not None:
            return moment
    return None


def _distinct(names: Iterable[str], most: int) -> tuple[str, ...]:
    """Each name once whatever its case, as first written, without the blank and the endless."""
    kept: dict[str, str] = {}
    for name in names:
        plain = " ".join(name.split())
        if plain and len(plain) <= _LONGEST_NAME:
            kept.setdefault(plain.casefold(), plain)
    return tuple(islice(kept.values(), most))
