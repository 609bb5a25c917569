"""The doors between floors: what the router needs of the world, and nothing of how it is done."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from mmind.values.memory import Memory, StorePolicy
from mmind.values.query import Hit, Query, TermStatistics
from mmind.values.ranking import Ranking

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

Clock = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class AuditEvent:
    """One thing that happened, for the audit log.

    `kind` is query, read, write, forget, export, deny or sources. `outcome` is ok, failed or denied; a write and a
    removal are announced first as begun, so that nothing is ever changed without a trace. `query` and `content` are
    texts: the log keeps hashes and sizes of them unless the user asks it to keep more. So are `guessed`, what was
    searched for in place of words of the question that no store knows: their number is kept.
    """

    kind: str
    outcome: str
    store: str = ""
    ids: tuple[str, ...] = ()
    query: str = ""
    results: int = 0
    elapsed_ms: float = 0.0
    writer: str = ""
    session: str = ""
    size_bytes: int = 0
    error: str = ""
    content: str = ""
    guessed: tuple[str, ...] = ()


# The router can write the log and has no way to read it. Raises EngineUnavailable when the log cannot be written.
Record = Callable[[AuditEvent], None]


@dataclass(frozen=True, slots=True)
class Health:
    """How a store is: `usable` (it can be read), what is wrong in words (`reason`), and what to do (`hint`).

    `entries` counts memories, -1 where counting would be slow or impossible. `where` is the path or address in use,
    without secrets. `notes` are things worth knowing that stop nothing.
    """

    usable: bool
    where: str
    entries: int = -1
    reason: str = ""
    hint: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """A thing that lies in a store and was not taken: which (a path or key), and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Mark:
    """What the index already holds of a store: an opaque cursor of the engine, and each memory's fingerprint by id.

    `cursor` is "" at the first time. The mapping may load itself only when it is looked at.
    """

    cursor: str = ""
    fingerprints: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Changes:
    """What differs from a mark.

    `changed` yields new and changed memories, one at a time and lazily (reading stops when the consumer stops);
    `total` is at most how many (-1: unknown). `gone` are ids that are no more. `cursor` is the next mark's
    cursor, valid once all of `changed` was taken. `skipped` may be read after `changed` was consumed. `settled` gives a
    new fingerprint to memories that are as they were, by id: with it they need not be looked at so closely again.
    """

    changed: Iterator[Memory]
    gone: Sequence[str]
    cursor: str
    total: int = -1
    skipped: Sequence[Skipped] = ()
    settled: Mapping[str, str] = field(default_factory=dict)


class Engine(Protocol):
    """Keeps the memories of one store: the truth. Every method may be called from any thread.

    Promises (the contract tests cite the numbers):
    E1 what was put is got back equal in every field but `path`, `time_kind` and `fingerprint`, which the engine sets;
    E2 the same id replaces; E3 an unknown id gives None, and deleting it gives False; E4 a deleted memory is gone, also
    from `changes`; E5 `put` and `delete` are durable when they return; E6 a reopened store holds the same; E7 several
    threads and several processes may use one store at once without losing an acknowledged write; E8 any text
    round-trips, except NUL and lone surrogates, which callers remove; E9 `health` never raises; E10 `changes` from an
    empty mark yields everything, from the latest cursor and fingerprints nothing; E11 reading changes no byte and no
    mtime of what the user owns; E12 a folder that cannot be read raises `EngineUnavailable` and never reports its
    memories as gone; E13 no file is created before the first `put`.
    """

    def get(self, id: str) -> Memory | None:
        """The memory with this id, or None. Raises EngineError when the store cannot answer."""
        ...

    def put(self, memory: Memory) -> Memory:
        """Keep a memory, replacing one of the same id; durable when it returns. Gives it back as kept."""
        ...

    def delete(self, id: str) -> bool:
        """Remove a memory; durable when it returns. False when there was none."""
        ...

    def changes(self, since: Mark) -> Changes:
        """What is new, changed or gone since the mark. Raises EngineError when the store cannot be read."""
        ...

    def health(self) -> Health:
        """How the store is. Never raises, never waits long, creates nothing."""
        ...

    def close(self) -> None:
        """Let go of files, locks and connections. Harmless when called twice."""
        ...


@runtime_checkable
class Placed(Protocol):
    """An engine that can say where it is without asking a server that may not answer, as its health would."""

    @property
    def where(self) -> str:
        """The same as `Health.where`."""
        ...


class Searcher(Protocol):
    """Searches one store: the index for local engines, the engine itself where it is served."""

    def search(self, query: Query, pool: int) -> Sequence[Hit]:
        """At most `pool` hits by words and `pool` by vector, without doubles, both signals completed for each."""
        ...


class Corpus(Protocol):
    """A body of passages that several searchers may share; the router sums statistics over the distinct ones."""

    def statistics(self, terms: Sequence[str]) -> TermStatistics:
        """Counts for BM25 over all passages of the corpus, and the document frequency of each of `terms`."""
        ...


@runtime_checkable
class Lexicon(Corpus, Protocol):
    """A corpus that also knows how the words of its passages are spelled, so that a misspelt one can be guessed."""

    def alike(self, asked: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """For each folded word the nearest words of the corpus, if they are as near as `text.spelling.is_slip` asks;
        the word itself where it is one of them.

        Words that stood in it once may be among them. Nothing while the corpus cannot be asked; never raises.
        """
        ...

    def holds(self, together: Sequence[str], beside: Sequence[str]) -> bool:
        """Whether a passage has some terms one right behind the other and, if others are named, any of those too.

        False while the corpus cannot be asked; never raises.
        """
        ...


class Embedder(Protocol):
    """Turns texts into vectors. `identity` names model and dimension, and goes into every stored vector's key."""

    identity: str
    dimension: int
    is_local: bool

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, each row unit length. Raises EngineUnavailable when the model or its service is not there."""
        ...

    def close(self) -> None:
        """Let go of the model or of connections. Harmless when called twice."""
        ...


@runtime_checkable
class Bilingual(Embedder, Protocol):
    """An embedder with a model for English and one for the rest, which can be told what a text is in."""

    def embed_in(self, texts: Sequence[str], *, english: bool) -> Vectors:
        """As `embed`, of texts that are known to be in English, or in another language."""
        ...


@runtime_checkable
class WordMatcher(Protocol):
    """An embedder that can also hold the words of a question against those of texts, each by what it means alone."""

    def match(self, question: str, small_words: frozenset[str], texts: Sequence[str]) -> Sequence[float] | None:
        """For each text a number in [-1, 1]; `small_words` ask or connect and name nothing. None: it cannot tell.

        Depends on these words alone. Raises EngineUnavailable when the model is not there.
        """
        ...


@runtime_checkable
class WordsNearWords(Protocol):
    """An embedder that can also say how near a text comes to a word, by what each word means alone."""

    def nearest(self, question: str, words: Sequence[str], texts: Sequence[str]) -> Sequence[Sequence[float]] | None:
        """For each text, how near its nearest word is to each of `words` of a question; else as `match`."""
        ...


@dataclass(frozen=True, slots=True)
class Freshness:
    """How far the index is with one store.

    `age_seconds` since the last complete scan (None: never, by the present clock), `pending_words` memories seen but
    not yet indexed (-1: not counted yet), `pending_vectors` passages without a vector, `entries` memories and
    `passages` indexed so far, `fault` why the last scan failed, `skipped` what was left out and why.
    """

    store: str
    entries: int = 0
    passages: int = 0
    age_seconds: float | None = None
    pending_words: int = 0
    pending_vectors: int = 0
    fault: str = ""
    hint: str = ""
    skipped: tuple[Skipped, ...] = ()


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a long index run is: `phase` is "words" (memories), "vectors" (passages) or "index of vectors", which a
    server makes at one go; `total` -1 is unknown."""

    store: str
    phase: str
    done: int
    total: int


class Indexer(Protocol):
    """Keeps the derived index level with the engines."""

    def refresh(self, wait_seconds: float) -> None:
        """See what changed in every store, waiting at most so long; the rest goes on in the background."""
        ...

    def add(self, memory: Memory) -> None:
        """Take a memory in at once (it was just put), so that the next answer of any process has it."""
        ...

    def remove(self, store: str, id: str) -> None:
        """Drop a memory at once (it was just deleted)."""
        ...

    def complete(self, report: Callable[[Progress], None], rebuild: bool) -> None:
        """Bring words and vectors of every store fully level in the foreground; `rebuild` starts from nothing."""
        ...

    def freshness(self) -> Mapping[str, Freshness]:
        """How far the index is, by store. Never raises."""
        ...

    def close(self) -> None:
        """Stop background work (at the next passage, not at the end) and let go of files."""
        ...


@runtime_checkable
class SelfSearching(Searcher, Corpus, Protocol):
    """An engine that searches what it keeps, so that no index of ours holds it: what a served engine may be.

    Its `search` promises what `index.search` does: counts, length and pairs from our own tokens, for one BM25 ranks
    the passages of all stores; cosine and vector only of the query's model. Its statistics are those of its store.
    """

    def freshness(self) -> Freshness:
        """How far words and vectors are, as last seen: asks no server, never waits, never raises."""
        ...

    def complete(self, report: Callable[[Progress], None], rebuild: bool) -> None:
        """Bring words and vectors fully level in the foreground. Raises EngineError when the server or model fails."""
        ...


@dataclass(frozen=True, slots=True)
class Store:
    """A named source: the engine that keeps it and the searcher that finds in it; its policy stands in `Rules`.

    `engine` is None when the store is off or could not be opened; `fault` and `hint` then say why and what to do.
    """

    name: str
    engine: Engine | None
    searcher: Searcher | None
    fault: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Rules:
    """What may change while a process runs: the ranking table, each store's policy by name, and what may be kept."""

    ranking: Ranking
    policies: Mapping[str, StorePolicy]
    allow_secrets: bool = False
