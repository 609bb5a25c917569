"""Is a word English? By the word list that travels with the local model: frequent words and names, none misspelt."""

from __future__ import annotations

import re
from functools import cache

from mmind.embedding.wordpiece import read_vocabulary
from mmind.text.stems import stem

# The list holds sharp and short, and not sharpest and shorten.
_BEGINNING = re.compile("anti|auto|counter|dis|fore|in|inter|micro|mis|multi|non|out|over|pre|re|sub|super|un|under|up")
_END = re.compile(
    "(able|al|ance|ed|en|ence|er|est|ful|hood|ian|ible|ic|ing|ion|ish|ism|ist|ity|ive|ize|less|ly|ment|ness|or|ory|ous|s|ship|ward|wise|y)$"
)
_SHORTEST = 4


def is_english(word: str) -> bool:
    """Whether a folded word is one of some 23,000 English words and names, or made of one; needs no model."""
    if word in _words() or stem(word) in _stems():
        return True
    beginning = _BEGINNING.match(word)
    if beginning and word[beginning.end() :] in _words():
        return True
    bare = _END.sub("", word)
    return bare != word and any(base in _words() for base in (bare, f"{bare}e", re.sub("i$", "y", bare)))


@cache
def _words() -> frozenset[str]:
    return frozenset(piece for piece in read_vocabulary(None) if piece.isalpha() and len(piece) >= _SHORTEST)


@cache
def _stems() -> frozenset[str]:
    return frozenset(map(stem, filter(str.isascii, _words())))
