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
from mmind.text.sentences import sentences

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
    found = frozenset(_WORD.findall(sentence.lower()))
    return found, frozenset(map(lemma, found - FUNCTION))
