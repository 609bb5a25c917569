"""An embedder that makes no vector twice: worlds share texts, and each query is asked more than once."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mmind.values.ports import Bilingual, Embedder, WordMatcher, WordsNearWords

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Remembering:
    """The embedder, with every vector it made kept in a file, or in memory where there is none. Thread-safe."""

    def __init__(self, embedder: Embedder, file: Path | None = None) -> None:
        self._embedder = embedder
        self._lock = threading.Lock()
        self._file = sqlite3.connect(file or ":memory:", check_same_thread=False, timeout=60)
        self._file.execute("CREATE TABLE IF NOT EXISTS vector (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID")
        self.identity = embedder.identity
        self.dimension = embedder.dimension
        self.is_local = embedder.is_local

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """As the embedder; only texts that are new are computed."""
        return self._kept(texts, "", self._embedder.embed)

    def embed_in(self, texts: Sequence[str], *, english: bool) -> NDArray[np.float32]:
        """As the embedder, where it can be told the language."""
        if not isinstance(self._embedder, Bilingual):
            return self.embed(texts)
        return self._kept(texts, f" english {english}", partial(self._embedder.embed_in, english=english))

    def match(self, question: str, small_words: frozenset[str], texts: Sequence[str]) -> Sequence[float] | None:
        """As the embedder, where it can tell."""
        if not isinstance(self._embedder, WordMatcher):
            return None
        return self._embedder.match(question, small_words, texts)

    def nearest(self, question: str, words: Sequence[str], texts: Sequence[str]) -> Sequence[Sequence[float]] | None:
        """As the embedder, where it can tell."""
        return self._embedder.nearest(question, words, texts) if isinstance(self._embedder, WordsNearWords) else None

    def close(self) -> None:
        """Keeps the model and the vectors: they serve the next world as well."""

    def _kept(
        self, texts: Sequence[str], how: str, make: Callable[[Sequence[str]], NDArray[np.float32]]
    ) -> NDArray[np.float32]:
        keys = [hashlib.blake2b(f"{self.identity}{how}\n{text}".encode(), digest_size=16).digest() for text in texts]
        found = {key: value for key in keys if (value := self._known(key)) is not None}
        fresh = {key: text for key, text in zip(keys, texts, strict=True) if key not in found}
        if fresh:
            made = dict(zip(fresh, make(list(fresh.values())), strict=True))
            found |= made
            with self._lock, self._file:
                rows = [(key, vector.tobytes()) for key, vector in made.items()]
                self._file.executemany("INSERT OR IGNORE INTO vector VALUES (?, ?)", rows)
        return np.stack([found[key] for key in keys]) if keys else np.zeros((0, self.dimension), np.float32)

    def _known(self, key: bytes) -> NDArray[np.float32] | None:
        with self._lock:
            row = self._file.execute("SELECT value FROM vector WHERE key = ?", (key,)).fetchone()
        return None if row is None else np.frombuffer(row[0], np.float32)
