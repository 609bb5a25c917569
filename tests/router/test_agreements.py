"""Agreement: the same fact in other words is linked, counts as support, and is never merged (spec M2.8)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mmind.router.agreements import find_agreements, supporters
from mmind.router.candidate import Candidate
from mmind.router.corroborate import corroborated
from mmind.router.group import Group, is_same
from mmind.router.nearness import nearness
from mmind.router.shortlist import with_the_rest
from mmind.text.sameness import difference
from mmind.values.memory import Trust
from tests.router.build import candidate

ONE = "The boiler is serviced every September."
OTHER = "Every September the boiler gets its service."
ALIKE, APART = (1.0, 0.0), (0.0, 1.0)


def placed(text: str, vector: tuple[float, ...] | None, store: str, **facts: object) -> Candidate:
    one = candidate(text, store=store, score=0.5, **facts)  # type: ignore[arg-type]
    return replace(one, hit=replace(one.hit, vector=vector))


def groups(*members: Candidate) -> list[Group]:
    return [Group((one,)) for one in members]


def test_two_wordings_of_one_fact_are_linked_both_ways() -> None:
    pair = [placed(ONE, ALIKE, "markdown"), placed(OTHER, ALIKE, "files")]
    assert find_agreements(groups(*pair), nearness(pair), ()) == {0: (1,), 1: (0,)}


def test_nothing_agrees_where_meaning_is_far_or_unknown() -> None:
    for vector in (APART, None):
        pair = [placed(ONE, ALIKE, "markdown"), placed(OTHER, vector, "files")]
        assert find_agreements(groups(*pair), nearness(pair), ()) == {}


def test_a_disputed_pair_never_agrees() -> None:
    pair = [placed(ONE, ALIKE, "markdown"), placed(OTHER, ALIKE, "files")]
    handles = (pair[1].memory.handle, pair[0].memory.handle)
    assert find_agreements(groups(*pair), nearness(pair), {handles}) == {}


def test_agreement_of_two_stores_of_the_user_earns_the_bonus_for_both() -> None:
    pair = [placed(ONE, ALIKE, "markdown", trust=Trust.CURATED), placed(OTHER, ALIKE, "files", trust=Trust.CURATED)]
    both = groups(*pair)
    links = find_agreements(both, nearness(pair), ())
    scores = [corroborated(group, 0.12, supporters(both, links, place)).value for place, group in enumerate(both)]
    assert [round(score, 6) for score in scores] == [0.56, 0.56]


def test_an_agents_paraphrase_of_the_users_note_earns_nothing() -> None:
    mine = placed(ONE, ALIKE, "markdown", trust=Trust.CURATED, days=10)
    echo = placed(OTHER, ALIKE, "sqlite", days=1)
    both = groups(mine, echo)
    links = find_agreements(both, nearness([mine, echo]), ())
    assert corroborated(both[0], 0.12, supporters(both, links, 0)).value == 0.5


LONG = "The lease is with Ms Petrova. The rent is due on the third working day of each month. The cellar key is blue."


def test_a_memory_that_repeats_one_line_of_a_long_note_is_linked_with_it() -> None:
    pair = [
        placed(LONG, None, "markdown"),
        placed("The rent is due on the third working day of each month.", None, "sqlite"),
    ]
    assert find_agreements(groups(*pair), nearness(pair), ()) == {0: (1,), 1: (0,)}


def test_a_memory_that_changes_a_word_of_that_line_is_not() -> None:
    pair = [
        placed(LONG, None, "markdown"),
        placed("The rent is due on the fifth working day of each month.", None, "sqlite"),
    ]
    assert find_agreements(groups(*pair), nearness(pair), ()) == {}


BOOK = 'categories:\n  - "[[Books]]"\nauthor:\n  - "[[E. M. Forster]]"\nyear: 1909\nrating: 7'
FORM = 'categories:\n  - "[[Books]]"'


def titled(text: str, title: str, store: str = "markdown") -> Candidate:
    one = placed(text, ALIKE, store, id=f"{title}.md")
    return replace(one, hit=replace(one.hit, memory=replace(one.memory, title=title)))


@pytest.mark.parametrize(
    ("title", "text"), [("Book Template", FORM), ("Howards End", BOOK), ("Machine Stops Template", BOOK), ("", FORM)]
)
def test_properties_of_two_notes_never_agree_by_the_keys_and_values_they_share(title: str, text: str) -> None:
    pair = [titled(BOOK, "The Machine Stops"), titled(text, title)]
    assert find_agreements(groups(*pair), nearness(pair), ()) == {}
    if title:
        assert not is_same(pair[0], pair[1], 0.82, difference)


def test_properties_of_one_thing_agree_where_one_note_repeats_the_other() -> None:
    pair = [titled(BOOK, "The Machine Stops"), titled(FORM, "The Machine Stops", "files")]
    assert find_agreements(groups(*pair), nearness(pair), ()) == {0: (1,), 1: (0,)}


def test_equal_properties_of_two_notes_beyond_those_compared_stay_two() -> None:
    mine, other = titled(FORM, "The Machine Stops"), titled(FORM, "Howards End")
    joined, alone = with_the_rest(groups(mine), [other], 0.82, difference)
    assert [len(group.members) for group in joined] == [1]
    assert [group.best for group in alone] == [other]
