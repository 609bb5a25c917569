"""After a purge: rewrite the files of local engines and of the index, so that what was deleted stands in none of them.

SQLite leaves deleted text in free pages and in its log, its full-text index in segments that are merged later, and
LevelDB in tables that are compacted later.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw

from mmind.stores.lease import lease_on
from mmind.values.errors import MmindError

BUSY_MS = 10_000


def scrub_sqlite(path: Path) -> str:
    """Rewrite a SQLite file and empty its log. Gives why that could not be done, "" when it was or there is no file."""
    if not path.is_file():
        return ""
    try:
        connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
        try:
            return _rewritten(connection)
        finally:
            connection.close()
    except apsw.Error as error:
        return f"{path.name} could not be rewritten ({error})"


def scrub_leveldb(folder: Path) -> str:
    """Compact a LevelDB folder. Gives why that could not be done, "" when it was or there is none."""
    if not (folder / "CURRENT").is_file():
        return ""
    try:
        with lease_on(folder).hold() as database:
            database.compact_range(start=b"\0", stop=b"\xff" * 16)  # without bounds plyvel compacts nothing
    except MmindError as error:
        return str(error)
    return ""


def _rewritten(connection: apsw.Connection) -> str:
    connection.set_busy_timeout(BUSY_MS)
    connection.execute("PRAGMA secure_delete = ON")
    for name in list(_full_text_tables(connection)):
        table = '"' + name.replace('"', '""') + '"'
        connection.execute(f"INSERT INTO {table}({table}) VALUES ('optimize')")  # noqa: S608 - a name of the schema, quoted
    connection.execute("VACUUM")
    busy, _, _ = next(iter(connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")), (0, 0, 0))
    return "its log is still being read by another process" if busy else ""


def _full_text_tables(connection: apsw.Connection) -> Iterator[str]:
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'")
    yield from (str(name) for name, sql in found if sql and "using fts5(" in str(sql).casefold().replace(" (", "("))
