from __future__ import annotations

import time
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from mmind.embedding.local import LocalEmbedder
from mmind.embedding.local_model import PACKAGED
from mmind.embedding.multilingual import SECONDS_OF_A_FAULT, MultilingualEmbedder
from mmind.embedding.routing import Reader, reader_of
from mmind.text.asking import asking_words
from mmind.text.tokens import STOP_WORDS
from mmind.values.errors import EngineUnavailable

# Each: a question, the text that answers it, and one that shares a word with it and does not.
PARAPHRASES = [
    ("Wann muss ich aus der Wohnung?", "Der Mietvertrag endet am 31. März.", "Die Wohnung wurde in Blau gestrichen."),
    ("¿Quién pasea al perro?", "Marta saca al cachorro todas las tardes.", "El perro come pienso con arroz."),
    ("Когда заканчивается аренда?", "Договор найма действует до 31 марта.", "Аренда лодки стоит дорого."),
    ("会议什么时候开？", "大家星期四上午九点碰头。", "会议室的灯坏了。"),
    ("家賃はいくらですか?", "毎月八万円を大家に払います。", "家の壁は白いです。"),
]
ANSWERS = [
    "Der Hund wird jeden Abend von Marta ausgeführt.",
    "Le bail de l'appartement prend fin le 31 mars.",
    "Пароль от домашней сети лежит в ящике стола.",
    "会议改到了星期四上午。",
    "الطبيب ينصح بمزيد من النوم",
]
QUESTIONS = [
    "Who walks the dog?",
    "When does the lease of the flat end?",
    "Where is the password of the home network?",
    "What day was the meeting moved to?",
    "What does the doctor advise?",
]


@pytest.fixture(scope="module")
def embedder(local: LocalEmbedder) -> MultilingualEmbedder:
    return MultilingualEmbedder(local)


def test_the_identity_names_both_models_and_the_dimension(embedder: MultilingualEmbedder) -> None:
    model, arithmetic, dimension = embedder.identity.split("/")
    assert (model, dimension) == ("all-MiniLM-L6-v2", "384")
    assert arithmetic == "int8@8199be6f+use-multilingual-v3@618a2ff4"


def test_english_has_the_vectors_of_the_english_model(embedder: MultilingualEmbedder, local: LocalEmbedder) -> None:
    assert embedder.embed(QUESTIONS).tobytes() == local.embed(QUESTIONS).tobytes()


@pytest.mark.parametrize(("question", "answer", "decoy"), PARAPHRASES)
def test_a_paraphrase_in_another_language_is_nearer_than_a_text_that_shares_a_word(
    embedder: MultilingualEmbedder, question: str, answer: str, decoy: str
) -> None:
    asked, right, wrong = embedder.embed([question, answer, decoy])
    assert asked @ right > asked @ wrong


def test_an_english_question_finds_its_answer_in_any_language(embedder: MultilingualEmbedder) -> None:
    nearest = (embedder.embed(QUESTIONS) @ embedder.embed(ANSWERS).T).argmax(axis=1)
    assert nearest.tolist() == list(range(len(ANSWERS)))


WORD_BY_WORD = [
    ("Где лежит запасной ключ?", "Запасной ключ лежит в синем ящике.", "Паром отходит в полдень."),
    ("备用钥匙在哪里？", "备用钥匙放在蓝色的抽屉里。", "渡轮中午出发。"),
    ("予備の鍵はどこですか？", "予備の鍵は青い引き出しにあります。", "フェリーは正午に出ます。"),
    ("Wo liegt der Ersatzschlüssel für das Haus?", "Der Ersatzschlüssel liegt im Haus.", "Die Fähre fährt mittags ab."),
]


@pytest.mark.parametrize(("question", "right", "wrong"), WORD_BY_WORD)
def test_the_words_of_a_question_are_held_against_those_of_texts_in_its_language(
    embedder: MultilingualEmbedder, question: str, right: str, wrong: str
) -> None:
    small = STOP_WORDS | asking_words(question)
    answering, strange = embedder.match(question, small, [right, wrong]) or []
    assert answering > strange + 0.1


def test_a_word_of_another_alphabet_is_nearer_to_its_other_forms_than_to_strangers(
    embedder: MultilingualEmbedder,
) -> None:
    (kin, strange), *_ = embedder.nearest("Где лежит ключ?", ["ключ", "паром"], ["два ключа на полке"]) or []
    assert kin > strange


def test_what_no_piece_stands_for_matches_nothing(embedder: MultilingualEmbedder) -> None:
    unknown = "\U00012000\U00012001"  # cuneiform
    assert embedder.match("Где лежит ключ?", STOP_WORDS, [unknown, ""]) == [0.0, 0.0]


def test_an_english_question_is_held_against_texts_without_the_other_model() -> None:
    fresh = MultilingualEmbedder(LocalEmbedder(PACKAGED))
    with patch("mmind.embedding.multilingual.load_universal", side_effect=EngineUnavailable("it is missing", "get it")):
        question, texts = "Where does the spare key hang?", ["the spare key hangs here", "a ferry"]
        answering, strange = fresh.match(question, STOP_WORDS, texts) or []
        (held,), (other,) = fresh.nearest(question, ["key"], texts) or []
    assert answering > strange
    assert held > 0.99 > other


def test_a_text_that_may_be_english_or_not_lies_between_both_models(
    embedder: MultilingualEmbedder, local: LocalEmbedder
) -> None:
    title = "Kaffeemaschine entkalken"
    assert reader_of(title) is Reader.BOTH
    [both], [english] = embedder.embed([title]), local.embed([title])
    assert 0.5 < both @ english < 0.99


def test_a_text_has_the_same_vector_alone_and_in_any_company(embedder: MultilingualEmbedder) -> None:
    texts = [text for row in PARAPHRASES for text in row] + ANSWERS + QUESTIONS + ["Kaffeemaschine entkalken"]
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    assert embedder.embed(texts).tobytes() == alone.tobytes()


@settings(max_examples=60, deadline=None)
@given(some.lists(some.text(max_size=200), max_size=4))
def test_any_text_gets_a_finite_unit_vector(embedder: MultilingualEmbedder, texts: list[str]) -> None:
    vectors = embedder.embed(texts)
    assert (vectors.shape, vectors.dtype) == ((len(texts), 384), np.float32)
    assert np.abs(np.linalg.norm(vectors, axis=1) - 1).max(initial=0) < 1e-5


def test_a_long_text_is_read_to_its_limit(embedder: MultilingualEmbedder) -> None:
    book = "Der Hund schläft auf dem Sofa und die Katze liegt unter dem Tisch. " * 30_000
    [cut], [shorter] = embedder.embed([book]), embedder.embed([book[:2_000]])
    assert cut.tobytes() == shorter.tobytes()


def test_english_texts_do_not_ask_for_the_other_model() -> None:
    fresh = MultilingualEmbedder(LocalEmbedder(PACKAGED))
    with patch("mmind.embedding.multilingual.load_universal", side_effect=EngineUnavailable("it is missing", "get it")):
        assert fresh.embed(QUESTIONS).shape == (len(QUESTIONS), 384)
        for _ in range(2):
            with pytest.raises(EngineUnavailable, match="it is missing"):
                fresh.embed(ANSWERS)
    with pytest.raises(EngineUnavailable, match="it is missing"):  # remembered: nothing is read again
        fresh.embed(ANSWERS)
    with patch("mmind.embedding.multilingual.time.monotonic", return_value=time.monotonic() + SECONDS_OF_A_FAULT):
        assert fresh.embed(ANSWERS).shape == (len(ANSWERS), 384)  # memory had run out for a moment
    assert fresh.embed(ANSWERS).shape == (len(ANSWERS), 384)


def test_what_was_let_go_of_is_loaded_again(local: LocalEmbedder) -> None:
    embedder = MultilingualEmbedder(local)
    before = embedder.embed(ANSWERS)
    embedder.close()
    assert embedder.embed(ANSWERS).tobytes() == before.tobytes()
