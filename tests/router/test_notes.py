"""What an answer says about an index that is behind."""

from __future__ import annotations

import pytest

from mmind.router.notes import freshness_notes, relevance_note
from mmind.router.retrieve import FIRST_SCAN_LIMIT_SECONDS, REFRESH_LIMIT_SECONDS, _patience
from mmind.router.sources import ENGLISH_FAILS, OTHERS_FAIL, model_faults, model_note
from mmind.values.errors import EngineUnavailable
from mmind.values.memory import Access
from mmind.values.ports import Freshness
from mmind.values.reports import StoreStatus, TriedModel


def state(store: str = "sqlite", **facts: object) -> Freshness:
    return Freshness(store, **{"pending_words": 0, "age_seconds": 0.1, **facts})  # type: ignore[arg-type]


def test_a_store_that_was_scanned_while_the_question_waited_for_another_is_not_called_old() -> None:
    assert freshness_notes({"sqlite": state(age_seconds=6.0)}, ["sqlite"], waited=6.0) == []


def test_what_is_behind_is_counted_in_good_english() -> None:
    def note(**facts: int) -> list[str]:
        return freshness_notes({"sqlite": state(**facts)}, ["sqlite"])

    assert note(pending_vectors=1) == ["sqlite: 1 passage has no vector yet and is found by words only"]
    assert note(pending_vectors=2) == ["sqlite: 2 passages have no vector yet and are found by words only"]
    assert note(pending_words=1) == ["sqlite: 1 memory is not indexed yet, so it cannot be found; ask again shortly"]
    assert note(pending_words=-1) == [
        "sqlite: memories are not indexed yet, so they cannot be found; ask again shortly"
    ]


@pytest.mark.parametrize("waited", [0.0, 3.0])
def test_a_store_that_was_scanned_long_before_the_question_is_called_old(waited: float) -> None:
    (note,) = freshness_notes({"sqlite": state(age_seconds=6.0)}, ["sqlite"], waited)
    assert "6 s old" in note


def test_an_answer_that_was_given_without_a_new_scan_says_so() -> None:
    """M2.14: an edit shows in the next answer, or the answer says that it may not."""
    (note,) = freshness_notes({"sqlite": state(age_seconds=0.6)}, ["sqlite"], waited=0.01)
    assert note == ("sqlite: not looked at again for this question; an edit made within the last second may be missing")


def test_the_first_scan_of_any_store_is_waited_for_longer() -> None:
    assert _patience([state(), state("markdown", age_seconds=None)]) == FIRST_SCAN_LIMIT_SECONDS


def test_a_store_that_fails_or_was_scanned_before_keeps_nobody_waiting() -> None:
    assert _patience([state(), state("markdown", age_seconds=None, fault="not there")]) == REFRESH_LIMIT_SECONDS


def test_sources_say_that_keyword_search_alone_answers_without_a_model() -> None:
    assert "keyword search alone" in model_note(False, ())
    assert model_note(True, ()) == ""


def status(index: Freshness) -> StoreStatus:
    return StoreStatus(
        name=index.store,
        role="",
        engine="",
        access=Access.READ,
        trust=None,
        half_life_days=1.0,
        usable=True,
        where="",
        entries=0,
        reason="",
        hint="",
        notes=(),
        index=index,
        skipped=(),
    )


def test_sources_say_why_passages_wait_for_a_vector() -> None:
    failing = state(pending_vectors=2, hint="no new vectors: the model is missing; get it")
    waiting = "2 passages wait for a vector: until then keyword search alone finds them"
    assert model_note(True, [status(state(pending_vectors=2))]) == waiting
    assert model_note(True, [status(failing)]) == f"{waiting} (no new vectors: the model is missing; get it)"


def test_of_two_models_the_one_that_fails_is_told_with_what_the_other_still_does() -> None:
    broken, gone = EngineUnavailable("it is damaged", "get it again"), EngineUnavailable("it is gone")
    assert model_faults(TriedModel(identity="both")) == []
    assert model_faults(TriedModel(identity="both", others=broken)) == [
        (f"it is damaged: {OTHERS_FAIL}", "get it again")
    ]
    assert model_faults(TriedModel(identity="both", english=gone)) == [(f"it is gone: {ENGLISH_FAILS}", "")]
    assert model_faults(TriedModel(identity="both", english=gone, others=broken)) == [
        ("it is gone: words alone answer", ""),
        ("it is damaged: words alone answer", "get it again"),
    ]
    assert model_faults(TriedModel(identity="one", english=broken, others=broken)) == [
        ("it is damaged: words alone answer", "get it again")
    ]


def test_sources_tell_why_a_model_does_not_work_once_and_then_how_many_passages_wait() -> None:
    failing = status(state(pending_vectors=1, hint="no new vectors: it is gone"))
    tried = TriedModel(identity="one", english=EngineUnavailable("it is gone"), others=EngineUnavailable("it is gone"))
    assert model_note(True, [failing], tried) == (
        "it is gone: words alone answer; 1 passage waits for a vector: until then keyword search alone finds it"
    )
    assert model_note(True, [status(state())], TriedModel(identity="one")) == ""


def test_nothing_is_said_about_the_memories_of_a_silent_store() -> None:
    (all_answered,) = relevance_note(has_results=False, relevant=False, are_silent=False)
    (some_answered,) = relevance_note(has_results=False, relevant=False, are_silent=True)
    assert all_answered.startswith("nothing found: no memory shares")
    assert some_answered.startswith("nothing found in the stores that answered: no memory there shares")
    assert relevance_note(has_results=True, relevant=True, are_silent=True) == []
