"""Step 4: hits become candidates, and silence stays silence."""

from __future__ import annotations

import pytest

from mmind.router.gather import gather
from mmind.text.tokens import query_terms, tokens
from mmind.values.memory import Access, Memory, Passage, StorePolicy
from mmind.values.query import Hit, Query, TermStatistics

TEXT = "the boat is in the attic and it has a patch"
POLICIES = {"sqlite": StorePolicy("sqlite", "engine", "role", Access.READ_WRITE, 365.0)}


def covered(question: str) -> float | None:
    hit = Hit(
        Memory(store="sqlite", id="a", text=""), Passage(0, TEXT, 1, 1), dict.fromkeys(tokens(TEXT), 1.0), 11.0, None
    )
    query = Query(text=question, terms=query_terms(question))
    statistics = TermStatistics(4, 40.0, {"boat": 1, "attic": 1})
    (found,) = gather([("sqlite", [hit])], POLICIES, query, statistics, use_meaning=True)
    assert found.confidence == (found.coverage or 0.0)
    return found.coverage


def test_coverage_is_the_share_of_the_questions_words() -> None:
    assert covered("where is the boat in the attic") == 1.0
    assert 0.0 < (covered("where is the boat in the garage") or 0.0) < 0.6


@pytest.mark.parametrize("question", ["what is it that they have and what was it for", "and it has a", "the", "…"])
def test_a_question_of_small_words_is_covered_by_nothing(question: str) -> None:
    assert covered(question) is None
