"""Headings of Markdown under CommonMark's rules, held against markdown-it-py.

On purpose otherwise (and kept out of the generated notes): Obsidian comments hide headings, and a paragraph that
starts with a link reference definition follows cmark, where markdown-it-py begins a new block after the definition.
"""

from __future__ import annotations

import os
import tarfile
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mmind.text.blocks import Line, outline
from mmind.text.decode import decode
from mmind.text.frontmatter import read

VAULTS = Path(os.environ.get("MMIND_TEST_VAULTS") or Path(__file__).resolve().parents[3] / "shared" / "data" / "vaults")
ORACLE = MarkdownIt("commonmark").enable("table")

Heads = list[tuple[int, str, int, int]]  # level, text, first line, last line


def ours(text: str, start: int = 0) -> Heads:
    headings = outline(text, start).headings
    return [(found.level, " ".join(found.text.split()), found.line_start, found.line_end) for found in headings]


def theirs(text: str, start: int = 0) -> Heads:
    lines = text.split("\n")
    parsed = ORACLE.parse("\n".join([""] * start + lines[start:]))
    return [
        (int(token.tag[1]), " ".join(content.content.split()), token.map[0] + 1, token.map[1])
        for token, content in pairwise(parsed)
        if token.type == "heading_open" and token.level == 0 and token.map
    ]


TRAPS = {
    "closing hashes": "## Plan ##\n# a#\n### b # #\n# \\#\n#\t tab\t#",
    "not a heading": "#hashtag\n\n####### seven\n\n    # indented\n\n\\# escaped",
    "indent of three": "   # three\n    # four",
    "an empty heading": "#\n## \n### ###",
    "setext": "Title\n===\n\nSub\n---\n\nTwo\nlines\n  ====  \n",
    "rule or setext": "a\n\n---\n\nb\n***\nc\n- - -\nd\n---",
    "setext after list, quote and code": "- a\n---\n> b\n---\n    c\n---",
    "lazy line under a quote": "> a\nb\n===\n\n> c\n---",
    "fence": "```bash\n# comment\n```\n# real",
    "tilde fence": "~~~\n# x\n```\n# y\n~~~\n# real",
    "longer fence": "````\n```\n# x\n```\n# y\n````\n# real",
    "short or indented closing": "```\n``\n    ```\n# x\n   ```  \n# real",
    "unclosed fence": "# real\n```\n# x\n\n# y",
    "backtick in the info string": "``` a`b\n# real\n",
    "fence in a list": "- a\n  ```\n  # x\n  ```\n# real",
    "list ends an open fence": "- a\n  ```\n# real\n",
    "fence in a quote": "> ```\n> # x\n# real",
    "heading in a list or a quote": "- # x\n> # y\n1. # z\n\n   # w\n\n# real",
    "heading after an item": "- item\n # real\n\n- item\n\n  # x\n",
    "two spaces make it the item's": "1. a\n\n  # real\n\n1. a\n\n   # x",
    "html comment": "<!--\n# x\n\n# y\n-->\n# real",
    "comment on one line": "<!-- a -->\n# real\n<!-- b\n-->\n# also",
    "html block ends at a blank line": "<div>\n# x\n\n# real\n</div>",
    "script holds blank lines": "<script>\n\n# x\n\n</script>\n# real",
    "inline tag starts no block in a paragraph": "text\n<a href='x'>\n# real\n\n<a href='x'>\n# x",
    "processing instruction": "<?php\n# x\n?>\n# real\n<!DOCTYPE\n# y\n>\n<![CDATA[\n# z\n]]>\n# also",
    "table above a rule": "| a | b |\n|---|---|\n| 1 | 2 |\n---\n# real",
    "one column": "|a|\n---\n\n|a|\n-\n\na\n-",
    "paragraph above a table": "text\na | b\n--- | ---\nc\n===",
    "cells that do not match": "a | b\n---\n\n| a |\n|---|---|\n===",
    "definition above an underline": "[a]: /url\n===\n\n[b]: /url 'title'\n---\n",
    "ordered list cannot break a paragraph": "a\n2. b\n===\n\na\n1. b\n===",
    "empty item cannot break a paragraph": "a\n-\n\na\n*\n===",
    "tabs": "#\tTab\n\t# code\n-\t# x\n>\t# y\n",
    "dashes in an item": "- a\n  ---\n- - -\n-\n\n  # real",
    "trailing spaces": "Title  \n===  \n# h   ",
}


@pytest.mark.parametrize("name", TRAPS)
def test_headings_in_a_trap_are_those_of_commonmark(name: str) -> None:
    assert ours(TRAPS[name]) == theirs(TRAPS[name])


def test_the_oracle_sees_headings_in_most_traps() -> None:
    assert sum(bool(theirs(text)) for text in TRAPS.values()) > 25


PIECES = [
    *(
        "",
        "",
        "",
        " ",
        "para",
        "para  ",
        "# h",
        "## h2 ##",
        "   ### h3",
        "    # code",
        "#nohash",
        "# ",
        "#",
        "####### x",
    ),
    *("===", "---", "- - -", "***", "= =", "--", "-", "  ===", "  ---", "> ---", "# h \\#", "# h#", "# h # #", "#\th"),
    *("```", "~~~", "````", "```py", "``` a`b", "~~~ x", "    ```", "  ```", "- ```", "> ```", "\ttab", "\t# tab"),
    *("> q", "> # h", ">", ">\t# x", "- item", "- # h", "-    # f", "-     # g", "1. x", "2. y", "10) z", "1) ", "* a"),
    *("  cont", "   cont", "    four", "  - b", "    - c", "      # d", "  # e", "-\tx", "1.\t# x", "- a\t", "+ b"),
    *("<div>", "</div>", "<!-- c", "-->", "<!-- x -->", "<script>", "</script>", "<pre>", "<a>", "<b x", "<?php", "?>"),
    *("<a href='x'>", "<!D", "<![CDATA[", "]]>", "| a | b |", "|---|---|", "--- | ---", "a | b", "|a|", "|-|", ":-:"),
]


@settings(max_examples=600, deadline=None)
@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=10).map("\n".join))
def test_headings_of_any_composed_note_are_those_of_commonmark(text: str) -> None:
    assert ours(text) == theirs(text)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=" #-=`~>*+1.)|:<!abc\t\n", max_size=60))
def test_headings_of_any_marks_are_those_of_commonmark(text: str) -> None:
    assert ours(text) == theirs(text)


def notes_of(vault: str, every: int) -> Iterator[tuple[str, str]]:
    archive = VAULTS / f"{vault}.tar.gz"
    if not archive.is_file():
        pytest.skip(f"the vault {vault} is not here (set MMIND_TEST_VAULTS to the folder of {archive.name})")
    with tarfile.open(archive) as packed:
        members = [member for member in packed if member.isfile() and member.name.endswith(".md")]
        for member in members[::every]:
            content = packed.extractfile(member)
            text = decode(content.read()).text if content else None
            if text:
                yield member.name, text


@pytest.mark.parametrize(("vault", "every"), [("kepano", 1), ("knowledge_garden", 8), ("rust_rfcs", 8)])
def test_headings_of_a_real_vault_are_those_of_commonmark(vault: str, every: int) -> None:
    compared = 0
    for name, text in notes_of(vault, every):
        if "excalidraw-plugin" in text:
            continue  # a drawing hides its data in an Obsidian comment
        start = read(text).end_line
        assert ours(text, start) == theirs(text, start), name
        compared += 1
    assert compared > 50


def kinds(text: str) -> list[Line]:
    return [Line(kind) for kind in outline(text).kinds]


def test_each_line_is_told_apart() -> None:
    text = "# h\ntext\n\n```\n# x\n\n```\n---\n%% note %%\n```dataview\nLIST\n```"
    assert kinds(text) == [
        *(Line.HEADING, Line.TEXT, Line.BLANK, Line.CODE, Line.CODE, Line.CODE, Line.CODE),
        *(Line.RULE, Line.COMMENT, Line.QUERY, Line.QUERY, Line.QUERY),
    ]


def test_a_comment_of_several_lines_hides_its_headings() -> None:
    assert ours("%%\n# hidden\n\n%%\n# shown") == [(1, "shown", 5, 5)]


def test_a_comment_that_nothing_closes_hides_nothing() -> None:
    assert ours("%% draft\n\n# shown") == [(1, "shown", 3, 3)]


def test_a_comment_inside_a_line_leaves_the_line() -> None:
    assert kinds("%% a %% and text\ntext %% b %%") == [Line.TEXT, Line.TEXT]


@pytest.mark.parametrize(
    "text",
    ["> " * 300_000, "- " * 300_000 + "x", "* " * 300_000, "<a" + " b=c" * 200_000,
     "|a" * 200_000 + "\n" + "|-" * 200_000, "%%\n" * 100_001, "[a]: b\n" * 50_000 + "===",
     "```\n" * 100_001, "<!-- " * 200_000,
     "\n".join("  " * level + "- x" for level in range(500))],
    ids=lambda text: repr(text[:6]),
)  # fmt: skip
def test_a_note_made_to_be_slow_is_read_in_linear_time(text: str) -> None:
    # The time limit of the suite is the check: a quadratic scan takes hours.
    assert len(outline(text).kinds) == text.count("\n") + 1
