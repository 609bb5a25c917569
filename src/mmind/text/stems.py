"""The one stemmer of the house, safe in threads."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache, lru_cache

# A Snowball stemmer keeps the word it works on in itself: two threads in one stemmer make nonsense, or an IndexError.
_STEMMING = threading.Lock()


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of a lower-case ASCII word by Snowball's English algorithm (Porter 2)."""
    with _STEMMING:
        return _stemmer()(word)


@cache
def _stemmer() -> Callable[[str], str]:
    """The C edition where PyStemmer is installed, else the pure one, ten times slower, with the same output."""
    import snowballstemmer

    stem_word: Callable[[str], str] = snowballstemmer.stemmer("english").stemWord
    return stem_word
