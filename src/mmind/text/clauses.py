"""The main clauses of a sentence, without what is only attached to them: reasons, explanations, announcements.

`The timeout is 60 seconds since last week: the terminal needs it` claims first of all `The timeout is 60 seconds`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from mmind.text.claims import ATTITUDES, FUNCTION, agrees, is_auxiliary
from mmind.text.lexicon import is_irregular, lemma, listed, verbs, vocabulary
from mmind.text.sentences import Word, words

ANNOUNCING: Final = vocabulary("announcing")
ATTITUDE_LEMMAS: Final = frozenset(map(lemma, ATTITUDES))
REFERRING: Final = vocabulary("referring")  # a clause that begins so speaks of something named before it
MOST_CLAUSES: Final = 3  # more are a list or a log
_JOINTS: Final = re.compile(r"\s*(;|:|\s[–—])\s+")
_JOINT_SIGNS: Final = ";:–—"
_DAY_OR_MONTH: Final = (
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day\b"
    r"|(?:january|february|march|april|may|june|july|august|september|october|november|december)\b)"
)
_TIME: Final = rf"(?:\d|now\b|today\b|tomorrow\b|next\b|last\b|this\b|the\ \d|{_DAY_OR_MONTH})"
_SUBJECT: Final = r"(?=(?:the|our|my|his|her|their|we|i|he|she|it)\ )"  # with one, a clause begins without a comma
_ENDS_IN_MEASURE: Final = re.compile(r"\d\s?[^\W\d]+$|\d\s?[%€$£]?$")  # then the claim is made, whatever follows
_REASON: Final = (
    rf"(?:because|since|due\ to|owing\ to|thanks\ to|so\ that|as\ of|effective\ {_TIME}|from\ {_TIME}\S*\ on)"
)
_BEFORE: Final = r"(?:planned|expected|announced|agreed|hoped|feared|budgeted|estimated|before|usual)\b"
# Only after a comma: without one these words say what is meant, not why or since when.
_ASIDE: Final = (
    rf"(?:as\ (?!an?\ )|so\ |due\ |from\ {_TIME}|starting\ |for\ [€$£]?\d|not\ [\w.+#-]+(?:\ [\w.+#-]+)?$|which\ [^,]*$"
    r"|(?:[a-z]+(?:ed|able)|paid|kept|held|sold|sent)\ (?:by|in|on|at|to)\ [^,]*$"
    rf"|(?:[\w.]+\ (?:[a-z]+\ )?)?(?:earlier|later|sooner|longer|more|less)\ than\ {_BEFORE}[^,]*$)"
)
_WITH_REASON: Final = re.compile(rf",?\s(?:\(?{_REASON}\b.*|after\ all)$", re.IGNORECASE | re.VERBOSE)
_WITH_ASIDE: Final = re.compile(rf",\s{_ASIDE}.*$", re.IGNORECASE | re.VERBOSE)
# Without one of these nothing can be attached; looking for them first spares half of all sentences the patterns.
_REASONS: Final = ("because", "since", "due to", "owing to", "thanks to", "so that", "as of", "effective ", "after all")
_SINCE: Final = ("from ", " on")  # only both together are a reason: from Monday on
_JOINERS: Final = (" and ", " but ")
_MARKS: Final = (*",;:–—", *_REASONS, _SINCE[0], "starting ", *_JOINERS)
# After what was measured, one thing more that is told of it: 1,180 euros and due on the third, 9:30 and lasts an hour.
_JOINED: Final = re.compile(
    r"\d\s?(?:[^\W\d]+|[%€$£])?(?P<joint>,?\s(?:and|but)\s)(?=[a-z])"
    r"(?P<state>(?:due|open|valid|free|subject|[a-z]+[ai]ble|[a-z]+ed)\b)?"
)
_LEADING: Final = re.compile(
    rf"^(?:(?:since|because|due\ to|as\ of|effective|starting|from\ {_TIME})\b[^,]{{1,60}},\ (?=\w)"
    rf"|(?:(?:since|as\ of)\ {_TIME}\w*(?:\ \w+)?"
    rf"|(?:from|starting)\ (?:\d+(?:st|nd|rd|th)?\ )?{_DAY_OR_MONTH})\ {_SUBJECT})",
    re.IGNORECASE | re.VERBOSE,
)


@lru_cache(maxsize=8_192)
def clauses(sentence: str) -> tuple[str, ...]:
    """The main clauses of a sentence as written, without attachments; () where the sentence itself is the clause.

    A clause after a colon, dash or semicolon counts where it stands for itself: it speaks of what the part before it
    names. After a label (`Oslo: …`) nothing is cut, since the label says what is spoken of.
    """
    body = sentence.rstrip(" .!")
    if not any(map(body.lower().__contains__, _MARKS)):
        return ()
    parts = _parts(body)
    found = tuple(bare for part in parts if not _points_back(bare := _bare(part)))
    return () if found in ((), (body,)) or len(found) > MOST_CLAUSES else found


def _parts(body: str) -> list[str]:
    """The complete clauses between the joints of a sentence, or the sentence where a joint does not part two."""
    if not any(sign in body for sign in _JOINT_SIGNS):
        return [body]
    pieces = _JOINTS.split(body)
    if len(pieces) > 2 and pieces[1] == ":" and pieces[0].lower() in ANNOUNCING:
        pieces = pieces[2:]
    first, joints, later = pieces[0], pieces[1::2], pieces[2::2]
    if not later:
        return [first]
    if not _is_clause(first) or len(later) >= MOST_CLAUSES or _tells_of_saying(first):
        return []
    lists = any(joint != ";" and not _is_clause(piece) for joint, piece in zip(joints, later, strict=True))
    if lists and not _ENDS_IN_MEASURE.search(first):
        return []
    named = _content(first)
    return [first, *(piece for piece in later if _is_clause(piece) and _goes_on(piece, named))]


def _bare(part: str) -> str:
    """A clause without the reason or aside before or after it."""
    if (leading := _LEADING.match(part)) and _is_clause(part[leading.end() :]):
        part = part[leading.end() :]
    end = _attached(part)
    bare = part[:end] if end >= 0 and _is_clause(part[:end]) else part
    return bare[:end] if (end := _joined(bare)) >= 0 and _is_clause(bare[:end]) else bare


def _attached(part: str) -> int:
    """Where the first reason or aside begins, -1 where there is none; either is looked for only where it can be."""
    lower = part.lower()
    reason = aside = None
    if any(map(lower.__contains__, _REASONS)) or (_SINCE[0] in lower and _SINCE[1] in lower) or not part.isascii():
        reason = _WITH_REASON.search(part)
    if "," in part:
        aside = _WITH_ASIDE.search(part)
    return min((found.start() for found in (reason, aside) if found), default=-1)


def _joined(part: str) -> int:
    """Where a second predicate begins after one that ends in a measure, -1 where none does."""
    found = _JOINED.search(part) if any(map(part.__contains__, _JOINERS)) else None
    if found is None:
        return -1
    is_predicate = found["state"] is not None or _is_finite(words(part[found.end("joint") :]), 0)
    return found.start("joint") if is_predicate else -1


def _is_clause(part: str) -> bool:
    """Whether a subject and a finite verb stand in a part of a sentence, or it begins with a past: `Visited Kyoto`."""
    found = words(part)
    begins = 0 if found and (found[0].lower.endswith("ed") or is_irregular(found[0].lower)) else 1
    return len(found) > 2 - (begins == 0) and any(_is_finite(found, place) for place in range(begins, len(found)))


def _is_finite(found: tuple[Word, ...], place: int) -> bool:
    lower = found[place].lower
    if is_auxiliary(found[place]):
        return True
    ends = lower.endswith(("s", "ed")) or is_irregular(lower) or agrees(found, place)
    return ends and (lemma(lower) in verbs() or lemma(lower) in listed("change.txt"))


def _content(part: str) -> frozenset[str]:
    return frozenset(lemma(word.lower) for word in words(part) if word.lower not in FUNCTION and word.lower.isalnum())


def _goes_on(piece: str, named: frozenset[str]) -> bool:
    """Whether a later clause names what the first spoke of, rather than pointing to it or turning to another thing."""
    return not _points_back(piece) and not named.isdisjoint(_content(piece))


def _points_back(part: str) -> bool:
    return part.split(maxsplit=1)[0].lower() in REFERRING


def _tells_of_saying(part: str) -> bool:
    return any(lemma(word.lower) in ATTITUDE_LEMMAS for word in words(part))
