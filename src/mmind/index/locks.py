"""Which work on the index one process does for all: a lock file for each kind of work, beside the index."""

from __future__ import annotations

import hashlib
from pathlib import Path


def work_lock(index: Path, kind: str, what: str) -> Path:
    """The lock file for one kind of work ("scan", "embed") on one thing (a source, a model)."""
    digest = hashlib.blake2b(what.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    return index.with_name(index.name + ".locks") / f"{kind}-{digest}"
