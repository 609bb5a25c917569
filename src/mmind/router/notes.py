"""What the reader of an answer must know besides the results: what is behind, what is missing, what was left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mmind.values.ports import Freshness

# A scan that began before the question may lack the last edit, and the answer says so: that happens where a vault is
# too large to be scanned at every query, or a scan is waited for in vain. The two times may differ by so much.
STALE_SECONDS = 0.1
JUST_NOW = "not looked at again for this question; an edit made within the last second may be missing"
NO_VECTOR_YET = "no vector yet"


def freshness_notes(freshness: Mapping[str, Freshness], asked: Iterable[str], waited: float = 0.0) -> list[str]:
    """One line for each store whose index is behind, in plain words; nothing when all are level.

    `waited` is how many seconds ago the question came: a store scanned since then is as fresh as the question.
    """
    return [line for name in asked if (state := freshness.get(name)) for line in _lines(state, waited)]


def _lines(state: Freshness, waited: float) -> list[str]:
    lines = []
    if state.pending_words:
        count = f"{state.pending_words:,} " if state.pending_words > 0 else ""
        late = f"{count}memories are not indexed yet, so they cannot be found"
        if state.pending_words == 1:
            late = "1 memory is not indexed yet, so it cannot be found"
        lines.append(f"{state.store}: {late}; ask again shortly")
    elif state.age_seconds is not None and state.age_seconds - waited > STALE_SECONDS:
        old = f"the index is {state.age_seconds:,.0f} s old; later edits are not in it yet"
        lines.append(f"{state.store}: {old if state.age_seconds >= 1 else JUST_NOW}")
    if state.pending_vectors:
        late = f"{state.pending_vectors:,} passages have {NO_VECTOR_YET} and are found by words only"
        if state.pending_vectors == 1:
            late = f"1 passage has {NO_VECTOR_YET} and is found by words only"
        lines.append(f"{state.store}: {late}")
    return lines


def relevance_note(has_results: bool, relevant: bool, are_silent: bool) -> list[str]:
    """Says plainly that nothing was found, of silent stores nothing, or that what follows are near misses."""
    if has_results:
        return [] if relevant else ["nothing relevant found: the results are weak near misses, not answers"]
    if are_silent:
        return ["nothing found in the stores that answered: no memory there shares a word or a meaning with the query"]
    return ["nothing found: no memory shares a word or a meaning with the query"]
