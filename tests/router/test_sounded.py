"""Names that the question and a passage write in two alphabets."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mmind.router.abroad import with_other_languages
from mmind.router.sounded import with_sounded
from mmind.text.tokens import query_terms
from mmind.values.query import Query, TermStatistics
from tests.router.build import candidate

BOTH = "all-MiniLM-L6-v2/int8@8199be6f+use-multilingual-v3@618a2ff4/384"
ENGLISH = "all-MiniLM-L6-v2/int8@8199be6f/384"
NOVEL = "Прочитала роман Булгакова за две ночи, кот смешнее всех."


def asked(text: str, model: str = BOTH) -> Query:
    return Query(text=text, terms=query_terms(text), model=model)


@pytest.mark.parametrize("model", [BOTH, ENGLISH, "text-embedding-3-small/openai/1536", ""])
def test_a_name_in_another_alphabet_counts_as_found(model: str) -> None:
    [found] = with_sounded([candidate(NOVEL).hit], asked("Bulgakov's novel", model))
    assert found.counts == {"key": 1.0, "bulgakov": 1.0}


def test_so_does_a_name_that_another_latin_language_writes_otherwise() -> None:
    german = "Die Lesung von Bulgakow war ausverkauft, und wir standen im Foyer."
    [found] = with_sounded([candidate(german).hit], asked("Was the reading of Bulgakov sold out?"))
    assert (found.counts or {})["bulgakov"] == 1.0


def test_a_russian_question_finds_the_name_in_an_english_note() -> None:
    [found] = with_sounded([candidate("Kimberly wants a new helmet for her birthday.").hit], asked("день Кимберли"))
    assert (found.counts or {})["кимберли"] == 1.0


def test_a_japanese_question_finds_the_name_in_an_english_note() -> None:
    [found] = with_sounded([candidate("The trip to Barcelona costs 900 euros.").hit], asked("バルセロナの旅行"))
    assert len(found.counts or {}) > 1


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Bulgakov's novel", "Прочитала роман Пастернака за две ночи."),  # another name
        ("Bulgakov's novel", "The novel by Bulgarov is on the shelf, and it is signed."),  # the same language
        ("the novel about a cat", NOVEL),  # no name is asked for
    ],
)
def test_nothing_else_counts(question: str, text: str) -> None:
    hit = candidate(text).hit
    assert with_sounded([hit], asked(question)) == [hit]


def test_without_words_nothing_is_added() -> None:
    hit = candidate(NOVEL, lexical=None).hit
    assert with_sounded([hit], asked("Bulgakov's novel")) == [hit]


def test_a_name_in_another_alphabet_fits_where_names_must_fit_and_makes_the_passage_sure() -> None:
    question = asked("Bulgakov's novel")
    held_elsewhere = TermStatistics(2, 20.0, {"bulgakov": 1})
    other = candidate("Прочитала роман Пастернака за две ночи.", lexical=0.0, cosine=0.3)
    named = candidate(NOVEL, lexical=0.4, cosine=0.3)
    heard = [replace(one, hit=with_sounded([one.hit], question)[0]) for one in (named, other)]
    judged = with_other_languages(heard, question, held_elsewhere)
    assert [one.abroad for one in judged] == [True, False]
    assert judged[0].confidence > 0.5


def test_an_english_name_of_the_word_list_makes_it_sure_too() -> None:
    texts = ("Концерт Чайковского начинается в семь.", "Концерт Рахманинова начинается в семь.")
    named, other = with_other_languages(
        [candidate(text, lexical=0.0, cosine=0.3) for text in texts],
        asked("When does the Tchaikovsky concert begin?"),
        TermStatistics(),
    )
    assert named.confidence > other.confidence + 0.3


def test_a_word_with_the_stem_of_a_name_names_nobody() -> None:
    question = asked("Assistant: 今天去公园吗?\nBart: 好的")
    text = "ADEPT can assist with bartering."
    one = candidate(text, lexical=0.2, cosine=0.3)
    held = replace(one, hit=replace(one.hit, counts=dict.fromkeys(query_terms(text), 1.0)))
    [judged] = with_other_languages([held], question, TermStatistics())
    [plain] = with_other_languages([one], asked("今天去公园吗?"), TermStatistics())
    assert judged.confidence == plain.confidence
