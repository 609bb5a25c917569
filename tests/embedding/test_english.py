"""Which words are taken for English."""

from __future__ import annotations

import pytest

from mmind.embedding.english import is_english


@pytest.mark.parametrize(
    "word",
    [
        "carter",
        "shines",
        "sharpest",
        "shorten",
        "reuse",
        "pooling",
        "databases",
        "happiness",
        "undone",
        "trimming",
        "interplay",
    ],
)
def test_words_and_names_of_the_list_and_what_is_made_of_them_are_english(word: str) -> None:
    assert is_english(word)


@pytest.mark.parametrize(
    "word", ["manger", "mangaer", "kuberentes", "wasching", "retreivel", "soehnke", "taht", "", "adress", "менеджер"]
)
def test_misspelt_words_and_those_of_other_languages_are_not(word: str) -> None:
    assert not is_english(word)
