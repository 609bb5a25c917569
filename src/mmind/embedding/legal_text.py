"""Any string as a string that can be written as UTF-8."""

from __future__ import annotations


def legal_text(text: str) -> str:
    """The text with every lone surrogate replaced by "?"; all other characters stay as they are."""
    return text.encode("utf-8", "replace").decode("utf-8")
