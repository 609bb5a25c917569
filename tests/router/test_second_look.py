"""The second look at the best passages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mmind.embedding.local import LocalEmbedder
from mmind.embedding.local_model import PACKAGED
from mmind.router.candidate import Candidate
from mmind.router.retrieve import match_of
from mmind.router.second_look import LOOKED_AT, Match, with_second_look
from mmind.values.errors import EngineUnavailable
from mmind.values.query import Query
from tests.router.build import candidate

if TYPE_CHECKING:
    from mmind.values.ports import Vectors

NAMED, OTHER = "the spare key of the boat", "the spare key of the car"


def at(text: str, cosine: float | None, attained: float | None = 0.25) -> Candidate:
    return replace(candidate(text, cosine=cosine), attained=attained)


def near(one: Candidate) -> float:
    return one.cosine or 0.0


def holds_boat(texts: Sequence[str]) -> list[float]:
    return [1.0 if "boat" in text else 0.5 for text in texts]


def test_the_passage_whose_words_match_overtakes_one_that_is_a_little_nearer() -> None:
    other, named = with_second_look([at(OTHER, 0.52), at(NAMED, 0.5)], near, holds_boat)
    assert (named.meaning or 0.0) > (other.meaning or 0.0)
    assert (other.cosine, named.cosine) == (0.52, 0.5)


def test_the_mean_of_those_looked_at_stays() -> None:
    looked = with_second_look([at(OTHER, 0.52), at(NAMED, 0.4), at(f"{OTHER} too", 0.3)], near, holds_boat)
    assert sum(one.meaning or 0.0 for one in looked) == pytest.approx(0.52 + 0.4 + 0.3)


def test_where_words_attain_nothing_the_first_look_stands() -> None:
    looked = with_second_look([at(OTHER, 0.52, 0.0), at(NAMED, 0.5, None)], near, holds_boat)
    assert [one.meaning for one in looked] == [pytest.approx(0.52), pytest.approx(0.5)]


def test_only_the_best_are_looked_at_whatever_their_order() -> None:
    many = [at(f"{NAMED} {number}", number / 100) for number in range(3 * LOOKED_AT)]
    seen: list[str] = []

    def told(texts: Sequence[str]) -> list[float]:
        seen.extend(texts)
        return [0.5 for _ in texts]

    with_second_look(many, near, told)
    assert sorted(seen) == sorted(one.passage.text for one in many[-LOOKED_AT:])


def silent(_: Sequence[str]) -> None:
    return None


def gone(_: Sequence[str]) -> list[float]:
    raise EngineUnavailable("the model is gone")


@pytest.mark.parametrize("match", [None, silent, gone])
def test_without_a_word_from_the_model_nothing_moves(match: Match | None) -> None:
    ones = [at(OTHER, 0.52), at(NAMED, 0.5)]
    assert with_second_look(ones, near, match) == ones


def test_a_passage_without_vector_is_not_looked_at() -> None:
    unknown = at(NAMED, None)
    assert with_second_look([unknown], near, holds_boat) == [unknown]


class Plain:
    """An embedder that tells vectors and nothing of words."""

    identity, dimension, is_local = "plain-2", 2, True

    def embed(self, texts: Sequence[str]) -> Vectors:
        return np.tile(np.array([1.0, 0.0], np.float32), (len(texts), 1))

    def close(self) -> None:
        return None


def test_only_a_model_that_knows_words_and_has_spoken_is_asked_again() -> None:
    model = LocalEmbedder(PACKAGED)
    asked = Query(NAMED, ("spare", "key", "boat"), vector=[1.0, 0.0])
    match = match_of(asked, model)
    assert match is not None
    here, there = match([NAMED, OTHER]) or (0.0, 0.0)
    model.close()
    assert here > there
    assert match_of(Query(NAMED, ()), model) is None
    assert match_of(asked, Plain()) is None
    assert match_of(asked, None) is None


def test_copies_take_one_place_of_those_looked_at_and_are_all_moved_alike() -> None:
    many = [at(f"{NAMED} {number}", 0.5 - number / 100) for number in range(LOOKED_AT)]
    copies = [replace(one, hit=replace(one.hit, memory=replace(one.memory, store="vector"))) for one in many[:3]]
    alone, doubled = with_second_look(many, near, holds_boat), with_second_look([*many, *copies], near, holds_boat)
    assert [one.meaning for one in doubled[:LOOKED_AT]] == pytest.approx([one.meaning for one in alone])
    assert [one.meaning for one in doubled[LOOKED_AT:]] == [one.meaning for one in doubled[:3]]
