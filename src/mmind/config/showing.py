"""A setting's value as people read it; a secret's never."""

from __future__ import annotations

from mmind.config.reading import shown, written
from mmind.config.settings import Settings
from mmind.config.table import Kind, Knob

HIDDEN = "set, not shown"


def value_of(knob: Knob, settings: Settings) -> str:
    """A knob's value as people write it; "" for nothing, `HIDDEN` for a secret that is set."""
    value = raw_value(knob, settings)
    if knob.secret:
        return HIDDEN if value else ""
    return shown(value) if knob.kind is Kind.URL else written(value)


def raw_value(knob: Knob, settings: Settings) -> object:
    """A knob's value as the settings hold it, secrets too: for programs, never for eyes."""
    if knob.name.startswith("access_"):
        return settings.access[knob.name.removeprefix("access_")]
    if knob.name.startswith("half_life_"):
        return settings.half_life_days[knob.name.removeprefix("half_life_")]
    return getattr(settings, knob.name) if hasattr(settings, knob.name) else getattr(settings.ranking, knob.name)
