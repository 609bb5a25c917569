"""A passage's parts in the index."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mmind.index.parts import nearest, packed
from tests.index.build import Shelf, WordVectors, asked, hits, index_of, level, memory
from tests.index.conftest import Closing

if TYPE_CHECKING:
    from numpy.typing import NDArray


class LineVectors:
    """As WordVectors, and each line of a text of several is a part of it."""

    def __init__(self) -> None:
        self._words = WordVectors("lines-64")
        self.identity, self.dimension, self.is_local = self._words.identity, self._words.dimension, True

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return self._words.embed(texts)

    def read(self, texts: Sequence[str]) -> list[NDArray[np.float32]]:
        return [self.embed([text, *text.split("\n")] if "\n" in text else [text]) for text in texts]

    def close(self) -> None:
        return None


def test_the_nearest_part_of_a_passage_is_told_beside_its_whole(tmp_path: Path, closing: Closing) -> None:
    model = LineVectors()
    shelf = Shelf.of(memory("long", "boat attic patch\nspare key door"), memory("short", "spare boat"))
    index = level(closing(index_of(tmp_path, shelf, model)))
    by_id = {hit.memory.id: hit for hit in hits(index, asked("spare key door", model))}
    assert by_id["long"].part_cosine == pytest.approx(1.0, abs=5e-3)
    assert (by_id["long"].cosine or 0.0) < 0.9
    assert by_id["short"].part_cosine is None


def test_without_parts_nothing_is_told(tmp_path: Path, closing: Closing) -> None:
    model = WordVectors()
    index = level(closing(index_of(tmp_path, Shelf.of(memory("a", "spare key")), model)))
    assert [hit.part_cosine for hit in hits(index, asked("spare key", model))] == [None]


def test_packing_loses_next_to_nothing() -> None:
    rows = np.random.default_rng(3).normal(size=(40, 384)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    question = rows[7] * 0.8 + rows[11] * 0.6
    question /= np.linalg.norm(question)
    found = nearest([packed(rows[:5]), b"", packed(rows[5:10]), packed(rows[10:])], question)
    assert found[1] is None
    assert [found[0], found[2], found[3]] == pytest.approx(
        [float((rows[start:end] @ question).max()) for start, end in ((0, 5), (5, 10), (10, 40))], abs=3e-3
    )
    assert nearest([], question) == []
    assert nearest([b""], question) == [None]
