"""A place of the user's own that is wrapped beside the five stores: named, read in place, never written."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """Which table or view holds the memories, and in which of its columns what stands; "" where there is none.

    `time` is when a row was last changed: rows are read again only when it changes. Without it every row is read at
    each look, and compared by a digest. `search` names the table's own full-text column (Postgres), full-text table
    (SQLite) or full-text index (MySQL): then the table is asked itself, and no index of ours holds its rows. `vector`
    (Postgres) is its own column of vectors beside that, one a row, and `vector_model` the identity of the embedder that
    made them: they are used while that is the one in use.
    """

    table: str
    id: str
    text: str
    title: str = ""
    time: str = ""
    tags: str = ""
    search: str = ""
    vector: str = ""
    vector_model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapped:
    """A wrapped source: its store's name, what kind it is, and where it lies.

    `path` for a folder or file; for a server `url`, which the environment variable `url_variable` holds and which is
    shown nowhere. `is_generated`: agents wrote what stands there. `half_life_days` is its recency.
    """

    name: str
    kind: str
    path: Path | None = None
    url_variable: str = ""
    url: str = field(default="", repr=False)
    columns: Columns | None = None
    is_generated: bool = False
    half_life_days: float = 365.0
