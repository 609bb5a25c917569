"""Cuts a memory's text into the passages that are indexed, embedded, scored and shown.

Markdown is cut at its headings, then a long section at paragraphs, lines, sentences, words, in that order of
preference; plain text in the same way without headings. A passage is one stretch of the text, word for word. Left out
are heading lines (they are the passage's `heading`), Obsidian comments that fill whole lines, dataview queries, and
what says nothing: embeds, lone bullets, empty keys and rules without any prose beside them. The properties of front
matter are a passage of their own, from the first to the last that states a fact. A note that says nothing at all has
one passage, so that its name finds it.
"""

from __future__ import annotations

import re
import string
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, pairwise

from mmind.text.blocks import Heading, Line, Outline, outline
from mmind.text.frontmatter import FrontMatter, read
from mmind.text.scripts import EMOJI
from mmind.values.memory import Passage, TextFormat

PASSAGES_VERSION = "2"  # an index made under another version is rebuilt

# The embedding model reads 256 wordpieces, title and heading included. One wordpiece is five letters of prose, one
# ideograph or one punctuation mark, so a text's size is its characters, and 4 more for each mark and each ideograph
# (2 for each UTF-8 byte beyond a character's first). Of such passages 1 in 100 overflows the window in long technical
# notes; by characters alone it was 1 in 7.
LARGEST = 1100
_MARKS = string.punctuation.encode()

# A heading of up to so many bytes over nothing but embeds, bullets and empty keys is the label of a view or of a slot
# in a template (`## Albums`, `## Last seen`). Passages of such labels alone came before the prose and properties of
# their notes: they are short, and their words weigh as a heading's. A longer one says something.
LONGEST_LABEL = 20

# Properties that are fields of a memory already (title, aliases, tags, times), or that speak to programs.
_SILENT_KEYS = frozenset(
    {
        *("title", "tags", "tag", "aliases", "alias", "slug", "permalink", "publish", "draft", "layout", "template"),
        *("cssclass", "cssclasses", "image", "cover", "banner", "icon", "color", "colour", "date", "datetime"),
        *("created", "updated", "modified", "edited", "lastmod"),
    }
)
# Ids (`uuid`, `note_id`, `doubanId`), times of the file (`date created`, `last-modified`), and settings of the plugins
# Spaced Repetition, Digital Garden, Excalidraw and Database Folder.
_SILENT_KEY = re.compile(
    r"(?i:(?:.*[_\- ])?(?:id|uid|uuid|guid))|.*[a-z]I[Dd]|(?i:(?:sr|dg)-.*|.*-plugin)"
    r"|(?i:(?:date|time|last)[_\- ]?(?:created|updated|modified)|(?:created|updated|modified)[_\- ]?(?:at|date))"
)
_TOP_KEY = re.compile(r"([^\s#:\-][^:]*):(?:\s|$)")
_INNER_KEY = re.compile(r"[\s\-]*+[^\s:][^:]*+:\s*$")
_NO_FACT = re.compile(
    r"\b(?:true|false|yes|no|on|off|null|none)\b|\b[\da-f]{8}-?(?:[\da-f]{4}-?){3}[\da-f]{12}\b", re.IGNORECASE
)

_WORD = re.compile(rf"[^\W_]|{EMOJI}")
_EMBED = re.compile(r"!\[\[[^\[\]\n]*\]\]|(?<=!\[\])\([^()\n]*\)")
_EMPTY = re.compile(r"[^\W_][\w\-]*+(?: [\w\-]++){0,2}\**::?\**\s*|\d{1,9}[.)]\s*")  # `Due date:`, `**for**::`, `1.`

_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*\s+|[。！？；]+")

_Section = tuple[int, int, tuple[str, ...]]  # first line, last line (from 0, inclusive), heading path
_Span = tuple[int, int]  # characters from, to (exclusive)


def cut(text: str, format: TextFormat) -> list[Passage]:
    """The passages of a text (line ends `\\n`) in order, none larger than `LARGEST`.

    A blank text has none, nor has one that holds nothing but comments; every other text has at least one. Takes time
    and memory linear in the text, whatever it holds.
    """
    lines = text.split("\n")
    if format is TextFormat.MARKDOWN:
        front = read(text)
        shape = outline(text, front.end_line)
        sections = _sections(lines, shape, front)
        found = _passages(text, lines, shape.kinds, sections, is_said=_says)
        return found or _passages(text, lines, shape.kinds, _remains(lines, shape.kinds))
    kinds = bytes(Line.TEXT if line and not line.isspace() else Line.BLANK for line in lines)
    return _passages(text, lines, kinds, [(0, len(lines) - 1, ())])


def _passages(
    text: str,
    lines: Sequence[str],
    kinds: Sequence[int],
    sections: Iterable[_Section],
    is_said: Callable[[Iterable[str]], bool] = any,
) -> list[Passage]:
    starts = list(accumulate((len(line) + 1 for line in lines), initial=0))
    passages: list[Passage] = []
    for first, last, heading in sections:
        for start, end in _packed(text, _pieces(text, starts, _paragraphs(kinds, first, last))):
            kept = text[start:end].rstrip()
            if is_said(kept.split("\n")):
                line_start = bisect_right(starts, start)
                line_end = bisect_right(starts, start + len(kept) - 1)
                passages.append(Passage(len(passages), kept, line_start, line_end, heading))
    return passages


def _sections(lines: Sequence[str], shape: Outline, front: FrontMatter) -> Iterator[_Section]:
    """What the properties say, then what stands under each heading; a bare heading stands for itself."""
    if front.end_line:
        first, last = (1, front.end_line - 2) if front.problem and not front.fields else _property_lines(lines, front)
        if first <= last:
            yield first, last, ()
    path: list[Heading] = []
    start = front.end_line
    for heading, following in pairwise((None, *shape.headings, None)):
        if heading is not None:
            path = [*(above for above in path if above.level < heading.level), heading]
            start = heading.line_end
        names = tuple(above.text for above in path if above.text)
        end = following.line_start - 1 if following is not None else len(lines)
        shown = list(_shown(shape.kinds, start, end))
        said = [(first, last, names) for first, last in shown if _says(lines[first : last + 1])]
        yield from said
        is_innermost = following is None or heading is None or following.level <= heading.level
        if heading is not None and not said and is_innermost and _stands_alone(heading, over=shown):
            yield heading.line_start - 1, heading.line_end - 1, names


def _stands_alone(heading: Heading, over: Sequence[_Span]) -> bool:
    """Whether a heading is a passage: over nothing at all, or, over silent lines, when it is more than a label."""
    return heading.text != "" and (not over or len(heading.text.encode("utf-8", "surrogatepass")) > LONGEST_LABEL)


def _shown(kinds: Sequence[int], start: int, end: int) -> Iterator[_Span]:
    """Stretches of lines (both inclusive) that hold text or code, parted by what is hidden."""
    first = last = -1
    for index in range(start, end):
        kind = kinds[index]
        if kind in (Line.TEXT, Line.CODE):
            first, last = (index if first < 0 else first), index
        elif kind not in (Line.BLANK, Line.RULE) and first >= 0:
            yield first, last
            first = -1
    if first >= 0:
        yield first, last


def _says(lines: Iterable[str]) -> bool:
    """Whether any line holds a word or a number that is no embed's target, no key without a value and no bullet."""
    return any(_WORD.search(_EMBED.sub("", line)) and not _EMPTY.fullmatch(line.lstrip(" \t-+*>")) for line in lines)


def _property_lines(lines: Sequence[str], front: FrontMatter) -> _Span:
    """The stretch of front matter from its first to its last property that states a fact; an empty one without any."""
    first, last = 1, 0
    begun, is_telling = 1, False
    for index in range(1, front.end_line - 1):
        said = lines[index]
        if key := _TOP_KEY.match(said):
            begun, is_telling = index, not _is_silent(key[1].strip())
            said = said[key.end() :]
        if is_telling and _states(said):
            first, last = (begun if last == 0 else first), index
    return first, last


def _is_silent(key: str) -> bool:
    plain = key.strip("\"'")
    return plain.lower() in _SILENT_KEYS or _SILENT_KEY.fullmatch(plain) is not None


def _states(value: str) -> bool:
    """Whether a line of a property's value holds more than a truth value, an id, a comment or an empty key."""
    is_empty = value.lstrip().startswith("#") or _INNER_KEY.match(value) is not None
    return not is_empty and _WORD.search(_NO_FACT.sub("", value)) is not None


def _remains(lines: Sequence[str], kinds: Sequence[int]) -> Iterator[_Section]:
    """What stands for a note that says nothing: labels and embeds, front matter, a query, or its rules."""
    for wanted in ((Line.HEADING, Line.TEXT, Line.CODE), (Line.FRONT,), (Line.QUERY,), (Line.RULE,)):
        held = [index for index, kind in enumerate(kinds) if kind in wanted and not lines[index].isspace()]
        if held:
            inner = held[1:-1] if Line.FRONT in wanted and len(held) > 2 else held
            yield inner[0], inner[-1], ()
            return


def _paragraphs(kinds: Sequence[int], first: int, last: int) -> Iterator[_Span]:
    """Runs of lines (both inclusive) without a blank line; blank lines inside a fence part nothing."""
    begun = -1
    for index in range(first, last + 1):
        if kinds[index] == Line.BLANK:
            if begun >= 0:
                yield begun, index - 1
            begun = -1
        elif begun < 0:
            begun = index
    if begun >= 0:
        yield begun, last


def _pieces(text: str, starts: Sequence[int], paragraphs: Iterable[_Span]) -> Iterator[_Span]:
    """Characters of each paragraph; of one that is too large, of each line; of such a line, of bounded windows."""
    for first, last in paragraphs:
        start, end = starts[first], starts[last + 1] - 1
        if _size(text, start, end) <= LARGEST:
            yield start, end
            continue
        for line in range(first, last + 1):
            yield from _windows(text, starts[line], starts[line + 1] - 1)


def _windows(text: str, start: int, end: int) -> Iterator[_Span]:
    """Cut one line where a sentence ends, else at white space, else anywhere."""
    while _size(text, start, min(end, start + LARGEST + 1)) > LARGEST:
        stop = start + LARGEST
        while (size := _size(text, start, stop)) > LARGEST:
            stop = start + max(1, (stop - start) * LARGEST // size)
        middle = (start + stop) // 2
        sentences = [match.end() for match in _SENTENCE_END.finditer(text, middle, stop)]
        stop = sentences[-1] if sentences else _after_space(text, middle, stop)
        yield start, stop
        start = stop
    yield start, end


def _after_space(text: str, middle: int, stop: int) -> int:
    """The last place after white space between two positions, or the second position, moved off combining marks."""
    for position in range(stop, middle, -1):
        if text[position - 1].isspace():
            return position
    for position in range(stop, max(middle, stop - 8), -1):
        if not unicodedata.combining(text[position]):
            return position
    return stop


def _packed(text: str, pieces: Iterable[_Span]) -> Iterator[_Span]:
    """Join neighbours up to `LARGEST`, evenly: a section of 1.2 times that becomes two halves and no crumb."""
    spans = list(pieces)
    if not spans:
        return
    start, end = spans[0]
    size = _size(text, start, end)
    left = _size(text, start, spans[-1][1])
    aim = left / _shares(left)
    for following in spans[1:]:
        added = _size(text, end, following[1])
        if size + added > LARGEST or size + added / 2 > aim:
            yield start, end
            left -= size
            aim = left / _shares(left)
            start, size = following[0], _size(text, *following)
        else:
            size += added
        end = following[1]
    yield start, end


def _shares(size: int) -> int:
    return max(1, -(-size // LARGEST))


def _size(text: str, start: int, end: int) -> int:
    """How much of the embedding window a stretch fills; adding up stretches adds up sizes."""
    part = text[start:end]
    data = part.encode("utf-8", "surrogatepass")
    marks = len(data) - len(data.translate(None, _MARKS))
    return 2 * len(data) - len(part) + 4 * marks
