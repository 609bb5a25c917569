"""The ranking that the router replaced: ask every store, sort by best similarity, and know nothing else."""

from __future__ import annotations

from evals.case import Case
from evals.grade import Answered
from mmind.router import parse
from mmind.router.fan_out import values
from mmind.router.gather import gather, summed
from mmind.router.retrieve import World, embed, fan_out
from mmind.values.ports import Rules


def best_similarity(case: Case, world: World, rules: Rules, names: dict[str, str]) -> Answered:
    """The case's memories by cosine (by words where there is no vector): no age, no trust, no groups, no conflicts."""
    request = parse.Request(
        text=parse.parse_text(case.query),
        limit=case.limit,
        stores=tuple(world.stores),
        since=None,
        until=None,
        tags=(),
        session=case.session,
        max_tokens=2000,
    )
    query, _ = embed(request, world.embedder)
    statistics = summed(corpus.statistics(query.terms) for corpus in world.corpora)
    found = gather(values(fan_out(query, request, world)), rules.policies, query, statistics, use_meaning=True)
    ordered = sorted(found, key=lambda one: -(one.cosine if one.cosine is not None else one.lexical or 0.0))
    shown = list(dict.fromkeys(names.get(one.memory.handle, one.memory.handle) for one in ordered))[: case.limit]
    return Answered(tuple((name,) for name in shown), (), frozenset(), relevant=bool(shown), stores=())
