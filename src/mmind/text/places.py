"""Where one known thing is kept: two rooms, or two containers, shut one another out.

Only the plainest form is read (`the boxes are in the cellar`): people and animals move, of some things there are many,
and a drawer may stand in the kitchen.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from mmind.text.alignment import Alignment
from mmind.text.claims import Claim, Mode
from mmind.text.comparison import Contradiction, verdict
from mmind.text.lexicon import lemma, rows, vocabulary
from mmind.text.roles import head_of_subject
from mmind.text.sentences import words

OWNED: Final = vocabulary("owned")
MOVING: Final = frozenset(map(lemma, vocabulary("moving")))
BEING: Final = frozenset(("is", "are", "'s"))
KEPT: Final = vocabulary("kept")  # words between `is` and the preposition that change nothing
INSIDE: Final = frozenset(("in", "inside"))
FLEETING: Final = frozenset(("today", "tonight", "tomorrow", "currently", "when", "while", "if"))
SURE: Final = 0.6


@cache
def _kinds() -> dict[str, tuple[int, int]]:
    """For each place the number of its kind and its own number there."""
    return {
        lemma(name): (kind, number)
        for kind, row in enumerate(rows("places.txt"))
        for number, entry in enumerate(row.split())
        for name in entry.split("/")
    }


def kept_elsewhere(left: Claim, right: Claim, aligned: Alignment) -> Contradiction | None:
    """One thing in two places: `the boxes are in the cellar`, `the boxes are in the attic`."""
    if len(aligned.swapped) != 1 or aligned.left or aligned.right or aligned.rivals or aligned.opposite:
        return None
    here, there = aligned.swapped[0]
    one, other = (_kinds().get(claim.terms[at].lemma) for claim, at in ((left, here), (right, there)))
    if one is None or other is None or one[0] != other[0] or one == other:
        return None
    if not (_keeps(left, here) and _keeps(right, there)):
        return None
    return verdict("correction", left, right, (left.terms[here].text, right.terms[there].text), SURE)


def _keeps(claim: Claim, at: int) -> bool:
    """Whether a claim says no more than that one known thing, which does not move by itself, is in a place."""
    parts = [word.lower for word in words(claim.sentence)]
    place = claim.terms[at].place
    if at != len(claim.terms) - 1 or claim.mode is not Mode.ASSERTED or claim.negations or claim.history:
        return False
    verb = next((where for where, word in enumerate(parts) if word in BEING and where > 1), len(parts))
    subject, between = claim.terms[:at], parts[verb + 1 : place]
    if not subject or subject[-1].place >= verb or not FLEETING.isdisjoint(parts):
        return False
    known = parts[0] in OWNED or parts[1] == "'s"
    stays = claim.terms[head_of_subject(claim)].lemma not in MOVING
    return known and stays and len(between) > 1 and between[-2] in INSIDE and KEPT.issuperset(between[:-2])
