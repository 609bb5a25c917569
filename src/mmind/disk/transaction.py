"""A change of a SQLite file that is kept whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import apsw


@contextmanager
def transaction(connection: apsw.Connection, begin: str) -> Iterator[None]:
    """Committed at the end, rolled back when anything is raised, the commit's own error too.

    `begin` is BEGIN (one consistent view) or BEGIN IMMEDIATE (one writer at a time). Raises apsw.Error.
    """
    connection.execute(begin)
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite has rolled back by itself after some errors
            connection.execute("ROLLBACK")
        raise
