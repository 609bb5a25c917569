"""Lines for people, broken between words to the width of a terminal; a pipe gets them whole."""

from __future__ import annotations

import os
import textwrap
from typing import TextIO

USUAL_COLUMNS = 80


def wrapped(line: str, stream: TextIO, indent: str = "  ") -> str:
    """The line as `stream` should get it; what does not fit the first row goes on below, indented."""
    if not stream.isatty():
        return line
    return textwrap.fill(
        line, _columns(stream), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or USUAL_COLUMNS
    except (OSError, ValueError):
        return USUAL_COLUMNS
