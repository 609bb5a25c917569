from __future__ import annotations

import json
from pathlib import Path

import pytest

from mmind.embedding.wordpiece import Tokenize, read_vocabulary, tokenizer

CLS, SEP, UNKNOWN = 101, 102, 100


@pytest.fixture(scope="module")
def words() -> dict[str, int]:
    return read_vocabulary(None)


@pytest.fixture(scope="module")
def tokenize(words: dict[str, int]) -> Tokenize:
    return tokenizer(words)


def test_the_shipped_vocabulary_is_berts(words: dict[str, int]) -> None:
    assert len(words) == 30_522
    assert (words["[PAD]"], words["[UNK]"], words["[CLS]"], words["[SEP]"]) == (0, 100, 101, 102)
    assert (words["hello"], words["world"], words["##～"]) == (7592, 2088, 30_521)


def test_case_and_accents_are_folded_and_nothing_is_padded(tokenize: Tokenize) -> None:
    assert tokenize("Héllo WORLD") == [CLS, 7592, 2088, SEP]


def test_rare_words_are_cut_into_pieces(tokenize: Tokenize, words: dict[str, int]) -> None:
    pieces = [words[piece] for piece in ("em", "##bed", "##ding", "##s")]
    assert tokenize("embeddings") == [CLS, *pieces, SEP]


def test_chinese_is_cut_into_characters(tokenize: Tokenize, words: dict[str, int]) -> None:
    assert tokenize("中文") == [CLS, words["中"], words["文"], SEP]


def test_a_word_of_over_a_hundred_letters_is_one_unknown(tokenize: Tokenize) -> None:
    assert tokenize("x" * 101) == [CLS, UNKNOWN, SEP]


def test_a_long_text_is_cut_at_256_tokens_with_both_marks(tokenize: Tokenize) -> None:
    ids = tokenize("hello " * 600)
    assert ids == [CLS, *[7592] * 254, SEP]


def test_a_mark_typed_in_a_text_is_plain_text(tokenize: Tokenize) -> None:
    assert tokenize("[SEP] [CLS]").count(SEP) == 1
    assert tokenize("[SEP] [CLS]").count(CLS) == 1


@pytest.mark.parametrize("text", ["", "  \n", "\0", "\ufeff\u200d"])
def test_a_text_without_visible_characters_is_the_two_marks(tokenize: Tokenize, text: str) -> None:
    assert tokenize(text) == [CLS, SEP]


def test_a_lone_surrogate_becomes_a_question_mark(tokenize: Tokenize) -> None:
    assert tokenize("a\ud800") == tokenize("a?")


def test_both_forms_of_a_vocabulary_file_are_read(tmp_path: Path, words: dict[str, int]) -> None:
    lines, stock = tmp_path / "vocab.txt", tmp_path / "tokenizer.json"
    lines.write_text("\n".join(words) + "\n", "utf-8", newline="\n")
    stock.write_text(json.dumps({"truncation": {"max_length": 128}, "model": {"vocab": words}}), "utf-8")
    assert read_vocabulary(lines) == read_vocabulary(stock) == words


@pytest.mark.parametrize(
    "content", ["{}", "[]", '{"model": {"vocab": [["a", 0.5]]}}', '{"model": {"vocab": {"a": 1}}}', "{"]
)
def test_a_tokenizer_file_of_another_kind_is_refused(tmp_path: Path, content: str) -> None:
    stock = tmp_path / "tokenizer.json"
    stock.write_text(content, "utf-8")
    with pytest.raises(ValueError, match=r".+"):
        read_vocabulary(stock)
