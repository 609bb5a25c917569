"""Whether a statement brings up to date what an earlier one says, as far as a question goes. English.

Such a pair need not contradict in words: "Staging moved to AWS" is today's answer to "where is staging hosted", where
"Staging is hosted on Heroku" was yesterday's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from mmind.text.lexicon import lemma, vocabulary
from mmind.text.news import News, opens_with_change, read_news
from mmind.text.skimming import Skimmed, lemmas, skim

TODAY: Final = vocabulary("today")
# Words that stand for whatever is asked of a thing: it is not said `the state of the door`, but that it is open.
FRAME: Final = frozenset(map(lemma, vocabulary("frame")))
# Verbs that can give a thing another place, and a role another holder.
RESETTLING: Final = frozenset(map(lemma, ("now", "change", "switch", "transition")))
MOST_READ: Final = 6  # sentences of a passage that are held against those of another
# Questions about what was, about a reason, a time or a way of doing something: no update answers them.
_NOT_ABOUT_TODAY: Final = re.compile(
    r"""
    ^\W*(?:why|when|how(?!\ (?:many|much|big|large|long|high|fast|often|old|is|are)\b))\b
    | \b(?: was | were | did | had | before | until | ago | back\ then | formerly | previous(?:ly)? | originally
        | history | used\ to | at\ first | initial(?:ly)? | old | last\ (?:week|month|year|spring|summer|autumn|winter)
        | (?:in|on)\ (?:19|20)\d\d
    )\b
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TODAY: Final = re.compile(r"\b(?:at the moment|these days)\b", re.IGNORECASE)


class Link(Enum):
    """How an update goes with what it updates."""

    ANSWERS = "both hold all that is asked for"
    MOVES = "it tells a move of what the question looks for"
    IMPLIES = "it names part of what is asked for, and the other the whole"
    GOES_ON = "it leaves out what changed, and shares a word"
    BARE = "it leaves out what changed, and shares no word"


@dataclass(frozen=True, slots=True)
class Asked:
    """A question by the lemmas of what it is about, without words such as `status` and `current`, and what it wants."""

    core: frozenset[str]
    for_state: bool
    for_today: bool
    for_place: bool
    for_person: bool


def read_question(text: str) -> Asked | None:
    """A question as updates are judged by it; None where none answers it: it asks for what was, when, how or why."""
    if _NOT_ABOUT_TODAY.search(text):
        return None
    found, keys = lemmas(text)
    asked = keys - frozenset(map(lemma, TODAY))
    core = asked - FRAME
    if not core:
        return None
    return Asked(
        core=core,
        for_state=core != asked,
        for_today=not TODAY.isdisjoint(found) or _TODAY.search(text) is not None,
        for_place="where" in found,
        for_person="who" in found,
    )


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence that tells a change: its lemmas and the change."""

    lemmas: frozenset[str]
    news: News


@dataclass(frozen=True, slots=True)
class Statements:
    """A passage by the lemmas of its sentences that are `about` what is asked, and by all its lemmas."""

    about: tuple[frozenset[str], ...]
    lemmas: frozenset[str]


def news_about(text: str, asked: Asked) -> tuple[Told, ...]:
    """The changes that a passage tells and that may answer: they name what is asked for, or leave open what changed."""
    found = (
        Told(one.lemmas, news) for one in skim(text) if _may_concern(one, asked) and (news := read_news(one.sentence))
    )
    return tuple(dict.fromkeys(one for one in found if _concerns(one, asked)))[:MOST_READ]


def _may_concern(said: Skimmed, asked: Asked) -> bool:
    """The cheap test before `read_news`, which takes some 0.04 ms."""
    is_partial = (asked.for_place or asked.for_state) and not asked.core.isdisjoint(said.lemmas)
    if asked.core <= said.lemmas or is_partial:
        return True
    return asked.for_today and opens_with_change(said.sentence)


def _concerns(told: Told, asked: Asked) -> bool:
    is_open = asked.for_today and told.news.is_elliptical
    is_move = asked.for_place and told.news.moves and not told.news.changed.isdisjoint(asked.core)
    return is_open or is_move or asked.core <= told.lemmas or _names_part(told.news, asked)


def statements(text: str, asked: Asked) -> Statements:
    """What a passage says, by what a question asks for."""
    said = [one.lemmas for one in skim(text)]
    about = dict.fromkeys(one for one in said if not asked.core.isdisjoint(one))
    return Statements(tuple(about)[:MOST_READ], frozenset[str]().union(*said))


def link(told: Sequence[Told], old: Statements, asked: Asked) -> Link | None:
    """How the changes that a passage tells bring another up to date in what is asked, by the surest; None if not."""
    found = {_answering(new, other, asked) for new in told for other in old.about}
    found |= {_going_on(new, old, asked) for new in told}
    return next((one for one in Link if one in found), None)


def _answering(new: Told, old: frozenset[str], asked: Asked) -> Link | None:
    news, core = new.news, asked.core
    if core <= old and core <= new.lemmas and _same_side(news, asked) and _same_thing(news, old, asked):
        return Link.ANSWERS
    if asked.for_place and news.moves and news.changed & core & old and news.changed <= old | core:
        return Link.MOVES
    return Link.IMPLIES if core <= old and _names_part(news, asked) else None


def _names_part(news: News, asked: Asked) -> bool:
    """Whether a change to a new value is all that is said, and of a thing asked for: `Redis upgraded to 7.2`.

    Of what it is part, the statement that it updates has said: `The queue runs on Redis 6`.
    """
    is_all = news.leads and news.ends and not news.moves
    return is_all and asked.for_state and bool(news.before) and news.before < asked.core


def _going_on(new: Told, old: Statements, asked: Asked) -> Link | None:
    """How a change without its subject goes on with a passage: with its answer, where one of its sentences is that.

    What shares words with its other sentences alone brings these up to date, which nobody asked for.
    """
    if not asked.for_today or not new.news.is_elliptical:
        return None
    answers = [one for one in old.about if asked.core <= one]
    if not new.lemmas.isdisjoint(frozenset[str]().union(*answers) if answers else old.lemmas):
        return Link.GOES_ON
    is_elsewhere = bool(answers) and not new.lemmas.isdisjoint(old.lemmas)
    return Link.BARE if new.news.leads and not is_elsewhere else None


def _same_side(news: News, asked: Asked) -> bool:
    """Whether the change can be one of what is asked for: a place for where, another holder of a role for who.

    That the treasurer moved does not tell who is treasurer, and that the bikes were replaced not where they are.
    """
    if asked.for_place:
        return news.moves or news.verb in RESETTLING
    if asked.for_person:
        return news.before.isdisjoint(asked.core) or news.verb in RESETTLING
    return not news.moves or (asked.for_today and not asked.for_state)


def _same_thing(news: News, old: frozenset[str], asked: Asked) -> bool:
    """Whether what changed is what the other statement is about: the limit for members is not that for guests."""
    return news.before.isdisjoint(asked.core) or news.before - asked.core <= old
