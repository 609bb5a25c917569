"""Contradictions among many passages: a cheap look at all pairs of sentences, a close reading of those that meet."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Final

from mmind.text.changes import corrects
from mmind.text.claims import FUNCTION, LONGEST_PASSAGE, MOST_SENTENCES, read_claim
from mmind.text.clauses import clauses
from mmind.text.comparison import Contradiction
from mmind.text.contradiction import LEAST_COSINE, enough_shared, judged
from mmind.text.lexicon import lemma
from mmind.text.sentences import sentences

_WORD: Final = re.compile(r"[^\W\d_][^\W_]*(?:[-_./&+][^\W_]+)*")
# So many pairs of sentences are read closely, at about 0.07 ms each: the most alike, since what contradicts differs in
# one thing. A sentence that announces a change shares fewer words with what it changes, and gets a start.
MOST_READ: Final = 120
TURNING_BONUS: Final = 0.3
Cosine = Callable[[int, int], float | None]


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


def contradictions(
    passages: Sequence[tuple[str, datetime | None]], cosine: Cosine | None = None
) -> tuple[tuple[int, int, Contradiction], ...]:
    """The surest contradiction of each pair of passages that has one, by index (lower first), in order of the indices.

    A passage is its text and the memory's own time (UTC, or None). `cosine` gives the likeness of two passages by
    index, or None; pairs below 0.3 are not looked at.
    """
    surest: dict[tuple[int, int], Contradiction] = {}
    for left, right, one, other in _meetings([skim(text) for text, _ in passages]):
        likeness = cosine(left, right) if cosine else None
        if likeness is not None and likeness < LEAST_COSINE:
            continue
        verdict = judged(read_claim(one, passages[left][1]), read_claim(other, passages[right][1]))
        if verdict and ((left, right) not in surest or verdict.confidence > surest[left, right].confidence):
            surest[left, right] = verdict
    return tuple((left, right, verdict) for (left, right), verdict in sorted(surest.items(), key=lambda item: item[0]))


def _meetings(skimmed: Sequence[Sequence[Skimmed]]) -> list[tuple[int, int, str, str]]:
    """The pairs of sentences of different passages that share enough words to be about one thing, most alike first.

    At most MOST_READ: in a diary or a log thousands of sentences are alike, and a reader waits.
    """
    bits: dict[str, int] = {}
    rows: list[tuple[int, int, int, bool, str]] = []
    found: list[tuple[float, int, int, str, str]] = []
    for index, passage in enumerate(skimmed):
        earlier = len(rows)
        for each in passage:
            mask = 0
            for word in each.lemmas:
                mask |= 1 << bits.setdefault(word, len(bits))
            size = len(each.lemmas)
            for other, there, count, turns, sentence in rows[:earlier]:
                shared = (mask & there).bit_count()
                if not shared or not (turns or each.turns or enough_shared(shared, size, count)):
                    continue
                if sentence != each.sentence:
                    likeness = 2 * shared / (size + count) + TURNING_BONUS * (turns or each.turns)
                    found.append((likeness, other, index, sentence, each.sentence))
            rows.append((index, mask, size, each.turns, each.sentence))
    found.sort(key=lambda pair: -pair[0])
    return list(dict.fromkeys(pair[1:] for pair in found))[:MOST_READ]
