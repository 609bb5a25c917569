"""Tags in the form in which filters compare them."""

from __future__ import annotations

from collections.abc import Sequence


def tag_keys(tags: Sequence[str]) -> str:
    """Tags in the form in which a filter looks for them: folded, each between two line breaks."""
    return "".join(f"\n{tag_key(tag)}\n" for tag in tags)


def tag_key(tag: str) -> str:
    """A tag without its sign and without case: `#Trip` and `trip` are the same tag."""
    return " ".join(tag.split()).lstrip("#").casefold()
