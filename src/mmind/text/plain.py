"""Text of memories made harmless for a terminal. Every face that prints uses it."""

from __future__ import annotations

import re

# C0 and C1 controls but line feed and tab, and the bidi controls that turn the reading direction (UAX 9): a memory
# must not move the cursor, recolour the screen, retitle the window or show a line in another order than it stands.
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def plain(text: str) -> str:
    """The text with every control character written out: `␛` for escape, `<U+202E>` for the rest."""
    return _CONTROLS.sub(_visible, text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """As `plain`, with every run of white space one blank: for titles, paths and messages."""
    return " ".join(plain(text).split())


def counted(count: int, one: str, many: str) -> str:
    """`1 memory`, `1,234 memories`; with a verb, `1 passage waits`, `2 passages wait`."""
    return f"{count:,} {agreeing(count, one, many)}"


def agreeing(count: float, one: str, many: str) -> str:
    """The form of a word that goes with a number which is written apart from it: `half-life 1 day`, `0.5 days`."""
    return one if count == 1 else many


def _visible(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\ufffd" if 0xD800 <= code <= 0xDFFF else "␡" if code == 0x7F else f"<U+{code:04X}>"
