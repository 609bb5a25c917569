"""Does a model understand the language of a text? Asked before its opinion is weighed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from mmind.embedding.routing import OTHER_SCRIPTS, Reader, reader_of
from mmind.embedding.universal import NAME
from mmind.text.scripts import LATIN, is_latin, mostly_in

TELLING_SHARE = 0.8  # of passages in one language
_ENGLISH = "all-MiniLM-L6-v2"  # what the identities of the family begin with that was taught English


def speaks(identity: str, text: str) -> bool:
    """Whether the model of this identity (`Embedder.identity`) understands the script that most of the text is in.

    False only for the local models. all-MiniLM-L6-v2 alone reads the Latin script: its retrieval quality (nDCG@10 on
    XQuAD paragraphs) is .96 in English, .79 in Spanish, .77 in German, but .50 in Chinese, .25 in Russian and .11 in
    Arabic. With the multilingual model beside it Greek, Hebrew or Hindi are still foreign. A text without letters is
    spoken by every model.
    """
    if not identity.startswith(_ENGLISH):
        return True
    return is_latin(text) or (NAME in identity and mostly_in((*LATIN, *OTHER_SCRIPTS), text))


def crosses(identity: str, question: str, passage: str) -> bool:
    """Whether the model of this identity compares a question with a passage in another language, as far as can be told.

    Then they share names at most, and that the passage lacks the question's words says nothing against it.
    """
    if NAME not in identity:
        return False
    asked, told = _reader(question), _reader(passage)
    return Reader.BOTH not in (asked, told) and (asked is not told or differ_in_script(question, passage))


def is_english_text(text: str) -> bool:
    """Whether a text is in English, as far as can be told; what may be another language is not."""
    return _reader(text) is Reader.ENGLISH and _is_latin(text)


def differ_in_script(question: str, passage: str) -> bool:
    """Whether the one is in the Latin script and the other is not: no word of theirs can be the same."""
    return _is_latin(question) != _is_latin(passage)


_reader = lru_cache(maxsize=1 << 10)(reader_of)  # the same passages are found again and again
_is_latin = lru_cache(maxsize=1 << 10)(is_latin)


def masters(identity: str, text: str) -> bool:
    """Whether the model of this identity is at home in the language of a text, as far as can be told.

    False only for the local models on another language than English. There they find what is meant, but strangers are
    nearly as near as answers: any two German texts are alike in being German.
    """
    return not identity.startswith(_ENGLISH) or reader_of(text) is not Reader.OTHERS


def hears_marks(identity: str, text: str) -> bool:
    """Whether the model of this identity reads a word with its marks (Wrocław) otherwise than without them.

    False only for the local model that reads English, which leaves them out. Of 304 German questions of XQuAD with one
    such word a nearness of .464 to their paragraph falls to .442 without its marks, and to .430 with a slip in it.
    """
    return not identity.startswith(_ENGLISH) or (NAME in identity and reader_of(text) is not Reader.ENGLISH)


def may_be_either(identity: str, text: str) -> bool:
    """Whether a text may be English or not, as far as it tells, for a model of this identity that reads both."""
    return NAME in identity and _reader(text) is Reader.BOTH


def english_by(passages: Iterable[str]) -> bool | None:
    """Whether what these passages have in common is English; None where that cannot be told, or they are of both."""
    readers = Counter(map(_reader, passages))
    english, others = readers[Reader.ENGLISH], readers[Reader.OTHERS]
    most = max(english, others)
    return english > others if most and most >= TELLING_SHARE * (english + others) else None
