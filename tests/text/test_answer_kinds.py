"""What kind of answer a question asks for, and whether a text holds one."""

from __future__ import annotations

import pytest

from mmind.text.answer_kinds import Kind, holds, kind_asked

QUESTIONS = [
    ("How many keys are there?", Kind.NUMBER),
    ("What is the percentage of tests that must pass?", Kind.NUMBER),
    ("how often do we water the fern", Kind.NUMBER),
    ("Who approves a release?", Kind.PERSON),
    ("Whose bicycle is in the cellar?", Kind.PERSON),
    ("When does the ferry leave?", Kind.TIME),
    ("In what year was the bridge built?", Kind.TIME),
    ("where are the scissors", Kind.PLACE),
]


@pytest.mark.parametrize(("question", "kind"), QUESTIONS)
def test_the_word_that_asks_tells_the_kind(question: str, kind: Kind) -> None:
    assert kind_asked(question) is kind


@pytest.mark.parametrize(
    "question",
    [
        "how do I restore it",
        "what to do when it rains",
        "the man who knows",
        "spare key",
        "",
        "whole wheat",
        "Who has it?\nHow many are there?",
    ],
)
def test_most_questions_tell_none(question: str) -> None:
    assert kind_asked(question) is None


HELD = [
    (Kind.NUMBER, "There are two of them."),
    (Kind.NUMBER, "covers 80 % of it"),
    (Kind.NUMBER, "water the fern weekly"),
    (Kind.PERSON, "a release is signed by Lisa"),
    (Kind.PERSON, "Lisa Zhang signs releases"),
    (Kind.PERSON, "I sign releases"),
    (Kind.PERSON, "the plumber has the key"),
    (Kind.PERSON, "ask my sister"),
    (Kind.PERSON, "The landlord of the flat: piotr nowak"),
    (Kind.PERSON, "on duty is Łukasz"),
    (Kind.PERSON, "call marta about it"),
    (Kind.NUMBER, "it is ⅔ full by now"),
    (Kind.NUMBER, "it lasts a fortnight"),
    (Kind.TIME, "keys rotate after an incident"),
    (Kind.PLACE, "Lisbon"),
    (Kind.PLACE, "I live there: Lisbon, Alfama"),
    (Kind.TIME, "the ferry leaves at noon"),
    (Kind.TIME, "it was opened in 1932"),
    (Kind.TIME, "every Tuesday"),
    (Kind.TIME, "on 3 Sept"),
    (Kind.PLACE, "the scissors are in the drawer"),
    (Kind.PLACE, "see ~/notes/keys.md"),
]


@pytest.mark.parametrize(("kind", "text"), HELD)
def test_what_could_be_an_answer_is_seen(kind: Kind, text: str) -> None:
    assert holds(kind, text)


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (Kind.NUMBER, "Releases are signed off."),
        (Kind.PERSON, "Releases need two approvals."),
        (Kind.TIME, "Releases need two approvals."),
        (Kind.PLACE, "Releases need two approvals."),
    ],
)
def test_what_could_not_is_seen_too(kind: Kind, text: str) -> None:
    assert not holds(kind, text)
