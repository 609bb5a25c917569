"""Every expectation of a case held against an answer; what fails says so in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from evals.case import Case, Expected
from evals.world import places
from mmind.values.bundle import Bundle, Result

Pair = frozenset[str]


@dataclass(frozen=True, slots=True)
class Told:
    """A conflict of an answer: the pair, its kind, and the memories of the side that it trusts."""

    pair: Pair
    kind: str
    trusted: Pair


@dataclass(frozen=True, slots=True)
class Answered:
    """What is judged: results in order (each the names it stands for, the speaker first), and what is said of them."""

    results: tuple[tuple[str, ...], ...]
    conflicts: tuple[Told, ...] = ()
    agreements: frozenset[Pair] = frozenset()
    corroborated: frozenset[str] = frozenset()
    relevant: bool = True
    stores: tuple[str, ...] = ()
    text: str = ""

    def rank(self, name: str) -> int | None:
        """The place of the result that stands for a memory, from 0."""
        return next((index for index, names in enumerate(self.results) if name in names), None)


def answered(bundle: Bundle, names: dict[str, str]) -> Answered:
    """The parts of an answer that cases speak of."""
    groups = places(bundle, names)
    members = {result.id: group for result, group in zip(bundle.results, groups, strict=True)}

    def side(handle: str) -> Sequence[str]:
        return members.get(handle, [names.get(handle, handle)])

    return Answered(
        results=tuple(tuple(group) for group in groups),
        conflicts=tuple(
            Told(frozenset((one, other)), conflict.kind, frozenset(side(conflict.trusted)))
            for conflict in bundle.conflicts
            for one in side(conflict.ids[0])
            for other in side(conflict.ids[1])
        ),
        agreements=frozenset(
            frozenset((one, other))
            for result in bundle.results
            for agreeing in result.agrees_with
            for one in members[result.id]
            for other in side(agreeing)
        ),
        corroborated=frozenset(name for result in bundle.results if _has_bonus(result) for name in members[result.id]),
        relevant=bundle.relevant,
        stores=tuple(place.store for place in bundle.results[0].evidence) if bundle.results else (),
        text=bundle.results[0].text if bundle.results else "",
    )


def _has_bonus(result: Result) -> bool:
    return any(factor.value > 1 for factor in result.score.factors if factor.name in ("corroboration", "agreement"))


def failures(case: Case, answer: Answered) -> list[str]:
    """What the answer got wrong, one line each; nothing when the case passes."""
    return [line for check in CHECKS for line in check(case.expected, answer)]


def rank_failures(case: Case, answer: Answered) -> list[str]:
    """As `failures`, of what ranks where alone."""
    return [line for check in (_first, _order, _presence) for line in check(case.expected, answer)]


def is_about_rank(expected: Expected) -> bool:
    """Whether a case demands anything of the ranks."""
    return bool(expected.first or expected.order or expected.found or expected.absent)


def _first(expected: Expected, answer: Answered) -> Iterable[str]:
    if expected.first and answer.rank(expected.first) != 0:
        yield f"first must be {expected.first}, is {_names(answer)}"


def _order(expected: Expected, answer: Answered) -> Iterable[str]:
    ranks = [answer.rank(name) for name in expected.order]
    known = [rank for rank in ranks if rank is not None]
    if len(known) < len(ranks) or known != sorted(known):
        yield f"order must be {list(expected.order)}, ranks are {ranks}"


def _presence(expected: Expected, answer: Answered) -> Iterable[str]:
    yield from (f"{name} must be found" for name in expected.found if answer.rank(name) is None)
    yield from (f"{name} must not be found" for name in expected.absent if answer.rank(name) is not None)


def _head(expected: Expected, answer: Answered) -> Iterable[str]:
    if expected.text and expected.text not in answer.text:
        yield f"the first text must hold {expected.text!r}, is {answer.text[:80]!r}"
    if expected.speaker and (not answer.results or answer.results[0][0] != expected.speaker):
        yield f"{expected.speaker} must speak for the first result, which is {_names(answer)}"
    if expected.stores and set(answer.stores) != set(expected.stores):
        yield f"the first result must list {list(expected.stores)}, lists {list(answer.stores)}"


def _names(answer: Answered) -> str:
    return "+".join(answer.results[0]) if answer.results else "nothing"


def _groups(expected: Expected, answer: Answered) -> Iterable[str]:
    for group in expected.same:
        ranks = {answer.rank(name) for name in group}
        if len(ranks) != 1 or None in ranks:
            yield f"{list(group)} must be one result, ranks are {sorted(ranks, key=str)}"
    for pair in expected.apart:
        both = [answer.rank(name) for name in pair]
        if len(set(both)) < len(both) and None not in both:
            yield f"{list(pair)} must be apart"


def _bonus(expected: Expected, answer: Answered) -> Iterable[str]:
    yield from (f"{name} must earn a bonus" for name in expected.corroborated if name not in answer.corroborated)
    yield from (f"{name} must earn no bonus" for name in expected.uncorroborated if name in answer.corroborated)


def _conflicts(expected: Expected, answer: Answered) -> Iterable[str]:
    told = {one.pair for one in answer.conflicts}
    yield from (f"conflict {list(pair)} is missing" for pair in expected.conflicts if frozenset(pair) not in told)
    yield from (f"conflict {list(pair)} is false" for pair in expected.no_conflicts if frozenset(pair) in told)
    if expected.quiet and told:
        yield f"no conflict may be told, told: {[(sorted(one.pair), one.kind) for one in answer.conflicts]}"
    wanted = {frozenset(pair) for pair in expected.conflicts}
    for one in answer.conflicts:
        if one.pair in wanted and expected.kinds and one.kind not in expected.kinds:
            yield f"conflict {sorted(one.pair)} is of kind {one.kind}, must be one of {list(expected.kinds)}"
        if one.pair in wanted and expected.trusts in one.pair and expected.trusts not in one.trusted:
            yield f"conflict {sorted(one.pair)} must trust {expected.trusts}"


def _agreements(expected: Expected, answer: Answered) -> Iterable[str]:
    told = answer.agreements
    yield from (f"agreement {list(pair)} is missing" for pair in expected.agreements if frozenset(pair) not in told)
    yield from (f"agreement {list(pair)} is false" for pair in expected.no_agreements if frozenset(pair) in told)


def _verdict(expected: Expected, answer: Answered) -> Iterable[str]:
    if expected.nothing and answer.relevant:
        yield "must say that nothing relevant was found"
    if expected.relevant and not answer.relevant:
        yield "must find something relevant"


CHECKS: Sequence[Callable[[Expected, Answered], Iterable[str]]] = (
    _first,
    _order,
    _presence,
    _head,
    _groups,
    _bonus,
    _conflicts,
    _agreements,
    _verdict,
)
