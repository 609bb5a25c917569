"""Step 8: who agrees independently earns a bounded bonus; copies and echoes earn nothing."""

from __future__ import annotations

from collections.abc import Sequence

from mmind.router.candidate import Candidate
from mmind.router.group import Group
from mmind.scoring.corroboration import corroboration
from mmind.values.bundle import Factor, Score
from mmind.values.memory import Trust


def corroborated(group: Group, boost: float, agreeing: Sequence[Candidate] = ()) -> Score:
    """The group's best score, with the factor that its independent origins earn.

    `agreeing` are candidates that state the same fact in other words.
    """
    if len(group.members) == 1 and not agreeing:
        return group.best.score
    origins = independent_origins((*group.members, *agreeing))
    places = tuple(dict.fromkeys(one.memory.store for one in (*group.places, *agreeing)))
    factor = Factor(
        "corroboration",
        corroboration(len(origins) - 1, boost),
        _reason(places, origins),
        {"independent_origins": len(origins), "places": len(group.members) + len(agreeing), "boost": boost},
    )
    return Score((*group.best.score.factors, factor))


def independent_origins(members: Sequence[Candidate]) -> tuple[str, ...]:
    """Who stands behind a claim on his own: each store in which the user keeps it, and an agent that said it first.

    Several copies in one store are one origin. All agents together are at most one, however many stores they wrote
    to, and none at all when the user's own note is as old: what an agent stores after it could read the note is an
    echo of it (spec M2.7).
    """
    curated = [one for one in members if one.memory.trust is Trust.CURATED]
    generated = [one for one in members if one.memory.trust is Trust.GENERATED]
    stores = tuple(dict.fromkeys(one.memory.store for one in curated))
    if generated and (not curated or _spoke_first(generated, curated)):
        return (*stores, "agents")
    return stores


def _spoke_first(generated: Sequence[Candidate], curated: Sequence[Candidate]) -> bool:
    said = [one.memory.time for one in generated if one.memory.time is not None]
    kept = [one.memory.time for one in curated if one.memory.time is not None]
    return bool(said and kept) and min(said) < min(kept)


def _reason(places: Sequence[str], origins: Sequence[str]) -> str:
    named = ", ".join(places)
    if len(origins) > 1:
        return f"{len(origins)} independent origins agree ({named})"
    return f"found in {named}; copies of one origin earn nothing"
