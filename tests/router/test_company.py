"""A passage is judged by what is nearest to it as well."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from mmind.router.candidate import Candidate
from mmind.router.company import NEIGHBOURS, PLACED, with_company
from mmind.router.score import relevance, scored
from mmind.values.ranking import Ranking
from tests.router.build import NOON, candidate


def at(text: str, cosine: float | None, *vector: float) -> Candidate:
    made = candidate(text, cosine=cosine, lexical=None)
    unit = np.asarray(vector, np.float32)  # what an index gives
    return replace(made, hit=replace(made.hit, vector=unit if vector else None))


def cosine(one: Candidate) -> float:
    return one.cosine or 0.0


def harbour(number: int, near: float) -> Candidate:
    return at(f"the harbour in storm number {number}", near, 1.0, 0.0)


def ferry(number: int, near: float) -> Candidate:
    return at(f"the ferry of summer number {number}", near, 0.0, 1.0)


def test_among_equals_the_one_whose_neighbours_answer_has_the_better_company() -> None:
    kin = [harbour(number, 0.5) for number in range(1, 7)]
    strangers = [ferry(number, 0.1) for number in range(1, 7)]
    among, alone, *_ = with_company([harbour(0, 0.6), ferry(0, 0.6), *kin, *strangers], cosine)
    assert among.company == pytest.approx(1.0)
    assert alone.company is not None
    assert alone.company < 0.5


def test_the_better_company_counts_for_more_and_explain_tells_it() -> None:
    kin = [harbour(number, 0.5) for number in range(1, 7)]
    strangers = [ferry(number, 0.1) for number in range(1, 7)]
    ranked = scored([harbour(0, 0.61), ferry(0, 0.6), *kin, *strangers], Ranking(), NOON)
    told = {one.passage.text: one.score.factors[0].inputs["company"] for one in ranked}
    assert told["the harbour in storm number 0"] == pytest.approx(1.0)
    assert told["the ferry of summer number 0"] < 0.8
    best = ranked[0]
    assert relevance(replace(best, company=0.5), Ranking()) < relevance(best, Ranking())


def test_among_few_texts_nothing_moves() -> None:
    few = [harbour(0, 0.6), *(ferry(number, 0.5 - number / 10) for number in range(NEIGHBOURS))]
    assert [one.company for one in with_company(few, cosine)] == [pytest.approx(1.0)] * len(few)


def test_copies_of_a_text_are_one_neighbour() -> None:
    ones = [harbour(0, 0.6), *(harbour(number, 0.5) for number in range(1, 4)), *(ferry(n, 0.2) for n in range(4))]
    copies = [replace(ones[1], hit=replace(ones[1].hit, memory=replace(ones[1].memory, store=s))) for s in ("b", "c")]
    alone, doubled = with_company(ones, cosine), with_company([*ones, *copies], cosine)
    assert [one.company for one in doubled[: len(ones)]] == [one.company for one in alone]
    assert [one.company for one in doubled[len(ones) :]] == [alone[1].company] * 2


def test_what_has_no_vector_is_neither_in_good_company_nor_in_bad() -> None:
    ones = [*(harbour(number, 0.6) for number in range(7)), *(ferry(number, 0.3) for number in range(7))]
    *known, unknown = with_company(
        [*ones, at("a note whose vector is not made yet", None)], lambda one: one.cosine or 0.5
    )
    companies = [one.company or 0.0 for one in known]
    assert min(companies) < (unknown.company or 0.0) < max(companies)


def test_what_lies_far_behind_has_the_least_company_of_those_before_it() -> None:
    ones = [harbour(number, 0.9 - number / 100) for number in range(PLACED)]
    far = ferry(0, 0.1)
    *placed, last = with_company([*ones, far], cosine)
    assert last.company == min(one.company or 0.0 for one in placed)


@pytest.mark.parametrize(
    "ones", [[], [harbour(0, 0.5)], [at("a", None), at("b", 0.5)], [harbour(0, 0.0), ferry(0, 0.0)]]
)
def test_without_anything_to_compare_nothing_is_said(ones: list[Candidate]) -> None:
    assert with_company(ones, cosine) == ones
