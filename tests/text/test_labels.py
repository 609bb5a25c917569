"""Labels and values: which lines are read, of what they tell, and when two of them cannot both hold."""

from __future__ import annotations

import pytest

from mmind.text.labels import is_record, judged_labels, label_contradictions, labelled, subject

SERVER = "- **Port**: 8080\n- Owner: Kim\n- RAM:: 16 GB\n\n| Timeout | 30 s |\nHTTPS: yes\nstart_time: 09:30"


def test_list_items_bold_labels_table_rows_and_properties_are_read() -> None:
    assert [(one.label[-1], one.value) for one in labelled(SERVER)] == [
        ("port", "8080"),
        ("owner", "Kim"),
        ("ram", "16 GB"),
        ("timeout", "30 s"),
        ("https", "yes"),
        ("time", "09:30"),
    ]


@pytest.mark.parametrize(
    "line",
    [
        "Note: the server was moved to the cellar last week and nobody liked it.",
        "Attendees: Kim, Tom",
        "See also: https://example.org/a",
        "What is it: ?",
        "The rule is: never on Friday. Ask first.",
        "12:30",
    ],
)
def test_prose_lists_and_links_are_no_values(line: str) -> None:
    assert labelled(line) == ()


@pytest.mark.parametrize(
    ("kind", "left", "right"),
    [
        ("numeric", "Port: 8080", "Port: 9090"),
        ("numeric", "Timeout: 30 s", "timeout: 1 min"),
        ("numeric", "Price: €40", "- **Price**: €45"),
        ("numeric", "Version: 1.4.2", "Version: 1.5.0"),
        ("temporal", "Deadline: 2026-03-01", "Deadline: 8 March 2026"),
        ("temporal", "Opens: 09:30", "| Opens | 10:00 |"),
        ("temporal", "Start: Monday", "Start: Tuesday"),
        ("negation", "HTTPS: yes", "HTTPS: no"),
        ("negation", "Backup: enabled", "Backup: disabled"),
        ("correction", "Owner: Kim", "owner: Tom"),
    ],
)
def test_two_values_of_one_label_shut_each_other_out(kind: str, left: str, right: str) -> None:
    (one,), (other,) = labelled(left), labelled(right)
    found = judged_labels(one, other)
    assert found is not None
    assert found.kind == kind


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("RAM: 16 GB", "RAM: 16,000 MB"),
        ("Timeout: 60 s", "Timeout: 1 minute"),
        ("Owner: Kim", "Owner: Kim Lee"),
        ("Created: 2026-01-01", "Created: 2026-02-01"),
        ("Tags: garden", "Tags: tools"),
        ("Timeout: 30", "Timeout: 1 min"),
        ("Colour theme: dark", "Font: mono"),
        ("Mood: good", "Mood: bad"),
    ],
)
def test_one_value_in_two_notations_and_passing_labels_deny_nothing(left: str, right: str) -> None:
    (one,), (other,) = labelled(left), labelled(right)
    assert judged_labels(one, other) is None


def test_lines_are_compared_where_subject_and_label_come_to_the_same_words() -> None:
    note = (subject("Staging server", ("Staging server", "Details"), "Port: 8080"), "Port: 8080")
    memory = (subject("", (), "Staging server port: 9090"), "Staging server port: 9090")
    other = (subject("Build server", (), "Port: 7070"), "Port: 7070")
    found = label_contradictions([note, memory, other])
    assert [(here, there, one.values) for here, there, one in found] == [(0, 1, ("8080", "9090"))]


def test_a_title_that_names_a_sort_of_things_leaves_it_to_the_headings_to_say_which() -> None:
    assert subject("Services", ("Services", "Grafana"), "") == subject("Grafana", (), "")
    assert subject("Services", (), "") != frozenset()
    assert subject("Gateway", ("Staging",), "") != subject("Gateway", (), "")


def test_a_label_without_a_subject_is_compared_with_nothing() -> None:
    nameless = (subject("", (), "Port: 8080"), "Port: 8080")
    assert label_contradictions([nameless, (frozenset(), "Port: 9090")]) == []


def test_a_passage_that_has_a_label_twice_lists_values() -> None:
    about = frozenset(("mill",))
    assert label_contradictions([(about, "Depth: 3 m\nDepth: 4 m"), (about, "Depth: 5 m")]) == []


def test_a_passage_of_labels_is_a_record_and_prose_is_none() -> None:
    assert is_record("## Facts\n\n- Servings: 4\n- Oven: 180 °C")
    assert not is_record("The oven stays at 180 °C.\nServings: 4\nThen wait until it has risen.")


@pytest.mark.parametrize(
    "text",
    [
        'categories:\n  - "[[Books]]"\nauthor: []\nyear:\nrating: 7\nlast: {{date}}',
        'artist: "[[Paul Chambers]]"\nvia: ""\nurl: https://example.org/a',
        "## Places\n\n![[Map.base#Location]]\n![](places.png)",
    ],
)
def test_links_lists_and_empty_labels_are_a_record_too(text: str) -> None:
    assert is_record(text)


@pytest.mark.parametrize(
    "text",
    [
        "- The tap drips.\n- The oven stays at 180 °C.",
        "Update: the rent went up in May, as the landlord had said it would.",
        "Three things to do:\n\nFirst call the plumber. Then wait.\nThe key is in the shed.",
    ],
)
def test_plain_lists_and_announced_sentences_are_no_record(text: str) -> None:
    assert not is_record(text)
