"""Which of the two local models reads a text: the English one, the one for other languages, or both."""

from __future__ import annotations

import re
from enum import Enum

from mmind.embedding.english import is_english
from mmind.text.scripts import LATIN, LOOKED_AT, folded, letters_in
from mmind.text.small_words import small_words_of, telling_words
from mmind.text.tokens import STOP_WORDS, tokens

# The scripts of the other languages that the multilingual model was taught: Cyrillic, Arabic, Thai, and those of
# Chinese, Japanese and Korean.
OTHER_SCRIPTS = (
    (0x0400, 0x052F),
    (0x0600, 0x06FF),
    (0x0750, 0x077F),
    (0x0E00, 0x0E7F),
    (0x1100, 0x11FF),
    (0x2E80, 0x9FFF),
    (0xAC00, 0xD7FF),
    (0xF900, 0xFAFF),
    (0xFB50, 0xFDFF),
    (0xFE70, 0xFEFF),
    (0xFF66, 0xFFDC),
    (0x20000, 0x3FFFF),
)
# Of the letters of a text: a page of commands that is explained in Korean has no more of it.
FOREIGN_LETTERS = 0.25
# Of the words of a text: German has .38 in the middle (names, loan words, `die` and `man`), English .9, claims full of
# the names of genes .77.
ENGLISH_WORDS, SURELY_ENGLISH_WORDS = 0.5, 0.8
_ADDRESS = re.compile(r"\b(?:https?://|www\.)\S+")  # `com`, `os` and `en` are words of other languages
_WORD = re.compile(r"[^\W\d_]{3,}")


class Reader(Enum):
    """Who reads a text: the English model, the one for other languages, or both where it cannot be said."""

    ENGLISH = "english"
    OTHERS = "others"
    BOTH = "both"


def _is_plainly_english(text: str) -> bool:
    """What the whole rule below comes to for most English passages, in a tenth of the time."""
    words = frozenset(text.lower().split())
    return len(STOP_WORDS & words) > 2 and telling_words(words) == 0


def reader_of(text: str) -> Reader:
    """The reader of a text, by its script, its small words, its accents, and its share of English words.

    A script that neither model knows is left to the English one, for the names and the code that stand in it. Of 14
    languages .77 to 1 of the questions and .99 to 1 of the longer texts go to OTHERS or BOTH, of six English sets
    .95 to 1 to ENGLISH (the least are lists of authors). Takes some .1 ms for a passage. See docs/retrieval-quality.md.
    """
    text = _ADDRESS.sub(" ", text[:LOOKED_AT])
    if text.isascii() and _is_plainly_english(text):
        return Reader.ENGLISH
    if 1.0 - letters_in(LATIN, text) >= FOREIGN_LETTERS:
        return Reader.OTHERS if letters_in(OTHER_SCRIPTS, text) >= FOREIGN_LETTERS else Reader.ENGLISH
    terms = {term for term in tokens(text) if len(term) > 1}  # a letter is an initial, or a name in code
    words = set(_WORD.findall(text.casefold()))
    share = sum(is_english(folded(word)) for word in words) / len(words) if words else 1.0  # a café is English
    small, accented = telling_words(terms), sum(not word.isascii() for word in words)
    english = len(STOP_WORDS & terms)
    is_other = small_words_of(terms, STOP_WORDS) and (small > english or share < SURELY_ENGLISH_WORDS)
    if is_other or accented > max(1, english):
        return Reader.OTHERS
    if share >= ENGLISH_WORDS and small + accented <= max(1, english):
        return Reader.ENGLISH
    return Reader.ENGLISH if english > 1 and small + accented == 0 else Reader.BOTH
