"""Step 4: a memory that is called exactly what was asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mmind.router.candidate import Candidate
from mmind.router.named import with_names
from mmind.router.score import scored
from mmind.text.tokens import query_terms
from mmind.values.ranking import Ranking
from tests.router.build import NOON, candidate


def called(one: Candidate, title: str, *aliases: str, holds: int = 2) -> Candidate:
    memory = replace(one.memory, title=title, aliases=aliases)
    counts = {f"term{number}": 1.0 for number in range(holds)}
    return replace(one, hit=replace(one.hit, memory=memory, counts=counts))


def ids(candidates: list[Candidate], question: str) -> list[str]:
    return [one.memory.id for one in scored(with_names(candidates, query_terms(question)), Ranking(), NOON)]


def test_the_note_that_is_called_what_was_asked_comes_first() -> None:
    note = called(candidate(id="note", lexical=0.4, cosine=0.5), "Project Harbour")
    louder = called(candidate(id="louder", lexical=1.0, cosine=0.7), "Minutes of Project Harbour in May")
    assert ids([louder, note], "project harbour") == ["note", "louder"]
    assert ids([louder, note], "the project of the harbour") == ["note", "louder"]
    assert ids([louder, note], "project harbour in june") == ["louder", "note"]


def test_an_alias_is_a_name_as_well() -> None:
    note = called(candidate(id="note", lexical=0.4, cosine=0.5), "PH", "Project Harbour")
    louder = called(candidate(id="louder", lexical=1.0, cosine=0.7), "Minutes")
    assert ids([louder, note], "project harbour") == ["note", "louder"]


def test_of_two_notes_of_one_name_the_fitting_one_is_first() -> None:
    fitting = called(candidate(id="fitting", lexical=0.6, cosine=0.5), "Project Harbour")
    other = called(candidate(id="other", lexical=0.3, cosine=0.4), "Project Harbour")
    louder = called(candidate(id="louder", lexical=1.0, cosine=0.7), "Minutes")
    assert ids([louder, other, fitting], "project harbour") == ["fitting", "louder", "other"]


def test_a_passage_without_a_vector_keeps_its_silence() -> None:
    note = called(candidate(id="note", lexical=0.4), "Project Harbour")
    (found,) = with_names([note], query_terms("project harbour"))
    assert found.lexical == pytest.approx(0.4)
    assert found.cosine is None
    assert found.meaning is None


def test_a_title_without_words_is_no_name() -> None:
    untitled = called(candidate(id="a", lexical=0.4), "…", holds=0)
    assert with_names([untitled], ()) == [untitled]
