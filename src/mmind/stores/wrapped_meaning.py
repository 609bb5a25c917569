"""A wrapped table that is found by meaning too: by a column of its own with one vector a row, made by our model.

A vector stands for the whole row, so every passage of a long row has the same cosine.
"""

from __future__ import annotations

import statistics as sums
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, cast

from mmind.stores.rows import text_of
from mmind.stores.table import TableEngine
from mmind.stores.wrapped_hits import most_telling, passes
from mmind.text.embedded import embedded_text
from mmind.values.errors import ConfigError
from mmind.values.ports import Embedder
from mmind.values.query import Hit, Query, TermStatistics

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

OVER = 3  # so many times the pool is asked for: rows without text or time are left out
MOST_NEAR = 10_000  # rows that the vectors may propose, before times and tags are looked at
# Of one model a row's vector and ours stand near (0.99, or about 0.8 with another title or cut); those of two models
# have nothing to do with one another, and their cosine is about 0.
ALIKE = 0.5
LEAVE_OUT = "leave out --vector: with --derived the rows are embedded here"


class OwnVectors(Protocol):
    """The vectors that belong to a table. Everything is read-only and raises EngineError or ConfigError.

    `model` is the identity of the embedder that made them, `is_usable` whether that is the one in use.
    """

    model: str
    is_usable: bool

    def label(self) -> str:
        """What they are, for people; asks nothing."""
        ...

    def check(self) -> int:
        """The dimension that the column was declared with, 0 for any; raises when it is not there."""
        ...

    def nearest(self, vector: Sequence[float], most: int) -> Sequence[tuple[object, object, object]]:
        """(id, time, tags) of the rows whose vectors are near, nearest first but for small slips."""
        ...

    def of(self, ids: Sequence[str]) -> Mapping[str, Vector]:
        """The vectors of these rows at unit length, by id as text; without those that have none, or one of zeros."""
        ...


def with_meaning(
    engine: TableEngine,
    vectors: OwnVectors,
    query: Query,
    by_words: tuple[TermStatistics, list[Hit]],
    pool: int,
) -> list[Hit]:
    """The hits by words and one hit of each of `pool` rows by vector, without doubles, with the cosines of all."""
    import numpy as np

    assert query.vector is not None
    statistics, found = by_words
    is_bound = bool(query.tags) or query.since is not None or query.until is not None
    near = vectors.nearest(query.vector, MOST_NEAR if is_bound else OVER * pool)
    keys = [key for key, moment, tags in near if key is not None and passes(query, moment, tags)][:pool]
    held = {hit.memory.id for hit in found}
    rows = engine.read([key for key in keys if text_of(key) not in held])
    hits = [*found, *(hit for memory in rows for hit in most_telling(memory, query, statistics))]
    own: Mapping[str, Vector] = vectors.of(list(dict.fromkeys(hit.memory.id for hit in hits)))
    asked = np.asarray(query.vector, np.float32)
    own = {key: vector for key, vector in own.items() if len(vector) == len(asked)}
    cosines = {key: float(np.clip(vector @ asked, -1.0, 1.0)) for key, vector in own.items()}
    kept = cast("Mapping[str, Sequence[float]]", own)
    return [replace(hit, cosine=cosines.get(hit.memory.id), vector=kept.get(hit.memory.id)) for hit in hits]


def check_model(name: str, embedder: Embedder | None) -> Embedder:
    """The embedder in use, if `name` ("": not told) may stand for it. Raises ConfigError.

    A model is named by its identity, or by the first part of that.
    """
    if embedder is None:
        raise ConfigError("vectors cannot be compared without an embedding model in use", LEAVE_OUT)
    known = {"", embedder.identity.casefold(), embedder.identity.partition("/")[0].casefold()}
    if name.casefold() not in known:
        raise ConfigError(
            f"vectors of {name} cannot be compared with those of {embedder.identity}, the model in use",
            f"set MMIND_EMBED_MODEL to the model that made them, or {LEAVE_OUT}",
        )
    return embedder


def check_sample(where: str, sample: Mapping[tuple[str, str], Vector], embedder: Embedder) -> None:
    """Whether vectors, by (title, text) of their rows, are what this model makes of them. Raises ConfigError."""
    if not sample:
        return
    lengths = sorted({len(vector) for vector in sample.values()})
    if lengths != [embedder.dimension]:
        raise ConfigError(f"{where} {_other_length(lengths[0], embedder)}", LEAVE_OUT)
    plain = embedder.embed([text for _, text in sample])
    titled = embedder.embed([embedded_text(title, (), text) for title, text in sample])
    near = [max(one @ vector, two @ vector) for vector, one, two in zip(sample.values(), plain, titled, strict=True)]
    if (middle := sums.median(map(float, near))) < ALIKE:
        raise ConfigError(
            f"{where} is not what {embedder.identity} makes of its rows: cosine {middle:.2f}, expected {ALIKE} or more",
            f"if all-MiniLM-L6-v2 alone made them, set MMIND_EMBED_MODEL=all-MiniLM-L6-v2, else {LEAVE_OUT}",
        )


def check_dimension(where: str, declared: int, embedder: Embedder) -> None:
    """Whether a column takes vectors of this model. Raises ConfigError."""
    if declared not in (0, embedder.dimension):
        raise ConfigError(f"{where} {_other_length(declared, embedder)}", LEAVE_OUT)


def _other_length(length: int, embedder: Embedder) -> str:
    return f"holds vectors of {length} numbers, and {embedder.identity} makes {embedder.dimension}"
