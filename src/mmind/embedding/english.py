"""Is a word English? By the word list that travels with the local model: frequent words and names, none misspelt."""

from __future__ import annotations

from functools import cache

from mmind.embedding.wordpiece import read_vocabulary


def is_english(word: str) -> bool:
    """Whether a folded word is one of some 23,000 English words and names; needs no model."""
    return word in _words()


@cache
def _words() -> frozenset[str]:
    return frozenset(piece for piece in read_vocabulary(None) if piece.isalpha() and len(piece) > 3)
