"""What only wishes or asks stands below what states."""

from __future__ import annotations

import math

import pytest

from mmind.router.unstated import MOST_LOOKED_AT, with_the_unstated_lower
from tests.router.build import candidate

WISH, STEPS = "It would be good if customers could restore projects.", "To restore a project, press Restore."


def test_a_wish_that_fits_a_little_better_stands_below_the_answer() -> None:
    found = with_the_unstated_lower([candidate(WISH, score=0.61), candidate(STEPS, score=0.56)], "how to restore it")
    assert [one.passage.text for one in found] == [STEPS, WISH]
    assert found[1].score.factors[-1].name == "unstated"
    assert found[1].score.value == pytest.approx(math.prod(factor.value for factor in found[1].score.factors))


def test_a_clear_lead_is_kept() -> None:
    found = with_the_unstated_lower([candidate(WISH, score=0.8), candidate(STEPS, score=0.3)], "how to restore it")
    assert [one.passage.text for one in found] == [WISH, STEPS]


def test_who_asks_for_wishes_finds_them_as_they_are() -> None:
    ones = [candidate(WISH, score=0.61), candidate(STEPS, score=0.56)]
    assert with_the_unstated_lower(ones, "which wishes are there about projects") == ones


def test_the_order_holds_beyond_those_that_are_looked_at() -> None:
    ones = [candidate(f"{WISH} {n}?", id=f"{n:03}", score=1.0 - n / 100) for n in range(MOST_LOOKED_AT + 20)]
    found = with_the_unstated_lower(ones, "how to restore it")
    assert found == sorted(found, key=lambda one: one.order)
    assert len(found) == len(ones)
