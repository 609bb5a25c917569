"""The block structure of Markdown, as far as search needs it: headings, code, hidden lines.

The rules are CommonMark 0.31 with GFM tables (a table keeps a rule below it from becoming a heading); block quotes and
list items are followed so that what stands in them is not taken for the note's own outline. The tests hold headings
against markdown-it-py. On purpose otherwise:

- headings inside block quotes and list items are not part of the outline;
- lines of an Obsidian comment (`%%` at the start of a line up to the next `%%`) are hidden, whatever they hold;
- a link reference definition is known only on a single line;
- containers nest at most `DEEPEST` deep; markers beyond that are text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache

DEEPEST = 20  # quotes and lists within one another, as in markdown-it; bounds the work on `> > > >`


class Line(IntEnum):
    """What a line is to search."""

    BLANK = 0
    TEXT = 1
    HEADING = 2
    CODE = 3
    FRONT = 4  # front matter, its fences included
    COMMENT = 5  # an Obsidian comment: neither shown nor searched
    QUERY = 6  # a dataview query: what it finds is not written here
    RULE = 7


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of the outline: level 1 to 6, its raw inline text, and its lines (from 1, both inclusive)."""

    level: int
    text: str
    line_start: int
    line_end: int


@dataclass(frozen=True, slots=True)
class Outline:
    """The headings of a note in order, and what each line is (`kinds[0]` is line 1)."""

    headings: tuple[Heading, ...]
    kinds: Sequence[int]


_ATX = re.compile(r"(#{1,6})(?:[ ]+(.*))?$")
_CLOSING_HASHES = re.compile(r"(?:^|[ ]+)#+[ ]*$")
_THEMATIC = re.compile(r"(?:(?:\*[ ]*+){3,}+|(?:-[ ]*+){3,}+|(?:_[ ]*+){3,}+)$")
_SETEXT = re.compile(r"(=+|-+)[ ]*+$")
_FENCE = re.compile(r"(`{3,}+)([^`]*)$|(~{3,}+)(.*)$")
_BULLET = re.compile(r"[-+*](?=[ ]|$)")
_ORDERED = re.compile(r"(\d{1,9})[.)](?=[ ]|$)")
_DEFINITION = re.compile(
    r"[ ]{0,3}\[(?:[^\[\]\\]|\\.){1,999}\]:[ ]*(?:<[^<>]*>|[^\s<]\S*)(?:[ ]+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?[ ]*$"
)
_DELIMITER_ROW = re.compile(r"(?!-(?:[ ]|$))\|?[ ]*:?-+:?[ ]*(?:\|[ ]*:?-+:?[ ]*)*+\|?[ ]*$")
_PIPE = re.compile(r"(?<!\\)\|")
_QUERY_LANGUAGES = frozenset({"dataview", "dataviewjs"})

_TAG_NAMES = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|"
    "fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|"
    "menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|"
    "track|ul"
)
_ATTRIBUTE = r"\s++[A-Za-z_:][\w:.\-]*+(?:\s*+=\s*+(?:[^\s\"'=<>`]++|'[^']*+'|\"[^\"]*+\"))?"
# Start condition, end condition, and whether it may interrupt a paragraph: the seven of CommonMark section 4.6.
_HTML = tuple(
    (re.compile(start, re.IGNORECASE), re.compile(end, re.IGNORECASE) if end else None, interrupts)
    for start, end, interrupts in (
        (r"<(?:script|pre|style|textarea)(?=\s|>|$)", r"</(?:script|pre|style|textarea)>", True),
        (r"<!--", r"-->", True),
        (r"<\?", r"\?>", True),
        (r"<![A-Z]", r">", True),
        (r"<!\[CDATA\[", r"\]\]>", True),
        (rf"</?(?:{_TAG_NAMES})(?=\s|/?>|$)", "", True),
        (rf"(?:<[A-Z][A-Z0-9\-]*+(?:{_ATTRIBUTE})*+\s*+/?>|</[A-Z][A-Z0-9\-]*+\s*+>)\s*+$", "", False),
    )
)


@lru_cache(maxsize=4)
def outline(text: str, start: int = 0) -> Outline:
    """The outline of a note (line ends `\\n`); its first `start` lines are front matter. Never raises.

    The last few are remembered: a note is described and then cut.
    """
    lines = text.split("\n")
    scan = _Scan(lines, start)
    for index in range(start, len(lines)):
        scan.line(index)
    return Outline(tuple(scan.headings), bytes(scan.kinds))


@dataclass(slots=True)
class _Item:
    """An open list item: how far its content is set in from what holds it, and whether it holds anything yet."""

    indent: int
    is_empty: bool


_QUOTE = None  # a block quote on the stack of containers
_VERBATIM = frozenset({"fence", "html", "code"})


class _Scan:
    """Goes through the lines once; `containers` are the open quotes and items, `leaf` the open block inside them."""

    def __init__(self, lines: Sequence[str], start: int) -> None:
        self.lines = lines
        self.kinds = bytearray([Line.FRONT]) * start + bytearray(len(lines) - start)
        self.headings: list[Heading] = []
        self.containers: list[_Item | None] = []
        self.leaf = ""  # paragraph, table, fence, html, code, or "" for none
        self.paragraph: list[str] = []
        self.fence = ""
        self.fence_kind = Line.CODE
        self.html_end: re.Pattern[str] | None = None  # None: a blank line ends the block
        self.comment_end = start  # lines before this one are in a comment
        self.may_comment = True  # False once a `%%` was seen that nothing closes

    def line(self, index: int) -> None:
        """Take in one line."""
        raw = self.lines[index]
        if index < self.comment_end:
            self.kinds[index] = Line.COMMENT
        elif raw[:1].isalpha() and not self.containers and self.leaf not in _VERBATIM:
            self.kinds[index] = Line.TEXT  # nothing but a paragraph or a table row starts with a letter
            self._text(raw)
        elif raw.isspace() or not raw:
            self._blank(index)
        else:
            self._any(index, raw.expandtabs(4) if "\t" in raw else raw)

    def _any(self, index: int, text: str) -> None:
        if self.leaf not in _VERBATIM and self.may_comment and text.lstrip().startswith("%%") and self._comment(index):
            return
        self.kinds[index] = Line.TEXT
        matched, position = self._descend(text)
        if self.leaf in _VERBATIM:
            if matched == len(self.containers) and self._verbatim(index, text, position):
                return
            self.leaf = ""
        self._starts(index, text, position, matched)

    def _starts(self, index: int, text: str, position: int, matched: int) -> None:
        """Open the blocks that start in this line, from the outside in; what remains is a paragraph's."""
        while True:
            start = _first(text, position)
            is_going_on = self.leaf != "" and matched == len(self.containers)
            if start == len(text):  # an item or a quote without content
                self._close(matched)
                return
            if start - position >= 4:
                if self.leaf != "paragraph":
                    self._begin("code", matched)
                    self.kinds[index] = Line.CODE
                else:
                    self.paragraph.append(text[start:])
                return
            if self._leaf_starts(index, text, start, matched, is_going_on):
                return
            inner = self._container_starts(text, position, start, matched, is_going_on)
            if inner is None:
                break
            position, matched = inner, matched + 1
        if self.leaf != "paragraph" and matched < len(self.containers):
            self._close(matched)
        self._text(text[start:])

    def _text(self, text: str) -> None:
        if self.leaf == "paragraph":
            self.paragraph.append(text)
        elif self.leaf != "table":
            self._fill()
            self.leaf = "paragraph"
            self.paragraph = [text]

    def _blank(self, index: int) -> None:
        matched, _ = self._descend("")
        self._close_containers(matched)
        if self.leaf == "fence":
            self.kinds[index] = self.fence_kind
        elif self.leaf != "code" and not (self.leaf == "html" and self.html_end is not None):
            self.leaf = ""

    def _descend(self, text: str) -> tuple[int, int]:
        """How many of the open containers go on in this line, and where what they hold starts."""
        position = 0
        is_blank = not text
        for count, container in enumerate(self.containers):
            start = _first(text, position)
            if container is _QUOTE:
                if start - position > 3 or text[start : start + 1] != ">":
                    return count, position
                position = start + 1 + (text[start + 1 : start + 2] == " ")
            elif is_blank or start == len(text):
                if container.is_empty:
                    return count, position
            elif start - position >= container.indent:
                position += container.indent
            else:
                return count, position
        return len(self.containers), position

    def _verbatim(self, index: int, text: str, position: int) -> bool:
        """Whether the line belongs to the open fence, HTML block or indented code."""
        start = _first(text, position)
        if self.leaf == "fence":
            self.kinds[index] = self.fence_kind
            closing = text[start:].rstrip() if start - position < 4 else ""
            if len(closing) >= len(self.fence) and closing == self.fence[0] * len(closing):
                self.leaf = ""
            return True
        if self.leaf == "html":
            if start == len(text) and self.html_end is None:
                return False
            if self.html_end is not None and self.html_end.search(text, position):
                self.leaf = ""
            return True
        if start - position >= 4:
            self.kinds[index] = Line.CODE
            return True
        return start == len(text)

    def _leaf_starts(self, index: int, text: str, start: int, matched: int, is_going_on: bool) -> bool:
        """Whether a heading, rule, fence, table or HTML block starts at this column; it is then taken in."""
        character = text[start]
        if character == "#":
            atx = _ATX.match(text, start)
            if atx is None:
                return False
            self._begin("", matched)
            self._heading(index, index, len(atx[1]), _CLOSING_HASHES.sub("", atx[2] or ""))
        elif character in "`~":
            fence = _FENCE.match(text, start)
            if fence is None:
                return False
            self._begin("fence", matched)
            self.fence = fence[1] or fence[3]
            info = (fence[2] or fence[4] or "").split(maxsplit=1)
            is_query = bool(info) and info[0].lower() in _QUERY_LANGUAGES
            self.fence_kind = Line.QUERY if is_query else Line.CODE
            self.kinds[index] = self.fence_kind
        elif character == "<":
            return self._html_starts(text, start, matched)
        elif character in "-=*_|:":
            return self._underline_starts(index, text, start, matched, is_going_on)
        else:
            return False
        return True

    def _html_starts(self, text: str, start: int, matched: int) -> bool:
        for opening, end, may_interrupt in _HTML:
            if (may_interrupt or self.leaf != "paragraph") and opening.match(text, start):
                self._begin("" if end is not None and end.search(text, start) else "html", matched)
                self.html_end = end
                return True
        return False

    def _underline_starts(self, index: int, text: str, start: int, matched: int, is_going_on: bool) -> bool:
        """A table's second row, the underline of a heading, or a rule."""
        if is_going_on and self.leaf == "paragraph":
            if _is_delimiter_row(text, start, self.paragraph[-1]):
                self.leaf = "table"
                return True
            underline = _SETEXT.match(text, start)
            if underline:
                content = _without_definitions(self.paragraph)
                if content:
                    level = 1 if underline[1][0] == "=" else 2
                    self._begin("", matched)
                    self._heading(index - len(content), index, level, " ".join(line.strip() for line in content))
                    return True
                self.leaf = ""
        if _THEMATIC.match(text, start):
            self._begin("", matched)
            self.kinds[index] = Line.RULE
            return True
        return False

    def _container_starts(self, text: str, position: int, start: int, matched: int, is_going_on: bool) -> int | None:
        """Open the quote or list item that starts at this column: where its content starts, or None."""
        if matched >= DEEPEST:
            return None
        if text[start] == ">":
            self._begin("", matched)
            self.containers.append(_QUOTE)
            return start + 1 + (text[start + 1 : start + 2] == " ")
        marker = _BULLET.match(text, start) or _ORDERED.match(text, start)
        if marker is None:
            return None
        inner = _first(text, marker.end())
        is_empty = inner == len(text)
        if is_going_on and self.leaf == "paragraph" and (is_empty or (marker.lastindex and int(marker[1]) != 1)):
            return None
        if is_empty or inner - marker.end() > 4:
            inner = marker.end() + 1
        self._begin("", matched)
        self.containers.append(_Item(inner - position, is_empty))
        return min(inner, len(text))

    def _begin(self, leaf: str, matched: int) -> None:
        """Close what ends here and open a leaf."""
        self._close(matched)
        self._fill()
        self.leaf = leaf

    def _fill(self) -> None:
        if self.containers and self.containers[-1] is not _QUOTE:
            self.containers[-1].is_empty = False

    def _close(self, matched: int) -> None:
        self._close_containers(matched)
        self.leaf = ""

    def _close_containers(self, matched: int) -> None:
        if matched < len(self.containers):
            del self.containers[matched:]
            self.leaf = ""

    def _heading(self, first: int, last: int, level: int, text: str) -> None:
        if not self.containers:
            self.headings.append(Heading(level, text.strip(), first + 1, last + 1))
            for index in range(first, last + 1):
                self.kinds[index] = Line.HEADING

    def _comment(self, index: int) -> bool:
        """Hide an Obsidian comment that starts this line; False when it is text after all."""
        text = self.lines[index].strip()
        closing = text.find("%%", 2)
        if closing >= 0:
            is_whole = closing == len(text) - 2
            self.comment_end = index + is_whole
        else:
            last = next((i for i in range(index + 1, len(self.lines)) if "%%" in self.lines[i]), None)
            self.may_comment = last is not None
            is_whole = last is not None
            self.comment_end = 0 if last is None else last + self.lines[last].rstrip().endswith("%%")
        if is_whole:
            self.kinds[index] = Line.COMMENT
            self._close(0)
        return is_whole


def _first(text: str, position: int) -> int:
    """Where the first character that is no space stands, at or after a position."""
    length = len(text)
    while position < length and text[position] == " ":
        position += 1
    return position


def _without_definitions(paragraph: Sequence[str]) -> Sequence[str]:
    """The lines of a paragraph after the link reference definitions at its start."""
    for count, line in enumerate(paragraph):
        if not _DEFINITION.match(line):
            return paragraph[count:]
    return ()


def _is_delimiter_row(text: str, start: int, above: str) -> bool:
    """Whether a line makes a table of the line above it (GFM section 4.10): dashes in as many cells."""
    row = text[start:].rstrip()
    return "|" in above and _DELIMITER_ROW.match(row) is not None and _cells(row) == _cells(above)


def _cells(row: str) -> int:
    cells = _PIPE.split(row.strip())
    return len(cells) - (cells[0] == "") - (len(cells) > 1 and cells[-1] == "")
