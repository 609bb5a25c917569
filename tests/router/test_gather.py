"""Step 4: hits become candidates, and silence stays silence."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from mmind.router.gather import gather
from mmind.router.score import relevance
from mmind.scoring.confidence import WEAK_BELOW
from mmind.text.tokens import query_terms, tokens
from mmind.values.memory import Access, Memory, Passage, StorePolicy
from mmind.values.query import Hit, Query, TermStatistics
from mmind.values.ranking import Ranking

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


@pytest.mark.parametrize(
    "question",
    ["what is it that they have and what was it for", "and it has a", "the", "wer bist du und was ist das", "…"],
)
def test_a_question_of_small_words_is_covered_by_nothing(question: str) -> None:
    assert covered(question) is None


def ranked(found: Sequence[tuple[str, float | None]], question: str) -> list[str]:
    """The ids in order of relevance; each hit is a text of a store of six and its cosine, None where it is not made."""
    query = Query(text=question, terms=query_terms(question))
    statistics = TermStatistics(6, 36.0, {"canal": 6, "lock": 6, "keeper": 1})
    hits = [
        Hit(
            Memory(store="sqlite", id=text, text=""),
            Passage(0, text, 1, 1),
            {term: 1.0 for term in tokens(text) if term in query.terms},
            6.0,
            cosine,
        )
        for text, cosine in found
    ]
    candidates = gather([("sqlite", hits)], POLICIES, query, statistics, use_meaning=True)
    ordered = sorted(candidates, key=lambda one: -relevance(one, Ranking()))
    return [one.memory.id for one in ordered]


KEEPER, CHAMBERS, CREW = (
    "The canal lock keeper is Mads.",
    "The canal lock has two chambers.",
    "The canal lock crew is four.",
)


@pytest.mark.parametrize("missing", [set(), {KEEPER}, {CHAMBERS}, {CREW}, {KEEPER, CREW}, {KEEPER, CHAMBERS, CREW}])
def test_the_answer_is_first_whichever_vectors_are_made_so_far(missing: set[str]) -> None:
    """In a small store no word is rare, so a word score says little there; the share of the question held does."""
    cosines = {KEEPER: 0.82, CHAMBERS: 0.70, CREW: 0.67}
    found = [(text, None if text in missing else cosine) for text, cosine in cosines.items()]
    assert ranked(found, "canal lock keeper")[0] == KEEPER


def sureness(question: str, text: str) -> float:
    """Of a passage with a cosine of strangers in German, .36, found by the local model."""
    hit = Hit(
        Memory(store="sqlite", id="a", text=""), Passage(0, text, 1, 1), dict.fromkeys(tokens(text), 1.0), 11.0, 0.36
    )
    terms = query_terms(question)
    query = Query(question, terms, vector=[1.0], model="all-MiniLM-L6-v2/int8@8199be6f/384")
    statistics = TermStatistics(400, 4000.0, dict.fromkeys(tokens(text), 1))
    (found,) = gather([("sqlite", [hit])], POLICIES, query, statistics, use_meaning=True)
    return found.confidence


def test_in_a_language_that_the_model_was_not_taught_words_tell_more_of_what_is_relevant() -> None:
    note = "Der Klempner kommt am Dienstag und repariert die Heizung im Keller."
    assert sureness("Wann kommt denn der Klempner eigentlich zu uns?", note) > 0.6
    assert sureness("Wann kommt der Schornsteinfeger, und was kostet das?", note) > WEAK_BELOW
    assert (
        sureness("Wer hat die Tante am Dienstag gefragt, ob sie uns die Kamera leiht?", "Die Lampe ist rot.")
        < WEAK_BELOW
    )


def test_the_exact_text_is_first_though_its_vector_is_not_made_yet_and_a_near_copy_has_one() -> None:
    copy = f"{KEEPER[:-1]}, as far as we know in the office of the port."
    assert ranked([(KEEPER, None), (copy, 0.97)], KEEPER)[0] == KEEPER


def test_a_passage_that_holds_part_of_the_question_is_not_taken_for_as_near_as_the_nearest() -> None:
    assert ranked([(KEEPER, None), (CHAMBERS, 0.97)], f"{KEEPER} and the chambers of the ship")[0] == CHAMBERS
