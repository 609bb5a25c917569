"""Step 1: arguments become a request, or a plain error that names the argument."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta

from mmind.values.errors import BadRequest
from mmind.values.memory import Memory

MOST_RESULTS = 50
MOST_TOKENS = 8_000
FEWEST_TOKENS = 100
LONGEST_QUERY = 32_000
LONGEST_NAME = 200
LONGEST_ABOUT = 2_000  # characters of a memory that are asked for: a page
UNKEEPABLE = "\ufffd"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A retrieve whose arguments hold: text without blanks around it, known stores, aware UTC times."""

    text: str
    limit: int
    stores: tuple[str, ...]
    since: datetime | None
    until: datetime | None
    tags: tuple[str, ...]
    session: str
    max_tokens: int


def parse_text(query: str) -> str:
    """The query without blanks around it and without what no store can hold (NUL, lone surrogates).

    Raises BadRequest on a blank one. NUL alone is not blank: it is a text without words, as `|||` is.
    """
    text = clean(query).strip() or UNKEEPABLE
    if not query.strip():
        raise BadRequest("query: is blank", "ask for something, for example the words that the note would hold")
    if len(text) > LONGEST_QUERY:
        raise BadRequest(f"query: at most {LONGEST_QUERY:,} characters, got {len(text):,}", "shorten it")
    return text


def clean(text: str) -> str:
    """Text that every store can hold: NUL becomes a blank, half of a surrogate pair the replacement character."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8") if _is_odd(text) else text


def _is_odd(text: str) -> bool:
    return "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text)


def about(memory: Memory, stores: tuple[str, ...]) -> Request:
    """What else is known of what a memory says: its start as a question to all stores, in its own session."""
    return Request(
        text=f"{memory.title}\n{memory.text}"[:LONGEST_ABOUT].strip(),
        limit=MOST_RESULTS,
        stores=stores,
        since=None,
        until=None,
        tags=(),
        session=memory.session,
        max_tokens=MOST_TOKENS,
    )


def parse_number(name: str, value: int, low: int, high: int) -> int:
    """A whole number within its range, else BadRequest."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise BadRequest(f"{name}: must be a whole number from {low:,} to {high:,}, got {value!r}"[:LONGEST_NAME])
    return value


def parse_stores(names: Sequence[str], known: Collection[str]) -> tuple[str, ...]:
    """The named stores without doubles, in the order asked; empty means all."""
    for name in names:
        if name not in known:
            raise BadRequest(f"stores: there is no store {name[:LONGEST_NAME]!r}", f"known: {', '.join(known)}")
    return tuple(dict.fromkeys(names)) or tuple(known)


def parse_time(name: str, value: datetime | str | None) -> datetime | None:
    """An aware UTC time. A bare date is its first moment, or for `until` its last; a naive time is read as UTC."""
    if value is None or value == "":
        return None
    try:
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(value.strip())
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        shown = str(value)[:40]
        raise BadRequest(f"{name}: not a date or time: {shown!r}", "write 2026-05-31 or 2026-05-31T17:00Z") from error
    is_bare_date = isinstance(value, str) and len(value.strip()) <= len("2026-05-31")
    if name == "until" and is_bare_date:
        return datetime.combine(moment.date(), time.min, UTC) + timedelta(days=1) - timedelta(microseconds=1)
    return moment


def parse_tags(tags: Sequence[str]) -> tuple[str, ...]:
    """Tags without `#`, blanks and doubles. At most 64 of at most 64 characters."""
    cleaned = dict.fromkeys(clean(tag).strip().lstrip("#") for tag in tags)
    cleaned.pop("", None)
    if len(cleaned) > 64 or any(len(tag) > 64 for tag in cleaned):
        raise BadRequest("tags: at most 64 tags of at most 64 characters each")
    return tuple(cleaned)


def parse_label(name: str, value: str) -> str:
    """A short one-line text (title, session, writer): control characters become blanks; at most 200 characters."""
    label = " ".join("".join(letter if letter.isprintable() else " " for letter in clean(value)).split())
    if len(label) > LONGEST_NAME:
        raise BadRequest(f"{name}: at most {LONGEST_NAME} characters, got {len(label):,}")
    return label
