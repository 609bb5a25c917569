"""A change of a SQLite file, whole or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from mmind.disk.transaction import transaction


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[apsw.Connection]:
    opened = apsw.Connection(str(tmp_path / "a.db"))
    opened.execute("CREATE TABLE parent(n INTEGER PRIMARY KEY); INSERT INTO parent VALUES (1)")
    yield opened
    opened.close()


def counted(connection: apsw.Connection) -> int:
    return int(str(connection.execute("SELECT count(*) FROM parent").get))


def test_what_was_written_stays_when_the_block_ends(connection: apsw.Connection) -> None:
    with transaction(connection, "BEGIN IMMEDIATE"):
        connection.execute("INSERT INTO parent VALUES (2)")
    assert (counted(connection), connection.in_transaction) == (2, False)


def test_nothing_stays_of_a_block_that_raises_and_its_error_goes_on(connection: apsw.Connection) -> None:
    def stopped_half_way() -> None:
        with transaction(connection, "BEGIN IMMEDIATE"):
            connection.execute("INSERT INTO parent VALUES (2)")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stopped_half_way()
    assert (counted(connection), connection.in_transaction) == (1, False)


def test_a_commit_that_fails_is_rolled_back(connection: apsw.Connection) -> None:
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("CREATE TABLE child(n REFERENCES parent DEFERRABLE INITIALLY DEFERRED)")
    with pytest.raises(apsw.ConstraintError), transaction(connection, "BEGIN"):
        connection.execute("INSERT INTO parent VALUES (2); INSERT INTO child VALUES (9)")
    assert (counted(connection), connection.in_transaction) == (1, False)


def test_an_error_after_which_sqlite_rolled_back_by_itself_is_the_one_that_is_raised(
    connection: apsw.Connection,
) -> None:
    with pytest.raises(apsw.ConstraintError), transaction(connection, "BEGIN"):
        connection.execute("INSERT OR ROLLBACK INTO parent VALUES (1)")
    assert (counted(connection), connection.in_transaction) == (1, False)
