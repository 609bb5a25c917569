"""After corroboration: a claim that a more trusted memory contradicts never stands above it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from mmind.router.assemble import Ranked
from mmind.router.conflicts import Dispute
from mmind.values.bundle import Factor, Score

# The contradicted claim lands just below the one that is trusted, so that both are seen side by side.
JUST_BELOW = 0.999


def settled(ranked: Sequence[Ranked], disputes: Sequence[Dispute]) -> list[Ranked]:
    """The groups, best first, each loser of a dispute scored below its winner, by a factor that says so.

    Spec M2.7: copies of a claim, however many, never outrank one curated contradiction. Chains of disputes settle
    by going round until nothing moves; each round fixes at least one more link.
    """
    places = {one.memory.handle: index for index, group in enumerate(ranked) for one in group.group.members}
    pairs = _pairs(disputes, places)
    now = list(ranked)
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


def _lowered(loser: Ranked, winner: Ranked) -> Ranked:
    kept = tuple(factor for factor in loser.score.factors if factor.name != "contradicted")
    value = JUST_BELOW * winner.score.value / (Score(kept).value or 1.0)
    reason = f"{winner.group.speaker.memory.handle} says otherwise and is trusted more"
    factor = Factor("contradicted", min(1.0, value), reason, {"score_of_the_trusted": winner.score.value})
    return replace(loser, score=Score((*kept, factor)))
