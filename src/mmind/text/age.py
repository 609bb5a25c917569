"""How old something is, in words."""

from __future__ import annotations

from datetime import datetime, timedelta

from mmind.text.plain import counted

_STEPS = (
    (timedelta(minutes=2), timedelta(seconds=1), "second"),
    (timedelta(hours=2), timedelta(minutes=1), "minute"),
    (timedelta(days=2), timedelta(hours=1), "hour"),
    (timedelta(days=60), timedelta(days=1), "day"),
    (timedelta(days=730), timedelta(days=30.44), "month"),
    (timedelta.max, timedelta(days=365.25), "year"),
)


def age_in_words(time: datetime | None, now: datetime) -> str:
    """`3 days old`, `time unknown`, or the date of a time to come."""
    if time is None:
        return "time unknown"
    age = now - time
    if age < timedelta(0):
        return f"dated {time:%Y-%m-%d}, in the future"
    unit, name = next((unit, name) for end, unit, name in _STEPS if age < end)
    count = int(age / unit)
    return f"{counted(count, name, f'{name}s')} old"
