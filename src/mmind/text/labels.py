"""Labels and their values: `Port: 8080`, `- **Owner**: Kim`, rows of a table of two columns, properties of a note.

Such a line does not say of what it tells; the title of its note and the headings above it do. Two lines are compared
where what they tell of and their labels come to the same words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from mmind.text.alignment import CONTENT
from mmind.text.claims import FUNCTION, LONGEST_PASSAGE, Kind, Term, read_claim
from mmind.text.comparison import Contradiction
from mmind.text.lexicon import lemma, listed, opposed, synonymous, vocabulary
from mmind.text.numbers import Quantity, disjoint
from mmind.text.sentences import words
from mmind.text.times import Moment, apart, comparable

MOST_LINES: Final = 200
LONGEST_VALUE: Final = 60  # characters; what is longer is prose
MOST_WORDS: Final = 6
LONGEST_LABEL: Final = 4  # words
SURE: Final = 0.9
SURE_OF_WORDS: Final = 0.75  # two names for one value are commoner than two notations of a number

_MARK: Final = r"(?:\*\*|__|\*|_|`)?"
_LINE: Final = re.compile(
    rf"^\s*(?:[-*+•]\s+(?:\[[ xX]\]\s+)?)?{_MARK}(?P<label>[^\W\d_][\w /()'’&.-]{{0,40}}?){_MARK}"
    rf"(?:\s?::?{_MARK}\s+|：\s*)"
    r"(?P<value>\S.*?)\s*$"
)
_ROW: Final = re.compile(r"^\s*\|(?P<label>[^|]+)\|(?P<value>[^|]+)\|\s*$")
# A label with nothing beside it, or with what is no prose: an empty list, links, an address, a slot of a template.
_SPARE: Final = re.compile(
    r"^\s*(?:[-*+•]\s+)?[*_]{0,2}[^\W\d_][\w /()'’&.-]{0,40}?[*_]{0,2}::?[*_]{0,2}\s*"
    r"""(?:\[.*\]|["']?(?:\[\[[^\]]*\]\](?:,\s*)?)*["']?|["']{2}|\{\{.*\}\}|[|>][+-]?|\w+://\S*)\s*$"""
)
_ITEM: Final = re.compile(r"^\s*[-*+•]\s+\S.{0,60}$")
_EMBED: Final = re.compile(r"^\s*!\[.*[\])]\s*$")
_HEADING: Final = re.compile(r"^\s*#{1,6}\s")
_LIST: Final = re.compile(r"[,;/|&]\s|\band\b|\bor\b|^\[|://")
_MARKS: Final = re.compile(r"[*`\[\]\"]|^_+|_+$|^'|'$")
# Labels of what differs between any two notes, or may have many values.
PASSING: Final = frozenset(map(lemma, vocabulary("passing labels")))
# Headings that only say that facts follow.
FRAMING: Final = frozenset(map(lemma, vocabulary("framing headings")))
# Titles that name a sort of things, of which each heading names one.
COLLECTING: Final = vocabulary("collecting titles")
ANNOUNCING: Final = vocabulary("announcing")
YES: Final = vocabulary("yes")
NO: Final = vocabulary("no")


@dataclass(frozen=True, slots=True)
class Labelled:
    """One line: its label by lemmas, in order; its value and the whole line, as written without marks."""

    label: tuple[str, ...]
    value: str
    line: str


@lru_cache(maxsize=2_048)
def labelled(text: str) -> tuple[Labelled, ...]:
    """The labels of a passage with their values, in order; none where it is prose."""
    if ":" not in text and "|" not in text and "：" not in text:
        return ()
    lines = text[:LONGEST_PASSAGE].split("\n")[:MOST_LINES]
    return tuple(found for line in lines if (found := _read(line)))


def _read(line: str) -> Labelled | None:
    match = _LINE.match(line) or _ROW.match(line)
    if match is None:
        return None
    label, value = (_MARKS.sub("", match[part]).strip() for part in ("label", "value"))
    keys = tuple(lemma(word) for word in plain_words(label) if word not in FUNCTION)
    if not keys or not value or label.count(" ") >= LONGEST_LABEL or len(value) > LONGEST_VALUE or not _is_bare(value):
        return None
    return Labelled(keys, value, f"{label}: {value}")


def plain_words(text: str) -> list[str]:
    """The lower-case words of a text, those of compounds apart, without marks."""
    return [part for word in words(text) for part in word.lower.replace("_", "-").split("-") if part[:1].isalnum()]


def _is_bare(value: str) -> bool:
    """Whether a value is no sentence and no list."""
    return (
        value.count(" ") < MOST_WORDS
        and not _LIST.search(value)
        and not value.rstrip().endswith(("?", "!", ":"))
        and ". " not in value
    )


@lru_cache(maxsize=2_048)
def is_record(text: str) -> bool:
    """Whether a passage is labels and values and hardly anything else.

    A label may also be empty (`rating:`), or have a link or a list, beside it or below; an embed (`![[Map.base]]`) only
    shows what stands elsewhere.
    """
    lines = [line for line in text.split("\n") if line.strip(" \t|-:#") and not _HEADING.match(line)]
    return bool(lines) and 3 * _fields(lines) >= 2 * len(lines)


def _fields(lines: Sequence[str]) -> int:
    """How many lines are a label with its value, a label without prose, an item under one, or an embed."""
    found, is_open = 0, False
    for line in lines:
        is_open = _SPARE.match(line) is not None or (is_open and _ITEM.match(line) is not None)
        found += is_open or _EMBED.match(line) is not None or _read(line) is not None
    return found


def is_label_line(sentence: str) -> bool:
    """Whether a sentence is a label with a value; what `Update:` or `Correction:` announces is a claim."""
    return _read(sentence) is not None and sentence.partition(":")[0].lower() not in ANNOUNCING


@lru_cache(maxsize=4_096)
def subject(title: str, headings: Sequence[str], text: str) -> frozenset[str]:
    """What the lines of a passage tell of, in lemmas: its title and headings, else the line that stands before them.

    A title that only says what sort of things the headings name (`Services`, `Recipes`) counts where there are none.
    """
    single = [name for name in (title, *headings) if not COLLECTING.issuperset(plain_words(name))]
    named = _keys(single or (title, *headings))
    if named or title:
        return named
    first = text.split("\n", 1)[0]
    return frozenset() if _read(first) else _keys((first,))


def _keys(names: Iterable[str]) -> frozenset[str]:
    found = (lemma(word) for name in names for word in plain_words(name) if word not in FUNCTION)
    return frozenset(key for key in found if key not in FRAMING)


Told = tuple[frozenset[str], str]  # what a passage tells of, and its text


def label_contradictions(passages: Sequence[Told]) -> list[tuple[int, int, Contradiction]]:
    """Every contradiction between the labels of two passages, by index (lower first), in order of the indices."""
    places: dict[frozenset[str], list[tuple[int, Labelled]]] = {}
    for index, (about, text) in enumerate(passages):
        for one in labelled(text):
            if len(whole := about.union(one.label)) > 1:
                places.setdefault(whole, []).append((index, one))
    found = [
        (left, right, verdict)
        for left, one, right, other in _meetings(places.values())
        if (verdict := judged_labels(one, other)) is not None
    ]
    return sorted(found, key=lambda one: one[:2])


def _meetings(groups: Iterable[list[tuple[int, Labelled]]]) -> Iterator[tuple[int, Labelled, int, Labelled]]:
    """Pairs of lines of different passages under one key; a passage that has a label twice lists values."""
    for group in groups:
        single = [(index, one) for index, one in group if sum(index == other for other, _ in group) == 1]
        for place, (left, one) in enumerate(single):
            for right, other in single[place + 1 :]:
                yield left, one, right, other


def judged_labels(left: Labelled, right: Labelled) -> Contradiction | None:
    """What two lines of one label deny of each other, or None; what passes or may have many values denies nothing."""
    if left.label[-1] != right.label[-1] or PASSING.issuperset(left.label) or PASSING.issuperset(right.label):
        return None
    kind = _rivalry(left, right)
    if not kind:
        return None
    confidence = SURE_OF_WORDS if kind == "correction" else SURE
    return Contradiction(kind, (left.line, right.line), (left.value, right.value), confidence, "")


def _rivalry(left: Labelled, right: Labelled) -> str:
    """The kind in which two values shut each other out; "" where they do not, or nobody can tell."""
    one, other = left.value.lower().strip(" ."), right.value.lower().strip(" .")
    if one == other:
        return ""
    if (one in YES and other in NO) or (one in NO and other in YES) or opposed(lemma(one), lemma(other)):
        return "negation"
    ours, theirs = (_terms(line.value) for line in (left, right))
    if len(ours) == len(theirs) == 1 and ours[0].value is not None and theirs[0].value is not None:
        return _of_values(ours[0], theirs[0])
    single = left.label[-1] in listed("attributes.txt")
    return "correction" if single and _are_names(ours, theirs) else ""


def _terms(value: str) -> tuple[Term, ...]:
    return read_claim(value, None).terms


def _of_values(left: Term, right: Term) -> str:
    if isinstance(left.value, Quantity) and isinstance(right.value, Quantity):
        same = left.value.unit == right.value.unit
        return "numeric" if same and disjoint(left.value, right.value) else ""
    if isinstance(left.value, Moment) and isinstance(right.value, Moment):
        return "temporal" if comparable(left.value, right.value) and apart(left.value, right.value) else ""
    return ""


def _are_names(ours: Sequence[Term], theirs: Sequence[Term]) -> bool:
    """Whether two short values share no word and are no synonyms: Kim and Tom, not Kim and Kim Lee."""
    plain = all(term.kind in CONTENT or term.kind is Kind.QUANTITY for term in (*ours, *theirs))
    return (
        plain
        and 0 < len(ours) <= 3
        and 0 < len(theirs) <= 3
        and not any(synonymous(one.lemma, other.lemma) for one in ours for other in theirs)
    )
