"""Step 6, too: which candidates bring others up to date; after corroboration these stand just above what they update.

Such pairs need not contradict in words, so conflicts do not find them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from mmind.router.assemble import Ranked
from mmind.router.candidate import Candidate
from mmind.router.conflicts import newer_of
from mmind.router.nearness import Nearness
from mmind.text.updates import Link, link, news_about, read_question, statements
from mmind.values.bundle import Factor
from mmind.values.memory import Trust

# Measured on chains of updates with the local model: statements about one thing lie above the first; those that leave
# out what changed lie above the second where they go on with one another, and below .20 where they do not.
LEAST_COSINE: Final = 0.35
LEAST_COSINE_ELLIPTICAL: Final = 0.25
# By more than `settle` wants between a trusted claim and what it contradicts, so that a pair is moved once.
JUST_ABOVE: Final = 1.002


@dataclass(frozen=True, slots=True)
class Update:
    """`new` brings `old` up to date, as far as the question goes."""

    new: Candidate
    old: Candidate


def find_updates(candidates: Sequence[Candidate], near: Nearness, query: str) -> list[Update]:
    """Every pair of an update and what it updates, oldest update first. Candidates are one passage of each memory."""
    asked = read_question(query)
    if asked is None:
        return []
    told = {one.memory.handle: news for one in candidates if (news := news_about(one.passage.text, asked))}
    if not told:
        return []
    said = {one.memory.handle: statements(one.passage.text, asked) for one in candidates}
    dated = sorted(((time, one) for one in candidates if (time := one.memory.time) is not None), key=_by_time)
    found: list[Update] = []
    for place, (_, new) in enumerate(dated):
        news = told.get(new.memory.handle, ())
        if news:
            earlier = [one for _, one in dated[:place] if newer_of(new, one) is new]
            links = {
                one.memory.handle: _sure_enough(link(news, said[one.memory.handle], asked), new, one, near)
                for one in earlier
                if (near.between(new, one) or 0.0) >= LEAST_COSINE_ELLIPTICAL
            }
            found += [Update(new, old) for old in _updated_by(new, earlier, links, near, found)]
    return found


def _by_time(dated: tuple[datetime, Candidate]) -> tuple[datetime, str]:
    return dated[0], dated[1].memory.handle


def _updated_by(
    new: Candidate,
    earlier: Sequence[Candidate],
    links: Mapping[str, Link | None],
    near: Nearness,
    known: Sequence[Update],
) -> list[Candidate]:
    """The earlier statements that `new` updates.

    One that leaves out what changed goes on with what it is nearest to, with the thread of that, and with nothing else.
    """
    linked = [one for one in earlier if links.get(one.memory.handle)]
    told = {one.memory.handle: one for one in linked if links[one.memory.handle] in (Link.ANSWERS, Link.MOVES)}
    before = {one.memory.handle for one in earlier}
    for one in linked:
        if links[one.memory.handle] is Link.IMPLIES:
            told |= {each.memory.handle: each for each in _thread(one, known) if each.memory.handle in before}
    if told:
        return list(told.values())
    if not linked:
        return []
    nearest = max(earlier, key=lambda one: near.between(new, one) or 0.0)
    return _thread(nearest, known) if links.get(nearest.memory.handle) else []


def _sure_enough(kind: Link | None, new: Candidate, old: Candidate, near: Nearness) -> Link | None:
    if kind is Link.BARE:
        return kind if new.memory.store == old.memory.store else None
    return kind if (near.between(new, old) or 0.0) >= LEAST_COSINE else None


def _thread(candidate: Candidate, known: Sequence[Update]) -> list[Candidate]:
    """The candidate and all that updates it or is updated by it, step by step."""
    thread = {candidate.memory.handle: candidate}
    for _ in known:
        before = len(thread)
        for one in known:
            if {one.new.memory.handle, one.old.memory.handle} & thread.keys():
                thread |= {one.new.memory.handle: one.new, one.old.memory.handle: one.old}
        if len(thread) == before:
            break
    return list(thread.values())


def lifted(ranked: Sequence[Ranked], updates: Sequence[Update]) -> list[Ranked]:
    """The groups in the order given, each update scored just above what it updates, by a factor that says so.

    What only agents say is never lifted above what the user wrote and it would update.
    """
    places = {one.memory.handle: place for place, group in enumerate(ranked) for one in group.group.members}
    olds: dict[int, set[int]] = {}
    for update in updates:
        new, old = places[update.new.memory.handle], places[update.old.memory.handle]
        if new != old:
            olds.setdefault(new, set()).add(old)
    now = list(ranked)
    for new, places_of_old in olds.items():
        now[new] = _lifted(now[new], [now[place] for place in sorted(places_of_old)])
    return now


def _lifted(new: Ranked, olds: Sequence[Ranked]) -> Ranked:
    above = [one for one in olds if _trust(new) is Trust.CURATED or _trust(one) is Trust.GENERATED]
    below = [one.score.value for one in olds if one not in above]
    if not above:
        return new
    best = max(above, key=lambda one: one.score.value)
    wanted = min([JUST_ABOVE * best.score.value, *(value / JUST_ABOVE for value in below)])
    if not 0 < new.score.value < wanted:
        return new
    reason = f"it brings {best.group.speaker.memory.handle} up to date"
    factor = Factor("update", wanted / new.score.value, reason, {"score_of_the_updated": best.score.value})
    return replace(new, score=new.score.times(factor))


def _trust(ranked: Ranked) -> Trust:
    return ranked.group.speaker.memory.trust
