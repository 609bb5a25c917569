"""What an edited ranking moves: two answers to one question, side by side. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from mmind.values.bundle import Bundle, Conflict, Result


@dataclass(frozen=True, slots=True)
class Move:
    """One memory in both answers: its result under the saved table and under the edited one; None where it is not."""

    saved: Result | None
    edited: Result | None

    @property
    def shown(self) -> Result:
        """The result as the edited table has it; as the saved one has it where it fell out."""
        result = self.edited or self.saved
        assert result is not None
        return result

    @property
    def climbed(self) -> int:
        """By how many ranks it rose; below zero it fell. 0 where it stands in one answer only."""
        return self.saved.rank - self.edited.rank if self.saved and self.edited else 0


@dataclass(frozen=True, slots=True)
class ConflictMove:
    """A conflict, and whether it is told under the saved table, the edited one, or both."""

    conflict: Conflict
    in_saved: bool
    in_edited: bool


def moves(saved: Bundle, edited: Bundle) -> list[Move]:
    """Every result of the edited answer in its order, then what fell out of it.

    A result is found again by any of its places: another table may let another copy speak for it.
    """
    before = {place.id: result for result in reversed(saved.results) for place in result.evidence}
    pairs = [Move(_before(result, before), result) for result in edited.results]
    kept = {id(pair.saved) for pair in pairs}
    return [*pairs, *(Move(result, None) for result in saved.results if id(result) not in kept)]


def _before(result: Result, before: dict[str, Result]) -> Result | None:
    return next((before[place.id] for place in result.evidence if place.id in before), None)


def conflict_moves(saved: Bundle, edited: Bundle) -> list[ConflictMove]:
    """Every conflict of either answer: those of the edited one first."""
    old = {_name(conflict): conflict for conflict in saved.conflicts}
    new = {_name(conflict): conflict for conflict in edited.conflicts}
    told = [ConflictMove(conflict, name in old, in_edited=True) for name, conflict in new.items()]
    gone = [ConflictMove(conflict, in_saved=True, in_edited=False) for name, conflict in old.items() if name not in new]
    return [*told, *gone]


def _name(conflict: Conflict) -> tuple[str, frozenset[str], frozenset[str]]:
    return conflict.kind, frozenset(conflict.ids), frozenset(conflict.values)  # two notes may differ in two numbers
