"""What differs from an index's mark, by the transactions that wrote it.

Transactions end in another order than they begin, so a running number could skip what was committed late. A row
carries the number of its transaction, and a cursor the oldest one that was still running: everything from there on is
looked at again, and fingerprints tell what is new.
"""

from __future__ import annotations

from collections.abc import Mapping

from mmind.stores.postgres.connections import Connection

Differences = tuple[list[int], list[str]]  # numbers of memories that are new or changed, ids of those that are gone


def cursor_now(connection: Connection) -> str:
    """`origin:transaction` of this view of the database."""
    row = connection.execute("SELECT value, pg_snapshot_xmin(pg_current_snapshot())::text FROM mmind.origin").fetchone()
    assert row is not None
    return f"{row[0]}:{row[1]}"


def known_position(cursor: str, latest: str) -> int | None:
    """The transaction in a cursor; None when it comes from another database, or from a later state of this one."""
    origin, _, position = cursor.rpartition(":")
    origin_now, _, position_now = latest.rpartition(":")
    if origin != origin_now or not position.isdigit() or int(position) > int(position_now):
        return None
    return int(position)


def compare_all(connection: Connection, store: str, fingerprints: Mapping[str, str]) -> Differences:
    """Everything, compared by fingerprint."""
    statement = "SELECT id, fingerprint, number FROM mmind.memory WHERE store = %s ORDER BY number"
    kept = connection.execute(statement, (store,)).fetchall()
    changed = [number for key, fingerprint, number in kept if fingerprints.get(key) != fingerprint]
    alive = {key for key, _, _ in kept}
    return changed, [key for key in fingerprints if key not in alive]


def compare_since(connection: Connection, store: str, position: int, fingerprints: Mapping[str, str]) -> Differences:
    """What was written or removed by that transaction or a later one."""
    values = (store, str(position))
    written = connection.execute(
        "SELECT id, fingerprint, number FROM mmind.memory WHERE store = %s AND change >= %s::xid8 ORDER BY number",
        values,
    ).fetchall()
    removed = connection.execute(
        "SELECT id FROM mmind.removal r WHERE store = %s AND change >= %s::xid8"
        " AND NOT EXISTS (SELECT 1 FROM mmind.memory m WHERE m.store = r.store AND m.key = r.key)",
        values,
    ).fetchall()
    changed = [number for key, fingerprint, number in written if fingerprints.get(key) != fingerprint]
    return changed, [key for (key,) in removed if key in fingerprints]
