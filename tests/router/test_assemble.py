"""Step 9: answers are bounded, and say when they were cut."""

from __future__ import annotations

import pytest

from mmind.router.assemble import CHARACTERS_A_TOKEN, Ranked, assemble
from mmind.router.excerpt import excerpt
from mmind.router.group import Group
from mmind.text.tokens import query_terms
from tests.router.build import candidate


def ranked(*texts: str) -> list[Ranked]:
    ones = [candidate(text, id=str(number), score=0.9 - number / 100) for number, text in enumerate(texts)]
    return [Ranked(Group((one,)), one.score) for one in ones]


@pytest.mark.parametrize("max_tokens", [100, 500, 2000, 8000])
@pytest.mark.parametrize("limit", [1, 8, 50])
def test_the_texts_of_an_answer_stay_within_its_tokens(max_tokens: int, limit: int) -> None:
    results = assemble(ranked(*["permission " * 400] * 60), limit, max_tokens, ("permiss",))
    assert 1 <= len(results) <= limit
    assert sum(len(result.text) for result in results) <= max_tokens * CHARACTERS_A_TOKEN
    assert all(result.cut == (len(result.text) < 4_399) for result in results)


def test_short_texts_leave_their_room_to_the_long_one() -> None:
    results = assemble(ranked("short", "word " * 500, "brief"), 3, 600, ())
    assert [result.cut for result in results] == [False, True, False]
    assert len(results[1].text) > 1000


def test_an_excerpt_shows_the_words_that_were_asked_for() -> None:
    text = "The clerk read the minutes. " * 40 + "The lighthouse lens goes to the museum. " + "Then it rained. " * 40
    shown = excerpt(text, query_terms("who gets the lighthouse lens"), 200)
    assert "lighthouse lens" in shown
    assert len(shown) <= 200
    assert shown.startswith("…")
    assert shown.endswith("…")


def test_an_excerpt_of_one_endless_word_is_still_bounded() -> None:
    assert len(excerpt("x" * 10_000, ("y",), 100)) <= 100


def test_ranks_count_from_one_and_ids_are_handles() -> None:
    first, second = assemble(ranked("one", "two"), 8, 2000, ())
    assert [(first.rank, first.id), (second.rank, second.id)] == [(1, "sqlite:0"), (2, "sqlite:1")]
