"""After corroboration: a claim that a more trusted memory contradicts never stands above it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from mmind.router.assemble import Ranked
from mmind.router.conflicts import Dispute
from mmind.values.bundle import Factor, Score
from mmind.values.memory import Trust

# The contradicted claim lands just below the one that is trusted, so that both are seen side by side.
JUST_BELOW = 0.999
LEAST_SHARE = 0.2
"""Of the blend of the contradicted memory: what has less answers another question, and settles nothing in this one."""


def settled(ranked: Sequence[Ranked], disputes: Sequence[Dispute]) -> list[Ranked]:
    """The groups, best first, each loser of a dispute scored below its winner, by a factor that says so.

    Spec M2.7: copies of a claim, however many, never outrank one curated contradiction. They meet where the winner
    would stand if being less to the point had not lowered it: what it says of the claim is as much to the point as the
    claim, and an answer must not sink to the foot of the page for one sentence of a note about something else. Chains
    of disputes settle by going round until nothing moves; each round fixes at least one more link.
    """
    places = {one.memory.handle: index for index, group in enumerate(ranked) for one in group.group.members}
    found = _pairs(disputes, places)
    pairs = [(winner, loser) for winner, loser in found if _is_asked_for(ranked[winner], ranked[loser])]
    now = list(ranked)
    for winner in dict.fromkeys(winner for winner, _ in pairs):
        losers = (ranked[loser] for one, loser in pairs if one == winner)
        now[winner] = _raised(ranked[winner], max(losers, key=lambda one: one.score.value))
    for _ in range(len(pairs)):
        moved = False
        for winner, loser in pairs:
            if now[loser].score.value > now[winner].score.value * JUST_BELOW:
                now[loser] = _lowered(now[loser], now[winner])
                moved = True
        if not moved:
            break
    return in_order(now)


def in_order(ranked: Iterable[Ranked]) -> list[Ranked]:
    """Best score first; ties by the best member's own order."""
    return sorted(ranked, key=lambda one: (-one.score.value, *one.group.best.order[1:]))


def _pairs(disputes: Sequence[Dispute], places: Mapping[str, int]) -> list[tuple[int, int]]:
    """(winner, loser) by place, without doubles, and without a pair that another dispute decides the other way.

    Of two disputes between the same memories the first counts: it is about what was asked.
    """
    first = {frozenset(dispute.handles): dispute for dispute in reversed(disputes)}
    pairs = dict.fromkeys(
        (places[dispute.trusted.memory.handle], places[dispute.distrusted.memory.handle])
        for dispute in reversed(first.values())
        if dispute.trusted.memory.handle in places and dispute.distrusted.memory.handle in places
    )
    return [(winner, loser) for winner, loser in pairs if winner != loser and (loser, winner) not in pairs]


def _is_asked_for(winner: Ranked, loser: Ranked) -> bool:
    """Whether the winner speaks of what was asked, if the loser does; else they differ about another sentence of it.

    What the user wrote stands above what an agent says against it, however little it meets the question.
    """
    is_by_trust = (winner.group.best.memory.trust, loser.group.best.memory.trust) == (Trust.CURATED, Trust.GENERATED)
    return is_by_trust or _plain(winner) >= LEAST_SHARE * _plain(loser)


def _plain(ranked: Ranked) -> float:
    """The blend of words and meaning, before it was lowered for being less to the point."""
    relevance = ranked.score.factors[0]
    plain = relevance.inputs.get("blend")
    return plain if isinstance(plain, float) else relevance.value


def _raised(winner: Ranked, loser: Ranked) -> Ranked:
    """The winner at the loser's height, as far as its own words and meaning alone carry it."""
    relevance = winner.score.factors[0].value
    if not relevance > 0.0:
        return winner
    factor = min(_plain(winner) / relevance, loser.score.value / winner.score.value)
    if factor <= 1.0:
        return winner
    reason = f"it contradicts {loser.group.speaker.memory.handle} and is trusted more"
    raised = Factor("trusted", factor, reason, {"score_of_the_contradicted": loser.score.value})
    return replace(winner, score=winner.score.times(raised))


def _lowered(loser: Ranked, winner: Ranked) -> Ranked:
    kept = tuple(factor for factor in loser.score.factors if factor.name != "contradicted")
    value = JUST_BELOW * winner.score.value / (Score(kept).value or 1.0)
    reason = f"{winner.group.speaker.memory.handle} says otherwise and is trusted more"
    factor = Factor("contradicted", min(1.0, value), reason, {"score_of_the_trusted": winner.score.value})
    return replace(loser, score=Score((*kept, factor)))
