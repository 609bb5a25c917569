"""Whether two aligned claims speak of the same party in the same role, which the words alone do not show.

Asked late, of pairs that have passed the cheaper tests, so the words of the sentences may be read again.
"""

from __future__ import annotations

from typing import Final

from mmind.text.alignment import Alignment
from mmind.text.claims import COPULAS, PREPOSITIONS, Claim, Kind, is_auxiliary
from mmind.text.comparison import denials
from mmind.text.lexicon import is_irregular, lemma, verbs, vocabulary
from mmind.text.parting import roles_crossed
from mmind.text.sentences import words

COLLECTIVE: Final = frozenset(map(lemma, vocabulary("collective")))  # a group of children are children
BEFORE_MODIFIERS: Final = PREPOSITIONS | {"who", "which", "that", ","}
OPENING: Final = PREPOSITIONS | vocabulary("opening")  # begin what stands before the subject: in addition, …
SOON: Final = 3  # words
ARTICLES: Final = frozenset(("a", "an"))
RELATIVE: Final = frozenset(("who", "which", "that"))

Flip = tuple[int, int]


def heads_differ(left: Claim, right: Claim, aligned: Alignment) -> bool:
    """Whether one subject is something of the other's: the mayor's brother and the mayor, a friend of Ben and Ben."""
    here, there = head_of_subject(left), head_of_subject(right)
    if here < 0 or there < 0:
        return False
    partner = dict(aligned.same)
    turned = {other: one for one, other in aligned.same}
    if here in aligned.left and _stands_before_its_verb(right, there):
        return _belongs_to(left, here, turned.get(there, -1))
    return (
        there in aligned.right
        and _stands_before_its_verb(left, here)
        and _belongs_to(right, there, partner.get(here, -1))
    )


def head_of_subject(claim: Claim) -> int:
    """The index of the term that names the subject: the last before a preposition, comma or verb; -1 for none."""
    parts = [word.lower for word in words(claim.sentence)]
    last, begins = -1, 0
    if parts[0] in OPENING and "," in parts:
        begins = parts.index(",")
    if parts[0] == "there":
        return last
    for index, term in enumerate(claim.terms[: claim.predicate]):
        if term.place < begins:
            continue
        since = parts[claim.terms[last].place + 1 if last >= 0 else begins + (begins > 0) : term.place]
        if term.kind is Kind.RELATION or not BEFORE_MODIFIERS.isdisjoint(since):
            break
        if not (term.text.endswith("ly") or term.lemma in COLLECTIVE):
            last = index
    return last


def _stands_before_its_verb(claim: Claim, head: int) -> bool:
    """Whether the verb follows a head at once, so that no small word that is no term is the head in truth."""
    after = words(claim.sentence)[claim.terms[head].place + 1 :][:1]
    following = claim.terms[head + 1].place if head + 1 < len(claim.terms) else -1
    return any(map(is_auxiliary, after)) or following == claim.terms[head].place + 1


def _belongs_to(claim: Claim, head: int, owner: int) -> bool:
    """Whether a head that the other side lacks stands with what is the head there, in one subject.

    A name before a plain head is the same thing called by its kind: the Postgres database.
    """
    if not 0 <= owner < claim.predicate or claim.terms[head].kind is not Kind.WORD:
        return False
    owns = claim.terms[owner].place + 1
    possessed = [word.lower for word in words(claim.sentence)[owns : owns + 1]] == ["'s"]
    return owner > head or possessed or claim.terms[owner].kind is Kind.WORD


def are_turned(left: Claim, right: Claim, aligned: Alignment, flip: Flip) -> bool:
    """Whether who does it on one side has it done on the other, so that a denial of one leaves the other as it is.

    `Ann beat Ben`, `Ben did not beat Ann`; `Ann praised Ben`, `Ann was not praised by Ben`.
    """
    if left.predicate > flip[0] or right.predicate > flip[1]:
        return False
    if roles_crossed(left, right, aligned):
        return True
    ours, theirs = _agent(left, flip[0]), _agent(right, flip[1])
    if (ours < 0) == (theirs < 0) or flip in aligned.opposite:
        return False
    partner = dict(aligned.same)
    subjects = partner.get(left.predicate - 1, -1) == right.predicate - 1 >= 0
    return subjects and (partner.get(ours, -1) > flip[1] if ours >= 0 else theirs in partner.values())


def _agent(claim: Claim, verb: int) -> int:
    """The index of the term after the `by` that follows a verb soon: was praised by Ben; else -1."""
    place = claim.terms[verb].place
    after = [word.lower for word in words(claim.sentence)[place + 1 : place + 1 + SOON]]
    if "by" not in after:
        return -1
    begins = place + 1 + after.index("by")
    return next((index for index, term in enumerate(claim.terms) if term.place > begins), -1)


def is_another_bearer(denying: Claim, affirming: Claim, at: int, there: int) -> bool:
    """Whether it is said who somebody is not, and only of which sort the other is: `he is not Igor`, `Igor is a guide`.

    There may be many of that sort.
    """
    if denying.terms[at].kind is not Kind.NAME or at < denying.predicate or there >= affirming.predicate:
        return False
    parts = words(affirming.sentence)
    verb = next((place for place, word in enumerate(parts) if is_auxiliary(word)), len(parts))
    return verb + 1 < len(parts) and parts[verb].lower in COPULAS and parts[verb + 1].lower in ARTICLES


def is_other_than_a_part(denying: Claim, affirming: Claim, at: int, there: int) -> bool:
    """Whether a sort is denied that the other side only mentions: `the firm is not a home`, `it equips your home`."""
    parts = [word.lower for word in words(denying.sentence)]
    place = denying.terms[at].place
    lead = parts[max(0, place - 3) : place]
    if len(lead) < 3 or lead[0] not in COPULAS or lead[1] != "not" or lead[2] not in ARTICLES:
        return False
    word = affirming.terms[there]
    if word.text.lower().endswith(("ing", "ed")) or is_irregular(word.text.lower()):
        return False
    if word.place and words(affirming.sentence)[word.place - 1].lower in ARTICLES:
        return False
    told = affirming.terms[affirming.predicate : there]
    return any(term.lemma in verbs() for term in told)


def is_restricted(claim: Claim, at: int) -> bool:
    """Whether a denial only says of which ones a claim speaks: `tickets that are not stamped are void`."""
    parts, found = [word.lower for word in words(claim.sentence)], words(claim.sentence)
    place = claim.terms[at].place
    negator = max((one.place for one in claim.negations if one.place < place), default=-1)
    begins = next((where for where in range(negator - 1, -1, -1) if parts[where] in RELATIVE), -1)
    if begins < 1 or parts[begins - 1] == "," or negator - begins > 2 or at not in denials(claim):
        return False
    if begins + 1 < negator and not is_auxiliary(found[begins + 1]):
        return False
    return any(map(is_auxiliary, found[place + 1 :])) or any(term.lemma in verbs() for term in claim.terms[at + 1 :])
