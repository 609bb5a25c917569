from __future__ import annotations

import pytest

from mmind.text.contradiction import contradiction_of
from mmind.text.rewording import reworded

MOVED = [
    ("The launch is on 5 May.", "The launch slipped to 12 May."),
    ("The deadline stays 31 August 2026", "Deadline moved to 30 September 2026."),
    ("The deadline remains 31 August.", "The deadline has shifted to 30 September."),
    ("The price stays 900 EUR.", "The price rose to 950 EUR."),
    ("The rent is 1,000 euros.", "The rent went up to 1,100 euros."),
    ("The meeting stays on Tuesday at 10.", "The meeting moved to Wednesday at 10."),
]


@pytest.mark.parametrize(("kept", "moved"), MOVED)
def test_what_moved_meets_what_it_was_before_or_was_said_to_stay(kept: str, moved: str) -> None:
    forth, back = contradiction_of(kept, moved), contradiction_of(moved, kept)
    assert forth
    assert back
    assert (forth.kind, forth.corrects, back.corrects) == ("correction", "right", "left")


@pytest.mark.parametrize(
    "sentence",
    [
        "Anna moved to 12 Elm Street.",
        "The talk moved to other things.",
        "The shop stays open.",
        "Anna stays for 3 nights.",
        "The prices rose to 950 EUR in the shop and 900 EUR elsewhere.",
    ],
)
def test_other_sentences_of_such_verbs_stay_as_they_are(sentence: str) -> None:
    assert not reworded(sentence)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The launch slipped to 12 May.", "The launch is on 12 May."),
        ("The launch slipped to 12 May.", "The party is on 5 May."),
        ("The deadline stays 31 August.", "The deadline is 31 August 2026."),
        ("The price rose to 950 EUR.", "The deposit stays 300 EUR."),
    ],
)
def test_what_agrees_or_is_about_another_thing_raises_no_alarm(left: str, right: str) -> None:
    assert contradiction_of(left, right) is None
    assert contradiction_of(right, left) is None
