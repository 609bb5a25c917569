"""What nobody needs any more: vectors of passages that are gone, models and sources that were long not used."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from mmind.index import models, sources
from mmind.index.database import Database
from mmind.index.sources import Source


def tidy(database: Database, model: str, now: datetime, in_use: Collection[Source]) -> None:
    """Forget it all in one transaction; `model` is the one in use ("" for none). Raises EngineError.

    Sources that are in use stay, however long ago the last scan was: theirs may be under way.

    What to forget is looked for before it, so that nobody who writes waits for a look at everything.
    """
    if not database.is_there():
        return
    with database.reading() as connection:
        unneeded = models.unneeded_vectors(connection)
    with database.writing() as connection:
        if model:
            models.enter_model(connection, model, now)
        sources.forget_unused(connection, now, in_use)
        models.forget_unused(connection, now, unneeded)
