"""Instructions for one thing that name other values: `Preheat to 180 °C`, `Preheat the oven to 200 °C`.

A step does not say of what it is one. The title of its note does, or words before it (`For the plum cake …`), and two
steps are compared only where these come to the same. What is to be done again and again needs no title: `Water the
monstera every 7 days`. English.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

from mmind.text.alignment import CONTENT
from mmind.text.claims import EXCEPTIVE, LONGEST_PASSAGE, Claim, Mode, Term, is_auxiliary, read_claim
from mmind.text.comparison import Contradiction
from mmind.text.labels import PASSING, Told
from mmind.text.lexicon import lemma, verbs, vocabulary
from mmind.text.numbers import Quantity, disjoint
from mmind.text.sentences import sentences
from mmind.text.skimming import Skimmed, lemmas, skim

DIRECTING: Final = vocabulary("directing")
# `let` says little by itself; what is let is looked for in its place.
DIRECTING_LEMMAS: Final = frozenset(map(lemma, (*DIRECTING, *vocabulary("let")))) - {"let"}
OPENING: Final = DIRECTING | {"for", "first", "now", "please", "always"}
# What is done once to a whole dish, so that it need not be said to what.
OF_ALL: Final = frozenset(map(lemma, vocabulary("directing all")))
# What is used for a step and goes without saying.
UNSAID: Final = frozenset(map(lemma, vocabulary("unsaid tools")))
AGAIN: Final = EXCEPTIVE | {"more", "again", "then", "further", "extra"}  # a step beside another
SURE: Final = 0.8
MOST_LINES: Final = 200
LONGEST: Final = 160  # characters; what is longer tells more than one step
LEAST_OF_UNTITLED: Final = 2  # words
LONGEST_LABEL: Final = 44  # characters before a step, with the colon

_ITEM: Final = re.compile(r"\s*(?:[-*+•]\s+(?:\[[ xX]\]\s+)?|\d{1,2}[.)]\s+)?")
_FIRST: Final = re.compile(r"(?:first|now|please|always)[,:]?\s+", re.IGNORECASE)
_FOR: Final = re.compile(
    rf"for\s(?:the\s|my\s|our\s|an?\s)?(?P<thing>\w[\w’' -]{{0,40}}?),?\s(?=(?:{'|'.join(sorted(DIRECTING))})\b)",
    re.IGNORECASE,
)
_LABEL: Final = re.compile(r"(?P<thing>[^\W\d_][\w’' -]{0,40}):\s(?=\w)")
_FIRST_WORD: Final = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Direction:
    """A step: its sentence, what it names itself as what it is for, its verb and things by lemma, its values in order.

    A value has the lemma of what it counts (`two tablets`), "" where it has a unit or stands last.
    """

    sentence: str
    about: frozenset[str]
    verb: str
    things: frozenset[str]
    values: tuple[tuple[Term, str], ...]

    @property
    def is_standing(self) -> bool:
        """Whether the step is to be taken again and again, so that it holds whatever note it stands in."""
        return any(isinstance(term.value, Quantity) and term.value.unit == "interval" for term, _ in self.values)


def directed_contradictions(passages: Sequence[Told]) -> list[tuple[int, int, Contradiction]]:
    """Every contradiction between the steps of two passages, by index (lower first), in order of the indices.

    A passage is what it tells of, by lemmas, and its text.
    """
    steps: dict[str, list[tuple[int, frozenset[str], Direction]]] = {}
    for index, (about, text) in enumerate(passages):
        for one in directions(text):
            steps.setdefault(one.verb, []).append((index, about, one))
    found = [
        (left, right, verdict)
        for told in steps.values()
        for (left, about, one), (right, other_about, other) in combinations(told, 2)
        if left != right and (verdict := _judged((about, one), (other_about, other))) is not None
    ]
    return sorted(found, key=lambda one: one[:2])


@lru_cache(maxsize=2_048)
def directions(text: str) -> tuple[Direction, ...]:
    """The steps of a passage that have a value; none of those of which there are several with one verb and thing."""
    if not any(_may_direct(one) for one in skim(text)):  # skimmed before, so that it costs little
        return ()
    read = [one for line in _lines(text[:LONGEST_PASSAGE]) for one in _of_line(line)]
    counts = Counter((one.about, one.verb, one.things) for one in read)
    return tuple(one for one in read if one.values and counts[one.about, one.verb, one.things] == 1)


def _may_direct(said: Skimmed) -> bool:
    if said.lemmas.isdisjoint(DIRECTING_LEMMAS):
        return False
    first = said.sentence.split(maxsplit=1)[0].lower().rstrip(",")
    return first in OPENING or ":" in said.sentence[:LONGEST_LABEL]


def _lines(text: str) -> Iterator[str]:
    """The lines of a text without the marks of lists; a line that goes on in small letters takes the next with it."""
    pending = ""
    for line in text.split("\n")[:MOST_LINES]:
        if pending and line[:1].islower():
            pending = f"{pending} {line}"
            continue
        if pending:
            yield pending
        pending = line[_ITEM.match(line).end() :] if line.strip() else ""  # type: ignore[union-attr]  # matches nothing
    if pending:
        yield pending


def _of_line(line: str) -> Iterator[Direction]:
    for sentence in sentences(line):
        if len(sentence) <= LONGEST and (found := _read(sentence)) is not None:
            yield found


def _read(sentence: str) -> Direction | None:
    about, step = _parted(sentence)
    first = _FIRST_WORD.match(step)
    if first is None or first[0].lower() not in DIRECTING:
        return None
    claim = read_claim(step, None)
    if claim.mode in (Mode.QUESTION, Mode.HYPOTHETICAL) or claim.negations or not claim.terms or _is_noun(claim):
        return None
    verb = lemma(first[0].lower())
    things = frozenset(term.lemma for term in claim.terms[1:] if term.value is None)
    values = _values(claim) if claim.found.isdisjoint(AGAIN) else ()
    counted = {unit for _, unit in values}
    return Direction(sentence, about, verb, things - counted - UNSAID, values)


def _is_noun(claim: Claim) -> bool:
    """Whether the first word is no order but a thing: `Use of the hall costs 40 euros`, `Water is 3 euros`."""
    after = claim.parts[1] if len(claim.parts) > 1 else None
    if after is None or after.lower == "of" or is_auxiliary(after):
        return True
    return after.lower.endswith("s") and after.lower != "this" and lemma(after.lower) in verbs()


def _parted(sentence: str) -> tuple[frozenset[str], str]:
    """What a sentence says it is for, by lemmas, and the step: `For the plum cake, preheat …`."""
    for pattern in (_LABEL, _FOR):
        match = pattern.match(sentence)
        if match and (bare := _bare(sentence[match.end() :])):
            return lemmas(match["thing"])[1], bare
    return frozenset(), _bare(sentence) or sentence


def _bare(step: str) -> str:
    """A step from its verb on, "" where it does not begin with one."""
    step = step[match.end() :] if (match := _FIRST.match(step)) else step
    first = _FIRST_WORD.match(step)
    return step if first is not None and first[0].lower() in DIRECTING else ""


def _values(claim: Claim) -> tuple[tuple[Term, str], ...]:
    """The measures and counts of a step; none where two are of one unit, or a date or the number of a thing stands."""
    valued = [(index, term) for index, term in enumerate(claim.terms) if term.value is not None]
    quantities = [term.value for _, term in valued if isinstance(term.value, Quantity)]
    units = [one.unit for one in quantities]
    if len(quantities) != len(valued) or len(set(units)) != len(units) or not {"name", "ordinal"}.isdisjoint(units):
        return ()
    return tuple((term, _counted(claim, index)) for index, term in valued)


def _counted(claim: Claim, index: int) -> str:
    value, after = claim.terms[index].value, claim.terms[index + 1 : index + 2]
    if not isinstance(value, Quantity) or value.unit or not after or after[0].kind not in CONTENT:
        return ""
    return after[0].lemma if after[0].place == value.last else ""


def _judged(one: tuple[frozenset[str], Direction], other: tuple[frozenset[str], Direction]) -> Contradiction | None:
    (about, left), (other_about, right) = one, other
    if not _are_of_one(one, other):
        return None
    subject = left.about | about | right.about | other_about
    things = left.things - subject
    if things != right.things - subject or not (things or _needs_no_thing(left, right)):
        return None
    for mine, counted in left.values:
        for theirs, other_counted in right.values:
            if counted == other_counted and _shut_out(mine, theirs):
                return Contradiction("numeric", (left.sentence, right.sentence), (mine.text, theirs.text), SURE, "")
    return None


def _needs_no_thing(left: Direction, right: Direction) -> bool:
    """Whether two steps are done to the whole, name that whole, or say of what how much there is (`two tablets`)."""
    counted = [any(unit for _, unit in each.values) for each in (left, right)]
    return left.verb in OF_ALL or bool(left.things and right.things) or all(counted)


def _are_of_one(one: tuple[frozenset[str], Direction], other: tuple[frozenset[str], Direction]) -> bool:
    """Whether two steps are for one thing: both say for which, or one does and the other names that thing itself.

    Of two notes without a title one word is too little (`For the dough …`). Where neither says for which, what both do
    again and again to the same things is one.
    """
    (about, left), (other_about, right) = one, other
    mine, theirs = left.about | about, right.about | other_about
    if mine and theirs:
        enough = len(mine) >= LEAST_OF_UNTITLED or bool(about or other_about)
        return mine == theirs and enough and not PASSING.issuperset(mine) and any(map(str.isalpha, mine))
    named = mine or theirs
    if named:
        return not PASSING.issuperset(named) and named <= (right.things if mine else left.things)
    return left.is_standing and right.is_standing and bool(left.things) and left.things == right.things


def _shut_out(left: Term, right: Term) -> bool:
    ours, theirs = left.value, right.value
    if not isinstance(ours, Quantity) or not isinstance(theirs, Quantity):
        return False
    return ours.unit == theirs.unit and disjoint(ours, theirs)
