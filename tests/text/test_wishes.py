"""What states something, and what only wishes or asks."""

from __future__ import annotations

import pytest

from mmind.text.wishes import asks_for_wishes, states_nothing


@pytest.mark.parametrize(
    "text",
    [
        "It would be good if customers could restore deleted projects by themselves.",
        "That would be really nice to have. I wish we had it already.",
        "- Who pays for the ferry?\n- When does it leave?",
        "Maybe we could move the backups to the cellar.",
        "Es wäre schön, wenn der Keller trocken bliebe.",
        "Ce serait bien de réparer la chaudière.",
        "船はいつ出ますか？",
    ],
)
def test_wishes_and_questions_state_nothing(text: str) -> None:
    assert states_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "I would like my coffee black.",
        "We should use tabs in Go.",
        "It would be good if it rained. The well is dry.",
        "Where is the key? Behind the blue door.",
        "The ferry would be late in winter.",
        "The only key hangs behind the door, perhaps.",
        "To restore a project, choose Trash and press Restore.",
        "",
    ],
)
def test_statements_preferences_and_rules_are_answers(text: str) -> None:
    assert not states_nothing(text)


@pytest.mark.parametrize(
    ("question", "is_for_wishes"),
    [
        ("which questions about the ferry are open", True),
        ("ideas for the garden", True),
        ("welche Wünsche hat Ingrid", True),
        ("how do we restore a deleted project", False),
        ("when does the ferry leave?", False),
    ],
)
def test_a_question_may_be_for_wishes_themselves(question: str, is_for_wishes: bool) -> None:
    assert asks_for_wishes(question) is is_for_wishes
