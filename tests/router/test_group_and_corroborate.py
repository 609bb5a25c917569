"""Steps 7 and 8: what says the same is one result; only independent origins earn a bonus."""

from __future__ import annotations

from dataclasses import replace

from mmind.router.corroborate import corroborated, origins_of
from mmind.router.group import Group, group_duplicates
from mmind.values.memory import Trust
from tests.router.build import candidate


def never(left: str, right: str) -> bool:
    return False


def always(left: str, right: str) -> bool:
    return True


TEXT = "Ravi is building the TaskBoat app for the rowing club with Next and a small database"


def test_near_copies_are_one_group_and_the_best_leads() -> None:
    best, copy, other = (
        candidate(TEXT, store="sqlite", score=0.9),
        candidate(TEXT.replace("with", "using"), store="vector", score=0.8),
        candidate("Rowing starts at six", store="files", score=0.7),
    )
    groups = group_duplicates([best, copy, other], 0.82, never)
    assert [[one.memory.store for one in group.members] for group in groups] == [["sqlite", "vector"], ["files"]]


def test_what_differs_in_a_number_is_never_melted_together() -> None:
    pair = [candidate(f"{TEXT} since {year}", id=str(year), score=0.9) for year in (2024, 2025)]
    assert len(group_duplicates(pair, 0.5, always)) == 2


def test_the_curated_twin_speaks_though_another_scores_best() -> None:
    agent = candidate(TEXT, store="sqlite", score=0.9)
    mine = candidate(TEXT, store="markdown", score=0.8, trust=Trust.CURATED)
    group = Group((agent, mine))
    assert (group.best.memory.store, group.speaker.memory.store) == ("sqlite", "markdown")
    assert [one.memory.store for one in group.places] == ["markdown", "sqlite"]


def test_copies_in_one_store_are_one_origin() -> None:
    copies = [candidate(TEXT, store="files", id=str(number), trust=Trust.CURATED) for number in range(5)]
    assert origins_of(copies).independent == ("files",)


def test_all_agents_together_are_one_origin_however_many_stores_they_wrote_to() -> None:
    copies = [candidate(TEXT, store=store) for store in ("sqlite", "leveldb", "vector", "files")]
    assert len(origins_of(copies).independent) == 1


def test_an_agent_that_repeats_the_users_note_afterwards_is_an_echo() -> None:
    mine = candidate(TEXT, store="markdown", days=10, trust=Trust.CURATED)
    echo = candidate(TEXT, store="sqlite", days=2)
    assert origins_of([mine, echo]).independent == ("markdown",)


def test_an_agent_that_said_it_first_is_confirmed_by_the_users_note() -> None:
    mine = candidate(TEXT, store="markdown", days=2, trust=Trust.CURATED)
    first = candidate(TEXT, store="sqlite", days=10)
    assert len(origins_of([mine, first]).independent) == 2


def test_the_bonus_is_a_factor_with_its_reason() -> None:
    group = Group(
        (
            candidate(TEXT, store="markdown", score=0.5, trust=Trust.CURATED),
            candidate(TEXT, store="files", score=0.4, trust=Trust.CURATED),
        )
    )
    score = corroborated(group, 0.12)
    assert (score.factors[-1].name, round(score.value, 6)) == ("corroboration", 0.56)
    assert "markdown, files" in score.factors[-1].reason


def test_the_bonus_of_what_is_less_to_the_point_is_smaller() -> None:
    pair = [candidate(TEXT, store=store, score=0.5, trust=Trust.CURATED) for store in ("markdown", "files")]
    best, other = (Group(tuple(replace(one, standing=standing) for one in pair)) for standing in (1.0, 0.5))
    assert [round(corroborated(group, 0.12).factors[-1].value, 6) for group in (best, other)] == [1.12, 1.0075]


def test_a_memory_found_once_carries_no_corroboration_factor() -> None:
    only = candidate(score=0.5)
    assert corroborated(Group((only,)), 0.12) == only.score
