"""Values that took one another's place: given up, changed to another, or two values of what has one at a time."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from mmind.text.alignment import CONTENT, Alignment
from mmind.text.claims import FUNCTION, Claim, Kind, Mode, Term, width_of
from mmind.text.comparison import Contradiction, dates_differ, flips, gap_between, reached, says_much, stated, verdict
from mmind.text.doubts import is_converse, is_doubtful_value
from mmind.text.lexicon import exclusive, is_irregular, lemma, listed, verbs, vocabulary
from mmind.text.numbers import Quantity

USAGE: Final = frozenset(map(lemma, vocabulary("usage")))
PREFERS: Final = re.compile(r"\b(?:instead of|rather than)\b", re.IGNORECASE)  # says what is not chosen, not what was
TAKES_OVER: Final = re.compile(r"\b(?:taken|took|takes) over\b", re.IGNORECASE)
SHORT: Final = 7  # terms of a claim that says one thing only
DEFINITE: Final = vocabulary("definite")
COUNTRIES: Final = frozenset(map(lemma, vocabulary("countries")))
HONORIFICS: Final = frozenset(map(lemma, vocabulary("honorifics")))


def given_up(left: Claim, right: Claim) -> Contradiction | None:
    """One side gives up what the other still states: `moved off PostgreSQL`, `the stack is PostgreSQL and Redis`."""
    for new, old in ((left, right), (right, left)):
        if not new.retired or not new.retired <= _held(old) or old.retired or old.history or old.negations or old.past:
            continue
        if (
            old.mode not in (Mode.ASSERTED, Mode.INSTRUCTION)
            or new.mode is not Mode.ASSERTED
            or not _is_phrase(new.adopted, old)
        ):
            continue
        common = len(new.lemmas & old.lemmas - new.retired - listed("change.txt")) + (new.speaker == old.speaker != "")
        retired = [term for term in old.terms if _names_of(term) & new.retired]
        named = {term.kind for term in retired} in ({Kind.NAME}, {Kind.NAME, Kind.QUANTITY})
        if not named and PREFERS.search(new.sentence):
            continue
        enough = common > 1 or (_size(old) <= SHORT and (common or named))
        if not enough or not (_in_use(old, new.retired) or _is_holder(new, old)) or not _same_case(new, old):
            continue
        gone = " ".join(term.text for term in retired)
        values = (_without_verb(new.adopted) or f"not {gone}", gone)
        values = values if new is left else (values[1], values[0])
        found = verdict("correction", left, right, values, min(0.9, 0.6 + 0.1 * common))
        return replace(found, corrects="left" if new is left else "right")
    return None


def _names_of(term: Term) -> set[str]:
    """What a term may be called where it is given up: a number is kept as written, the 12 of `Debian 12`."""
    return {term.lemma, term.text.lower()} if isinstance(term.value, Quantity) else {term.lemma}


def _held(claim: Claim) -> set[str]:
    return set[str]().union(claim.lemmas, *map(_names_of, claim.terms))


def _without_verb(adopted: str) -> str:
    """What came instead, without the verb that puts it in use: `runs NixOS`."""
    first, _, rest = adopted.partition(" ")
    return rest if rest and lemma(first.lower()) in USAGE else adopted


def _is_holder(new: Claim, old: Claim) -> bool:
    """Whether who hands over is who does it on the other side: `took over payroll from Petra`, `Petra does payroll`."""
    first = {term.lemma for term in old.terms[: old.predicate]}
    return TAKES_OVER.search(new.sentence) is not None and first == new.retired and not old.event


def _same_case(new: Claim, old: Claim) -> bool:
    """Whether what was given up is a name on both sides or on neither: `REST` is not `at rest`."""
    kinds = [{term.kind for term in claim.terms if term.lemma in new.retired and term.place} for claim in (new, old)]
    return kinds[0] == kinds[1] or not all(kinds)  # the first word of a sentence is written large in any case


def _is_phrase(adopted: str, old: Claim) -> bool:
    """Whether what came instead is a thing, and not what the other side states already."""
    names = adopted.lower().split()
    stated = bool(names) and all(lemma(name) in old.lemmas for name in names)
    return not stated and not any(name in FUNCTION for name in names)


def _in_use(claim: Claim, retired: frozenset[str]) -> bool:
    """Whether a claim says that a thing is in use: `the project uses Webpack`, `the database is PostgreSQL`."""
    places = [index for index, term in enumerate(claim.terms) if _names_of(term) & retired]
    if any(term.lemma in USAGE for term in claim.terms[max(0, places[0] - 2) : places[0]]):
        return True
    closing = places[0] == claim.predicate or places[-1] == len(claim.terms) - 1
    return closing and places[0] >= claim.predicate and not claim.event and _size(claim) <= SHORT


def changed(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    """One side tells a change to another value of what the other states: `pool size is 10`, `pool increased to 25`."""
    if left.mode != Mode.ASSERTED or left.mode is not right.mode or left.history or right.history or aligned.opposite:
        return None
    pairs = (*aligned.same, *aligned.rivals)
    turned = [(there, here) for here, there in pairs]
    for new, old, match, over in ((left, right, dict(pairs), aligned.right), (right, left, dict(turned), aligned.left)):
        place = _stated(new, old, match, over) if new.change >= 0 and not new.negations and not old.negations else -1
        if place < 0:
            continue
        values = stated(new, new.change, old, place)
        values = values if new is left else (values[1], values[0])
        if old.change >= 0:
            return verdict("correction", left, right, values, 0.6)
        return replace(verdict("correction", left, right, values, 0.75), corrects="left" if new is left else "right")
    return None


def _size(claim: Claim) -> int:
    """How many terms a claim has, an interval counted as its two words: every day."""
    return len(claim.terms) + sum(map(_is_interval, claim.terms))


def _is_interval(term: Term) -> bool:
    return isinstance(term.value, Quantity) and term.value.unit == "interval"


def _stated(new: Claim, old: Claim, match: Mapping[int, int], over: Sequence[int]) -> int:
    """The index of the value that `old` states of what `new` tells a change of, or -1."""
    changes = listed("change.txt")
    about = [i for i, term in enumerate(new.terms[: new.change]) if says_much(term) and term.lemma not in changes]
    value = new.terms[new.change]
    versioned = isinstance(value.value, Quantity) and value.value.unit == "version"
    told = [i for i in match if i < new.change and type(new.terms[i].value) is type(value.value) and i not in about]
    if value.value is not None and told:  # `raised from 100 to 250`, `had 100 and now has 250`, against `is 100`
        there = match[told[-1]]
        is_old = old.terms[there].lemma == new.terms[told[-1]].lemma and old.terms[there].value is not None
        return there if is_old and _one_thing(new, old, about, match) else -1
    if not (versioned and about) and not _one_thing(new, old, about, match):
        return -1
    if any(index not in match for index in about):
        return -1
    there = match.get(new.change, -1)
    if there >= 0:
        settled = len(over) <= 3 and (there - 1 == match[about[-1]] or not versioned)
        return there if value.value is not None and value.lemma != old.terms[there].lemma and settled else -1
    rest = [index for index in over if says_much(old.terms[index]) and old.terms[index].lemma not in changes]
    single = len(rest) == 1 and rest[0] >= old.predicate and old.terms[rest[0]].kind is value.kind is Kind.NAME
    return rest[0] if single else -1


def _one_thing(new: Claim, old: Claim, about: Sequence[int], match: Mapping[int, int]) -> bool:
    """Whether what changed is what the other side speaks of: by two words, or as the whole of its definite subject."""
    if any(index not in match for index in about):
        return False
    if len(about) > 1:
        return True
    subject = [index for index in range(old.predicate) if old.terms[index].kind in CONTENT]
    owned = new.speaker == old.speaker and (new.speaker != "" or (is_definite(new) and is_definite(old)))
    short = _size(old) <= SHORT and _size(new) <= SHORT
    return len(about) == 1 and owned and short and subject in ([], [match[about[0]]])


def replaced(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    """One slot with two values that shut one another out: the blue door, the green door; hosted in Oslo, in Lisbon."""
    fields = [(i, j) for i, j in aligned.rivals if exclusive(left.terms[i].lemma, right.terms[j].lemma)]
    slots = fields + list(aligned.swapped)
    if len(slots) != 1 or aligned.opposite or left.mode is not right.mode or left.history != right.history:
        return None
    here, there = slots[0]
    if not fields and (_is_part_of(left, right, slots[0]) or _is_with_one(left, right, slots[0])):
        return None
    verbs_told = {left.terms[here].lemma, right.terms[there].lemma}
    if verbs_told & listed("change.txt") and verbs_told & listed("placements.txt"):
        return None  # who moved to Leipzig lives in Leipzig
    gap = gap_between(left, right, aligned)
    if (
        gap.shared < _words_needed(left, right, slots[0])
        or gap.left + gap.right > 1
        or flips(left, right, aligned)
        or dates_differ(left, aligned)
    ):
        return None
    if (
        here < left.predicate
        or there < right.predicate
        or _other_rivals(left, right, aligned, fields, slots[0])
        or left.past != right.past
        or _one_was_placed(left, right, aligned)
    ):
        return None
    if reached(left, here) and reached(right, there):
        return None  # hosted neither in Oslo nor in Lisbon
    if is_doubtful_value(left, right, slots[0]) or (fields and is_converse(aligned, slots[0])):
        return None
    confidence = _slot_confidence(left, right, bool(fields), slots[0]) - 0.1 * (gap.left + gap.right)
    field = exclusive(left.terms[here].lemma, right.terms[there].lemma)
    kind = {"daypart": "temporal", "season": "temporal", "magnitude": "numeric"}.get(field, "correction")
    return verdict(kind, left, right, (_phrase(left, here), _phrase(right, there)), confidence)


def _other_rivals(
    left: Claim, right: Claim, aligned: Alignment, fields: Sequence[tuple[int, int]], slot: tuple[int, int]
) -> bool:
    """Whether numbers or times differ besides the values; the releases of two products (MySQL 8, Oracle 9) may."""
    here, there = slot
    ends = here + width_of(left.terms, here), there + width_of(right.terms, there)
    within = {(i, j) for i, j in aligned.rivals if here <= i < ends[0] and there <= j < ends[1]}
    return any(pair not in fields and pair not in within for pair in aligned.rivals)


def _phrase(claim: Claim, index: int) -> str:
    return " ".join(term.text for term in claim.terms[index : index + width_of(claim.terms, index)])


def _slot_confidence(left: Claim, right: Claim, field: bool, slot: tuple[int, int]) -> float:
    """How surely a slot takes one value only: it is said to have changed, or its attribute has one value at a time."""
    marked = left.corrects != right.corrects
    named = left.terms[slot[0]].kind is Kind.NAME and right.terms[slot[1]].kind is Kind.NAME
    single = all(_of_role(claim, at) and is_definite(claim) for claim, at in ((left, slot[0]), (right, slot[1])))
    single = single and not (_qualifies(left, slot[0]) and _qualifies(right, slot[1]))
    return 0.3 + 0.3 * marked + 0.3 * single + 0.2 * field + 0.1 * named


def _is_part_of(left: Claim, right: Claim, slot: tuple[int, int]) -> bool:
    """Whether one name is a country's, and the other may be of a town in it; two countries are two places."""
    names = (claim.terms[at : at + width_of(claim.terms, at)] for claim, at in zip((left, right), slot, strict=True))
    return [any(term.lemma in COUNTRIES for term in name) for name in names].count(True) == 1


def _is_with_one(left: Claim, right: Claim, slot: tuple[int, int]) -> bool:
    """Whether only one side tells with whom: who lives in Leipzig may live with Ben."""
    before = (
        claim.parts[max(0, claim.terms[at].place - 1)].lower for claim, at in zip((left, right), slot, strict=True)
    )
    return [word == "with" for word in before].count(True) == 1


def _one_was_placed(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether one side tells where something was: who lived in Leipzig may live in Dresden."""
    placed = [
        (left.terms[i].text.lower(), right.terms[j].text.lower())
        for i, j in aligned.same
        if left.terms[i].lemma == right.terms[j].lemma and left.terms[i].lemma in listed("placements.txt")
    ]
    return any(one.endswith("ed") != other.endswith("ed") for one, other in placed)


def _words_needed(left: Claim, right: Claim, slot: tuple[int, int]) -> int:
    """How many words must agree besides the value: one, where it puts me in one place (I live in …)."""
    mine = left.speaker == right.speaker in ("i", "we") and _of_role(left, slot[0]) and _of_role(right, slot[1])
    return 1 if mine or _names_of_role(left, right, slot) else 2


def _names_of_role(left: Claim, right: Claim, slot: tuple[int, int]) -> bool:
    """Whether nothing is said but the name that an attribute has: `the database is Postgres 15`."""
    sides = ((left, slot[0]), (right, slot[1]))
    return all(
        at == claim.predicate == 1
        and claim.terms[at].kind is Kind.NAME
        and claim.terms[0].lemma in listed("attributes.txt")
        for claim, at in sides
    )


def _qualifies(claim: Claim, index: int) -> bool:
    """Whether a plain word only says of which sort the next thing is: a water treatment plant, a test server."""
    term = claim.terms[index]
    after = claim.terms[index + 1] if index + 1 < len(claim.terms) else term
    return term.kind is after.kind is Kind.WORD and after.place == term.place + 1


def _of_role(claim: Claim, index: int) -> bool:
    """Whether a term is the value of an attribute that has one at a time: `hosted in Oslo`, `the owner is Anna`."""
    once, begin = listed("once.txt"), max(0, index - 2)
    if claim.past:
        return any(term.lemma in once for term in claim.terms[begin:index])
    titles = claim.terms[claim.predicate : index]  # the dentist is Dr Okafor
    begins = claim.predicate <= index and all(term.lemma in HONORIFICS for term in titles)
    if begins and any(term.lemma in listed("attributes.txt") for term in claim.terms[: claim.predicate]):
        return True
    placing = once | listed("placements.txt")
    return any(
        term.lemma in placing and term.text.lower() != "named" and not _is_doing(term)
        for term in claim.terms[begin:index]
    )


def _is_doing(term: Term) -> bool:
    """Whether a verb tells what somebody is doing at the moment: standing in the street; not where a thing stands."""
    return term.text.lower() in ("standing", "sitting", "lying", "hanging", "staying", "resting")


def is_definite(claim: Claim) -> bool:
    """Whether a sentence speaks of one known thing: `the …`, `my …`, `Mia's …`; not `a man`, `two dogs`, `flags`."""
    first = claim.sentence.split(maxsplit=1)[0].lower()
    singular = first.isalpha() and not first.endswith("s") and first not in FUNCTION and lemma(first) not in verbs()
    bare = singular and claim.terms[0].kind is Kind.WORD and claim.terms[0].place == 0 and not is_irregular(first)
    return (
        bare
        or first in DEFINITE
        or first.endswith(("'s", "’s"))
        or any(term.kind is Kind.NAME for term in claim.terms[: max(1, claim.predicate)])
    )
