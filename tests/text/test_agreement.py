"""Agreement: other words for one fact, and what keeps two accounts of nearly the same words apart."""

from __future__ import annotations

import pytest

from mmind.text.agreement import agreement_of, likeness
from mmind.text.claims import read_claims


def agrees(left: str, right: str, cosine: float) -> bool:
    """Whether two texts agree, asked from either side."""
    found = {agreement_of(one, other, cosine) is not None for one, other in ((left, right), (right, left))}
    assert len(found) == 1
    return found.pop()


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("We fired the kiln on Friday.", "The kiln was fired on Friday."),
        ("The choir has a rehearsal in the chapel.", "There is a rehearsal of the choir in the chapel."),
        ("In March Ines will move to Graz.", "Ines is moving to Graz in March."),
        ("The gate squeaks in winter.", "In winter the gate is squeaky."),
        ("Vera repaired the pump.", "The pump was repaired by Vera."),
        ("For questions about the boat ask Henk.", "Henk is the one to ask about the boat."),
        ("The archive allows 30 scans per hour.", "We may scan 30 pages per hour in the archive."),
    ],
)
def test_grammar_that_was_changed_does_not_part_two_wordings_of_one_fact(left: str, right: str) -> None:
    assert agrees(left, right, 0.93)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Olga prefers the canoe over the kayak.", "Olga prefers the kayak over the canoe."),
        ("The barge goes from Lille to Ghent.", "The barge goes from Ghent to Lille."),
        ("The lamp was carried into the barn.", "The lamp was carried out of the barn."),
        ("The cellist arrived before the pianist left.", "The pianist left before the cellist arrived."),
        ("The gardener thanked the cook.", "The cook thanked the gardener."),
        ("A boy is pulling a cart with a goat.", "A goat is pulling a boy in a cart."),
        ("In 1990 Berg replaced Holt as chair.", "In 1990 Berg was replaced by Holt as chair."),
        ("Lotte's uncle is a judge.", "Lotte is a judge."),
        ("It replaced the mill in 1950.", "It was replaced by the mill in 1950."),
        ("The echo is weaker in wood than in stone.", "The echo is weaker in stone than in wood."),
        ("The tutor swaps the viola with the cello.", "The tutor exchanges the cello with the viola."),
    ],
)
def test_who_has_taken_the_others_part_tells_another_fact(left: str, right: str) -> None:
    assert not agrees(left, right, 0.97)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The moss grows in Finland.", "The moss grows outside Finland."),
        ("The judge ruled for the harbour.", "The judge decided against the harbour."),
        ("The wreck has been found off the cape.", "The wreck has yet to be found off the cape."),
        ("The council will close the old mill.", "The council might close the old mill."),
        ("We mowed the lower meadow on Monday.", "They mowed the lower meadow on Monday."),
        ("The lift goes up at noon.", "The lift goes down at noon."),
        ("A skier went down a hill under a bright sky.", "A skier under a bright sky was going up a hill."),
        ("The quay is the home of the guild.", "The quay is far from the home of the guild."),
        ("The orchid is found in Peru.", "The orchid is hard to find in Peru."),
        ("The boat is an open-deck barge of the line.", "The boat of the line is a closed-deck barge."),
        ("The hall is heated every day.", "The hall is heated some days."),
    ],
)
def test_one_small_word_among_equal_ones_decides(left: str, right: str) -> None:
    assert not agrees(left, right, 0.96)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The hedge is cut in spring.", "The hedge is planted in spring."),
        ("The interviews were recorded with permission.", "The interviews were published with permission."),
        ("The lawn was mowed on Saturday.", "The lawn was watered on Saturday."),
        ("The tap in the attic runs.", "The tap in the attic drips."),
        ("A guest in the black coat is not playing the harp.", "The guest is not wearing a coat."),
        ("He slept.", "He woke."),
    ],
)
def test_another_word_in_the_place_of_one_is_another_fact(left: str, right: str) -> None:
    assert not agrees(left, right, 0.88)


def test_identifiers_of_several_parts_are_names() -> None:
    left = "The backup is kept in the bucket harbour-backup-prod and locked."
    assert not agrees(left, "The backup is locked and kept in the bucket orchard-backup-prod.", 0.95)
    assert agrees(left, "The backup is locked and kept in the bucket harbour-backup-prod.", 0.95)


def test_a_verb_that_denies_counts_only_where_the_other_side_lacks_it() -> None:
    assert agrees("The delay doubles after each failure.", "After each run that failed the delay is doubled.", 0.93)
    assert not agrees("The pilot reached the shore at dawn.", "The pilot failed to reach the shore at dawn.", 0.93)


def test_words_that_begin_as_denials_do_by_chance_deny_nothing() -> None:
    assert agrees("The deadline for the grant is Friday.", "Friday is when the grant must be handed in.", 0.93)
    assert not agrees("The clause is valid in Norway.", "The clause is invalidated in Norway.", 0.93)


def test_two_words_that_shut_one_another_out_say_another_thing_where_they_changed_places() -> None:
    left, right = "The mill is old and the barn is new.", "The mill is new and the barn is old."
    assert likeness(read_claims(left, None), read_claims(right, None)) is None
    assert not agrees(
        "Voss is north and Odda is south of the lake.", "Voss is south and Odda is north of the lake.", 0.99
    )


def test_a_list_that_only_goes_on_on_one_side_is_another_one() -> None:
    assert not agrees("The app is built in Kotlin.", "The app is built in Kotlin and Java.", 0.95)
    assert not agrees("She is the owner of the mill.", "She is the owner of the barn and the mill.", 0.95)
    assert agrees("The cows feed in the trough.", "The brown and white cows are eating in the trough.", 0.93)


def test_what_is_still_awaited_is_not_yet_so() -> None:
    assert not agrees("The permit has been granted.", "The permit is still awaiting to be granted.", 0.95)
    assert not agrees("The colt is similar to its mother.", "The colt is distinct from its mother.", 0.95)


def test_the_same_words_in_another_order_are_told_from_other_grammar() -> None:
    def reordered(left: str, right: str) -> bool:
        found = likeness(read_claims(left, None), read_claims(right, None))
        assert found is not None
        return found.reordered

    assert reordered("The mill is round and the barn is new.", "The mill is new and the barn is round.")
    assert reordered("It is read by the choir, then by the priest.", "It is read by the priest, then by the choir.")
    assert not reordered("The bed in the attic squeaks.", "In the attic the bed squeaks.")
    assert not reordered("She thanked Kim and Lou for the work.", "She thanked Lou and Kim for the work.")


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Cy is employed.", "Cy is retired."),
        ("Ann is engaged.", "Ann is divorced."),
        ("password: bluehorse", "The wifi password is redhorse."),
    ],
)
def test_two_things_that_a_subject_is_said_to_be_are_no_wordings_of_one(left: str, right: str) -> None:
    assert not agrees(left, right, 0.95)


def test_what_somebody_is_doing_may_be_told_by_another_verb() -> None:
    assert agrees("A cook is slicing the long loaf.", "A cook is cutting the long loaf.", 0.93)
