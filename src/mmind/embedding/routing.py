"""Which of the two local models reads a text."""

from __future__ import annotations

import enum
import re

from mmind.embedding.english import is_english
from mmind.text.scripts import is_latin
from mmind.text.small_words import small_words_of
from mmind.text.tokens import STOP_WORDS, tokens

_LOOKED_AT = 4000
_WORD = re.compile(r"[^\W\d_]{3,}")


class Reader(enum.Enum):
    """Who reads a text: the English model, the one for other languages, or both where it cannot be said."""

    ENGLISH = "english"
    OTHERS = "others"
    BOTH = "both"


def reader_of(text: str) -> Reader:
    """The reader of a text, by its script and its small words; by the share of English words where it has none."""
    text = text[:_LOOKED_AT]
    if not is_latin(text):
        return Reader.OTHERS
    terms = tokens(text)
    if small_words_of(terms, STOP_WORDS):
        return Reader.OTHERS
    if STOP_WORDS.intersection(terms):
        return Reader.ENGLISH
    words = _WORD.findall(text.casefold())
    if not words or 2 * sum(map(is_english, words)) >= len(words):
        return Reader.ENGLISH
    return Reader.BOTH
