"""Passages in another language than the question."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mmind.router.abroad import with_other_languages
from mmind.router.second_look import best_texts
from mmind.scoring.confidence import WEAK_BELOW
from mmind.scoring.relevance import LOST_BETWEEN_LANGUAGES, WORDS_FROM_COSINE
from mmind.values.query import Query, TermStatistics
from tests.router.build import candidate

NONE = TermStatistics(0, 0.0, {})
BOTH = "all-MiniLM-L6-v2/int8@8199be6f+use-multilingual-v3@618a2ff4/384"
ENGLISH = "all-MiniLM-L6-v2/int8@8199be6f/384"
QUESTION = "How much is the rent of the flat?"
GERMAN = "Die Miete beträgt 890 Euro im Monat und ist am dritten Werktag fällig."
SAME = "The flat is rented by the month, and the owner of it wants 890 euros."


def asked(text: str = QUESTION, model: str = BOTH) -> Query:
    return Query(text=text, terms=("rent", "flat"), model=model)


def test_a_passage_in_another_language_is_judged_by_its_meaning() -> None:
    [judged] = with_other_languages([candidate(GERMAN, lexical=0.0, cosine=0.35)], asked(), NONE)
    assert judged.abroad
    assert judged.meaning == pytest.approx(0.35 + LOST_BETWEEN_LANGUAGES)
    assert judged.lexical == pytest.approx(WORDS_FROM_COSINE * (0.35 + LOST_BETWEEN_LANGUAGES))
    assert judged.confidence > WEAK_BELOW


@pytest.mark.parametrize(
    ("text", "question", "lexical", "cosine", "model"),
    [
        (SAME, QUESTION, 0.0, 0.35, BOTH),  # the same language
        (GERMAN, "Wie hoch ist die Miete der Wohnung?", 0.0, 0.35, BOTH),
        (GERMAN, QUESTION, 0.0, 0.35, ENGLISH),  # a model that does not read it
        (GERMAN, QUESTION, 0.0, 0.35, "text-embedding-3-small/openai/1536"),
        (GERMAN, QUESTION, 0.0, None, BOTH),  # no vector yet
        ("Hauptbahnhof Gleis", QUESTION, 0.0, 0.35, BOTH),  # it cannot be said
    ],
)
def test_others_are_heard_as_they_are(
    text: str, question: str, lexical: float, cosine: float | None, model: str
) -> None:
    one = candidate(text, lexical=lexical, cosine=cosine)
    assert with_other_languages([one], asked(question, model), NONE) == [one]


def test_a_name_or_a_number_that_it_shares_counts_for_it() -> None:
    [judged] = with_other_languages([candidate(GERMAN, lexical=0.5, cosine=0.35)], asked(), NONE)
    assert (judged.abroad, judged.lexical) == (True, 0.5)


def test_a_name_that_others_hold_must_stand_in_it() -> None:
    question = Query(text="When is Yildiz's birthday?", terms=("yildiz", "birthday"), model=BOTH)
    held = TermStatistics(2, 20.0, {"yildiz": 1})
    other = candidate("生日是四月十七日，他喜欢喝茶。", lexical=0.0, cosine=0.4)
    assert with_other_languages([other], question, held) == [other]
    [judged] = with_other_languages([other], question, NONE)  # nobody holds it: a spelling of another script
    assert judged.abroad


def test_a_name_that_it_holds_makes_it_sure() -> None:
    question = Query(text="the ferry to Moskenes", terms=("ferri", "mosken"), model=BOTH)
    one = candidate("Die Fähre nach Moskenes fährt um halb vier und ist meistens voll.", lexical=0.4, cosine=0.28)
    named = replace(one, hit=replace(one.hit, counts={"mosken": 1.0}))
    [judged] = with_other_languages([named], question, TermStatistics(2, 20.0, {"mosken": 1}))
    assert judged.confidence > 0.5


def test_what_is_far_from_the_nearest_stays_where_it_is() -> None:
    near, far = candidate(SAME, cosine=0.6), candidate(GERMAN, lexical=0.0, cosine=0.2)
    assert with_other_languages([near, far], asked(), NONE) == [near, far]


def test_chinese_and_german_are_two_languages() -> None:
    [judged] = with_other_languages([candidate(GERMAN, lexical=0.0, cosine=0.3)], asked("房租是多少？"), NONE)
    assert judged.abroad


def test_words_are_not_compared_between_languages() -> None:
    judged = with_other_languages(
        [candidate(GERMAN, lexical=0.0, cosine=0.35), candidate(SAME, cosine=0.4)], asked(), NONE
    )
    assert list(best_texts(judged, lambda one: one.cosine or 0.0)) == [SAME]
