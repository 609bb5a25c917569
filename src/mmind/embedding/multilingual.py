"""Two local models as one Embedder: English is read by one, other languages by the other, in one space."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mmind.embedding.local import LocalEmbedder, encoded
from mmind.embedding.routing import Reader, reader_of
from mmind.embedding.universal import ALIGNMENT_SHA256, NAME, load_universal
from mmind.text.scripts import is_latin
from mmind.values.errors import EngineUnavailable

if TYPE_CHECKING:
    from mmind.embedding.universal import Encode
    from mmind.values.ports import Vectors

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
        self._encode: Encode | None = None
        self._fault: EngineUnavailable | None = None

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._read(texts, [reader_of(text) for text in texts])

    def embed_in(self, texts: Sequence[str], *, english: bool) -> Vectors:
        """As `embed`, by the English model alone or by the other alone."""
        return self._read(texts, [Reader.ENGLISH if english else Reader.OTHERS] * len(texts))

    def _read(self, texts: Sequence[str], readers: Sequence[Reader]) -> Vectors:
        """(n, 384) float32, each row unit length. Raises EngineUnavailable when a model is missing or damaged."""
        import numpy as np

        english = [row for row, reader in enumerate(readers) if reader is not Reader.OTHERS]
        others = [row for row, reader in enumerate(readers) if reader is not Reader.ENGLISH]
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        if english:
            vectors[english] += self._english.embed([texts[row] for row in english])
        if others:
            vectors[others] += encoded([texts[row] for row in others], self._loaded())
        both = [row for row, reader in enumerate(readers) if reader is Reader.BOTH]
        vectors[both] /= np.linalg.norm(vectors[both], axis=1, keepdims=True)
        return vectors

    def match(self, question: str, small_words: frozenset[str], texts: Sequence[str]) -> list[float] | None:
        """How well the words of each text answer those of a question, by the English model's vectors of words.

        None for a question in another script than the Latin: of its words the model has single letters at most.
        """
        return self._english.match(question, small_words, texts) if is_latin(question) else None

    def nearest(self, words: Sequence[str], texts: Sequence[str]) -> list[list[float]] | None:
        """How near each text comes to each word; None where one of them is in another script, as in `match`."""
        return self._english.nearest(words, texts) if all(map(is_latin, words)) else None

    def close(self) -> None:
        """Let go of both models; the next text would load them again."""
        self._english.close()
        with self._loading:
            self._encode = None

    def _loaded(self) -> Encode:
        with self._loading:
            if self._fault:  # a file does not mend itself: say the same again, without reading it again
                raise EngineUnavailable(self._fault.message, self._fault.hint)
            if self._encode is None:
                try:
                    self._encode = load_universal()
                except EngineUnavailable as fault:
                    self._fault = EngineUnavailable(fault.message, fault.hint)
                    raise
            return self._encode
