"""What a sentence says of change: that it corrects, that it tells history, what was given up and what came instead."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from typing import Final

from mmind.text.lexicon import vocabulary

# Words without which the patterns cannot match; looking for them first spares most sentences the patterns.
TURNS: Final = vocabulary("turns")
PASTS: Final = vocabulary("pasts")
_CORRECTING: Final = re.compile(
    r"""
    ^(?:actually|correction|update|edit|erratum|no,)\b
    | \b(?: correction: | no\ longer | not\ ?anymore | anymore | instead\ of | superseded | deprecated | as\ of
        | (?:is|are)\ now | now\ (?:is|uses|runs|lives|works|has|in) | now\.?$
        | (?:has|have|was|were|been|just|we|i|he|she|they|it)\ (?:moved|switched|migrated|changed|replaced|renamed
            |relocated|superseded|deprecated|retired|raised|lowered|increased|decreased|postponed|rescheduled|bumped)
        | replaced\ (?:by|with) | (?:moved|switched|migrated)\ (?:off|away|from|to)
        | (?:changed|raised|lowered|increased|reduced|cut|bumped|renamed)\ (?:from|to)
        | (?:not|n't)\ [^,;:]{1,60}\ any\ more
    )(?!\w)
    """,
    re.IGNORECASE | re.VERBOSE,
)
# In whatever the pattern finds stands one of these, or a verb of change between the words that it wants around one; but
# for its `_OPENING` or `_CLOSING`.
_IN_CORRECTIONS: Final = (
    *("correction:", "no longer", "anymore", "any more", "instead of", "superseded", "deprecated", "as of"),
    *("is now", "are now", "now is", "now uses", "now runs", "now lives", "now works", "now has", "now in"),
    *("replaced by", "replaced with"),
)
_OF_CHANGE: Final = (
    *("moved", "switched", "migrated", "changed", "replaced", "renamed", "relocated", "retired", "raised", "lowered"),
    *("increased", "decreased", "postponed", "rescheduled", "bumped", "reduced", "cut"),
)
_BEFORE_CHANGE: Final = ("has ", "have ", "was ", "were ", "been ", "just ", "we ", "i ", "he ", "she ", "they ", "it ")
_AFTER_CHANGE: Final = (" from", " to", " off", " away")
_CLOSING: Final = ("now", "now.")
_OPENING: Final = ("actually", "correction", "update", "edit", "erratum", "no,")
_HISTORY: Final = re.compile(
    r"""
    \b(?: since\ then | formerly | previously | used\ to | at\ (?:the|that)\ time | back\ then | in\ those\ days
        | originally | until\ (?:19|20)\d\d | from\ (?:19|20)\d\d\ (?:to|until) | between\ (?:19|20)\d\d\ and
        | once\ (?:was|were|had)
    )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_THING: Final = r"(?:[\w.+\#'/-]+\ ){0,2}?[\w.+\#/-]*\w"
_END: Final = (
    r"(?=[,;:!?)]|\.(?!\w)|$|\ (?:in|on|at|for|because|as|since|to|with|by|and|but|after|last|this|anymore|any)\b)"
)
_OLD: Final = rf"(?P<old>{_THING}){_END}"
_OLD_AND: Final = rf"(?P<old>{_THING})"
_NEW: Final = rf"(?P<new>{_THING}){_END}"
_WHERE: Final = r"(?:\ (?:in|of|at|for|on)\ [\w\ ]{1,40}?)?"
_WHAT: Final = r"(?:\ [\w'-]+){0,4}?"
_REPLACED: Final = r"(?:replaced|superseded)\ (?:by|with)"
_BEEN: Final = r"(?:was|were|is|has\ been|have\ been|got)"
_GONE: Final = r"(?:deprecated|retired|decommissioned|discontinued|obsolete)"
_ARTICLE: Final = re.compile(r"^(?:an?|the|our|my)\ ", re.IGNORECASE)
_USING: Final = r"(?:uses?|using|runs?|running\ on|lives?\ in|works?\ at)"
# Each pattern with words of which one stands in whatever it finds: looking for them spares most sentences the pattern.
_EXCHANGES: Final = tuple(
    (tuple(words.split("|")), re.compile(pattern, re.IGNORECASE | re.VERBOSE))
    for words, pattern in (
        (
            "moved|switched|migrated|changed|relocated|went|renamed",
            rf"\b(?:moved|switched|migrated|changed|relocated|went|renamed){_WHAT}\ from\ {_OLD_AND}\ to\ {_NEW}",
        ),
        (
            " off| away from",
            rf"\b(?:moved|switched|migrated)\ (?:off|away\ from)\ (?:of\ )?{_OLD}(?:.*?\b(?:now|to)\ {_NEW})?",
        ),
        (
            " deprecated| retired| decommissioned| discontinued| obsolete",
            rf"(?:^|[,;]\ )(?:(?:the|our|my)\ )?{_OLD_AND}{_WHERE}\ {_BEEN}\ (?:now\ )?{_GONE}\b(?:.*?\buse\ {_NEW})?",
        ),
        (" over", rf"\b(?P<new>{_THING})\ (?:(?:has|have)\ )?(?:taken|took|takes)\ over{_WHAT}\ from\ {_OLD}"),
        ("replaced|swapped", rf"\b(?:replaced|swapped)\ {_OLD_AND}\ (?:by|with|for)\ {_NEW}"),
        (
            " replaced| superseded",
            rf"(?:^|[,;]\ )(?:(?:the|our|my|an?)\ )?{_OLD_AND}{_WHERE}\ {_BEEN}\ {_REPLACED}\ {_NEW}",
        ),
        (" instead of | rather than ", rf"\b(?P<new>{_THING}),?\ (?:instead\ of|rather\ than)\ {_OLD}"),
        ("no longer|stopped|quit", rf"\b(?:no\ longer|stopped|quit)\ {_USING}\ {_OLD}(?:.*?\bnow\ {_NEW})?"),
        (
            "dropped|abandoned|retired|deprecated|ditched",
            rf"\b(?:dropped|abandoned|retired|deprecated|ditched)\ (?!support){_OLD}(?:.*?\b(?:for|now)\ {_NEW})?",
        ),
    )
)


def corrects(sentence: str, found: Set[str]) -> bool:
    """Whether a sentence says that it sets something right or that a state is new; `found` are its lower-case words."""
    if TURNS.isdisjoint(found):
        return False
    return _may_correct(sentence) and _CORRECTING.search(sentence) is not None


def _may_correct(sentence: str) -> bool:
    """The cheap look before the pattern, which takes some 15 µs."""
    lower = sentence.lower()
    if lower.startswith(_OPENING) or lower.endswith(_CLOSING) or _may_hold(lower, _IN_CORRECTIONS):
        return True
    for verb in _OF_CHANGE:
        place = lower.find(verb)
        while place >= 0:
            end = place + len(verb)
            if lower.startswith(_AFTER_CHANGE, end) or lower.endswith(_BEFORE_CHANGE, 0, place):
                return True
            place = lower.find(verb, end)
    return False


def _may_hold(lower: str, words: Sequence[str]) -> bool:
    """Whether one of some words stands in a sentence; some signs beyond ASCII are letters to a pattern."""
    return not lower.isascii() or any(map(lower.__contains__, words))


def is_history(sentence: str, found: Set[str]) -> bool:
    """Whether a sentence tells of a state that was (until 2021, formerly, used to); `found` are its words."""
    return not PASTS.isdisjoint(found) and _HISTORY.search(sentence) is not None


def exchange(sentence: str, found: Set[str]) -> tuple[tuple[str, ...], str]:
    """What a sentence says was given up (words in lower case), and what came instead (as written, may be "")."""
    if not TURNS.isdisjoint(found):
        lower = sentence.lower()
        for needed, pattern in _EXCHANGES:
            if _may_hold(lower, needed) and (match := pattern.search(sentence)):
                return tuple(word.strip("/") for word in match["old"].lower().split()), _ARTICLE.sub(
                    "", match["new"] or ""
                )
    return (), ""
