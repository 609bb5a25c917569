"""Sameness: near-copies that must stay apart, and other words for one fact."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from mmind.text.agreement import agreement_of, likeness
from mmind.text.claims import read_claims
from mmind.text.sameness import difference


@pytest.mark.parametrize(
    ("what", "left", "right"),
    [
        ("number", "The API times out after 30 s on every call.", "The API times out after 60 s on every call."),
        ("number", "It uses 25 GB of the disk.", "It uses at least 25 GB of the disk."),
        ("date", "The launch of the site is on 12 March.", "The launch of the site is on 19 March."),
        ("name", "The billing service is owned by Anna.", "The billing service is owned by Priya."),
        ("polarity", "The job is allowed to write to the bucket.", "The job is not allowed to write to the bucket."),
        ("polarity", "All limbs are required for it.", "Not all limbs are required for it."),
        ("polarity", "Dark mode is enabled by default.", "Dark mode is disabled by default."),
        ("polarity", "They were not asked how they would vote.", "They were asked how they would not vote."),
        ("word", "The shop sells fresh fish from the coast.", "The shop sells frozen fish from the coast."),
        ("word", "It holds all the houses of the year.", "It holds all the hours of the year."),
        ("polarity", "They voted for the plan in March.", "They voted against the plan in March."),
        ("polarity", "The team almost won the cup.", "The team won the cup."),
        ("word", "The key hangs behind the walnut door.", "The key hangs behind the birch door."),
        ("word", "会议在星期二下午三点举行。", "会议在星期四下午三点举行。"),
        ("polarity", "Backups are usually tested on Friday.", "Backups are always tested on Friday."),
        ("order", "The data moves from Oslo to Bergen at night.", "The data moves to Oslo from Bergen at night."),
        ("order", "We want birch bark rather than cork oak.", "We want cork oak rather than birch bark."),
        ("order", "Acme sued Bolt in Texas over the patent.", "Bolt sued Acme in Texas over the patent."),
    ],
)
def test_near_copies_that_differ_in_what_counts_are_never_one(what: str, left: str, right: str) -> None:
    assert difference(left, right) == what
    assert difference(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Ravi is building TaskBoat with Next.js.", "Ravi is building TaskBoat using Next.js."),
        ("The read cap is 3.3k ops/s.", "The read cap is 3,300 ops/s!"),
        ("The shed is 12 square metres.", "the shed is 12 square meters"),
        ("# Notes\nThe API times out after 30 s.", "The API times out after 30 s."),
        ("会议在星期二举行。", "会议在星期二举行"),
        ("", ""),
    ],
)
def test_spelling_punctuation_and_notation_make_no_difference(left: str, right: str) -> None:
    assert difference(left, right) == ""
    assert difference(right, left) == ""


def test_code_and_long_lines_count_when_copies_are_compared() -> None:
    code = "Set the limit:\n\n```\nlimit = {}\n```\n"
    assert difference(code.format(30), code.format(60)) == "number"
    row = "| name | limit | " * 60
    assert difference(row + "30", row + "60") == "number"


def test_a_further_sentence_makes_no_difference_unless_it_takes_the_rest_back() -> None:
    text = "The cellar key hangs behind the blue door."
    assert difference(text, text + " It is small.") == ""
    assert difference(text, text + " That is no longer so.") == "polarity"


@given(some.text(max_size=200))
def test_no_text_differs_from_itself(text: str) -> None:
    assert difference(text, text) == ""


def test_other_words_for_one_fact_agree_when_their_meaning_is_close() -> None:
    left = "The backup of the database runs every night at two."
    right = "Each night at two a backup is made of the database."
    assert (agreement_of(left, right, 0.93) or 0.0) > 0.7
    assert agreement_of(left, right, 0.2) is None


def test_without_a_model_nobody_can_tell_whether_claims_agree() -> None:
    assert agreement_of("The backup runs at night.", "Backups are made at night.", None) is None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The retry limit is 3.", "The retry limit is 5."),
        ("The cache is enabled.", "The cache is not enabled."),
        ("Anna owns the billing service.", "Priya owns the billing service."),
        ("Is the cache enabled?", "Is the cache enabled now?"),
        ("The key hangs behind the walnut door.", "The key hangs behind the birch door."),
        ("Alice is Bob's parent.", "Bob is Alice's parent."),
    ],
)
def test_a_counter_claim_never_agrees_however_close_its_meaning(left: str, right: str) -> None:
    assert agreement_of(left, right, 0.99) is None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (
            "Ingredients of the punch: white wine, rhubarb, mint, soda water.",
            "Ingredients of the punch: cider, elderflower, lemon, soda water.",
        ),
        ("For the hut we pack a rope, a stove and a tent.", "For the hut we pack skis, a lamp and a sledge."),
        ("Ingredients: wine, mint", "Ingredients: cider, mint"),
        ("Jars of plums and pears are on the shelf.", "Jars of beans and onions are on the shelf."),
    ],
)
def test_lists_of_other_things_under_one_head_never_agree(left: str, right: str) -> None:
    assert agreement_of(left, right, 0.97) is None


def test_words_that_became_another_part_of_speech_may_stand_elsewhere() -> None:
    assert agreement_of("Nora is allergic to peanuts.", "Nora has a peanut allergy.", 0.92)
    assert agreement_of("A man plays the guitar and sings.", "A man is singing and playing a guitar.", 0.92)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("A dog bites a man.", "Men bite dogs."),
        ("Anna manages Ben.", "Ben manages Anna."),
        ("Anna manages Ben.", "Ben is the manager of Anna."),
        ("The key of the box is in the drawer.", "The keys of the drawer are in the box."),
    ],
)
def test_words_that_changed_their_roles_do_not_agree(left: str, right: str) -> None:
    assert agreement_of(left, right, 0.97) is None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The router stands in the bedroom of the flat.", "In the flat the router is kept in the living room."),
        ("The report covers the whole of the harbour.", "The report of the harbour is missing the whole of it."),
        ("The crew mostly sleeps aboard in the harbour.", "In the harbour the crew always sleeps aboard."),
        ("The plan comes from the mayor.", "The plan comes from the mayor's assistant."),
        ("The archive of Norway is kept in the old mill.", "The archive is kept in the old mill."),
        ("In this game Malmo beats Bergen at home.", "In this game Bergen beats Malmo at home."),
        ("The tool is suitable for our tables.", "Our tables are a case the tool is unsuitable for."),
    ],
)
def test_accounts_of_another_thing_share_or_role_do_not_agree(left: str, right: str) -> None:
    assert agreement_of(left, right, 0.95) is None
    assert agreement_of(right, left, 0.95) is None


def test_two_things_that_are_one_may_be_named_in_either_order() -> None:
    left, right = "The owner of the barge is Kim Falk.", "Kim Falk is the owner of the barge."
    assert agreement_of(left, right, 0.95) is not None
    assert agreement_of("Anna is the boss of Ben.", "Ben is the boss of Anna.", 0.95) is None


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The cellar floods when it rains heavily.", "Heavy rain floods the cellar."),
        (
            "The firm is being investigated by two agencies over bribes.",
            "Two agencies investigate the firm over bribes.",
        ),
        ("She thanked Kim and Lou for the work.", "She thanked Lou and Kim for the work."),
    ],
)
def test_other_grammar_for_one_fact_is_agreement(left: str, right: str) -> None:
    assert agreement_of(left, right, 0.95) is not None
    assert agreement_of(right, left, 0.95) is not None


def test_a_stretch_exchanged_in_its_place_is_told_from_one_that_is_added() -> None:
    said = read_claims("The crew had a meal on deck.", None)
    exchanged = likeness(said, read_claims("The crew danced at sunset on deck.", None))
    added = likeness(said, read_claims("The crew had a meal on deck at sunset.", None))
    assert exchanged is not None
    assert added is not None
    assert (exchanged.slotted, added.slotted) == (True, False)


@pytest.mark.parametrize(
    "sentence",
    ["The cap is {} ops.", "On {} March.", "Release 1.{}.3 is out.", "Ticket {}:30.", "{} days ago it rained."],
)
def test_a_run_of_more_digits_than_python_reads_as_a_number_is_compared_as_text(sentence: str) -> None:
    digits = "7" * 5000
    assert difference(sentence.format(digits), sentence.format(digits[:-1] + "8"))
    assert not difference(sentence.format(digits), sentence.format(digits))
