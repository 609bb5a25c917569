"""The local model as an Embedder: loaded at the first text, then one text a run."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from mmind.embedding.local_model import DIMENSION, LocalModel
from mmind.text.scripts import is_latin
from mmind.values.errors import EngineUnavailable

if TYPE_CHECKING:
    from mmind.embedding.encoder import Encoder, Vector
    from mmind.values.ports import Vectors

# Two threads of one compute thread each: 1.95 times one, where one run with two threads gains nothing.
BATCH_THREADS = 2


def encoded(texts: Sequence[str], encode: Callable[[str], Vector]) -> Vectors:
    """One row for each of one or more texts, `BATCH_THREADS` texts at a time."""
    import numpy as np

    if len(texts) == 1:
        return np.stack([encode(texts[0])])
    with ThreadPoolExecutor(BATCH_THREADS, thread_name_prefix="mmind-embed") as threads:
        return np.stack(list(threads.map(encode, texts)))


class LocalEmbedder:
    """An all-MiniLM-L6-v2 on the CPU of this machine: offline, deterministic, safe to call from any thread.

    A text's vector does not depend on the texts beside it. Texts are cut at 256 tokens.
    """

    def __init__(self, model: LocalModel) -> None:
        self.identity = model.identity
        self.dimension = DIMENSION
        self.is_local = True
        self._model = model
        self._loading = threading.Lock()
        self._encoder: Encoder | None = None
        self._fault: EngineUnavailable | None = None

    @property
    def arithmetic(self) -> str:
        """What the loaded model computes in, "int8" or "float32"; "" while nothing is loaded."""
        return self._encoder.arithmetic if self._encoder else ""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, 384) float32, each row unit length. Raises EngineUnavailable when the model is missing or damaged."""
        import numpy as np

        return encoded(texts, self._loaded().encode) if texts else np.zeros((0, self.dimension), np.float32)

    def match(self, question: str, small_words: frozenset[str], texts: Sequence[str]) -> list[float] | None:
        """How well the words of each text answer those of a question (`embedding.word_match`), in [-1, 1].

        None for weights that are not laid out as the packaged ones, and for a question in another script than the
        Latin: of its words the model has single letters at most. Raises EngineUnavailable as `embed` does.
        """
        words = self._loaded().words
        return None if words is None or not is_latin(question) else words.match(question, small_words, texts)

    def nearest(self, question: str, words: Sequence[str], texts: Sequence[str]) -> list[list[float]] | None:
        """How near each text comes to each word of a question (`embedding.word_match`), in [-1, 1]; else as `match`."""
        of_model = self._loaded().words
        return None if of_model is None or not is_latin(question) else of_model.nearest(words, texts)

    def close(self) -> None:
        """Let go of the model; the next text would load it again."""
        with self._loading:
            self._encoder = None

    def _loaded(self) -> Encoder:
        with self._loading:
            if self._fault:  # a file does not mend itself: say the same again, without reading it again
                raise EngineUnavailable(self._fault.message, self._fault.hint)
            if self._encoder is None:
                self._encoder = self._load()
            return self._encoder

    def _load(self) -> Encoder:
        from mmind.embedding.encoder import load_encoder

        try:
            return load_encoder(self._model)
        except EngineUnavailable as fault:
            self._fault = EngineUnavailable(fault.message, fault.hint)
            raise
