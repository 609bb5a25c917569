"""Small words of other languages: which language a question is in, and what it asks for beside them."""

from __future__ import annotations

import pytest

from mmind.text.small_words import small_words_of
from mmind.text.tokens import STOP_WORDS, query_terms, tokens


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("Wann muss das Auto zum TÜV?", ("auto", "tuv")),
        ("Wer hat die Reifen?", ("reifen",)),
        ("où est la clé de la cave", ("cle", "cave")),
        ("¿dónde está la llave del sótano?", ("llave", "sotano")),
        ("dov'è la chiave della cantina", ("chiav", "cantina")),
        ("onde está a chave do porão", ("chave", "porao")),
        ("Waar is de sleutel van de kelder?", ("sleutel", "kelder")),
        ("Var är nyckeln till källaren?", ("nyckeln", "kallaren")),
        ("hvor er nøglen til skuret", ("noglen", "skuret")),
        ("gdzie jest klucz do piwnicy", ("klucz", "piwnici")),
    ],
)
def test_a_question_asks_for_what_is_no_small_word_of_its_language(question: str, terms: tuple[str, ...]) -> None:
    assert query_terms(question) == terms


@pytest.mark.parametrize(
    "text",
    [
        "who will die in the war",
        "what was in the hat of the man",
        "Los Angeles hotels in June",
        "Rio de Janeiro",
        "the de facto standard for locales",
        "what is the address of the Café de la Paix",
        "The role of IL-6 in a cell",
        "plot x y and z in e o u",
        "en suite bathroom",
        "do re mi",
        "der",
        "",
    ],
)
def test_english_with_foreign_names_in_it_stays_english(text: str) -> None:
    assert not small_words_of(tokens(text), STOP_WORDS)


def test_a_question_of_small_words_alone_keeps_them() -> None:
    assert query_terms("wer bist du und was ist das") == tuple(tokens("wer bist du und was ist das"))
