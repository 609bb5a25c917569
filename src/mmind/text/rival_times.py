"""Two times of one thing that differ, or two orders of it: before the release, after the release."""

from __future__ import annotations

import re
from typing import Final

from mmind.text.alignment import Alignment
from mmind.text.claims import Claim, Kind, Term
from mmind.text.comparison import (
    INDEFINITE,
    TIMELY,
    Contradiction,
    are_comparable,
    flips,
    gap_between,
    verdict,
    words_needed,
)
from mmind.text.doubts import is_converse
from mmind.text.lexicon import listed, verbs
from mmind.text.sentences import words
from mmind.text.times import Moment, comparable

COMPARED: Final = re.compile(r"\bcompar(?:ed|ing)\b.*\bto\b", re.IGNORECASE)  # 2008 compared to 2007, 2007 to 2006


def temporal(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    """The contradiction of two claims by a time or an order in time, or None."""
    pairs = (*aligned.rivals, *aligned.opposite)
    if not any(_is_of_time(left.terms[here]) for here, _ in pairs) or not are_comparable(left, right, aligned):
        return None
    gap = gap_between(left, right, aligned)
    if gap.shared < words_needed(left, right) or min(gap.left, gap.right) > 1 or flips(left, right, aligned):
        return None
    if len(aligned.rivals) > 1 or (_is_entry(left) and _is_entry(right)) or _spans(left, right, aligned):
        return None
    if COMPARED.search(left.sentence) and COMPARED.search(right.sentence):
        return None
    confidence = gap.closeness - 0.1 * gap.subject
    for here, there in pairs:
        one, other = left.terms[here], right.terms[there]
        if one.value is None and is_converse(aligned, (here, there)):
            return None
        dated = (
            isinstance(one.value, Moment)
            and not _stamps(left, right, here, there)
            and _bound(left, here) == _bound(right, there)
            and not (INDEFINITE.match(left.sentence) and INDEFINITE.match(right.sentence))
        )
        ordered = one.kind is Kind.RELATION and one.lemma in TIMELY and _same_anchor(aligned, here, there)
        ordered = ordered and gap.left + gap.right <= 1
        if (dated and confidence >= 0.65) or (ordered and confidence >= 0.7):
            return verdict("temporal", left, right, (one.text, other.text), confidence)
    return None


def _is_of_time(term: Term) -> bool:
    """Whether a term may part two times: a date, a time of day, or a word such as `until`."""
    return isinstance(term.value, Moment) or term.kind is Kind.RELATION


def _spans(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether one side tells a beginning and an end, between which the other's date may lie: `from May to July`."""
    over = [left.terms[i].value for i in aligned.left] + [right.terms[j].value for j in aligned.right]
    rivals = [left.terms[i].value for i, _ in aligned.rivals]
    return any(
        isinstance(one, Moment) and isinstance(other, Moment) and comparable(one, other)
        for one in over
        for other in rivals
    )


def _is_entry(claim: Claim) -> bool:
    """Whether a claim has no verb, as entries of a calendar: two dates are two meetings, but one launch."""
    return (
        claim.event
        and claim.lemmas.isdisjoint(listed("once.txt"))
        and all(term.place == 0 or term.lemma not in verbs() for term in claim.terms)
    )


def _stamps(left: Claim, right: Claim, here: int, there: int) -> bool:
    """A date that opens both sentences, or for which a value is told (`at 31 March 2024`), stamps two readings."""
    opens = here == 0 and there == 0 and left.terms[0].place <= 1 and right.terms[0].place <= 1
    return opens or (_is_due_date(left, here) and _is_due_date(right, there))


def _is_due_date(claim: Claim, index: int) -> bool:
    """Whether a day stands after `at` or `as of`, as in accounts: the value of the loans at 31 March 2024."""
    term = claim.terms[index]
    before = [word.lower for word in words(claim.sentence)[max(0, term.place - 2) : term.place]]
    is_day = isinstance(term.value, Moment) and term.value.day is not None
    return is_day and (before[-1:] == ["at"] or before == ["as", "of"])


def _bound(claim: Claim, index: int) -> str:
    """How a date bounds what is claimed: until it, since it, or at it."""
    before = claim.terms[index - 1].lemma if index else ""
    return before if before in TIMELY else ""


def _same_anchor(aligned: Alignment, here: int, there: int) -> bool:
    """Whether what follows both connectives is aligned: before the release, after the release."""
    anchor = dict((*aligned.same, *aligned.swapped)).get(here + 1)
    return anchor == there + 1 or (anchor is None and not (aligned.left or aligned.right))
