"""The word that somebody probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """A hint that names the nearest known word, or `otherwise` where none is near (similarity below 0.75)."""
    near = difflib.get_close_matches(word, list(known), n=1, cutoff=0.75)
    return f"did you mean {near[0]}?" if near else otherwise
