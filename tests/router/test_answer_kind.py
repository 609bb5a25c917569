"""What could not be an answer of the kind that is asked for stands below what could."""

from __future__ import annotations

from mmind.router.answer_kind import with_other_kinds_lower
from mmind.router.unstated import MOST_LOOKED_AT
from tests.router.build import candidate

WHO = "Who approves a release?"
APPROVALS, LISA = "Releases need an approval.", "Releases are approved by Lisa."


def test_who_is_asked_for_is_told_before_what_names_nobody() -> None:
    found = with_other_kinds_lower([candidate(APPROVALS, score=0.6), candidate(LISA, score=0.55)], WHO)
    assert [one.passage.text for one in found] == [LISA, APPROVALS]
    assert found[1].score.factors[-1].reason == "holds nothing that could be a person, which is asked for"


def test_a_clear_lead_is_kept() -> None:
    found = with_other_kinds_lower([candidate(APPROVALS, score=0.9), candidate(LISA, score=0.3)], WHO)
    assert [one.passage.text for one in found] == [APPROVALS, LISA]


def test_nothing_moves_where_nothing_could_answer_or_no_kind_is_asked_for() -> None:
    ones = [candidate(APPROVALS, score=0.6), candidate("Release notes are kept.", score=0.5)]
    assert with_other_kinds_lower(ones, WHO) == ones
    assert with_other_kinds_lower([candidate(APPROVALS, score=0.6), candidate(LISA, score=0.5)], "release") == [
        candidate(APPROVALS, score=0.6),
        candidate(LISA, score=0.5),
    ]


def test_what_is_in_another_language_is_left_as_it_is() -> None:
    german = candidate("Freigaben werden nach den Tests erteilt.", score=0.6)
    assert with_other_kinds_lower([german, candidate(LISA, score=0.55)], WHO)[0] == german


def test_the_order_holds_beyond_those_that_are_looked_at() -> None:
    ones = [candidate(f"{APPROVALS} {'x' * n}", id=f"{n:03}", score=1.0 - n / 100) for n in range(MOST_LOOKED_AT + 9)]
    found = with_other_kinds_lower([*ones, candidate(LISA, score=0.001)], WHO)
    assert found == sorted(found, key=lambda one: one.order)
    assert len(found) == len(ones) + 1
