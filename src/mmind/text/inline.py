"""What stands inside the lines of a note: hashtags, wikilinks, code spans, and the words that a reader sees."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from mmind.text.scripts import EMOJI

_TICKS = re.compile("`+")
_WIKILINK = re.compile(r"(!?)\[\[([^\[\]\n]+)\]\]")
_ADDRESS = re.compile(r"\]\([^()\n]*\)|<[^<>\n]*>")  # of a link, of an HTML tag: a `#` in it is a fragment
# A hashtag follows white space or opening punctuation (Obsidian help, "Tags"): no fragment of an address, no `C#x`.
_HASHTAG = re.compile(rf"(?<![^\s(\[{{,;:!?>*_~|、。，；：（「])#((?:[\w/\-]|{EMOJI})+)")
_SAYING = re.compile(rf"[^\W\d_]|{EMOJI}")  # a tag of digits alone is a ticket number
_COLOUR = re.compile(r"(?=[a-f]*\d)(?:[\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|([a-f])\1\1(?:\1\1\1)?", re.IGNORECASE)
_SIZE = re.compile(r"\d+(?:x\d+)?")
_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)")
_EMPHASIS = re.compile(r"\*\*|__|~~|==|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)|`")
_BLOCK_ID = re.compile(r"\s\^[\w-]+$")


def hashtags(lines: Iterable[str]) -> Iterator[str]:
    """The tags in the prose of a note, without `#`; nested tags (`a/b`) whole.

    By Obsidian's rules, and beyond them: a colour (`#00aa88`, `#fff`) is no tag, nor is what stands in code or links.
    """
    for line in lines:
        if "#" in line:
            plain = _ADDRESS.sub(" ", _WIKILINK.sub(" ", without_code(line)))
            for match in _HASHTAG.finditer(plain):
                tag = match[1].strip("/")
                if _SAYING.search(tag) and not _COLOUR.fullmatch(tag):
                    yield tag


def wikilinks(lines: Iterable[str]) -> Iterator[str]:
    """The words of the wikilinks and embeds: each target without its heading, and what is shown for it."""
    for line in lines:
        if "[[" in line:
            for match in _WIKILINK.finditer(without_code(line)):
                target, *shown = match[2].replace("\\|", "|").split("|")
                yield re.split(r"[#^]", target, maxsplit=1)[0].strip()
                yield from (text.strip() for text in shown if not (match[1] and _SIZE.fullmatch(text.strip())))


def shown_text(heading: str) -> str:
    """A heading or title as a reader sees it: links by their text, no emphasis marks, no block id."""
    if not any(mark in heading for mark in "[*_`~=^"):
        return heading.strip()
    linked = _WIKILINK.sub(lambda match: match[2].split("|")[-1], heading)
    return _EMPHASIS.sub("", _BLOCK_ID.sub("", _LINK.sub(r"\1", linked))).strip()


def without_code(line: str) -> str:
    """A line with its code spans blanked (CommonMark 6.1: backticks, to the next run of as many), in linear time."""
    if "`" not in line:
        return line
    runs = [(match.start(), match.end()) for match in _TICKS.finditer(line)]
    closing: dict[int, int] = {}  # length of a run -> the next run of that length
    partner = [-1] * len(runs)
    for index in range(len(runs) - 1, -1, -1):
        length = runs[index][1] - runs[index][0]
        partner[index] = closing.get(length, -1)
        closing[length] = index
    kept: list[str] = []
    end = index = 0
    while index < len(runs):
        if partner[index] < 0:
            index += 1
            continue
        kept.append(line[end : runs[index][0]])
        end = runs[partner[index]][1]
        index = partner[index] + 1
    return " ".join([*kept, line[end:]])
