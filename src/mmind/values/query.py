"""What is asked of a store, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from mmind.values.memory import Memory, Passage


@dataclass(frozen=True, slots=True)
class Guess:
    """What a word of a question that no store knows was taken for.

    `word` is as it was typed, `unknown` its term; `meant` are the words that were searched for in its place, the
    likeliest first, and `terms` theirs. `is_sure` tells that they are the same word in another writing; otherwise the
    unknown word goes on counting as one that no passage holds. `is_pair` tells that `terms` are two halves that must
    stand together, `is_name` that the word was typed as a name. `doubt`, in [0, 1], is how far the unknown word counts.
    """

    word: str
    unknown: str
    meant: tuple[str, ...]
    terms: tuple[str, ...]
    is_sure: bool = False
    is_pair: bool = False
    is_name: bool = False
    doubt: float = 1.0


@dataclass(frozen=True, slots=True)
class Query:
    """One question, cut into terms and (where there is a model) embedded.

    `terms` are distinct index terms from the tokenizer, `repeats` how often the question says those that it says more
    than once. `vector` is unit length, or None where no model spoke; `lines` are vectors of its lines, where it has
    several and they were asked for (see `router.lines`); `model` names the model that made them, and vectors of
    another model are never compared with them.
    `since` and `until` (UTC, both inclusive) bound the memory's time; `tags` must all be present.
    `session`: "" sees only memories without a session; a name sees those of this session as well.
    `guesses` tell which of the terms stand for a word that no store knows.
    """

    text: str
    terms: tuple[str, ...]
    vector: Sequence[float] | None = None
    model: str = ""
    since: datetime | None = None
    until: datetime | None = None
    tags: tuple[str, ...] = ()
    session: str = ""
    repeats: Mapping[str, int] = field(default_factory=dict)
    lines: Sequence[Sequence[float]] = ()
    guesses: tuple[Guess, ...] = ()

    @property
    def telling(self) -> tuple[str, ...]:
        """The terms that rank: all but those that others stand for by a guess."""
        unknown = {guess.unknown for guess in self.guesses}
        return tuple(term for term in self.terms if term not in unknown) if unknown else self.terms

    @property
    def doubt(self) -> float:
        """That of its most doubtful guess, in [0, 1]; 0 without any."""
        return max((guess.doubt for guess in self.guesses if not guess.is_sure), default=0.0)


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage and its two signals, raw.

    `memory.text` is empty here: a hit carries the passage, not the whole note. `counts` is how often each query term
    stands in the passage's fields, already weighted by field (see `text.bm25`), and `length` is the passage's length
    in the same weighted terms; BM25 is computed from them in one place for all stores. `counts` is None when the
    store has no words (no opinion). `cosine` is in [-1, 1], or None when the passage has no vector (no opinion).
    `vector` is the passage's own, unit length, where the store can give it: with it the router compares hits with
    one another. `pairs` are the places (from 0) of those query terms whose next term stands close behind them here,
    see `text.proximity`.
    """

    memory: Memory
    passage: Passage
    counts: Mapping[str, float] | None
    length: float
    cosine: float | None
    vector: Sequence[float] | None = None
    pairs: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class TermStatistics:
    """What BM25 needs to know of one body of passages: how many, how long in all, and in how many a term stands."""

    passages: int = 0
    total_length: float = 0.0
    frequencies: Mapping[str, int] = field(default_factory=dict)
