"""Which sentences meet: the fast way must find what the plain way, pair by pair, finds."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from mmind.text.contradiction import enough_shared
from mmind.text.meetings import MOST_READ, TURNING_BONUS, Meeting, meetings
from mmind.text.skimming import Skimmed, skim


def pair_by_pair(skimmed: Sequence[Sequence[Skimmed]]) -> list[Meeting]:
    """The definition, as plainly as it can be written."""
    rows = [(passage, each) for passage, said in enumerate(skimmed) for each in said]
    found: list[tuple[float, int, int, str, str]] = []
    for later, (there, other) in enumerate(rows):
        for here, one in rows[:later]:
            shared, sizes = len(one.lemmas & other.lemmas), (len(one.lemmas), len(other.lemmas))
            turns = one.turns or other.turns
            enough = shared and (turns or enough_shared(shared, *sizes))
            if here != there and enough and one.sentence != other.sentence:
                likeness = 2 * shared / sum(sizes) + TURNING_BONUS * turns
                found.append((likeness, here, there, one.sentence, other.sentence))
    found.sort(key=lambda pair: -pair[0])
    return list(dict.fromkeys(pair[1:] for pair in found))[:MOST_READ]


@pytest.mark.parametrize("seed", range(40))
def test_the_pairs_and_their_order_are_those_of_the_plain_definition(seed: int) -> None:
    rng = random.Random(seed)
    words = [f"w{number}" for number in range(rng.choice((6, 30, 300)))]
    longest = rng.choice((3, 8, 25))
    skimmed = [
        tuple(
            Skimmed(
                f"s{rng.randrange(200)}",
                frozenset(rng.choices(words, k=rng.randint(1, longest))),
                rng.random() < rng.choice((0.0, 0.1)),
            )
            for _ in range(rng.randrange(7))
        )
        for _ in range(rng.randrange(30))
    ]
    assert meetings(skimmed) == pair_by_pair(skimmed)


def test_sentences_of_one_passage_never_meet() -> None:
    assert meetings([skim("The retry limit is 3. The retry limit is 5.")]) == []


def test_nothing_said_is_nothing_met() -> None:
    assert meetings([]) == meetings([(), ()]) == []


def test_the_most_alike_come_first_and_a_sentence_that_announces_a_change_has_a_start() -> None:
    said = [
        "The depot is hosted in the Oslo region.",
        "The depot has moved off Oslo.",
        "The depot is in the Oslo area.",
    ]
    found = meetings([skim(text) for text in said])
    assert found[0][:2] == (0, 2) or said[1] in found[0]
    assert {pair[:2] for pair in found} == {(0, 1), (0, 2), (1, 2)}


def test_what_the_user_wrote_is_read_however_many_other_sentences_are_alike() -> None:
    crowd = [f"The pool opens at seven. Note {number}." for number in range(1, 60)]
    said = [skim(text) for text in [*crowd, "The swimming pool opens at nine."]]
    found = meetings(said, {59})
    assert len(found) == 2 * MOST_READ - 1
    assert [there for _, there, _, _ in found[:59]] == [59] * 59
    assert not [there for _, there, _, _ in meetings(said) if there == 59]
