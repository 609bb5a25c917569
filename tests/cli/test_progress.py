"""Progress where nobody watches a bar: a line now and then, and one at the end."""

from __future__ import annotations

from mmind.cli.progress import lines
from mmind.values.ports import Progress


def said(*reports: Progress) -> list[str]:
    spoken: list[str] = []
    report = lines(spoken.append)
    for at in reports:
        report(at)
    return spoken


def test_each_tenth_of_a_phase_is_a_line_and_the_end_is_said_once() -> None:
    run = [Progress("markdown", "words", done, 2500) for done in (0, *range(1, 2501), 2500)]
    assert said(*run) == [f"markdown words: {done:,} of 2,500" for done in range(250, 2501, 250)]


def test_a_phase_of_unknown_length_speaks_every_thousand() -> None:
    run = [Progress("files", "vectors", done, -1) for done in range(2500)]
    assert said(*run) == ["files vectors: 1,000", "files vectors: 2,000"]


def test_stores_and_phases_are_counted_apart() -> None:
    assert said(
        Progress("markdown", "words", 3, 3),
        Progress("sqlite", "words", 1, 1),
        Progress("files", "words", 0, 0),
        Progress("markdown", "vectors", 3, 3),
    ) == ["markdown words: 3 of 3", "sqlite words: 1 of 1", "markdown vectors: 3 of 3"]
