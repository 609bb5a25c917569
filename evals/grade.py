"""Every expectation of a case held against an answer; what fails says so in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from evals.case import Case, Expected
from evals.world import places
from mmind.values.bundle import Bundle

Pair = frozenset[str]


@dataclass(frozen=True, slots=True)
class Answered:
    """What is judged: results in order (each the names it stands for), conflicts, agreements, and the verdict."""

    results: tuple[tuple[str, ...], ...]
    conflicts: tuple[tuple[Pair, str, str], ...]  # the pair, the kind, whom it trusts
    agreements: frozenset[Pair]
    relevant: bool
    stores: tuple[str, ...]

    def rank(self, name: str) -> int | None:
        """The place of the result that stands for a memory, from 0."""
        return next((index for index, names in enumerate(self.results) if name in names), None)


def answered(bundle: Bundle, names: dict[str, str]) -> Answered:
    """The parts of an answer that cases speak of."""
    members = {result.id: group for result, group in zip(bundle.results, places(bundle, names), strict=True)}
    return Answered(
        results=tuple(tuple(group) for group in members.values()),
        conflicts=tuple(
            (frozenset((one, other)), conflict.kind, trusted)
            for conflict in bundle.conflicts
            for one in members.get(conflict.ids[0], [names.get(conflict.ids[0], "?")])
            for other in members.get(conflict.ids[1], [names.get(conflict.ids[1], "?")])
            for trusted in members.get(conflict.trusted, [names.get(conflict.trusted, "?")])
        ),
        agreements=frozenset(
            frozenset((one, other))
            for result in bundle.results
            for agreeing in result.agrees_with
            for one in members[result.id]
            for other in members.get(agreeing, [names.get(agreeing, "?")])
        ),
        relevant=bundle.relevant,
        stores=tuple(place.store for place in bundle.results[0].evidence) if bundle.results else (),
    )


def failures(case: Case, answer: Answered) -> list[str]:
    """What the answer got wrong, one line each; nothing when the case passes."""
    return [line for check in CHECKS for line in check(case.expected, answer)]


def rank_failures(case: Case, answer: Answered) -> list[str]:
    """As `failures`, for a ranking that knows neither conflicts nor groups: only what ranks where."""
    return [line for check in (_first, _order, _presence) for line in check(case.expected, answer)]


def _first(expected: Expected, answer: Answered) -> Iterable[str]:
    if expected.first and answer.rank(expected.first) != 0:
        yield f"first must be {expected.first}, is {answer.results[0] if answer.results else 'nothing'}"


def _order(expected: Expected, answer: Answered) -> Iterable[str]:
    ranks = [answer.rank(name) for name in expected.order]
    if None in ranks or ranks != sorted(ranks, key=lambda rank: -1 if rank is None else rank):
        yield f"order must be {list(expected.order)}, ranks are {ranks}"


def _presence(expected: Expected, answer: Answered) -> Iterable[str]:
    yield from (f"{name} must be found" for name in expected.found if answer.rank(name) is None)
    yield from (f"{name} must not be found" for name in expected.absent if answer.rank(name) is not None)


def _groups(expected: Expected, answer: Answered) -> Iterable[str]:
    for group in expected.same:
        ranks = {answer.rank(name) for name in group}
        if len(ranks) != 1 or None in ranks:
            yield f"{list(group)} must be one result, ranks are {ranks}"
    for pair in expected.apart:
        ranks = [answer.rank(name) for name in pair]
        if len(set(ranks)) < len(ranks) and None not in ranks:
            yield f"{list(pair)} must be apart"


def _conflicts(expected: Expected, answer: Answered) -> Iterable[str]:
    told = {pair for pair, _, _ in answer.conflicts}
    yield from (f"conflict {list(pair)} is missing" for pair in expected.conflicts if frozenset(pair) not in told)
    yield from (f"conflict {list(pair)} is false" for pair in expected.no_conflicts if frozenset(pair) in told)
    if expected.quiet and told:
        yield f"no conflict may be told, told: {[sorted(pair) for pair in told]}"
    wanted = {frozenset(pair) for pair in expected.conflicts}
    for pair, kind, trusted in answer.conflicts:
        if pair in wanted and expected.kinds and kind not in expected.kinds:
            yield f"conflict {sorted(pair)} is of kind {kind}, must be one of {list(expected.kinds)}"
        if pair in wanted and expected.trusts and trusted != expected.trusts and expected.trusts in pair:
            yield f"conflict {sorted(pair)} must trust {expected.trusts}, trusts {trusted}"


def _agreements(expected: Expected, answer: Answered) -> Iterable[str]:
    yield from (f"agreement {list(p)} is missing" for p in expected.agreements if frozenset(p) not in answer.agreements)
    yield from (f"agreement {list(p)} is false" for p in expected.no_agreements if frozenset(p) in answer.agreements)


def _verdict(expected: Expected, answer: Answered) -> Iterable[str]:
    if expected.nothing and answer.relevant:
        yield "must say that nothing relevant was found"
    if expected.relevant and not answer.relevant:
        yield "must find something relevant"
    if expected.stores and set(answer.stores) != set(expected.stores):
        yield f"the first result must list {list(expected.stores)}, lists {list(answer.stores)}"


CHECKS: Sequence[Callable[[Expected, Answered], Iterable[str]]] = (
    _first,
    _order,
    _presence,
    _groups,
    _conflicts,
    _agreements,
    _verdict,
)
