"""Answers that tell of a lag: on a busy machine a scan may take longer than a question waits for it, and says so."""

from __future__ import annotations

from collections.abc import Iterable

from mmind.router.mind import Mind
from mmind.router.notes import JUST_NOW
from mmind.values.bundle import Bundle
from tests.servers.programs import wait_a_moment

SIGNS = ("not indexed yet", "later edits are not in it yet", JUST_NOW)


def lags(notes: Iterable[str]) -> bool:
    """Whether the notes of an answer tell that it may lack what was written before the question (M2.14)."""
    return any(sign in note for note in notes for sign in SIGNS)


def level_answer(mind: Mind, query: str, limit: int = 8) -> Bundle:
    """The first answer that tells of no lag; the test's own time limit ends a wait in vain."""
    while lags((answer := mind.retrieve(query, limit=limit)).notes):
        wait_a_moment()
    return answer
