"""Two local models as one Embedder: English is read by one, other languages by the other, in one space."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mmind.embedding.local import LocalEmbedder, encoded
from mmind.embedding.routing import Reader, reader_of
from mmind.embedding.universal import ALIGNMENT_SHA256, NAME, load_universal
from mmind.values.errors import EngineUnavailable

if TYPE_CHECKING:
    from mmind.embedding.universal import Universal
    from mmind.values.ports import Vectors

SECONDS_OF_A_FAULT = 60.0  # a damaged file stays damaged; memory or open files may have run out for a moment only
MARK = f"+{NAME}@{ALIGNMENT_SHA256[:8]}"


class MultilingualEmbedder:
    """all-MiniLM-L6-v2 for English texts and a multilingual model for all others, safe to call from any thread.

    The second model is loaded when the first text asks for it, which in an English vault a lone name does at most. What
    may be English or not (a name, three words of a title) gets the mean of both vectors, unless somebody knows better.
    """

    def __init__(self, english: LocalEmbedder) -> None:
        model, _, dimension = english.identity.rpartition("/")
        self.identity = f"{model}{MARK}/{dimension}"
        self.dimension = english.dimension
        self.is_local = True
        self._english = english
        self._loading = threading.Lock()
        self._others: Universal | None = None
        self._fault: EngineUnavailable | None = None
        self._again = 0.0  # when loading is tried again after a fault, by time.monotonic

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, 384) float32, each row unit length. Raises EngineUnavailable when a model is missing or damaged."""
        return self._read(texts, [reader_of(text) for text in texts])

    def embed_in(self, texts: Sequence[str], *, english: bool) -> Vectors:
        """As `embed`, by the English model alone or by the other alone."""
        return self._read(texts, [Reader.ENGLISH if english else Reader.OTHERS] * len(texts))

    def _read(self, texts: Sequence[str], readers: Sequence[Reader]) -> Vectors:
        import numpy as np

        english = [row for row, reader in enumerate(readers) if reader is not Reader.OTHERS]
        others = [row for row, reader in enumerate(readers) if reader is not Reader.ENGLISH]
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        if english:
            vectors[english] += self._english.embed([texts[row] for row in english])
        if others:
            vectors[others] += encoded([texts[row] for row in others], self._loaded().encode)
        both = [row for row, reader in enumerate(readers) if reader is Reader.BOTH]
        vectors[both] /= np.linalg.norm(vectors[both], axis=1, keepdims=True)
        return vectors

    def match(self, question: str, small_words: frozenset[str], texts: Sequence[str]) -> list[float] | None:
        """How well the words of each text answer those of a question, by the words of the model that reads it.

        None for a script that neither model knows.
        """
        if reader_of(question) is Reader.OTHERS:
            return self._loaded().words.match(question, small_words, texts)
        return self._english.match(question, small_words, texts)

    def nearest(self, question: str, words: Sequence[str], texts: Sequence[str]) -> list[list[float]] | None:
        """How near each text comes to each word of a question, by the model as in `match`."""
        if reader_of(question) is Reader.OTHERS:
            return self._loaded().words.nearest(words, texts)
        return self._english.nearest(question, words, texts)

    def close(self) -> None:
        """Let go of both models; the next text would load them again."""
        self._english.close()
        with self._loading:
            self._others = self._fault = None

    def _loaded(self) -> Universal:
        with self._loading:
            if self._others is None:
                self._others = self._load()
            return self._others

    def _load(self) -> Universal:
        if self._fault and time.monotonic() < self._again:  # say the same, without reading the files for each text
            raise EngineUnavailable(self._fault.message, self._fault.hint)
        try:
            return load_universal()
        except EngineUnavailable as fault:
            self._fault = EngineUnavailable(fault.message, fault.hint)
            self._again = time.monotonic() + SECONDS_OF_A_FAULT
            raise
