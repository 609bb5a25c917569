"""A passage skimmed: its sentences by their lemmas, so that thousands of pairs can be told apart without being read."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mmind.text.changes import corrects
from mmind.text.claims import FUNCTION, LONGEST_PASSAGE, MOST_SENTENCES
from mmind.text.clauses import clauses
from mmind.text.lexicon import lemma
from mmind.text.sentences import LONGEST_KNOWN, MOST_KNOWN, sentences

_WORD: Final = re.compile(r"[^\W\d_][^\W_]*(?:[-_./&+][^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Skimmed:
    """A sentence by its lemmas; `turns` tells that it may replace what another says, so that few words need agree."""

    sentence: str
    lemmas: frozenset[str]
    turns: bool


@lru_cache(maxsize=2_048)
def skim(text: str) -> tuple[Skimmed, ...]:
    """The sentences of a passage that claim something, each with its lemmas, and again with those of a main clause."""
    found = []
    for sentence in sentences(text[:LONGEST_PASSAGE])[:MOST_SENTENCES]:
        if sentence.endswith(("?", "？")):
            continue
        found_words, keys = lemmas(sentence)
        if keys:
            turns = corrects(sentence, found_words)
            found.append(Skimmed(sentence, keys, turns))
            found.extend(Skimmed(sentence, lemmas(clause)[1], turns) for clause in clauses(sentence))
    return tuple(found)


def lemmas(sentence: str) -> tuple[frozenset[str], frozenset[str]]:
    """The lower-case words of a sentence, and the lemmas of those that are more than small words."""
    read = [keys_of(chunk) if len(chunk) <= LONGEST_KNOWN else _keys(chunk) for chunk in sentence.split()]
    return (
        frozenset([word for said, _ in read for word in said]),
        frozenset([key for _, keys in read for key in keys]),
    )


@lru_cache(maxsize=MOST_KNOWN)
def keys_of(chunk: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words and lemmas of what stands between two blanks, remembered, since all texts repeat their words."""
    return _keys(chunk)


def _keys(chunk: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = tuple(_WORD.findall(chunk.lower()))
    return found, tuple(lemma(word) for word in found if word not in FUNCTION)
