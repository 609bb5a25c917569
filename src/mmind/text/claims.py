"""A sentence read into what can be compared: what it is about, its values, what it denies, and how it is meant."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from mmind.text.changes import corrects, exchange, is_history
from mmind.text.lexicon import is_irregular, lemma, listed, ordered, verbs, vocabulary
from mmind.text.numbers import Quantity, quantities
from mmind.text.polarity import NEGATORS, Negation, negations
from mmind.text.sentences import Word, sentences, words
from mmind.text.times import Moment, moments

LONGEST_PASSAGE: Final = 8_000  # characters read of one passage; the rest is not searched for conflicts
MOST_SENTENCES: Final = 60

FUNCTION: Final = vocabulary("function")
AUXILIARIES: Final = vocabulary("auxiliaries")
ADDRESS: Final = frozenset("0123456789./_@")  # signs that make a word an identifier, a path or an address
PREPOSITIONS: Final = vocabulary("prepositions")
PRESENT: Final = vocabulary("present")
DETERMINERS: Final = vocabulary("determiners")
COPULAS: Final = vocabulary("copulas")
RELATIONS: Final = vocabulary("relations")
QUANTIFIERS: Final = vocabulary("quantifiers")
HYPOTHETICAL: Final = vocabulary("hypothetical")
EXCEPTIVE: Final = vocabulary("exceptive")
APPROXIMATE: Final = vocabulary("approximate")
PRONOUNS: Final = {
    form: person for person in ("i", "you", "we", "he", "she", "they") for form in ordered(f"pronoun {person}")
}
HABITUAL: Final = vocabulary("habitual")  # what comes again and again is a rule, not an event
ACRONYMS: Final = vocabulary("acronyms")
RIGHT_BEFORE: Final = vocabulary("right before")  # right next to, right behind: as much as without it
LIKING: Final = vocabulary("liking")
BY_NEIGHBOURS: Final = ACRONYMS | {
    "like",
    "right",
    "longer",
    "anymore",
    "a",
}  # what these are, their neighbours tell
EXEMPLIFYING: Final = vocabulary("exemplifying")
POSSIBLE: Final = vocabulary("possible")
ATTITUDES: Final = vocabulary("attitudes")
MAY: Final = "May"  # the month, not the verb
QUOTES: Final = frozenset('"“«')
QUOTED: Final = re.compile(r"[\"“«][^\"”»]{12,}[\"”»]")


class Mode(StrEnum):
    """How a sentence is meant; only an assertion claims something."""

    ASSERTED = "asserted"
    QUESTION = "question"
    HYPOTHETICAL = "hypothetical"
    QUOTED = "quoted"
    INSTRUCTION = "instruction"


class Kind(StrEnum):
    """What a term is."""

    WORD = "word"
    NAME = "name"
    QUANTITY = "quantity"
    MOMENT = "moment"
    RELATION = "relation"
    QUANTIFIER = "quantifier"


class Term(NamedTuple):  # a frozen dataclass takes three times as long to make, and a text has a hundred
    """One thing a claim says: its key for matching, as it was written, its place among the words, its value if any."""

    lemma: str
    text: str
    kind: Kind
    place: int
    value: Quantity | Moment | None = None


_WORD, _NAME = Kind.WORD, Kind.NAME  # looked up once: a member of an Enum is slow to name in Python 3.11


@dataclass(frozen=True)
class Claim:
    """One sentence, read: its words, and its terms in order. `said_at` is the memory's own time, UTC, or None.

    The rest is read when it is first asked for: most pairs of claims are told apart by their terms and a few more.
    """

    sentence: str
    parts: tuple[Word, ...]
    terms: tuple[Term, ...]
    said_at: datetime | None

    @cached_property
    def found(self) -> frozenset[str]:
        """The lower-case words."""
        return frozenset([word.lower for word in self.parts if word.text != MAY])

    @cached_property
    def lemmas(self) -> frozenset[str]:
        """Those of its words and names."""
        return frozenset([term.lemma for term in self.terms if term.kind is _WORD or term.kind is _NAME])

    @cached_property
    def predicate(self) -> int:
        """The index of the first term after the subject."""
        return _predicate(self.parts, self.terms)

    @cached_property
    def negations(self) -> tuple[Negation, ...]:
        """Its denials, which name words by place, as `terms` do."""
        return negations(self.parts)

    @cached_property
    def mode(self) -> Mode:
        """How it is meant."""
        return _mode(self.sentence, self.parts, self.found)

    @cached_property
    def modals(self) -> frozenset[str]:
        """Its words of what may or could be."""
        return self.found & (POSSIBLE | HYPOTHETICAL)

    @cached_property
    def hedges(self) -> frozenset[str]:
        """Its words that weaken it: only, almost, tried to, …"""
        return self.found & (EXCEPTIVE | APPROXIMATE)

    @cached_property
    def speaker(self) -> str:
        """The pronoun that is its subject or owns it, else ""."""
        return next((PRONOUNS[word.lower] for word in self.parts[:3] if word.lower in PRONOUNS), "")

    @cached_property
    def change(self) -> int:
        """The index of the term that a verb of change leads to (increased to 25), else -1."""
        return _change(self.parts, self.terms, self.found)

    @cached_property
    def past(self) -> bool:
        """Whether it tells of a state that was."""
        return _past(self.parts, self.found)

    @cached_property
    def event(self) -> bool:
        """Whether it tells of something that happened and may happen again, or of no state at all."""
        return _event(self.parts, self.terms, self.found)

    @cached_property
    def corrects(self) -> bool:
        """Whether it says that it sets something right or that a state is new."""
        return corrects(self.sentence, self.found)

    @cached_property
    def history(self) -> bool:
        """Whether it says that it tells of the past."""
        return is_history(self.sentence, self.found)

    @cached_property
    def exchange(self) -> tuple[tuple[str, ...], str]:
        """What it says was given up, as lower-case words, and what came instead, as written; "" for nothing."""
        return exchange(self.sentence, self.found)

    @cached_property
    def retired(self) -> frozenset[str]:
        """The lemmas of what it says was given up."""
        return frozenset([lemma(word) for word in self.exchange[0] if word not in FUNCTION])

    @property
    def adopted(self) -> str:
        """What it says came instead, as written, or ""."""
        return self.exchange[1]

    @cached_property
    def examples(self) -> int:
        """The place among the words from which on only examples are named (including …), past the end if none."""
        return _examples(self.parts, self.found)


def read_claims(text: str, said_at: datetime | None) -> tuple[Claim, ...]:
    """Every sentence of a text that says something, in order; at most 60 sentences of the first 8,000 characters."""
    found = (read_claim(sentence, said_at) for sentence in sentences(text[:LONGEST_PASSAGE])[:MOST_SENTENCES])
    return tuple(claim for claim in found if claim.terms)


@lru_cache(maxsize=8_192)
def read_claim(sentence: str, said_at: datetime | None) -> Claim:
    """One sentence read; `said_at` resolves `yesterday` and the like."""
    parts = words(sentence)
    return Claim(sentence, parts, _terms(parts, said_at), said_at)


def _terms(parts: tuple[Word, ...], said_at: datetime | None) -> tuple[Term, ...]:
    when = moments(parts, said_at)
    dated = {place for moment in when for place in range(moment.first, moment.last)}
    counts = [number for number in quantities(parts) if dated.isdisjoint(range(number.first, number.last))]
    starts: dict[int, Quantity | Moment] = {number.first: number for number in counts}
    starts.update((moment.first, moment) for moment in when)
    found: list[Term] = []
    last = 0
    for place, word in enumerate(parts):
        if place < last:
            continue
        lower = word.lower
        if value := starts.get(place):
            found.append(_valued(parts, value))
            last = value.last
        elif lower in BY_NEIGHBOURS and _is_silent(parts, place):
            continue
        elif kind := _kind_of(word.text, lower, place > 0):
            found.append(Term(lemma(lower), word.text, kind, place))
    return tuple(found)


def _valued(parts: tuple[Word, ...], value: Quantity | Moment) -> Term:
    last = parts[value.last - 1]
    inner = parts[value.first : value.last]
    spaced = (word.text + " " * after.apart for word, after in pairwise(inner))
    text = "".join((*spaced, last.text))
    if isinstance(value, Quantity):
        key = f"#{value.low:g}..{value.high:g}{value.unit}{value.version or ''}"
        return Term(key, text, Kind.QUANTITY, value.first, value)
    key = f"@{value.year}-{value.month}-{value.day} {value.weekday} {value.minute}"
    return Term(key, text, Kind.MOMENT, value.first, value)


@lru_cache(maxsize=1 << 14)  # a text repeats its words, and so do all texts
def _kind_of(text: str, lower: str, is_inner: bool) -> Kind | None:
    """What a word is that is no value; None where it says nothing. The first of a sentence is large in any case."""
    if lower in RELATIONS:
        return Kind.RELATION
    if lower in QUANTIFIERS:
        return Kind.QUANTIFIER
    if (lower in FUNCTION and lower not in BY_NEIGHBOURS) or not lower[0].isalnum() or lower in NEGATORS:
        return None
    named = text[0].isupper() and (is_inner or not text[1:].islower())
    return Kind.NAME if named or not (lower.isalpha() or ADDRESS.isdisjoint(lower)) else Kind.WORD


def _is_silent(parts: tuple[Word, ...], place: int) -> bool:
    """Whether a word of `BY_NEIGHBOURS` says nothing here: `right next to`, `no longer`, the pronoun `it`."""
    lower = parts[place].lower
    if lower in FUNCTION:
        return not _is_told(parts, place)
    if lower == "right":
        return place + 1 < len(parts) and parts[place + 1].lower in RIGHT_BEFORE
    return place > 0 and (lower == "anymore" or (lower == "longer" and parts[place - 1].lower in ("no", "any")))


def _is_told(parts: tuple[Word, ...], place: int) -> bool:
    """Whether a small word is none here: a name (US, IT, plan A), or `like` as a verb (I like, to like)."""
    word = parts[place]
    if word.lower == "a" and place:
        return _is_letter(parts, place)
    if word.lower in ACRONYMS:
        return word.text.isupper() and len(word.text) > 1
    if word.lower != "like" or not place:
        return False
    before = parts[place - 1].lower
    return before in LIKING or (before == "not" and place > 1 and parts[place - 2].lower in LIKING)


def _is_letter(parts: tuple[Word, ...], place: int) -> bool:
    """Whether an `a` is the letter that names one of several: plan A, option a is; in a title many words are large."""
    after = parts[place + 1] if place + 1 < len(parts) else None
    if after is None or not after.text[0].isalnum() or is_auxiliary(after):
        return parts[place - 1].text.isalpha() and parts[place - 1].lower not in FUNCTION
    return parts[place].text == "A" and not after.text[0].isupper()


def _predicate(parts: tuple[Word, ...], terms: tuple[Term, ...]) -> int:
    """The index of the first term after the subject: at the first auxiliary, else at the first common verb."""
    after = next((place for place, word in enumerate(parts) if _begins_predicate(parts, place)), None)
    if after == 1 and parts[0].lower == "there":
        link = next((place for place, word in enumerate(parts) if word.lower in PREPOSITIONS), len(parts))
        return next((index for index, term in enumerate(terms) if term.place >= link), len(terms))
    known = verbs()
    verb = next(
        (
            term.place
            for index, term in enumerate(terms)
            if index and term.kind is _WORD and term.lemma in known and (after is None or term.lemma != term.text)
        ),
        None,
    )
    begins = min(place for place in (after, verb, len(parts)) if place is not None)
    if begins == len(parts) and len(terms) > 1:
        return 1
    return next((index for index, term in enumerate(terms) if term.place >= begins), len(terms))


def _begins_predicate(parts: tuple[Word, ...], place: int) -> bool:
    word = parts[place]
    return (is_auxiliary(word) and not _owns(parts, place)) or (word.lower == "having" and place > 0)


def _owns(parts: tuple[Word, ...], place: int) -> bool:
    """Whether `'s` is no verb: it stands after a noun, and a verb follows (`the cat's vet is …`)."""
    if parts[place].lower != "'s" or parts[place - 1].lower in FUNCTION:
        return False
    return any(is_auxiliary(word) and word.lower != "'s" for word in parts[place + 1 :])


def width_of(terms: Sequence[Term], index: int) -> int:
    """How many terms are one value from `index` on: names in a row and a number after them (`Ana Silva`, `Go 1`)."""
    end = index + 1
    while terms[end - 1].kind is Kind.NAME and end < len(terms) and terms[end].place == terms[end - 1].place + 1:
        if terms[end].kind not in (Kind.NAME, Kind.QUANTITY):
            break
        end += 1
    return end - index


def _past(parts: tuple[Word, ...], found: frozenset[str]) -> bool:
    if found.isdisjoint(COPULAS):
        return False
    return next(word.lower in ("was", "were") for word in parts if word.lower in COPULAS)


def _change(parts: tuple[Word, ...], terms: tuple[Term, ...], found: frozenset[str]) -> int:
    """The index of the term that a verb of change leads to: `moved to Y`, `set to 10`, `became Y`; else -1."""
    verbs_of_change = listed("change.txt")
    for term in terms:
        if term.lemma in verbs_of_change and term.kind is Kind.WORD:
            to = next((at for at in range(term.place + 1, len(parts)) if parts[at].lower == "to"), None)
            if to is not None and any(word.lower.startswith("compar") for word in parts[term.place : to]):
                continue  # the change of 2008, compared to 2007
            begins = term.place + 1 if term.lemma == "becom" else to + 1 if to is not None else None
            if begins is not None:
                return next((index for index, later in enumerate(terms) if later.place >= begins), -1)
    return _now(parts, terms) if "now" in found else -1


def _now(parts: tuple[Word, ...], terms: tuple[Term, ...]) -> int:
    """The index of the value after `now` that has another before: `had 20 seats and now has 35`; else -1."""
    now = next((place for place, word in enumerate(parts) if word.lower == "now"), len(parts))
    after = next((index for index, term in enumerate(terms) if term.place > now and term.value is not None), -1)
    return after if any(term.place < now and type(term.value) is type(terms[after].value) for term in terms) else -1


def _event(parts: tuple[Word, ...], terms: tuple[Term, ...], found: frozenset[str]) -> bool:
    """Whether a sentence has no verb in the present: it reports an event or is an entry (`oil change at 40,000 km`)."""
    if not (found.isdisjoint(PRESENT) and found.isdisjoint(HABITUAL)):
        return False
    known = verbs()
    for term in terms:
        if term.kind is not Kind.WORD or term.lemma not in known:
            continue
        lower = term.text.lower()
        if term.place == 0 and lower.endswith("ing"):  # `meeting with Anna` names an event
            continue
        if lower.endswith(("s", "ing")) or agrees(parts, term.place):
            return lower.endswith("ed")
        if lower.endswith("ed") or is_irregular(lower):
            return True
    inner = any(term.text.lower().endswith(("s", "ing")) for term in terms[1:-1])
    return not inner and found.isdisjoint(("was", "were"))


def agrees(parts: tuple[Word, ...], place: int) -> bool:
    """Whether a bare form can be the verb of what stands before it: a plural or `we`; `oil change` has no verb."""
    before = parts[place - 1].lower if place else ""
    bare = not is_irregular(parts[place].lower)
    return bare and (before.endswith("s") or before in PRONOUNS or is_irregular(before))


def _examples(parts: tuple[Word, ...], found: frozenset[str]) -> int:
    """The place of `including`, `such as` or `e.g.`; the number of words where there is none."""
    if found.isdisjoint(EXEMPLIFYING) and "such" not in found:
        return len(parts)
    for place, word in enumerate(parts):
        if word.lower in EXEMPLIFYING or (word.lower == "as" and place and parts[place - 1].lower == "such"):
            return place
    return len(parts)


def is_auxiliary(word: Word) -> bool:
    """Whether a word is an auxiliary verb; `May` is a month."""
    return word.lower in AUXILIARIES and word.text != MAY


def _mode(sentence: str, parts: tuple[Word, ...], found: frozenset[str]) -> Mode:
    if sentence.rstrip("\"'”’) ").endswith(("?", "？")):
        return Mode.QUESTION
    if not HYPOTHETICAL.isdisjoint(found):
        return Mode.HYPOTHETICAL
    if _instructs(parts):
        return Mode.INSTRUCTION
    return Mode.QUOTED if not QUOTES.isdisjoint(sentence) and QUOTED.search(sentence) else Mode.ASSERTED


def _instructs(parts: tuple[Word, ...]) -> bool:
    first = parts[0].lower if parts else ""
    second = parts[1].lower if len(parts) > 1 else ""
    if first in ("please", "never", "avoid", "let") or (first == "do" and second not in ("you", "we", "they", "i")):
        return second != ","
    return lemma(first) == first and first in verbs() and second not in AUXILIARIES and second in DETERMINERS
