from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from mmind.embedding.local import LocalEmbedder
from mmind.embedding.local_model import PACKAGED, sha256_of
from mmind.values.errors import EngineUnavailable

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Each: a question, the text that answers it, and one that shares a word with it and does not.
PARAPHRASES = [
    ("When must I leave the flat?", "The lease on the apartment ends on 31 March.", "The flat tyre was mended."),
    ("How do I undo my last commit?", "git reset --soft HEAD~1 takes the change back.", "We commit to two releases."),
    ("Who looks after the dog?", "Marta walks our puppy every evening.", "Look after the milk on the stove."),
    ("What does the doctor advise?", "The physician recommends more sleep.", "Doctor Who airs on Sunday."),
]


def test_vectors_are_those_of_the_float32_weights(local: LocalEmbedder, golden: Mapping[str, NDArray[Any]]) -> None:
    vectors = local.embed(list(golden))
    cosines = {text[:40]: float(vector @ golden[text]) for text, vector in zip(golden, vectors, strict=True)}
    assert {text: cosine for text, cosine in cosines.items() if cosine < 0.97} == {}


def test_rows_are_float32_and_unit_length(local: LocalEmbedder, golden: Mapping[str, NDArray[Any]]) -> None:
    vectors = local.embed(list(golden))
    assert (vectors.shape, vectors.dtype) == ((len(golden), 384), np.float32)
    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max() < 1e-6


def test_no_texts_give_no_rows_and_load_nothing() -> None:
    fresh = LocalEmbedder(PACKAGED)
    assert fresh.embed([]).shape == (0, 384)
    assert fresh.arithmetic == ""


def test_a_text_has_the_same_bytes_alone_and_in_any_company(
    local: LocalEmbedder, golden: Mapping[str, NDArray[Any]]
) -> None:
    texts = list(golden)
    together = local.embed(texts)
    backwards = local.embed(texts[::-1])[::-1]
    alone = np.concatenate([local.embed([text]) for text in texts])
    assert together.tobytes() == backwards.tobytes() == alone.tobytes()


@pytest.mark.parametrize(("question", "answer", "decoy"), PARAPHRASES)
def test_a_paraphrase_is_nearer_than_a_text_that_shares_a_word(
    local: LocalEmbedder, question: str, answer: str, decoy: str
) -> None:
    asked, right, wrong = local.embed([question, answer, decoy])
    assert asked @ right > asked @ wrong


def test_a_text_of_600_words_is_read_up_to_the_limit(local: LocalEmbedder) -> None:
    words = [f"word{number}" for number in range(600)]
    whole, start, other = local.embed([" ".join(words), " ".join(words[:400]), " ".join(words[200:])])
    assert whole.tobytes() == start.tobytes()
    assert whole.tobytes() != other.tobytes()


def test_ten_megabytes_cost_no_more_than_their_start(local: LocalEmbedder) -> None:
    start = "The crew argued about the route to Bergen. " * 300
    assert local.embed([start * 800]).tobytes() == local.embed([start]).tobytes()


@given(texts=some.lists(some.text(some.characters(codec=None), max_size=40), min_size=1, max_size=3))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_any_string_has_a_direction(local: LocalEmbedder, texts: list[str]) -> None:
    assert np.abs(np.linalg.norm(local.embed(texts), axis=1) - 1).max() < 1e-5


@pytest.mark.parametrize(
    "text",
    ["", " \n\t", "\0", "a\0b", "\ud83d", "\udc00\ud800", "🚀👩‍👩‍👧", "知识", "\u202eabc", "e" + "\u0301" * 3000],
)
def test_odd_texts_do_not_raise(local: LocalEmbedder, text: str) -> None:
    assert np.isfinite(local.embed([text])).all()


def test_threads_that_load_at_once_agree_with_one() -> None:
    texts = [f"note {number} about the harbour" for number in range(12)]
    fresh = LocalEmbedder(PACKAGED)
    with ThreadPoolExecutor(6) as threads:
        rows = list(threads.map(lambda text: fresh.embed([text]), texts))
    assert np.concatenate(rows).tobytes() == fresh.embed(texts).tobytes()


def test_a_model_that_failed_says_the_same_again_without_reading_the_file_again(tmp_path: Path) -> None:
    broken = tmp_path / "model.onnx"
    broken.write_bytes(b"not a model")
    embedder = LocalEmbedder(replace(PACKAGED, weights=broken, sha256=sha256_of(broken)))
    with pytest.raises(EngineUnavailable) as first:
        embedder.embed(["a"])
    broken.unlink()
    with pytest.raises(EngineUnavailable) as second:
        embedder.embed(["a"])
    assert str(first.value) == str(second.value)
