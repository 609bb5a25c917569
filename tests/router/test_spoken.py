"""Which passage of a note speaks for it: its properties or its prose."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from mmind.embedding.local import LocalEmbedder
from mmind.embedding.local_model import PACKAGED
from mmind.router.candidate import Candidate
from mmind.router.retrieve import match_of
from mmind.router.spoken import Near, near_of, with_the_spoken_first
from mmind.text.tokens import query_terms, tokens
from mmind.values.errors import EngineUnavailable
from mmind.values.query import Query
from tests.router.build import candidate

PROPERTIES = "birthday: 1961-04-02\nphone: 555-0133"
PROSE = "We met on the ferry. For her birthday she would like lilies. She starts at four."
WISH = "what would Ingrid like for her birthday"


def of_a_note(text: str, score: float, ordinal: int = 0, title: str = "Ingrid") -> Candidate:
    one = candidate(text, id=title, score=score)
    counts = dict.fromkeys(tokens(f"{title} {text}"), 1.0)
    hit = replace(
        one.hit,
        memory=replace(one.memory, title=title),
        passage=replace(one.passage, ordinal=ordinal),
        counts=counts,
    )
    return replace(one, hit=hit)


def texts(candidates: Sequence[Candidate]) -> list[str]:
    return [one.passage.text for one in candidates]


def wants_lilies(lines: Sequence[str]) -> list[float]:
    return [1.0 if "lilies" in line else 0.5 for line in lines]


def wants_numbers(lines: Sequence[str]) -> list[float]:
    return [1.0 if "1961" in line else 0.5 for line in lines]


def silent(_: Sequence[str]) -> None:
    return None


def gone(_: Sequence[str]) -> list[float]:
    raise EngineUnavailable("the model is gone")


def test_prose_that_is_nearer_speaks_with_the_score_of_what_was_found_first() -> None:
    other = of_a_note("Somebody else's notes.", 0.7, title="Olaf")
    found = [of_a_note(PROPERTIES, 0.8), other, of_a_note(PROSE, 0.4, 1)]
    spoken = with_the_spoken_first(found, query_terms("a wish of Ingrid for a birthday"), wants_lilies)
    assert texts(spoken) == [PROSE, PROPERTIES, other.passage.text]
    assert spoken[0].score.value == pytest.approx(0.8)
    assert math.prod(factor.value for factor in spoken[0].score.factors) == spoken[0].score.value
    assert spoken[0].score.factors[-1].name == "spoken"


def test_properties_that_are_nearer_speak_before_prose_that_was_found_first() -> None:
    found = [of_a_note(PROSE, 0.8, 1), of_a_note(PROPERTIES, 0.6)]
    assert texts(with_the_spoken_first(found, query_terms("when is Ingrid's birthday"), wants_numbers)) == [
        PROPERTIES,
        PROSE,
    ]


def test_properties_that_hold_all_that_was_asked_for_are_not_doubted() -> None:
    found = [of_a_note(PROPERTIES, 0.8), of_a_note(PROSE, 0.4, 1)]
    assert with_the_spoken_first(found, query_terms("when is Ingrid's birthday"), wants_lilies) == found


def test_what_holds_fewer_of_the_words_does_not_speak() -> None:
    found = [of_a_note(PROPERTIES, 0.8), of_a_note(PROSE, 0.4, 1)]
    assert with_the_spoken_first(found, query_terms("Ingrid's phone and birthday wish"), wants_lilies) == found


def test_two_passages_of_prose_are_left_as_they_were_found() -> None:
    found = [of_a_note("Her birthday is a big feast.", 0.8), of_a_note(PROSE, 0.4, 1)]
    assert with_the_spoken_first(found, query_terms(WISH), wants_lilies) == found


@pytest.mark.parametrize("near", [None, silent, gone])
def test_without_a_word_from_the_model_the_one_that_holds_more_of_the_question_speaks(near: Near | None) -> None:
    found = [of_a_note(PROPERTIES, 0.8), of_a_note(PROSE, 0.4, 1)]
    assert texts(with_the_spoken_first(found, query_terms(WISH), near)) == [PROSE, PROPERTIES]
    alike = query_terms("a wish of Ingrid for a birthday")
    assert with_the_spoken_first(found, alike, near) == found


@pytest.fixture(scope="module")
def model() -> Iterator[LocalEmbedder]:
    embedder = LocalEmbedder(PACKAGED)
    yield embedder
    embedder.close()


@pytest.mark.parametrize(
    ("question", "title", "properties", "prose", "is_prose"),
    [
        ("who bakes the cake for Marta's birthday", "Marta", "birthday: 1961-04-02",
         "She lives by the river. Her sister makes an almond tart every birthday.", True),
        ("which day is Marta's birthday on", "Marta", "birthday: 1961-04-02",
         "She lives by the river. Her sister makes an almond tart every birthday.", False),
        ("may I send photos to Ruth's phone", "Ruth", "phone: 555-0113\ncity: Graz",
         "Her phone is old, and pictures never arrive on it. She likes chess.", True),
        ("Leo's phone number", "Leo", "phone: 555-0102\ncity: Oslo",
         "The phone is switched off at work; call the neighbour in an emergency.", False),
        ("can the rent be raised", "Lease", "rent: 1450\ndeposit: 4350",
         "The rent may go up once a year, by the index.", True),
        ("how high is the rent", "Lease", "rent: 1450\ndeposit: 4350",
         "Rent is due on the third working day of the month, by bank transfer.", False),
    ],
)  # fmt: skip
def test_the_model_tells_a_question_for_a_value_from_one_for_a_sentence(
    model: LocalEmbedder, question: str, title: str, properties: str, prose: str, *, is_prose: bool
) -> None:
    terms = query_terms(question)
    query = Query(question, terms, vector=model.embed([question])[0].tolist())
    near = near_of(query, model, match_of(query, model))
    assert near is not None
    ones = [of_a_note(properties, 0.8, title=title), of_a_note(prose, 0.7, 1, title=title)]
    for found in (ones, [replace(ones[1], score=ones[0].score), ones[0]]):
        assert texts(with_the_spoken_first(found, terms, near))[0] == (prose if is_prose else properties)


def test_a_model_that_is_a_service_is_not_asked_again(model: LocalEmbedder) -> None:
    query = Query("rent", ("rent",), vector=model.embed(["rent"])[0].tolist())
    match = match_of(query, model)
    assert near_of(query, None, match) is None
    assert near_of(query, model, None) is None
    assert near_of(replace(query, vector=None), model, match) is None
