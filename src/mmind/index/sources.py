"""A source is a store at a location. Rows are kept by source, so that two vaults that take turns under one store name
(or serve two projects at once) neither mix nor push each other out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, Any

from mmind.index import schema
from mmind.index.database import Database
from mmind.index.written import Written
from mmind.values.ports import Engine, Placed, Skipped

if TYPE_CHECKING:
    import apsw

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
FORGOTTEN_AFTER = timedelta(days=90)
FEW = 64  # fingerprints looked up one by one, in a few milliseconds


class Source:
    """One configured store: its engine, and the place (`Health.where`) that tells it from others of its name."""

    def __init__(self, store: str, engine: Engine) -> None:
        self.store = store
        self.engine = engine
        self.written = Written()

    @cached_property
    def location(self) -> str:
        """The path or address in use; asked once, when it is first needed."""
        return self.engine.where if isinstance(self.engine, Placed) else self.engine.health().where


@dataclass(frozen=True, slots=True)
class State:
    """What the index knows of a source.

    `began` and `finished` are the times (microseconds since 1970, UTC) of the last complete scan, `cost` the seconds
    the engine needed to say what changed; `pending` counts memories seen and not yet indexed (-1: not counted yet).
    `passages` and `length` are the sums of BM25; `removals` grows with every passage that is taken out.
    """

    number: int
    cursor: str
    began: int | None
    finished: int | None
    cost: float
    pending: int
    fault: str
    hint: str
    skipped: str
    memories: int
    passages: int
    length: float
    removals: int

    def skipped_things(self) -> tuple[Skipped, ...]:
        """What the last scan left out, and why."""
        return tuple(Skipped(name, reason) for name, reason in json.loads(self.skipped))


_COLUMNS = ", ".join(State.__dataclass_fields__)


def find(connection: apsw.Connection, source: Source) -> State | None:
    """The state of a source; None when nothing of it was ever indexed."""
    statement = f"SELECT {_COLUMNS} FROM source WHERE store = ? AND location = ?"  # noqa: S608 - our own column names
    row = connection.execute(statement, (source.store, source.location)).fetchone()
    return None if row is None else State(*row)


def enter(connection: apsw.Connection, source: Source, now: datetime) -> State:
    """The state of a source, made when it is new. Runs in a writing transaction."""
    found = find(connection, source)
    if found is None:
        connection.execute(
            "INSERT INTO source(store, location, used) VALUES (?, ?, ?)",
            (source.store, source.location, microseconds(now)),
        )
        schema.create_words(connection, connection.last_insert_rowid())
        found = find(connection, source)
        assert found is not None
    return found


def forget_unused(connection: apsw.Connection, now: datetime, in_use: Iterable[Source] = ()) -> None:
    """Drop the rows of sources that no process has scanned for 90 days, but of those in use here. Runs in a writing
    transaction."""
    oldest = microseconds(now - FORGOTTEN_AFTER)
    kept = {(source.store, source.location) for source in in_use}
    statement = "SELECT number, store, location FROM source WHERE used < ?"
    rows: list[Any] = connection.execute(statement, (oldest,)).fetchall()
    for number in [number for number, *place in rows if tuple(place) not in kept]:
        schema.drop_words(connection, number)
        for table in ("pending", "passage", "memory"):
            connection.execute(f"DELETE FROM {table} WHERE source = ?", (number,))  # noqa: S608 - names from the line above
        connection.execute("DELETE FROM source WHERE number = ?", (number,))


class Fingerprints(Mapping[str, str]):
    """Each indexed memory's fingerprint by id: the first few are looked up one by one, for more all are read.

    A million take seconds to read, and most often an engine asks for the one memory that was just written.

    It shows what was indexed when it was made: a memory that another process puts and indexes while an engine lists
    its own would else look as if it were gone from the engine.
    """

    def __init__(self, database: Database, source: int) -> None:
        self._database = database
        self._source = source
        self._looked_up = 0
        with database.reading() as connection:
            self._newest = connection.execute("SELECT coalesce(max(number), 0) FROM memory").get

    @cached_property
    def _all(self) -> dict[str, str]:
        statement = "SELECT id, fingerprint FROM memory WHERE source = ? AND number <= ?"
        with self._database.reading() as connection:
            rows: list[Any] = connection.execute(statement, (self._source, self._newest)).fetchall()
        return dict(rows)

    def __getitem__(self, id: str) -> str:
        if self._looked_up >= FEW or "_all" in self.__dict__:
            return self._all[id]
        self._looked_up += 1
        statement = "SELECT fingerprint FROM memory WHERE source = ? AND id = ? AND number <= ?"
        with self._database.reading() as connection:
            row = connection.execute(statement, (self._source, _sayable(id), self._newest)).fetchone()
        if row is None:
            raise KeyError(id)
        return str(row[0])

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        if "_all" in self.__dict__:
            return len(self._all)
        statement = "SELECT count(*) FROM memory WHERE source = ? AND number <= ?"
        with self._database.reading() as connection:
            return int(connection.execute(statement, (self._source, self._newest)).get)


def _sayable(id: str) -> str | None:
    """An id that SQLite can be asked for; no memory is indexed under one with half surrogates."""
    try:
        id.encode()
    except UnicodeEncodeError:
        return None
    return id


def microseconds(time: datetime) -> int:
    """A time as microseconds since 1970 in UTC, exactly."""
    return (time - _EPOCH) // _MICROSECOND


def from_microseconds(count: int) -> datetime:
    """The inverse of `microseconds`."""
    return _EPOCH + count * _MICROSECOND
