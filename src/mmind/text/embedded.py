"""What of a passage is embedded, and the key under which its vector is kept."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def embedded_text(title: str, heading: Sequence[str], text: str) -> str:
    """Title and heading path on one line, then the passage: a passage often does not name what it is about.

    A heading that repeats the title is left out, and so is the line when both are empty.
    """
    path = [part for part in heading if part.strip() and part.strip() != title.strip()]
    context = " > ".join([title.strip(), *path] if title.strip() else path)
    return f"{context}\n{text}" if context else text


def digest(text: str) -> bytes:
    """16 bytes that stand for a text: equal texts are embedded once, wherever they stand and however they move."""
    return hashlib.blake2b(text.encode(), digest_size=16).digest()
