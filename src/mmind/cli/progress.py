"""How far a long index run is: bars on a terminal, a line now and then elsewhere; always on standard error."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from mmind.cli.terminal import Terminal
from mmind.values.ports import Progress

Report = Callable[[Progress], None]

STEP_SHARE = 0.1
STEP_UNKNOWN = 1000


@contextmanager
def progress(terminal: Terminal) -> Iterator[Report]:
    """A report function that fits what standard error is."""
    if terminal.is_quiet:
        yield lambda _: None
    elif terminal.stderr.isatty():
        with _bars(terminal) as report:
            yield report
    else:
        yield lines(terminal.say)


def lines(say: Callable[[str], None]) -> Report:
    """Says a line at each tenth of a phase (each thousand where the total is unknown) and at its end.

    An empty phase is silent.
    """
    said: dict[tuple[str, str], int] = {}

    def report(at: Progress) -> None:
        if at.total == 0:
            return
        step = max(1, int(at.total * STEP_SHARE)) if at.total > 0 else STEP_UNKNOWN
        key = (at.store, at.phase)
        if at.done >= said.get(key, 0) + step or (at.done == at.total and said.get(key) != at.done):
            said[key] = at.done
            of = f" of {at.total:,}" if at.total >= 0 else ""
            say(f"{at.store} {at.phase}: {at.done:,}{of}")

    return report


@contextmanager
def _bars(terminal: Terminal) -> Iterator[Report]:
    from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    tasks: dict[tuple[str, str], TaskID] = {}
    with Bars(*columns, console=terminal.console(terminal.stderr)) as bars:

        def report(at: Progress) -> None:
            key = (at.store, at.phase)
            if at.total == 0:
                return
            if key not in tasks:
                tasks[key] = bars.add_task(f"{at.store} {at.phase}", total=None)
            bars.update(tasks[key], completed=at.done, total=at.total if at.total >= 0 else None)

        yield report
