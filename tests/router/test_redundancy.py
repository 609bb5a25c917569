"""What says nearly what a better result says leaves its place to what says something else."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from mmind.router.candidate import Candidate
from mmind.router.redundancy import LOOKED_AT, MOST_LOST, NEAR_COPY, with_near_copies_lower
from tests.router.build import candidate


def pointing(text: str, degrees: float, score: float, id: str = "") -> Candidate:
    """A candidate whose vector points that way; cosines are those of the angles between."""
    made = candidate(text, id=id, score=score)
    angle = math.radians(degrees)
    return replace(made, hit=replace(made.hit, vector=[math.cos(angle), math.sin(angle)]))


def order(*candidates: Candidate) -> list[str]:
    return [one.passage.text for one in with_near_copies_lower(candidates)]


def test_a_near_copy_makes_room_for_what_says_something_else() -> None:
    first, copy, other = pointing("red", 0, 0.9), pointing("reddish", 5, 0.85), pointing("blue", 60, 0.7)
    assert order(first, copy, other) == ["red", "blue", "reddish"]
    last = with_near_copies_lower([first, copy, other])[-1].score.factors[-1]
    assert last.name == "redundancy"
    assert 1.0 - MOST_LOST < last.value < 1.0
    assert first.memory.handle in last.reason


def test_what_only_resembles_keeps_its_place() -> None:
    apart = math.degrees(math.acos(NEAR_COPY)) + 1
    assert order(pointing("red", 0, 0.9), pointing("pink", apart, 0.85), pointing("blue", 90, 0.84)) == [
        "red",
        "pink",
        "blue",
    ]


def test_equal_texts_and_passages_of_one_memory_are_no_copies_that_lose() -> None:
    same, again = pointing("red", 0, 0.9, "a"), pointing("red", 0, 0.85, "b")
    part = pointing("more of red", 0, 0.8, "a")
    assert [one.score.value for one in with_near_copies_lower([same, again])] == [0.9, 0.85]
    assert [one.score.value for one in with_near_copies_lower([same, part])] == [0.9, 0.8]


def test_of_three_in_a_row_the_middle_one_says_least_that_is_new() -> None:
    found = with_near_copies_lower([pointing(text, at, 0.9 - at / 100) for text, at in (("a", 0), ("b", 8), ("c", 16))])
    assert [one.passage.text for one in found] == ["a", "c", "b"]
    assert [len(one.score.factors) for one in found] == [1, 2, 2]


def test_without_vectors_or_candidates_nothing_moves() -> None:
    ones = [candidate("red", score=0.9), candidate("reddish", score=0.85)]
    assert with_near_copies_lower(ones) == ones
    assert with_near_copies_lower([]) == []


def test_vectors_of_two_models_are_not_compared() -> None:
    other = replace(candidate("reddish", score=0.85), hit=replace(candidate("reddish").hit, vector=[1.0, 0.0, 0.0]))
    assert with_near_copies_lower([pointing("red", 0, 0.9), other])[1].score.value == pytest.approx(0.85)


def test_the_order_holds_beyond_those_that_are_looked_at() -> None:
    ones = [pointing(f"red {n}", n / 10, 1.0 - n / 100, f"{n:03}") for n in range(LOOKED_AT + 9)]
    found = with_near_copies_lower(ones)
    assert found == sorted(found, key=lambda one: one.order)
    assert len(found) == len(ones)


def test_two_thousand_copies_of_a_text_are_lowered_alike() -> None:
    copies = [pointing("reddish", 5, 0.85 - n / 10_000, f"copy-{n:04}") for n in range(2_000)]
    found = with_near_copies_lower([pointing("red", 0, 0.9, "a"), *copies, pointing("blue", 60, 0.5, "b")])
    lowered = [one for one in found if one.passage.text == "reddish"]
    assert [one.memory.id for one in lowered] == [one.memory.id for one in copies]
    assert len({one.score.factors[-1].value for one in lowered}) == 1
    assert {one.score.factors[-1].name for one in lowered} == {"redundancy"}
