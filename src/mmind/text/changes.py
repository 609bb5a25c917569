"""What a sentence says of change: that it corrects, that it tells history, what was given up and what came instead."""

from __future__ import annotations

import re
from collections.abc import Set
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
_EXCHANGES: Final = tuple(
    re.compile(pattern, re.IGNORECASE | re.VERBOSE)
    for pattern in (
        rf"\b(?:moved|switched|migrated|changed|relocated|went|renamed){_WHAT}\ from\ {_OLD_AND}\ to\ {_NEW}",
        rf"\b(?:moved|switched|migrated)\ (?:off|away\ from)\ (?:of\ )?{_OLD}(?:.*?\b(?:now|to)\ {_NEW})?",
        rf"(?:^|[,;]\ )(?:(?:the|our|my)\ )?{_OLD_AND}{_WHERE}\ {_BEEN}\ (?:now\ )?{_GONE}\b(?:.*?\buse\ {_NEW})?",
        rf"\b(?P<new>{_THING})\ (?:(?:has|have)\ )?(?:taken|took|takes)\ over{_WHAT}\ from\ {_OLD}",
        rf"\b(?:replaced|swapped)\ {_OLD_AND}\ (?:by|with|for)\ {_NEW}",
        rf"(?:^|[,;]\ )(?:(?:the|our|my|an?)\ )?{_OLD_AND}{_WHERE}\ {_BEEN}\ {_REPLACED}\ {_NEW}",
        rf"\b(?P<new>{_THING}),?\ (?:instead\ of|rather\ than)\ {_OLD}",
        rf"\b(?:no\ longer|stopped|quit)\ {_USING}\ {_OLD}(?:.*?\bnow\ {_NEW})?",
        rf"\b(?:dropped|abandoned|retired|deprecated|ditched)\ (?!support){_OLD}(?:.*?\b(?:for|now)\ {_NEW})?",
    )
)


def corrects(sentence: str, found: Set[str]) -> bool:
    """Whether a sentence says that it sets something right or that a state is new; `found` are its lower-case words."""
    return not TURNS.isdisjoint(found) and _CORRECTING.search(sentence) is not None


def is_history(sentence: str, found: Set[str]) -> bool:
    """Whether a sentence tells of a state that was (until 2021, formerly, used to); `found` are its words."""
    return not PASTS.isdisjoint(found) and _HISTORY.search(sentence) is not None


def exchange(sentence: str, found: Set[str]) -> tuple[tuple[str, ...], str]:
    """What a sentence says was given up (words in lower case), and what came instead (as written, may be "")."""
    if not TURNS.isdisjoint(found):
        for pattern in _EXCHANGES:
            if match := pattern.search(sentence):
                return tuple(word.strip("/") for word in match["old"].lower().split()), _ARTICLE.sub(
                    "", match["new"] or ""
                )
    return (), ""
