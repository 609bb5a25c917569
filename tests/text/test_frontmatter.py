"""Front matter: strings only, within bounds, and never an error."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmind.text.frontmatter import read

LETTERS = "abcdefghi"
ALIAS_BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{after}: &{after} [{', '.join([f'*{before}'] * 9)}]\n" for before, after in pairwise(LETTERS)
)


def test_every_scalar_stays_what_was_written() -> None:
    front = read("---\na: no\nb: 0123\nc: 2026-06-03\nd: 1.0\ne: 2026-06-03 08:30:00\nf: 'null'\n---\ntext")
    assert dict(front.fields) == {
        "a": "no",
        "b": "0123",
        "c": "2026-06-03",
        "d": "1.0",
        "e": "2026-06-03 08:30:00",
        "f": "null",
    }
    assert (front.end_line, front.problem) == (8, "")


def test_what_has_no_value_is_left_out() -> None:
    assert dict(read("---\ntitle:\ntype: null\ntags:\naliases: []\nx: ~\ny: {}\n---\n").fields) == {}


def test_lists_are_strings_and_nested_maps_are_dotted_keys() -> None:
    front = read("---\ntags:\n  - 2024\n  - true\nmeta:\n  made: 2025-01-02\n  by: [ana, {role: helper}]\n---\n")
    assert dict(front.fields) == {"tags": ("2024", "true"), "meta.made": "2025-01-02", "meta.by": ("ana",)}


def test_an_unquoted_wikilink_is_read_as_its_target() -> None:
    assert read("---\nrelated: [[Heron]]\n---\n").fields["related"] == ("Heron",)


@pytest.mark.parametrize("closing", ["---", "---  ", "...", "...\t"])
@pytest.mark.parametrize("opening", ["---", "---  ", "\ufeff---"])
def test_fences_may_trail_white_space_and_close_with_dots(opening: str, closing: str) -> None:
    front = read(f"{opening}\ntitle: Kiln\n{closing}\ntext")
    assert (front.fields["title"], front.end_line) == ("Kiln", 3)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---",
        "---\ntitle: never closed\n",
        "text\n---\ntitle: x\n---\n",
        "\n---\ntitle: x\n---\n",
        "----\ntitle: x\n----\n",
        " ---\ntitle: x\n---\n",
        "---\nA text between two rules.\n---\n",
        "---\n- a\n- list\n---\n",
        "---\n*star* text\n---\n",
    ],
)
def test_what_is_no_block_of_keys_at_the_very_top_is_no_front_matter(text: str) -> None:
    front = read(text)
    assert (front.end_line, dict(front.fields), front.problem) == (0, {}, "")


def test_an_empty_block_is_front_matter_without_fields() -> None:
    assert (read("---\n\n---\n").end_line, read("---\n---\n").end_line) == (3, 2)


def test_tabs_in_the_indentation_are_read_as_spaces() -> None:
    assert read("---\ntags:\n\t- a\n\t- b\n---\n").fields["tags"] == ("a", "b")


def test_the_last_of_a_repeated_key_counts_and_the_problem_names_it() -> None:
    front = read("---\ntags: a\ntags: b\n---\n")
    assert front.fields["tags"] == "b"
    assert front.problem == "front matter repeats the key 'tags' (the last one counts)"


@pytest.mark.parametrize(
    ("block", "reason"),
    [
        ("tool: `D:\\jobs\\run`", "found character that cannot start any token on line 2"),
        ("title: *Quarterly* review", "on line 2"),
        ("related:\n  - [[Heron]]-notes", "did not find expected '-' indicator on line 3"),
        ("description: Rules for exports: read", "mapping values are not allowed in this context on line 2"),
        ("a: 'open", "found unexpected end of stream"),
        ("a: \x01", "it holds characters that YAML does not allow"),
        ("a: &x 1\nb: *x", "it uses YAML anchors or aliases"),
        (ALIAS_BOMB, "it uses YAML anchors or aliases"),
        ("a: " + "[" * 20_000, "on line 2"),
        ("a: " + "[" * 17 + "]" * 17, "it is nested more than 16 levels deep"),
        ("a: " + "{b: " * 5000, "it is nested more than 16 levels deep"),
        ("\n".join(f"{number}:" for number in range(9000)), "it holds more than 10,000 keys and values"),
        ("\n".join(f"key{number}: v" for number in range(50_000)), "longer than 64 KiB"),
        ("a: " + "x" * 70_000, "longer than 64 KiB"),
        ("a: 1\n--- {b: 2}\n", "it holds a second YAML document"),
    ],
    ids=lambda value: ascii(value[:20]),
)
def test_a_block_that_cannot_be_read_costs_its_fields_and_says_why(block: str, reason: str) -> None:
    front = read(f"---\n{block}\n---\nbody")
    assert dict(front.fields) == {}
    assert front.end_line == block.count("\n") + 3
    assert reason in front.problem
    assert "\n" not in front.problem


def test_a_tag_of_a_programming_language_builds_nothing() -> None:
    assert read("---\na: !!python/object/apply:os.system ['true']\n---\n").fields["a"] == ("true",)


def test_fields_cannot_be_changed_by_a_reader() -> None:
    front = read("---\na: b\n---\n")
    with pytest.raises(TypeError):
        front.fields["a"] = "c"  # type: ignore[index]


@given(st.text(max_size=200) | st.text(alphabet="a: []{}&*!|>-?#'\"%@,\n\té", max_size=60))
def test_any_block_is_read_or_named_in_one_line(block: str) -> None:
    front = read(f"---\n{block}\n---\n")
    assert "\n" not in front.problem
    for value in front.fields.values():
        assert all(isinstance(part, str) for part in ((value,) if isinstance(value, str) else value))
