"""Times of files that say nothing: a clone, a restore or an unpacked archive gives thousands of files one new time."""

from __future__ import annotations

from collections.abc import Iterable

# Nobody saves so many notes by hand within a minute; `git clone` writes them in a second, a sync in a few minutes. A
# program that rewrites notes by the dozen (a new name in every link) leaves what they state as old as it was, too.
MANY = 20
WITHIN_NS = 60 * 1_000_000_000


def copied_times(times: Iterable[int]) -> frozenset[int]:
    """Those mtimes, in nanoseconds, that lie within one minute in which at least twenty files were written."""
    ordered = sorted(times)
    found: set[int] = set()
    taken = 0
    for first in range(len(ordered) - MANY + 1):
        end = first + MANY
        if ordered[end - 1] - ordered[first] <= WITHIN_NS:
            found.update(ordered[max(first, taken) : end])
            taken = end
    return frozenset(found)
