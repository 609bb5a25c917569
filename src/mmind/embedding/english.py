"""Is a word English? By the word list that travels with the local model: frequent words and names, none misspelt."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from mmind.embedding.wordpiece import read_vocabulary

# The list has sharp and short, and not sharpest and shorten.
_BEGINNING = re.compile("anti|auto|counter|dis|fore|inter|in|micro|mis|multi|non|out|over|pre|re|sub|super|under|un|up")
_END = re.compile(
    "((?<![aiou])(able|al|ance|ed|en|ence|er|es|est|ian|ible|ic|ing|ion|ish|ism|ist|ity|ive|ize|or|ory|ous)"
    "|ful|hood|less|ly|ment|ness|s|ship|ward|wise|y)$"
)
_SHORTEST, _SHORTEST_BASE = 3, 4  # `use` for reuse; not `bat` for bater


@lru_cache(maxsize=1 << 14)
def is_english(word: str) -> bool:
    """Whether a folded word is one of some 23,000 English words and names, or made of one; needs no model."""
    if word in _words():
        return True
    beginning = _BEGINNING.match(word)
    if beginning and word[beginning.end() :] in _words():
        return True
    bare = _END.sub("", word)
    bases = (bare, f"{bare}e", re.sub("i$", "y", bare), re.sub(r"(.)\1$", r"\1", bare))  # make, happy, run
    return bare != word and any(len(base) >= _SHORTEST_BASE and base in _words() for base in bases)


@cache
def _words() -> frozenset[str]:
    return frozenset(piece for piece in read_vocabulary(None) if piece.isalpha() and len(piece) >= _SHORTEST)
