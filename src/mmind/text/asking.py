"""Words that ask and name nothing, in Chinese, Japanese and Korean, which put no blank around their words.

The index keeps pairs of characters (`text.tokens`), so such a word cannot be told by its terms: of "什么时候" it would
be three pairs, and one more with what stands before it. So it is taken out of the text of a question.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from mmind.text.lexicon import rows

_KANA: Final = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_HANGUL: Final = re.compile("[\uac00-\ud7a3]")
_IDEOGRAPH: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_SCRIPTS: Final = (("japanese", _KANA), ("korean", _HANGUL), ("chinese", _IDEOGRAPH))

# What is followed so does not ask (どこか: somewhere, いつも: always, 누구나: anybody, 哪吒: a name). 任何 is any.
_NOT_AFTER: Final = "(?<!任)"
_ASKS: Final = "(?!でも|まで|[もか吒나전]|서나)"


class _Asking(NamedTuple):
    words: frozenset[str]
    written: re.Pattern[str]
    alone: frozenset[str]


@cache
def _by_language() -> Mapping[str, _Asking]:
    listed: dict[str, list[str]] = {}
    for row in rows("asking.txt"):
        name, _, words = row.partition(": ")
        listed.setdefault(name, []).extend(words.split())
    return {name: _read(name, listed) for name, _ in _SCRIPTS}


def _read(name: str, listed: Mapping[str, list[str]]) -> _Asking:
    words, endings, alone = listed[name], listed[f"{name} at the end"], listed[f"{name} alone"]
    written = re.compile(rf"{_NOT_AFTER}(?:{_any_of(words)}){_ASKS}|(?:{_any_of(endings)})+(?!\w)")
    return _Asking(frozenset((*words, *endings, *alone)), written, frozenset(alone))


def _any_of(words: list[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


def _asking_of(text: str) -> _Asking | None:
    """Of the language that a text is in, by its script; Chinese has neither kana nor hangul."""
    return next((_by_language()[name] for name, script in _SCRIPTS if script.search(text)), None)


def without_asking(text: str) -> str:
    """A question with a blank in place of each word that asks; as it is in all languages that put blanks."""
    asking = None if text.isascii() else _asking_of(text)
    return asking.written.sub(" ", text) if asking else text


def asking_words(text: str) -> frozenset[str]:
    """The words that ask, and the characters that say nothing alone, of the language of a question."""
    asking = None if text.isascii() else _asking_of(text)
    return asking.words if asking else frozenset()


def silent_characters(text: str) -> frozenset[str]:
    """The characters that say nothing alone, of the language of a question; as index terms they are one character."""
    asking = None if text.isascii() else _asking_of(text)
    return asking.alone if asking else frozenset()
