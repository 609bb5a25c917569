"""Step 9: the ranked groups become results that fit the bounds of the answer."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from mmind.router.candidate import Candidate
from mmind.router.excerpt import excerpt
from mmind.router.group import Group
from mmind.scoring.confidence import WEAK_BELOW
from mmind.text.instructions import flags
from mmind.values.bundle import Evidence, Result, Score

# A token is about four characters of English; what surrounds a text (id, path, times) costs about 60 tokens a result.
CHARACTERS_A_TOKEN = 4
TOKENS_AROUND_A_RESULT = 60
# One result may use this much of the page, so that ten fit in some 3 kB unless fewer are asked for.
LONGEST_TEXT = 1_200
SHORTEST_TEXT = 120
LONGEST_NEAR_MISS = 200
MOST_PLACES = 8


@dataclass(frozen=True, slots=True)
class Ranked:
    """A group with its final score, and the ids of results that say the same in other words."""

    group: Group
    score: Score
    agrees_with: tuple[str, ...] = ()


def assemble(ranked: Sequence[Ranked], limit: int, max_tokens: int, terms: Collection[str]) -> list[Result]:
    """The first `limit` results, their texts cut around the query's terms so that all stay within `max_tokens`.

    Results that would get less than a readable piece of text are left out: the caller counts them.
    """
    shown = ranked[: min(limit, max(1, max_tokens // (TOKENS_AROUND_A_RESULT + SHORTEST_TEXT // CHARACTERS_A_TOKEN)))]
    budget = _shares(_wanted(shown), max_tokens)
    return [
        _result(rank, one, terms, room) for rank, (one, room) in enumerate(zip(shown, budget, strict=True), start=1)
    ]


def _wanted(shown: Sequence[Ranked]) -> list[int]:
    """How long each text would like to be. Beside a find, a near miss need only be recognisable."""
    near_misses = [confidence_of(one) < WEAK_BELOW for one in shown]
    longest = LONGEST_NEAR_MISS if not all(near_misses) else None
    lengths = [len(one.group.speaker.passage.text) for one in shown]
    return [
        min(length, longest) if longest and weak else length for length, weak in zip(lengths, near_misses, strict=True)
    ]


def confidence_of(ranked: Ranked) -> float:
    """How sure it is that a group is about the question: as its surest member."""
    return max(one.confidence for one in ranked.group.members)


def _shares(lengths: Sequence[int], max_tokens: int) -> list[int]:
    """How many characters each text may have: short texts leave their unused share to the longer ones."""
    room = max_tokens * CHARACTERS_A_TOKEN - len(lengths) * TOKENS_AROUND_A_RESULT * CHARACTERS_A_TOKEN
    shares = [0] * len(lengths)
    for place, index in enumerate(sorted(range(len(lengths)), key=lengths.__getitem__)):
        fair = max(SHORTEST_TEXT, room // (len(lengths) - place))
        shares[index] = min(lengths[index], fair, max(LONGEST_TEXT, 4 * LONGEST_TEXT // len(lengths)))
        room -= shares[index]
    return shares


def _result(rank: int, ranked: Ranked, terms: Collection[str], room: int) -> Result:
    speaker = ranked.group.speaker
    text = speaker.passage.text
    confidence = confidence_of(ranked)
    return Result(
        rank=rank,
        id=speaker.memory.handle,
        title=speaker.memory.title,
        text=excerpt(text, terms, room),
        tags=speaker.memory.tags,
        score=ranked.score,
        confidence=confidence,
        weak=confidence < WEAK_BELOW,
        cut=len(text) > room,
        evidence=tuple(evidence(one) for one in shown_places(ranked.group)),
        more=speaker.more,
        agrees_with=ranked.agrees_with,
        flags=flags(speaker.memory.title, text),
    )


def shown_places(group: Group) -> list[Candidate]:
    """The places of a group that an answer lists, at most eight: the speaker, the best of each store, then the rest."""
    best_of_store: dict[str, Candidate] = {}
    for one in group.places:
        best_of_store.setdefault(one.memory.store, one)
    firsts = list(best_of_store.values())
    return [*firsts, *(one for one in group.places if all(one is not first for first in firsts))][:MOST_PLACES]


def evidence(candidate: Candidate) -> Evidence:
    """Where a candidate lies, down to the lines."""
    memory, passage = candidate.memory, candidate.passage
    return Evidence(
        store=memory.store,
        engine=candidate.policy.engine,
        id=memory.handle,
        path=memory.path,
        heading=passage.heading,
        line_start=passage.line_start,
        line_end=passage.line_end,
        time=memory.time,
        time_kind=memory.time_kind,
        trust=memory.trust,
        writer=memory.writer,
    )
