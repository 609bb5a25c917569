"""What tells news, and what brings an earlier statement up to date."""

from __future__ import annotations

import pytest

from mmind.text.news import read_news
from mmind.text.updates import Link, link, news_about, read_question, statements


@pytest.mark.parametrize(
    "sentence",
    [
        "Staging moved to the new rack.",
        "The meeting was recently moved to Tuesday.",
        "We have switched to oat milk.",
        "Mina became treasurer of the club.",
        "Priya is now the lead of the team.",
        "The pool was set to 30.",
        "Split into three services.",
        "Ivo took over the garden.",
        "The flag is no longer set.",
    ],
)
def test_a_change_in_the_past_is_news(sentence: str) -> None:
    assert read_news(sentence) is not None


@pytest.mark.parametrize(
    "sentence",
    [
        "The flag is disabled.",
        "The bins are moved to the street on Mondays.",
        "The piano will be moved to the hall.",
        "The piano was not moved.",
        "The reduced price is for members.",
        "Jam with added sugar keeps longer.",
        "If the meeting moved to Tuesday, we would miss it.",
        "Stir the soup every now and then.",
        "Tea instead of coffee, please.",
        "The door stays open for now.",
        "We change the filter in May.",
        "She has a set of six plates.",
    ],
)
def test_a_state_a_habit_a_plan_and_a_denial_are_no_news(sentence: str) -> None:
    assert read_news(sentence) is None


@pytest.mark.parametrize(
    "query",
    [
        "where was staging hosted before",
        "when was the flag disabled",
        "why is staging hosted on the old rack",
        "how do I enable the dark mode flag",
        "what did we use for logs",
        "what is the current status",
    ],
)
def test_questions_about_what_was_or_how_are_not_answered_by_updates(query: str) -> None:
    assert read_question(query) is None


@pytest.mark.parametrize(
    ("query", "old", "new", "kind"),
    [
        (
            "who is the current treasurer of the club",
            "Lars is the treasurer of the club.",
            "Mina became treasurer of the club.",
            Link.ANSWERS,
        ),
        (
            "what is the current status of the porch light",
            "The porch light is broken.",
            "The porch light was replaced.",
            Link.ANSWERS,
        ),
        (
            "where is staging hosted",
            "Staging is hosted on the old rack.",
            "Staging moved to the new rack.",
            Link.MOVES,
        ),
        (
            "where are the bikes",
            "The bikes are in the shed.",
            "Lena moved the bikes to the cellar.",
            Link.ANSWERS,
        ),
        (
            "what is our current setup for logs",
            "Logs are plain files.",
            "Migrated to Loki for logs.",
            Link.GOES_ON,
        ),
        (
            "what is our current setup for logs",
            "Logs are plain files.",
            "Switched to VictoriaLogs.",
            Link.BARE,
        ),
    ],
)
def test_an_update_says_how_it_goes_with_what_it_updates(query: str, old: str, new: str, kind: Link) -> None:
    asked = read_question(query)
    assert asked is not None
    assert link(news_about(new, asked), statements(old, asked), asked) is kind


# Query, statement that answers it, and later news that does not.
UNRELATED = [
    ("how heavy is the microscope", "The microscope weighs 4 kg.", "The microscope was moved to the window."),
    ("which lens is in the microscope", "The microscope has the 40x lens.", "The microscope was moved to the window."),
    ("what colour is the garden gate", "The garden gate is green.", "The garden gate was replaced in May."),
    ("where is the staging server", "The staging server is on the old rack.", "The staging database moved to Oslo."),
    ("where are the bikes", "The bikes are in the shed.", "Lena moved the boxes to the shed."),
    ("what is the limit", "The limit for guests is 5.", "The limit for members was raised to 10."),
    ("is the pool open", "The pool in the park is open.", "The pool at the school was closed."),
    (
        "what is the current state of the washing machine",
        "The washing machine is broken.",
        "The washing machine was moved to the cellar.",
    ),
    (
        "what is the current state of the washing machine",
        "The washing machine is broken.",
        "The dryer was replaced.",
    ),
    ("who leads the choir", "Ines leads the choir.", "The choir moved to the parish hall."),
    ("what is the wifi password", "The wifi password is hunter2.", "The wifi was upgraded to fibre."),
    (
        "who is the treasurer of the club",
        "Lars is the treasurer of the club.",
        "The treasurer of the club moved to Oslo.",
    ),
    ("where are the bikes", "The bikes are in the shed.", "The bikes were replaced."),
    ("where are the ski boots", "The ski boots are in the attic.", "The ski boots were replaced."),
    ("where is the build server", "The build server is in the attic.", "The build server was upgraded to 24.04."),
    ("which car do we have", "We have a red car.", "The car was moved to the garage."),
    ("when is the standup", "The standup is at nine.", "The standup is moved by a day in some weeks."),
    ("where does Karl live", "Karl lives in Bergen.", "I moved to Berlin."),
    ("where is staging currently hosted", "Staging is hosted on the old rack.", "I moved to Berlin."),
    ("which milk do we buy", "We buy cow milk.", "Switched to decaf."),
    (
        "which version of Ruby does the booking page use",
        "The booking page runs on Ruby 2.7.",
        "Ruby upgraded to 3.3 for the till.",
    ),
    (
        "which version of Ruby does the booking page use",
        "The booking page runs on Ruby 2.7.",
        "Redis upgraded to 7.2.",
    ),
]


@pytest.mark.parametrize(("query", "old", "new"), UNRELATED)
def test_news_of_another_thing_or_another_side_of_it_updates_nothing(query: str, old: str, new: str) -> None:
    asked = read_question(query)
    assert asked is None or link(news_about(new, asked), statements(old, asked), asked) is None
