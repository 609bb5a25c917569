"""Near misses and sure results where languages mix."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mmind.router.assemble import Ranked
from mmind.router.group import Group
from mmind.router.settle import in_order
from mmind.router.unsure import with_near_misses_lower
from tests.router.build import candidate


def ranked(score: float, confidence: float, *, abroad: bool = False) -> Ranked:
    one = replace(candidate(f"said at {score}", score=score), confidence=confidence, abroad=abroad)
    return Ranked(Group((one,)), one.score)


def texts(found: list[Ranked]) -> list[str]:
    return [one.group.best.passage.text for one in in_order(found)]


def test_a_near_miss_stands_below_what_is_surely_about_the_question_in_another_language() -> None:
    page = with_near_misses_lower([ranked(0.5, 0.2), ranked(0.4, 0.5, abroad=True), ranked(0.35, 0.6, abroad=True)])
    assert texts(page) == ["said at 0.4", "said at 0.35", "said at 0.5"]
    lowered = next(one for one in page if one.group.best.confidence == 0.2)
    assert lowered.score.factors[-1].name == "unsure"
    assert lowered.score.value == pytest.approx(0.999 * 0.35)


def test_a_near_miss_in_another_language_stands_below_a_sure_one_in_that_of_the_question() -> None:
    page = with_near_misses_lower([ranked(0.5, 0.2, abroad=True), ranked(0.4, 0.5)])
    assert texts(page) == ["said at 0.4", "said at 0.5"]


@pytest.mark.parametrize(
    "page",
    [
        [ranked(0.5, 0.2), ranked(0.4, 0.5)],  # one language
        [ranked(0.5, 0.2), ranked(0.29, 0.5, abroad=True)],  # far less relevant
        [ranked(0.5, 0.2), ranked(0.4, 0.5), ranked(0.1, 0.1, abroad=True)],  # neither of the two
        [ranked(0.5, 0.2, abroad=True), ranked(0.4, 0.1)],  # nothing is sure
        [ranked(0.5, 0.4), ranked(0.4, 0.5, abroad=True)],  # all are
    ],
)
def test_else_nothing_moves(page: list[Ranked]) -> None:
    assert with_near_misses_lower(page) == page
