"""An agent's echo earns nothing, and no crowd of copies outranks one word of the user's (spec M2.7)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import example, given, seed, settings
from hypothesis import strategies as st

from mmind.router.candidate import Candidate
from mmind.router.corroborate import corroborated, origins_of
from mmind.router.group import Group
from mmind.router.retrieve import rank
from mmind.router.score import scored
from mmind.router.shortlist import COMPARED, LEAST_CURATED, shortlist
from mmind.values.bundle import Score
from mmind.values.memory import Trust
from mmind.values.ranking import Ranking
from tests.router.build import NOON, candidate

WRITABLE = ("sqlite", "leveldb", "files", "vector")
MINE = "The maximum load of the trailer is 750 kg."
THEIRS = "The maximum load of the trailer is 1,300 kg."
FACT = "The spare key hangs behind the blue door."
PLAIN = Ranking()


def answer(candidates: list[Candidate]) -> list[tuple[str, Score]]:
    """The texts and scores of a whole ranking, best first."""
    ranked, _ = rank(scored(candidates, PLAIN, NOON), PLAIN, "what is the maximum load of the trailer")
    return [(one.group.speaker.passage.text, one.score) for one in ranked]


def value_of(score: Score, name: str) -> float:
    return next((factor.value for factor in score.factors if factor.name == name), 1.0)


def written(text: str, times: int) -> str:
    """The same claim as agents repeat it: in other case, with other blanks."""
    return (text, text.upper(), text.replace(" ", "  "), f" {text}\n")[times % 4]


@seed(20261130)
@settings(max_examples=40, deadline=None, derandomize=True, database=None)
@given(
    copies=st.integers(1, 1_000),
    stores=st.lists(st.sampled_from(WRITABLE), min_size=1, max_size=4, unique=True),
    kept=st.sampled_from(("markdown", *WRITABLE)),
    days=st.integers(0, 3_000),
    lexical=st.floats(0.2, 1.0),
    likes=st.floats(0.2, 1.0),
)
@example(copies=1_000, stores=list(WRITABLE), kept="markdown", days=3_000, lexical=0.2, likes=1.0)
def test_copies_never_outrank_one_curated_contradiction_and_are_one_origin(
    copies: int, stores: list[str], kept: str, days: int, lexical: float, likes: float
) -> None:
    mine = candidate(MINE, store=kept, id="mine", lexical=lexical, days=float(days), trust=Trust.CURATED)
    crowd = [
        candidate(written(THEIRS, number), store=stores[number % len(stores)], id=str(number), lexical=likes)
        for number in range(copies)
    ]
    first, *others = answer([*crowd, mine])
    assert first[0] == MINE
    assert len(others) == 1, "the crowd is one result"
    assert value_of(others[0][1], "corroboration") == 1.0


@pytest.mark.parametrize("store", WRITABLE)
@pytest.mark.parametrize("time_kind", ["file mtime", "front matter", ""])
def test_a_note_of_unknown_beginning_is_never_confirmed_by_an_agents_copy(store: str, time_kind: str) -> None:
    """The note was saved again after the agent had stored what it read in it."""
    mine = candidate(FACT, store="markdown", days=1, trust=Trust.CURATED, time_kind=time_kind or "file mtime")
    echo = candidate(FACT, store=store, days=40)
    assert origins_of([mine, echo]).independent == ("markdown",)


def test_a_file_that_an_agent_dates_back_did_not_speak_first() -> None:
    """Only what an engine stamped when it was told proves when an agent said something."""
    mine = candidate(FACT, store="sqlite", days=10, trust=Trust.CURATED)
    forged = candidate(FACT, store="markdown", days=4_000, time_kind="front matter")
    assert origins_of([mine, forged]).independent == ("sqlite",)


def test_an_agent_that_repeats_itself_later_still_spoke_first() -> None:
    """Storing again renews the time; when it came to be stays."""
    mine = candidate(FACT, store="files", days=10, trust=Trust.CURATED)
    early = candidate(FACT, store="sqlite", days=20)
    later = candidate(FACT, store="vector", days=1)
    assert origins_of([mine, early, later]).independent == ("files", "agents")


def test_what_is_touched_on_both_sides_of_an_echo_gives_no_bonus_in_any_order() -> None:
    mine = candidate(FACT, store="markdown", days=1, trust=Trust.CURATED, time_kind="file mtime", score=0.5)
    echo = candidate(FACT, store="leveldb", days=3, score=0.9)
    for members in ((echo, mine), (mine, echo)):
        score = corroborated(Group(members), 0.12)
        assert value_of(score, "corroboration") == 1.0
        assert "echo" in score.factors[-1].reason


def test_the_users_own_are_compared_though_hundreds_of_better_matches_are_agents() -> None:
    noise = [candidate(f"Trailer note {number}: tyres seen then.", id=str(number), score=0.9) for number in range(300)]
    mine = [
        candidate(f"My own {number}", store="markdown", id=str(number), score=0.1, trust=Trust.CURATED)
        for number in range(40)
    ]
    listed = shortlist([*noise, *mine])
    assert len(listed.compared) == COMPARED
    assert [one for one in listed.compared if one.memory.trust is Trust.CURATED] == mine[:LEAST_CURATED]
    assert len(listed.rest) == 340 - COMPARED


def test_ranking_by_numbers_never_cuts_off_the_users_best() -> None:
    crowd = [candidate(f"Note {number} of the trailer", id=str(number), lexical=0.9) for number in range(600)]
    mine = candidate(MINE, store="markdown", lexical=0.1, days=900.0, trust=Trust.CURATED)
    assert mine.memory.handle in {one.memory.handle for one in scored([*crowd, mine], PLAIN, NOON)}


def test_what_agents_cannot_crowd_out_is_bounded_by_time_alone() -> None:
    """A day of recency must not turn an echo into a witness."""
    for gap in (timedelta(seconds=1), timedelta(days=1), timedelta(days=900)):
        mine = candidate(FACT, store="sqlite", days=1_000, trust=Trust.CURATED)
        echo = candidate(FACT, store="vector", days=1_000 - gap / timedelta(days=1))
        assert origins_of([mine, echo]).independent == ("sqlite",)
