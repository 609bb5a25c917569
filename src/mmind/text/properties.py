"""A label or a property against a sentence elsewhere: `birthday: 1984-05-03` in the note Anna, `Anna's birthday is …`.

The title completes the line to one plain sentence or two, and these are judged as any others are. So it is done only
where the line tells of what the title names, and with sentences that name it too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import Final

from mmind.text.claims import Claim, read_claim
from mmind.text.clauses import clauses
from mmind.text.comparison import LEAST_CONFIDENCE, Contradiction
from mmind.text.contradiction import judged
from mmind.text.labels import PASSING, Labelled, is_label_line, labelled
from mmind.text.lexicon import lemma, vocabulary
from mmind.text.numbers import Quantity
from mmind.text.rewording import MEASURES, reworded
from mmind.text.skimming import Skimmed, lemmas, skim

LEAST_SURE: Final = 0.85  # a sentence may say one word more than the line, of seven, or what its clause leaves out
MOST_READ: Final = 60  # pairs of a line and a sentence, in the order of the passages
MOST_OF_TITLE: Final = 3  # words; a longer title names an occasion
MOST_OF_STATE: Final = 3  # words besides the title of a sentence that says how a thing is

PAST: Final = frozenset(("was", "were"))
MODALS: Final = frozenset(("should", "would", "could", "might", "must", "can", "shall", "will", "'ll"))  # not what is
STATE: Final = frozenset(map(lemma, vocabulary("state labels")))
HOURS: Final = frozenset(map(lemma, vocabulary("hours labels")))
MEASURED: Final = {lemma(noun): predicate for noun, predicate in MEASURES.items()}
# What a label is called, by lemma, and the sentence that says the same with a verb.
SAID: Final = {
    lemma(label): sentence
    for sentence, labels in (
        ("{title} was born on {value}", "birthday birthdate born"),
        ("{title} lives in {value}", "city home residence"),
        ("{title} serves {value}", "servings serves"),
        ("{title} is due on {value}", "due deadline"),
        ("{title} are kept for {value}", "retention"),
        ("{title} goes to bed at {value}", "bedtime"),
        ("{title} does {value}", "speed"),
        ("{title} costs {value} a month", "rent"),
    )
    for label in labels.split()
}
LONGEST_LINE: Final = 400  # characters in which the first line of a passage must stand
_HALF_DAY: Final = 12
_CLOCK: Final = r"\d{1,2}(?:[:.]\d\d)?(?:\ ?[ap]m)?"
_RANGE: Final = re.compile(
    rf"(?P<opens>{_CLOCK})\ ?(?:to|till?|until|-|–)\ ?(?P<closes>{_CLOCK})(?:\ (?:h|hours|o'clock))?\Z",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Noted:
    """A passage: the title that its lines tell of, "" where nobody can tell of what; its text, and its time (UTC)."""

    title: str
    text: str
    said_at: datetime | None


@dataclass(frozen=True, slots=True)
class Stated:
    """What a line says in a plain sentence, by its lemmas, of a thing `named`; `is_state` where it says how that is."""

    line: str
    sentence: str
    lemmas: frozenset[str]
    named: frozenset[str]
    is_state: bool


def property_contradictions(passages: Sequence[Noted]) -> list[tuple[int, int, Contradiction]]:
    """Every contradiction between a line of one passage and a sentence of another, by index (lower first), in order."""
    found: dict[tuple[int, int, str, str], Contradiction] = {}
    for here, there, one, sentence in islice(_meetings(passages), MOST_READ):
        claims = read_claim(one.sentence, passages[here].said_at), read_claim(sentence, passages[there].said_at)
        verdict = _verdict(*claims)
        if verdict is not None and not _stands_beside(passages[here].text, one.line, verdict.values[1]):
            told = replace(verdict, sentences=(one.line, sentence))
            key = (min(here, there), max(here, there), one.line, sentence)
            found.setdefault(key, told if here < there else _turned(told))
    return sorted(((left, right, each) for (left, right, _, _), each in found.items()), key=lambda one: one[:2])


def _meetings(passages: Sequence[Noted]) -> Iterator[tuple[int, int, Stated, str]]:
    for here, noted in enumerate(passages):
        stated = statements(noted.title, noted.text) if noted.title else ()
        for there, other in enumerate(passages if stated else ()):
            for said in skim(other.text) if there != here else ():
                if stated[0].named <= said.lemmas and not is_label_line(said.sentence):
                    yield from ((here, there, one, said.sentence) for one in stated if _may_meet(one, said))


def _may_meet(stated: Stated, said: Skimmed) -> bool:
    """Whether a sentence that names the thing may tell of the same: it shares a word, is short, or tells a change."""
    beside = said.lemmas - stated.named
    if stated.is_state:
        return len(beside) <= MOST_OF_STATE
    return said.turns or not beside.isdisjoint(stated.lemmas)


def _verdict(line: Claim, other: Claim) -> Contradiction | None:
    """What a line and a sentence deny of each other; a sentence with more values tells of one day, or of some."""
    if PAST.isdisjoint(line.found) != PAST.isdisjoint(other.found) or not MODALS.isdisjoint(other.found):
        return None
    found = judged(line, other)
    least = LEAST_CONFIDENCE if found is not None and found.kind == "correction" else LEAST_SURE
    if found is None or found.confidence < least or _least(line) != _least(other):
        return None
    return None if _is_half_day_apart(line, other) else found


def _least(claim: Claim) -> int:
    """How many values a sentence holds, or its main clause."""
    return min(map(_values, _main(claim)))


def _main(claim: Claim) -> list[Claim]:
    """A sentence and its main clause, if there is one that is not all: without `since Monday`."""
    parts = clauses(claim.sentence)
    return [claim, *(read_claim(part, claim.said_at) for part in parts if len(parts) == 1)]


def _values(claim: Claim) -> int:
    return sum(term.value is not None for term in claim.terms)


def _is_half_day_apart(left: Claim, right: Claim) -> bool:
    """Whether one side may say with 5 what the other says with 17."""
    hours = [
        [term.value.low for term in claim.terms if isinstance(term.value, Quantity) and not term.value.unit]
        for claim in (left, right)
    ]
    return all(len(each) == 1 for each in hours) and abs(hours[0][0] - hours[1][0]) == _HALF_DAY


def _stands_beside(text: str, line: str, value: str) -> bool:
    """Whether another line of a passage has a value: `Port: 8080` beside `Admin port: 9090`."""
    return any(one.value.lower() == value.lower() for one in labelled(text) if one.line != line)


def _turned(found: Contradiction) -> Contradiction:
    corrects = {"left": "right", "right": "left"}.get(found.corrects, "")
    return replace(found, sentences=found.sentences[::-1], values=found.values[::-1], corrects=corrects)


@lru_cache(maxsize=2_048)
def statements(title: str, text: str) -> tuple[Stated, ...]:
    """What the lines of a passage say of its title, if that is short; a label that stands twice lists values."""
    _, named = lemmas(title)
    if not 0 < len(named) <= MOST_OF_TITLE:
        return ()
    lines = labelled(text)
    labels = [line.label for line in lines]
    single = (line for line in lines if labels.count(line.label) == 1 and not PASSING.issuperset(line.label))
    of_lines = tuple(
        Stated(line.line, sentence, lemmas(sentence)[1] - named, named, STATE.issuperset(line.label))
        for line in single
        for sentence in _sentences(title, line)
    )
    return of_lines + _of_sums(title, text, named)


def _of_sums(title: str, text: str, named: frozenset[str]) -> tuple[Stated, ...]:
    """What a passage says that begins with the sum alone: `890 euros a month, due on Friday` in the note Rent."""
    first = _first_line(text)
    return tuple(
        Stated(first, one.sentence, lemmas(one.sentence)[1] - named, named, is_state=False)
        for one in (reworded(f"{title}: {first}") if _begins_with_number(first) else ())
    )


def _first_line(text: str) -> str:
    """The first line that is no heading."""
    lines = (line.strip() for line in text[:LONGEST_LINE].split("\n"))
    return next((line.rstrip(" .") for line in lines if line and not line.startswith("#")), "")


def _begins_with_number(line: str) -> bool:
    return line[:2].strip("€$£ ").isdecimal()


def needs_title(text: str) -> bool:
    """Whether a passage has lines that say something only with the title or heading above them; a cheap look."""
    return bool(labelled(text)) or (text[:1] in "#€$£0123456789 \n" and _begins_with_number(_first_line(text)))


def _sentences(title: str, line: Labelled) -> tuple[str, ...]:
    label, value, last = line.line.partition(":")[0].replace("_", " "), line.value, line.label[-1]
    if STATE.issuperset(line.label):
        return (f"{title} is {value}",) if value.isalpha() else ()
    if HOURS.issuperset(line.label):
        return _of_hours(title, value)
    plain = f"{title}'s {label} is {value}", f"The {label} of {title} is {value}"
    if len(line.label) == 1 and last in SAID:
        return *plain, SAID[last].format(title=title, value=value)
    if len(line.label) == 1 and value.isdecimal() and label.lower().endswith("s"):
        return *plain, f"{title} has {value} {label}"
    if len(line.label) == 1 and last in MEASURED:
        return *plain, f"{title} {MEASURED[last].format(value=value)}"
    return plain


def _of_hours(title: str, value: str) -> tuple[str, ...]:
    """Opening hours as two times, each also as a bare hour where it is a full one: `9:00 - 17:30`."""
    match = _RANGE.match(value)
    if match is None:
        return ()
    times = (("opens", match["opens"]), ("closes", match["closes"]))
    bare = (
        (verb, time[:-3].lstrip("0")) for verb, time in times if time.endswith((":00", ".00")) and time[:-3].strip("0")
    )
    clock = ((verb, f"{time}:00") for verb, time in times if time.isdecimal())
    return tuple(f"{title} {verb} at {time}" for verb, time in (*times, *bare, *clock))
