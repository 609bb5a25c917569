"""Letting go of old segments, whole ones only: what goes is told in the chain before it is deleted."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from mmind.audit.chain import Link, read_link
from mmind.audit.segments import backward, closed_segments, opened, size_of, time_of


def forgettable(folder: Path, before: datetime) -> list[Path]:
    """The closed segments, oldest first, whose last record is older than `before`; up to the first that is not."""
    old: list[Path] = []
    for segment in closed_segments(folder):
        _, time = _end_of(segment)
        if not time or datetime.fromisoformat(time) >= before:
            break
        old.append(segment)
    return old


def forgotten(old: Sequence[Path]) -> dict[str, object]:
    """The record that tells of the deletion: the last link that goes, which is where the rest begins."""
    link, _ = _end_of(old[-1])
    return {
        "event": "retention",
        "outcome": "ok",
        "forgotten_seq": link.seq,
        "forgotten_hash": link.hash,
        "segments": [segment.name for segment in old],
    }


def _end_of(segment: Path) -> tuple[Link, str]:
    """The last link of a closed segment and its time; ("", an empty link) when it holds no record."""
    with opened(segment) as file:
        for line in backward(file, size_of(file)):
            link = read_link(line)
            if link is not None:
                return link, time_of(line)
    return Link(), ""
