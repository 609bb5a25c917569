"""The ranking table as somebody edits it: not saved yet, each step can be undone. Pure but for the history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mmind.config.reading import written
from mmind.config.settings import Settings
from mmind.config.table import KNOBS, Kind, Knob
from mmind.values.ports import Rules
from mmind.values.ranking import Ranking

RANKING_KNOBS = tuple(knob for knob in KNOBS if knob.section == "Ranking")
_HALF_LIFE = "half_life_"
_HALF_LIFE_STEP = 1.25  # a week to a year is a long way by days, and eighteen of these
_FINE = 5


@dataclass(frozen=True, slots=True)
class Table:
    """Every number of the ranking: the weights, and each store's half-life in days."""

    ranking: Ranking
    half_life_days: Mapping[str, float]

    def value(self, knob: Knob) -> float | bool:
        """What the table has for a knob."""
        if knob.name.startswith(_HALF_LIFE):
            return self.half_life_days[knob.name.removeprefix(_HALF_LIFE)]
        value: float | bool = getattr(self.ranking, knob.name)
        return value

    def with_value(self, knob: Knob, value: float | bool) -> Table:
        """The table with one number changed."""
        if knob.name.startswith(_HALF_LIFE):
            store = knob.name.removeprefix(_HALF_LIFE)
            return replace(self, half_life_days={**self.half_life_days, store: float(value)})
        return replace(self, ranking=replace(self.ranking, **{knob.name: value}))  # type: ignore[arg-type] # each knob holds a value of its field's kind

    def rules(self, rules: Rules) -> Rules:
        """The rules in force, with this table in place of theirs."""
        policies = {
            name: replace(policy, half_life_days=self.half_life_days.get(name, policy.half_life_days))
            for name, policy in rules.policies.items()
        }
        return Rules(self.ranking, policies)


def table_of(settings: Settings) -> Table:
    """The table that the settings give."""
    return Table(settings.ranking, dict(settings.half_life_days))


def differences(saved: Table, edited: Table) -> dict[Knob, str]:
    """The knobs that differ, with their edited values as people write them."""
    return {
        knob: written(edited.value(knob))
        for knob in RANKING_KNOBS
        if written(edited.value(knob)) != written(saved.value(knob))
    }


def as_variables(table: Table) -> dict[str, str]:
    """The table as environment variables, for a process that is to go by it."""
    return {knob.env: written(table.value(knob)) for knob in RANKING_KNOBS}


def stepped(knob: Knob, value: float | bool, steps: int, *, is_fine: bool = False) -> float | bool:
    """The value so many steps higher (lower below zero), within the knob's range; a switch is thrown."""
    if knob.kind is Kind.SWITCH:
        return not value
    if knob.name.startswith(_HALF_LIFE):
        factor = _HALF_LIFE_STEP ** (steps / _FINE if is_fine else steps)
        moved = float(f"{value * factor:.3g}")
    else:
        moved = round(value + steps * (0.01 if is_fine else 0.05), 4)
    return min(knob.maximum, max(knob.minimum, moved))


class Draft:
    """The edited table beside the saved one, with its history."""

    def __init__(self, saved: Table) -> None:
        self.saved = saved
        self.edited = saved
        self._history: list[Table] = []

    @property
    def is_changed(self) -> bool:
        """Whether there is anything to save."""
        return bool(differences(self.saved, self.edited))

    def change(self, table: Table) -> None:
        """Go on with another table; a step that `undo` takes back."""
        if table != self.edited:
            self._history.append(self.edited)
            self.edited = table

    def undo(self) -> bool:
        """Take the last step back; False when there is none."""
        if not self._history:
            return False
        self.edited = self._history.pop()
        return True

    def rebase(self, saved: Table) -> None:
        """The saved table is another one now. What nobody has edited follows it; what was edited stays edited."""
        if saved == self.saved:
            return
        edited = saved
        for knob in differences(self.saved, self.edited):
            edited = edited.with_value(knob, self.edited.value(knob))
        self.saved, self.edited = saved, edited
