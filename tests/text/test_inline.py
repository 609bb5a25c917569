"""Hashtags, wikilinks, code spans and shown text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmind.text.inline import hashtags, shown_text, wikilinks, without_code


@pytest.mark.parametrize(
    ("line", "tags"),
    [
        ("Real tag: #kiosk", ["kiosk"]),
        ("#start and (#inner), #end.", ["start", "inner", "end"]),
        ("#area/harbour/pier #y1984 #to-do #snake_case", ["area/harbour/pier", "y1984", "to-do", "snake_case"]),
        ("#café #港口 #🚀", ["café", "港口", "🚀"]),
        ("- [ ] #task\t#next", ["task", "next"]),
        ("> #quoted", ["quoted"]),
        ("**#bold**", ["bold"]),
        ("#trailing/", ["trailing"]),
        ("Ticket `#hold-release` and ``#b ` #c``", []),
        ("https://wiki.example/page#setup", []),
        ("[text](#anchor) [text](page.md#part) <a href=\"#top\">", []),
        ("[[Note#Heading]] [[#Heading]] ![[#^block]]", []),
        ("#1984 #12 C# F#x a#b ## # #!", []),
        ("#00aa88 #fff #F0F #0af8 #12345678", []),
        ("#facade #decade #add", ["facade", "decade", "add"]),
    ],
)  # fmt: skip
def test_tags_of_a_line_are_those_that_obsidian_sees(line: str, tags: list[str]) -> None:
    assert list(hashtags([line])) == tags


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("Buy [[Yellow fruit|bananas]]. ![[Diving store]]", ["Yellow fruit", "bananas", "Diving store"]),
        ("[[Note#Part|here]] [[Note^block]]", ["Note", "here", "Note"]),
        ("| [[Note\\|shown]] |", ["Note", "shown"]),
        ("![[photo.png|100x200]] [[1984|1984]]", ["photo.png", "1984", "1984"]),
        ("`[[not]]` [ [not]] [[]] [[open", []),
    ],
)
def test_links_give_their_targets_and_what_is_shown(line: str, words: list[str]) -> None:
    assert list(wikilinks([line])) == words


@pytest.mark.parametrize(
    ("heading", "shown"),
    [
        ("Plain title", "Plain title"),
        ("The [*real*](page.md) **thing**", "The real thing"),
        ("About [[Note|the note]] and [[Other]]", "About the note and Other"),
        ("`code` and snake_case ^block-1", "code and snake_case"),
        ("2 * 3 = 6", "2 * 3 = 6"),
    ],
)
def test_a_heading_is_shown_without_its_marks(heading: str, shown: str) -> None:
    assert shown_text(heading) == shown


@pytest.mark.parametrize(
    ("line", "plain"),
    [("a `b` c", "a   c"), ("a ``b ` c`` d", "a   d"), ("a ` b", "a ` b"), ("`a` `b", "  `b"), ("``a`b`", "``a ")],
)
def test_code_spans_end_at_as_many_backticks(line: str, plain: str) -> None:
    assert without_code(line) == plain


def test_backticks_that_never_match_are_read_in_linear_time() -> None:
    # The time limit of the suite is the check.
    line = " ".join("`" * length for length in range(1, 1500))
    assert without_code(line) == line


@pytest.mark.parametrize("mark", ["[[", "](", "<", "#", "[[a|", "#a", "**", "_", "[a]("])
def test_marks_without_end_are_read_in_linear_time(mark: str) -> None:
    # The time limit of the suite is the check.
    line = mark * 100_000
    assert len(list(hashtags([line]))) <= 100_000
    assert list(wikilinks([line])) == []
    assert len(shown_text(line)) <= len(line)


@given(st.text(max_size=100))
def test_any_line_gives_tags_without_hash_or_space(line: str) -> None:
    for tag in hashtags([line]):
        assert tag
        assert not any(character in "# \n" for character in tag)
