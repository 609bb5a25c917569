"""The words of a text against those of a question, each by what it means alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mmind.embedding.local import LocalEmbedder
from mmind.embedding.local_model import PACKAGED, LocalModel
from mmind.text.tokens import STOP_WORDS

QUESTION = "Where did I put the battery of the camera?"


@pytest.fixture(scope="module")
def model() -> Iterator[LocalEmbedder]:
    embedder = LocalEmbedder(PACKAGED)
    yield embedder
    embedder.close()


def matches(model: LocalEmbedder, question: str, *texts: str) -> list[float]:
    return model.match(question, STOP_WORDS, texts) or []


def nearest(model: LocalEmbedder, words: list[str], *texts: str) -> list[list[float]]:
    return model.nearest(QUESTION, words, texts) or []


def test_a_text_with_all_the_telling_words_matches_whole_however_long_it_is(model: LocalEmbedder) -> None:
    text = "The camera lies in the drawer, its battery I put on the shelf. " + "The ferry leaves at noon. " * 10
    assert matches(model, QUESTION, text) == [pytest.approx(1.0, abs=1e-5)]


def test_kin_of_a_word_are_nearer_than_strangers(model: LocalEmbedder) -> None:
    same, kin, strange = matches(model, "battery", "battery", "batteries", "ferry")
    assert same > kin > strange + 0.1


def test_small_words_and_signs_of_the_question_count_nothing(model: LocalEmbedder) -> None:
    assert matches(model, QUESTION, "a note") == matches(model, "put battery camera", "a note")


def test_a_question_of_small_words_is_held_to_these(model: LocalEmbedder) -> None:
    whole, none = matches(model, "What is this?", "what is this?", "ferry")
    assert whole == pytest.approx(1.0, abs=1e-5)
    assert none < whole


@pytest.mark.parametrize(("question", "text"), [(QUESTION, ""), ("", "a note"), (" ", " ")])
def test_what_holds_no_word_matches_nothing(model: LocalEmbedder, question: str, text: str) -> None:
    assert matches(model, question, text) == [0.0]


def test_a_match_depends_on_no_other_text(model: LocalEmbedder) -> None:
    texts = ["the battery is empty", "a photograph of the harbour", "keys"]
    assert matches(model, QUESTION, *texts) == [matches(model, QUESTION, text)[0] for text in texts]
    assert matches(model, QUESTION) == []


def test_weights_of_another_layout_cannot_tell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from mmind.embedding import local
    from mmind.embedding.encoder import Encoder, load_encoder

    loaded = load_encoder(PACKAGED)
    plain = Encoder(loaded.encode, "float32")
    monkeypatch.setattr("mmind.embedding.encoder.load_encoder", lambda _: plain)
    assert local.LocalEmbedder(LocalModel("other", "", tmp_path)).match(QUESTION, STOP_WORDS, ["a note"]) is None


def test_a_word_is_as_near_as_the_nearest_word_of_the_text(model: LocalEmbedder) -> None:
    (held, kin, strange), (none, *_) = nearest(model, ["camera", "cameras", "harbour"], "my camera", "")
    assert held == pytest.approx(1.0, abs=1e-5)
    assert held > kin > strange
    assert none == 0.0


def test_of_a_word_in_pieces_each_piece_counts_alike(model: LocalEmbedder) -> None:
    (whole, half), (other, _) = nearest(model, ["steamboat", "harbour"], "a steamboat", "boat")
    assert whole == pytest.approx(1.0, abs=1e-5)
    assert max(half, other) < whole
    assert nearest(model, [], "a note") == [[]]


def test_of_a_question_in_a_script_that_it_was_not_taught_a_model_cannot_tell(model: LocalEmbedder) -> None:
    assert model.match("Где лежит ключ?", STOP_WORDS, ["Ключ лежит на полке."]) is None
    assert model.nearest("Где лежит ключ?", ["ключ"], ["Ключ лежит на полке."]) is None
