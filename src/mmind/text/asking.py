"""Words that ask and name nothing, in Chinese, Japanese and Korean, which put no blank around their words.

The index keeps pairs of characters (`text.tokens`), so such a word cannot be told by its terms: of "什么时候" it would
be three pairs, and one more with what stands before it. So it is taken out of the text of a question.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, NamedTuple

from mmind.text.lexicon import named_lists

_KANA: Final = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
_HANGUL: Final = re.compile("[\uac00-\ud7a3]")
_IDEOGRAPH: Final = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_SCRIPTS: Final = (("japanese", _KANA), ("korean", _HANGUL), ("chinese", _IDEOGRAPH))


class _Asking(NamedTuple):
    """Of one language: its words, how they are written in a question (group 1: what is kept), and lone characters."""

    words: frozenset[str]
    written: re.Pattern[str]
    alone: frozenset[str]


@cache
def _by_language() -> Mapping[str, _Asking]:
    listed = named_lists("asking.txt")
    return {name: _read(name, listed) for name, _ in _SCRIPTS}


def _read(name: str, listed: Mapping[str, list[str]]) -> _Asking:
    words, endings, kept, alone = (listed[f"{name}{kind}"] for kind in ("", " at the end", " kept", " alone"))
    first = "".join(rf"(?<!{ending})" for ending in endings)  # of a run, which else would be read once from each
    written = re.compile(rf"({_any_of(kept)})|{_any_of(words)}|{first}(?:{_any_of(endings)})++(?!\w)")
    return _Asking(frozenset((*words, *endings, *alone)), written, frozenset(alone))


def _any_of(words: list[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


def _asking_of(text: str) -> _Asking | None:
    """Of the language that a text is in, by its script; Chinese has neither kana nor hangul."""
    if text.isascii():
        return None
    return next((_by_language()[name] for name, script in _SCRIPTS if script.search(text)), None)


def without_asking(text: str) -> str:
    """A question with a blank in place of each word that asks; as it is in all languages that put blanks."""
    asking = _asking_of(text)
    return asking.written.sub(lambda found: found[1] or " ", text) if asking else text


def asking_words(text: str) -> frozenset[str]:
    """The words that ask, and the characters that say nothing alone, of the language of a question."""
    asking = _asking_of(text)
    return asking.words if asking else frozenset()


def silent_characters(text: str) -> frozenset[str]:
    """The characters that say nothing alone, of the language of a question; as index terms they are one character."""
    asking = _asking_of(text)
    return asking.alone if asking else frozenset()
