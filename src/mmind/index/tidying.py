"""What nobody needs any more: vectors of passages that are gone, models and sources that were long not used."""

from __future__ import annotations

from datetime import datetime

from mmind.index import models, sources
from mmind.index.database import Database


def tidy(database: Database, model: str, now: datetime) -> None:
    """Forget it all in one transaction; `model` is the one in use ("" for none). Raises EngineError.

    What to forget is looked for before it, so that nobody who writes waits for a look at everything.
    """
    if not database.is_there():
        return
    with database.reading() as connection:
        unneeded = models.unneeded_vectors(connection)
    with database.writing() as connection:
        if model:
            models.enter_model(connection, model, now)
        sources.forget_unused(connection, now)
        models.forget_unused(connection, now, unneeded)
