"""What nobody needs any more: vectors of passages that are gone, models and sources that were long not used."""

from __future__ import annotations

from datetime import datetime

from mmind.index import models, sources
from mmind.index.database import Database


def tidy(database: Database, now: datetime) -> None:
    """Forget it all in one transaction. Raises EngineError when the index fails."""
    if not database.is_there():
        return
    with database.writing() as connection:
        sources.forget_unused(connection, now)
        models.forget_unused(connection, now)
