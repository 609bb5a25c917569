"""A table or view that exists, wrapped: each row a memory, read in place and never written.

What a kind of database must be able to do is small (`Table`); all else is the same for all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from typing import Protocol

from mmind.stores.rows import fingerprint_of, strings_of, text_of, utc_time
from mmind.values.errors import ConfigError, EngineError, EngineUnavailable
from mmind.values.memory import Memory, TextFormat, Trust
from mmind.values.ports import Changes, Health, Mark, Skipped
from mmind.values.wrapped import Columns

BATCH = 500  # rows read in one question
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECONDS_FROM = 100_000_000_000  # as seconds this is the year 5138
ROLES = ("id", "text", "title", "time", "tags")

Row = Sequence[object]  # a value for each role, None where no column has it


class Table(Protocol):
    """A table or view with its columns found. Every method opens what it needs read-only and raises EngineError."""

    def where(self) -> str:
        """The database and the table, as they may be shown."""
        ...

    def marks(self) -> Iterable[tuple[object, object]]:
        """(id, time) of every row; time None where no column has it."""
        ...

    def rows(self, ids: Sequence[object] | None) -> Iterable[Row]:
        """The rows with these ids (at most `BATCH`), or all."""
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...


def chosen(asked: Columns, found: Sequence[str], table: str) -> Mapping[str, str]:
    """The real name of the column of each role that has one. Raises ConfigError with the columns that there are.

    Only names that the database itself gave are ever put into a statement.
    """
    exact = {name: name for name in found}
    folded = {name.casefold(): name for name in found}
    names: dict[str, str] = {}
    for role in ROLES:
        wanted = str(getattr(asked, role))
        if not wanted:
            continue
        real = exact.get(wanted) or folded.get(wanted.casefold())
        if real is None:
            raise ConfigError(f"{table} has no column {wanted!r} for {role}", f"its columns: {', '.join(found)}")
        names[role] = real
    return names


@dataclass(slots=True)
class TableEngine:
    """Keeps E3, E6 and E8 to E12 of `values.ports.Engine` over a table of the user's own, and refuses to write."""

    store: str
    table: Table
    has_time: bool
    trust: Trust
    _skipped: list[Skipped] = field(default_factory=list)

    @property
    def where(self) -> str:
        """The database and the table, as they may be shown; asks no server."""
        return self.table.where()

    def get(self, id: str) -> Memory | None:
        """The row with this id, or None. Raises EngineError."""
        for key in _keys(id):
            for row in self.table.rows([key]):
                memory = self._memory(row, [])
                if memory is not None and memory.id == id:
                    return memory
        return None

    def put(self, memory: Memory) -> Memory:
        """Refuse: raises EngineUnavailable."""
        raise EngineUnavailable(
            f"nothing can be stored in {memory.store}: the table is read in place", "use another store"
        )

    def delete(self, id: str) -> bool:
        """Refuse: raises EngineUnavailable."""
        raise EngineUnavailable(f"{id} cannot be deleted: the table is read in place", "delete the row in its database")

    def changes(self, since: Mark) -> Changes:
        """What is new, changed or gone since the mark, by the time column or by a digest of each row. Raises
        EngineError when the database cannot be read, and then reports nothing gone."""
        self._skipped = []
        if not self.has_time:
            return self._compared(since)
        marks = {_clean(text_of(key)): (key, _mark(time)) for key, time in self.table.marks() if key is not None}
        changed = [key for id, (key, mark) in marks.items() if since.fingerprints.get(id) != mark]  # noqa: A001 - an id
        gone = [known for known in since.fingerprints if known not in marks]
        return Changes(self._load(changed), gone, "", total=len(changed), skipped=self._skipped)

    def read(self, keys: Sequence[object]) -> Iterator[Memory]:
        """The rows with these ids, as far as they are there and have a text. Raises EngineError."""
        for start in range(0, len(keys), BATCH):
            yield from self.taken(self.table.rows(keys[start : start + BATCH]))

    def taken(self, rows: Iterable[Row]) -> Iterator[Memory]:
        """Rows as memories; those without id or text are left out."""
        for row in rows:
            memory = self._memory(row, [])
            if memory is not None:
                yield memory

    def health(self) -> Health:
        """Whether the table is there and its columns are. Never raises."""
        where = self.table.where()
        try:
            next(iter(self.table.marks()), None)
        except (EngineError, ConfigError) as fault:
            return Health(False, where, reason=fault.message, hint=fault.hint)
        return Health(True, where, notes=() if self.has_time else (_WITHOUT_TIME,))

    def close(self) -> None:
        """Let go of connections."""
        self.table.close()

    def _compared(self, since: Mark) -> Changes:
        """Every row is read; only what differs is yielded."""
        rows = [memory for row in self.table.rows(None) if (memory := self._memory(row, self._skipped)) is not None]
        kept = {memory.id for memory in rows}
        changed = [memory for memory in rows if since.fingerprints.get(memory.id) != memory.fingerprint]
        gone = [known for known in since.fingerprints if known not in kept]
        return Changes(iter(changed), gone, "", total=len(changed), skipped=self._skipped)

    def _load(self, keys: Sequence[object]) -> Iterator[Memory]:
        for start in range(0, len(keys), BATCH):
            for row in self.table.rows(keys[start : start + BATCH]):
                memory = self._memory(row, self._skipped)
                if memory is not None:
                    yield memory

    def _memory(self, row: Row, skipped: list[Skipped]) -> Memory | None:
        key, text, title, moment, tags = row
        if key is None or text is None:
            skipped.append(Skipped(text_of(key) or "a row", "it has no id" if key is None else "its text is null"))
            return None
        updated = time_of(moment)
        fingerprint = _mark(moment) if self.has_time else fingerprint_of(json.dumps(row, default=str).encode())
        return Memory(
            store=self.store,
            id=_clean(text_of(key)),
            text=_clean(text_of(text)).replace("\r\n", "\n"),
            title=_clean(text_of(title)),
            tags=tuple(_clean(tag) for tag in strings_of(tags)),
            time=updated,
            time_kind="updated" if updated else "",
            trust=self.trust,
            writer="user" if self.trust is Trust.CURATED else "agent",
            path=f"{self.table.where()}#{text_of(key)}",
            fingerprint=fingerprint,
            format=TextFormat.MARKDOWN,
        )


_WITHOUT_TIME = "without a time column every row is read at each look: name one with --time for large tables"


def time_of(value: object) -> datetime | None:
    """The moment that a value of a time column stands for, in UTC: a date, a timestamp, ISO 8601, or seconds or
    milliseconds since 1970. None where it stands for none."""
    try:
        if isinstance(value, datetime):
            return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)
        if isinstance(value, date):
            return datetime.combine(value, time(), UTC)
        if isinstance(value, str) and value.strip().lstrip("-").replace(".", "", 1).isdigit():
            value = float(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return _EPOCH + timedelta(seconds=value / 1000 if abs(value) >= _MILLISECONDS_FROM else value)
    except (OverflowError, ValueError):
        return None
    return utc_time(value)


def _mark(moment: object) -> str:
    """A fingerprint of a row by its time."""
    return f"t{moment.isoformat() if isinstance(moment, date) else moment}"


def _keys(id: str) -> Iterator[object]:
    """What an id may be in the table: a text, or a number."""
    yield id
    if id.lstrip("-").isdigit() and len(id) < 19:  # beyond, no column of integers holds it
        yield int(id)


def _clean(text: str) -> str:
    """Without what our own stores cannot keep: NUL and half surrogates."""
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()
