"""What the reader of an answer must know besides the results: what is behind, what is missing, what was left out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mmind.text.plain import agreeing, counted
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
        lines.append(f"{state.store}: {_not_indexed(state.pending_words)} cannot be found; ask again shortly")
    elif state.age_seconds is not None and state.age_seconds - waited > STALE_SECONDS:
        old = f"the index is {state.age_seconds:,.0f} s old; later edits are not in it yet"
        lines.append(f"{state.store}: {old if state.age_seconds >= 1 else JUST_NOW}")
    if state.pending_vectors:
        late = f"{counted(state.pending_vectors, 'passage has', 'passages have')} {NO_VECTOR_YET}"
        are = agreeing(state.pending_vectors, "is", "are")
        lines.append(f"{state.store}: {late} and {are} found by words only")
    return lines


def _not_indexed(pending: int) -> str:
    """`pending` is -1 where nobody has counted yet."""
    late = counted(pending, "memory is", "memories are") if pending > 0 else "memories are"
    return f"{late} not indexed yet, so {agreeing(pending, 'it', 'they')}"


def relevance_note(has_results: bool, relevant: bool, are_silent: bool) -> list[str]:
    """Says plainly that nothing was found, of silent stores nothing, or that what follows are near misses."""
    if has_results:
        return [] if relevant else ["nothing relevant found: the results are weak near misses, not answers"]
    if are_silent:
        return ["nothing found in the stores that answered: no memory there shares a word or a meaning with the query"]
    return ["nothing found: no memory shares a word or a meaning with the query"]
