"""One derived `index.db` that searches every local store: FTS5 over our own tokens, vectors as rows.

It holds nothing that the engines do not hold, so it can be deleted at any time and is then made again. Several
processes share it.
"""

from __future__ import annotations

import shutil
import tempfile
import weakref
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

    Where the data home may only be read, the index is made in a temporary folder of this process, so that all stores
    answer all the same.
    """
    from mmind.disk.durable import may_be_made
    from mmind.index.index import Index

    if may_be_made(path):
        return Index(path, engines, embedder, clock)
    place = tempfile.mkdtemp(prefix="mmind-index-")
    index = Index(Path(place) / path.name, engines, embedder, clock)
    weakref.finalize(index, shutil.rmtree, place, ignore_errors=True)
    return index
