"""What nobody needs any more: vectors of passages that are gone, models and sources that were long not used."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING

from mmind.index import models, sources
from mmind.index.database import Database
from mmind.index.sources import Source

if TYPE_CHECKING:
    import apsw


def tidy(database: Database, model: str, now: datetime, in_use: Collection[Source]) -> None:
    """Forget it all in one transaction; `model` is the one in use ("" for none). Raises EngineError.

    Sources that are in use stay, however long ago the last scan was: theirs may be under way.

    In an index that was made anew by another version all vectors stay for 30 days: their passages are still to come,
    those of another vault when that is next asked. What to forget is looked for before the transaction, so that nobody
    who writes waits for a look at everything.
    """
    if not database.is_there():
        return
    with database.reading() as connection:
        unneeded = models.unneeded_vectors(connection)
    with database.writing() as connection:
        if model:
            models.enter_model(connection, model, now)
        sources.forget_unused(connection, now, in_use)
        models.forget_unused(connection, now, [] if _are_awaited(connection, now) else unneeded)


def _are_awaited(connection: apsw.Connection, now: datetime) -> bool:
    """Whether vectors that no passage has may be wanted yet, for the index was made anew not long ago."""
    since = connection.execute("SELECT value FROM meta WHERE key = 'outlived'").get
    if since == "":
        connection.execute("UPDATE meta SET value = ? WHERE key = 'outlived'", (now.isoformat(),))
    return since is not None and (not since or now - datetime.fromisoformat(str(since)) < models.FORGOTTEN_AFTER)
