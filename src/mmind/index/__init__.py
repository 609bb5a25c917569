"""One derived `index.db` that searches every local store: FTS5 over our own tokens, vectors as rows.

It holds nothing that the engines do not hold, so it can be deleted at any time and is then made again. Several
processes share it.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from mmind.values.ports import Clock, Embedder, Engine

if TYPE_CHECKING:
    from mmind.index.index import Index


def open_index(path: Path, engines: Mapping[str, Engine], embedder: Embedder | None, clock: Clock) -> Index:
    """The index at `path` (`index.db` in the data home) over engines by store name. Cheap; makes no file before the
    first refresh or add. Without an embedder it makes no vectors.

    A store is known by its name and its engine's `Health.where`: two vaults under one name, one after the other or
    in two processes at once, are kept apart and neither is indexed anew when it comes back.
    """
    from mmind.index.index import Index

    return Index(path, engines, embedder, clock)
