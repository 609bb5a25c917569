"""The vectors of a passage's parts: how they are kept, and how near the nearest of them is to a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

LARGEST = 127  # of int8


def packed(parts: Floats) -> bytes:
    """(k, d) unit vectors as k rows of d bytes: the largest component of each row becomes 127.

    A row's own scale is left out, since only directions are compared. Cosines move by .002 at most.
    """
    import numpy as np

    if not len(parts):
        return b""
    scaled = np.rint(parts * (LARGEST / np.abs(parts).max(axis=1, keepdims=True)))
    return bytes(scaled.astype(np.int8).tobytes())


def nearest(kept: Sequence[bytes], asked: Floats) -> list[float | None]:
    """For each passage's packed parts the best cosine with a unit vector (d,), in [-1, 1]; None without parts."""
    import numpy as np

    width = len(asked)
    counts = [len(one) // width for one in kept]
    rows = np.frombuffer(b"".join(one[: count * width] for one, count in zip(kept, counts, strict=True)), np.int8)
    if not len(rows):
        return [None] * len(kept)
    matrix = rows.reshape(-1, width).astype(np.float32)
    # Not `@`, as in `index.vectors`: BLAS's threads spin beside other load.
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix))
    cosines = np.clip(np.einsum("ij,j->i", matrix, asked) / np.maximum(lengths, 1.0), -1.0, 1.0)
    starts = np.cumsum([0, *counts])
    return [
        float(cosines[start : start + count].max()) if count else None
        for start, count in zip(starts[:-1].tolist(), counts, strict=True)
    ]
