"""The parts of a text as vectors."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from mmind.embedding.local import LocalEmbedder
from mmind.embedding.local_model import PACKAGED
from mmind.embedding.parts import PART, STEP, parts_of

FILLER = "The minutes of the meeting were read out and nobody had anything to add to them. "


@pytest.mark.parametrize("tokens", [1, 2, PART])
def test_a_text_of_one_window_has_no_parts(tokens: int) -> None:
    assert parts_of(np.ones((tokens, 4), np.float32)).shape == (0, 4)


@pytest.mark.parametrize("tokens", [PART + 1, PART + STEP, 100, 256])
def test_parts_reach_from_the_first_token_to_the_last_without_a_gap(tokens: int) -> None:
    marks = np.eye(tokens, dtype=np.float32)  # each token has a direction of its own
    parts = parts_of(marks)
    held = [np.flatnonzero(part > 1e-3) for part in parts]
    assert held[0][0] == 0
    assert held[-1][-1] == tokens - 1
    assert all(len(one) == PART for one in held)
    assert all(0 < later[0] - earlier[0] <= STEP for earlier, later in pairwise(held))
    assert np.allclose(np.linalg.norm(parts, axis=1), 1.0, atol=1e-5)


def test_a_sentence_in_a_long_text_is_nearer_as_a_part_than_as_a_whole() -> None:
    model = LocalEmbedder(PACKAGED)
    (rows,) = model.read([FILLER * 5 + "The spare key hangs behind the blue door. " + FILLER * 5])
    question = model.embed(["where is the spare key?"])[0]
    whole, parts = float(rows[0] @ question), rows[1:] @ question
    assert parts.max() > whole + 0.1
    model.close()


def test_reading_and_embedding_give_the_same_vector() -> None:
    model = LocalEmbedder(PACKAGED)
    texts = ["one short text", FILLER * 8]
    assert np.array_equal(model.embed(texts), np.stack([rows[0] for rows in model.read(texts)]))
    assert [len(rows) > 1 for rows in model.read(texts)] == [False, True]
    assert model.read([]) == []
    model.close()
