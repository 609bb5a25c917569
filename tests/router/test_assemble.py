"""Step 9: answers are bounded, and say when they were cut."""

from __future__ import annotations

import pytest

from mmind.router.assemble import CHARACTERS_A_TOKEN, MOST_PLACES, Ranked, assemble
from mmind.router.excerpt import excerpt
from mmind.router.group import Group
from mmind.text.tokens import query_terms
from mmind.values.memory import Trust
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


def test_of_many_copies_every_store_is_named_before_a_second_place_of_any() -> None:
    copies = [candidate(store="sqlite", id=str(number), score=0.9 - number / 100) for number in range(12)]
    others = [candidate(store=store, id="one", score=0.1) for store in ("files", "vector")]
    group = Group((*copies, *others))
    (result,) = assemble([Ranked(group, copies[0].score)], 8, 2000, ())
    assert [place.id for place in result.evidence] == [
        "sqlite:0",
        "files:one",
        "vector:one",
        *(f"sqlite:{number}" for number in range(1, MOST_PLACES - 2)),
    ]


def test_few_places_are_all_listed_and_the_speaker_is_first() -> None:
    agent = candidate(store="sqlite", id="a", score=0.9)
    user = candidate(store="files", id="b", score=0.5, trust=Trust.CURATED)
    (result,) = assemble([Ranked(Group((agent, user)), agent.score)], 8, 2000, ())
    assert [place.id for place in result.evidence] == ["files:b", "sqlite:a"]
