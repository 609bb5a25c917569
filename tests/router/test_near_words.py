"""A word that a passage lacks, and one that means nearly the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from mmind.embedding.local import LocalEmbedder
from mmind.embedding.local_model import PACKAGED
from mmind.router.candidate import Candidate
from mmind.router.near_words import Nearest, with_near_words, words_of
from mmind.router.retrieve import nearest_of
from mmind.router.second_look import LOOKED_AT
from mmind.text.bm25 import bm25
from mmind.text.tokens import query_terms
from mmind.values.errors import EngineUnavailable
from mmind.values.query import Query, TermStatistics
from tests.router.build import candidate

QUESTION = "a film about Paris"
ASKED = Query(QUESTION, query_terms(QUESTION), vector=[1.0, 0.0])
STATISTICS = TermStatistics(100, 1000.0, dict.fromkeys(ASKED.terms, 3))
MOVIE, FERRY = "the movie with Paris in it", "the ferry with Paris on it"


def at(text: str, cosine: float | None = 0.5, held: Mapping[str, float] | None = None) -> Candidate:
    made = candidate(text, cosine=cosine)
    counts = {query_terms("Paris")[0]: 1.0} if held is None else dict(held)
    return replace(made, hit=replace(made.hit, counts=counts, length=10.0), bm25=3.0, closeness=0.0, coverage=0.5)


def near(one: Candidate) -> float:
    return one.cosine or 0.0


def knows_films(words: Sequence[str], texts: Sequence[str]) -> list[list[float]]:
    return [[0.9 if word == "film" and "movie" in text else 0.3 for word in words] for text in texts]


def test_the_passage_with_the_nearer_word_gains_in_words() -> None:
    movie, ferry = with_near_words([at(MOVIE), at(FERRY)], near, ASKED, STATISTICS, knows_films)
    assert (movie.lexical or 0.0) > 0.5
    assert (movie.near or 0.0) > 0.0
    assert ferry == at(FERRY)


def test_a_near_word_says_less_than_the_word_itself() -> None:
    whole = dict.fromkeys(ASKED.terms, 1.0)
    same, kin = with_near_words([at("both", held=whole), at(MOVIE)], near, ASKED, STATISTICS, knows_films)
    assert same.near is None
    assert 0.0 < (kin.near or 0.0) < bm25(dict.fromkeys(ASKED.terms[:1], 1.0), 10.0, STATISTICS, ASKED.terms)


def test_only_the_best_are_looked_at() -> None:
    many = [at(f"{MOVIE} {number}", number / 100) for number in range(2 * LOOKED_AT)]
    raised = [one.near is not None for one in with_near_words(many, near, ASKED, STATISTICS, knows_films)]
    assert raised == [False] * LOOKED_AT + [True] * LOOKED_AT


def test_numbers_never_stand_for_one_another() -> None:
    question = "budget 2013 of room101"
    assert set(words_of(Query(question, query_terms(question)))) <= {"budget", "room"}


def test_where_a_memory_is_called_what_was_asked_nothing_moves() -> None:
    named = at("a note", held=dict.fromkeys(ASKED.terms, 1.0))
    named = replace(named, hit=replace(named.hit, memory=replace(named.memory, title="A film about Paris")))
    assert with_near_words([named, at(MOVIE)], near, ASKED, STATISTICS, knows_films) == [named, at(MOVIE)]


def silent(_: Sequence[str], __: Sequence[str]) -> None:
    return None


def gone(_: Sequence[str], __: Sequence[str]) -> list[list[float]]:
    raise EngineUnavailable("the model is gone")


@pytest.mark.parametrize("nearest", [None, silent, gone])
def test_without_a_word_from_the_model_nothing_moves(nearest: Nearest | None) -> None:
    assert with_near_words([at(MOVIE)], near, ASKED, STATISTICS, nearest) == [at(MOVIE)]


def test_the_local_model_knows_that_a_movie_is_a_film() -> None:
    model = LocalEmbedder(PACKAGED)
    nearest = nearest_of(ASKED, model)
    assert nearest is not None
    movie, ferry = with_near_words([at(MOVIE), at(FERRY)], near, ASKED, STATISTICS, nearest)
    model.close()
    assert (movie.lexical or 0.0) > (ferry.lexical or 0.0)
    assert nearest_of(replace(ASKED, vector=None), model) is None
    assert nearest_of(ASKED, None) is None


def test_a_word_of_the_same_family_counts_where_no_word_is_near() -> None:
    asked = Query("handle the request", query_terms("handle the request"), vector=[1.0, 0.0])
    statistics = TermStatistics(100, 1000.0, dict.fromkeys(asked.terms, 3))

    def strange(words: Sequence[str], texts: Sequence[str]) -> list[list[float]]:
        return [[0.0 for _ in words] for _ in texts]

    held = {query_terms("request")[0]: 1.0}
    kin, other = with_near_words(
        [at("a handler of a request", held=held), at("a copy of a request", held=held)],
        near,
        asked,
        statistics,
        strange,
    )
    assert (kin.near or 0.0) > 0.0
    assert other.near is None
