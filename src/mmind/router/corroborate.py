"""Step 8: who agrees independently earns a bounded bonus; copies and echoes earn nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from mmind.router.candidate import Candidate
from mmind.router.group import Group
from mmind.scoring.corroboration import corroboration
from mmind.values.bundle import Factor, Score
from mmind.values.memory import Memory, Trust

# What an engine of ours stamped when it was told; the time of a file says when it was last touched.
STAMPED = frozenset(("created", "updated", "stored"))
BY_NAME = "file name"


def corroborated(group: Group, boost: float, agreeing: Sequence[Candidate] = ()) -> Score:
    """The group's best score, with the factor that its independent origins earn.

    `agreeing` are candidates that state the same fact in other words. The bonus is whole for what answers best, and
    less for what is less to the point.
    """
    if len(group.members) == 1 and not agreeing:
        return group.best.score
    origins = origins_of((*group.members, *agreeing))
    standing = max(one.standing for one in group.members)
    places = tuple(dict.fromkeys(one.memory.store for one in (*group.places, *agreeing)))
    factor = Factor(
        "corroboration",
        corroboration(len(origins.independent) - 1, boost, standing),
        _reason(places, origins),
        {
            "independent_origins": len(origins.independent),
            "places": len(group.members) + len(agreeing),
            "echoes": origins.echoes,
            "boost": boost,
            "standing": standing,
        },
    )
    return group.best.score.times(factor)


@dataclass(frozen=True, slots=True)
class Origins:
    """Who stands behind a claim on his own, by name, and how many of its places only repeat what was there."""

    independent: tuple[str, ...]
    echoes: int


def origins_of(members: Sequence[Candidate]) -> Origins:
    """Each store in which the user keeps it is one origin, and all agents together are one if they said it first.

    Several copies in one store are one origin. Agents count for nothing beside the user unless it is proved that they
    spoke first: whatever lay in a store could be read, so what an agent stores after it is an echo (spec M2.7), in
    whatever store, process or session it lands.
    """
    curated = [one.memory for one in members if one.memory.trust is Trust.CURATED]
    generated = [one.memory for one in members if one.memory.trust is Trust.GENERATED]
    stores = tuple(dict.fromkeys(memory.store for memory in curated))
    if not generated:
        return Origins(stores, 0)
    if not curated:
        return Origins(("agents",), len(generated) - 1)
    if _spoke_first(generated, curated):
        return Origins((*stores, "agents"), len(generated) - 1)
    return Origins(stores, len(generated))


def _spoke_first(generated: Sequence[Memory], curated: Sequence[Memory]) -> bool:
    """Whether an agent's statement is older than everything of the user's that says the same, as far as can be proved.

    A note whose file was touched yesterday may be years old, so only the time at which it came to be proves anything.
    """
    said = [when for memory in generated if memory.time_kind in STAMPED and (when := _began(memory))]
    kept = [_began(memory) for memory in curated]
    known = [when for when in kept if when is not None]
    return bool(said) and len(known) == len(kept) and min(said) < min(known)


def _began(memory: Memory) -> datetime | None:
    """When a memory came to be; None where only its last change is known."""
    return memory.created or (memory.time if memory.time_kind == BY_NAME else None)


def _reason(places: Sequence[str], origins: Origins) -> str:
    named, count = ", ".join(places), len(origins.independent)
    if count > 1:
        return f"{count} independent origins agree ({named})"
    if origins.independent != ("agents",) and origins.echoes:
        return f"found in {named}; what an agent repeats after the user is an echo and earns nothing"
    return f"found in {named}; copies of one origin earn nothing"
