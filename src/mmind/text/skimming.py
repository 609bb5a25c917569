"""A passage skimmed: its sentences by their lemmas, so that thousands of pairs can be told apart without being read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from operator import itemgetter
from typing import Final

from mmind.text.changes import TURNS, corrects
from mmind.text.claims import FUNCTION, LONGEST_PASSAGE, MOST_SENTENCES
from mmind.text.clauses import clauses
from mmind.text.lexicon import lemma, vocabulary
from mmind.text.rewording import FORM_WORDS, LONGEST, reworded
from mmind.text.sentences import LONGEST_KNOWN, MOST_KNOWN, sentences

_WORDS, _KEYS = itemgetter(0), itemgetter(1)
MARKED: Final = TURNS | FORM_WORDS
POINTING: Final = vocabulary("pointing")
_CODE_LINE: Final = re.compile(r"^\s*(?:[-*+•]\s+)?`[^`\n]+`[^\S\n]*$", re.MULTILINE)  # a command is no claim
_WORD: Final = re.compile(r"[^\W\d_][^\W_]*(?:[-_./&+][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Skimmed:
    """A sentence by its lemmas; `turns` tells that it may replace what another says, so that few words need agree."""

    sentence: str
    lemmas: frozenset[str]
    turns: bool


def points(sentence: str) -> bool:
    """Whether a sentence speaks of what its note is about, by a word that points to it: `This RFC …`, `It …`."""
    first, _, rest = sentence.lower().partition(" ")
    if first.endswith(","):  # However, this is not so
        first, _, rest = rest.partition(" ")
    return first.rstrip(",:") in POINTING or (first == "the" and rest.startswith("following "))


@lru_cache(maxsize=2_048)
def skim(text: str) -> tuple[Skimmed, ...]:
    """The sentences of a passage that claim something, each with its lemmas, and again with those of a main clause
    and of a plain wording."""
    found = []
    text = text[:LONGEST_PASSAGE]
    prose = _CODE_LINE.sub("\n\n", text) if "`" in text else text
    for sentence in sentences(prose)[:MOST_SENTENCES]:
        if sentence.endswith(("?", "？")):
            continue
        read = _read(sentence)
        keys = _keys_in(read)
        if keys:
            marks = MARKED.intersection(_words_in(read))
            turns = bool(marks) and not TURNS.isdisjoint(marks) and corrects(sentence, TURNS)
            found.append(Skimmed(sentence, keys, turns))
            others = clauses(sentence)
            if (not FORM_WORDS.isdisjoint(marks) or ":" in sentence) and len(sentence) <= LONGEST:
                others += tuple(one.sentence for one in reworded(sentence))
            found.extend(Skimmed(sentence, _keys_in(_read(other)), turns) for other in others)
    return tuple(found)


_Read = tuple[tuple[str, ...], tuple[str, ...]]  # the words and the lemmas of what stands between two blanks


def lemmas(sentence: str) -> tuple[frozenset[str], frozenset[str]]:
    """The lower-case words of a sentence, and the lemmas of those that are more than small words."""
    read = _read(sentence)
    return frozenset(_words_in(read)), _keys_in(read)


def _read(sentence: str) -> list[_Read]:
    return [keys_of(chunk) if len(chunk) <= LONGEST_KNOWN else _keys(chunk) for chunk in sentence.split()]


def _words_in(read: Sequence[_Read]) -> Iterator[str]:
    return chain.from_iterable(map(_WORDS, read))


def _keys_in(read: Sequence[_Read]) -> frozenset[str]:
    return frozenset(chain.from_iterable(map(_KEYS, read)))


@lru_cache(maxsize=MOST_KNOWN)
def keys_of(chunk: str) -> _Read:
    """The words and lemmas of what stands between two blanks, remembered, since all texts repeat their words."""
    return _keys(chunk)


def _keys(chunk: str) -> _Read:
    found = tuple(_WORD.findall(chunk.lower()))
    return found, tuple(lemma(word) for word in found if word not in FUNCTION)
