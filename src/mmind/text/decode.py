"""Bytes of a file as text: which encoding, and what had to be given up."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from mmind.text.plain import counted

_MARKS = (  # the longer marks first: UTF-32's little-endian mark starts with UTF-16's
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_CONTROL = bytes({*range(32)} - {*b"\t\n\r\f\x1b"} | {0x7F})
_STRAY = 8.5  # so many control characters and no more may stray into a text, however short it is
_UNKEEPABLE = re.compile("[\x00\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of some bytes with `\\n` line ends, or None with the reason in `problem`.

    `encoding` is what the bytes were read as ("" when they were not). A `problem` beside a text says what was lost
    or guessed. NUL and lone surrogates stand in no text: each becomes U+FFFD.
    """

    text: str | None
    encoding: str
    problem: str = ""


def decode(data: bytes) -> Decoded:
    """Read bytes as UTF-8, as what a byte order mark says, or as Windows-1252 where they look like text.

    Never raises. Without a mark, control characters mean binary: in UTF-8 more than a few of them that are more than
    one byte of a hundred, or three of ten bytes; in anything else one byte of a hundred, or any NUL.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _marked(data[len(mark) :], encoding)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return _unmarked(data, error)
    share = _control_share(data)
    if share > 0.3 or (share > 0.01 and share * len(data) > _STRAY):
        return Decoded(None, "", "it holds binary data, not text")
    return Decoded(_clean(text), "utf-8", "NUL characters were replaced" if "\x00" in text else "")


def _marked(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, errors="replace")
    lost = text.count("\ufffd")
    if lost > len(text) // 10:
        return Decoded(None, "", f"its byte order mark says {encoding}, and the rest does not fit")
    return Decoded(
        _clean(text), encoding, f"{counted(lost, 'place is', 'places are')} not valid {encoding}" if lost else ""
    )


def _unmarked(data: bytes, error: UnicodeDecodeError) -> Decoded:
    """What is not UTF-8: UTF-8 with a damaged place or two, text in a Western code page, or binary."""
    if b"\x00" in data or _control_share(data) > 0.01:
        return Decoded(None, "", "it holds binary data, not text")
    repaired = data.decode("utf-8", errors="replace")
    wrong = repaired.count("\ufffd")
    right = sum(character > "\x7f" for character in repaired) - wrong
    if right > 3 * wrong:
        replaced = counted(wrong, "place was", "places were")
        return Decoded(_clean(repaired), "utf-8", f"not valid UTF-8 at byte {error.start}; {replaced} replaced")
    text = data.decode("cp1252", errors="replace")
    if text.count("\ufffd"):  # the five bytes that Windows-1252 leaves open
        return Decoded(_clean(data.decode("latin-1")), "latin-1", "not UTF-8; read as latin-1")
    return Decoded(_clean(text), "cp1252", "not UTF-8; read as Windows-1252")


def _control_share(data: bytes) -> float:
    return 1.0 - len(data.translate(None, _CONTROL)) / len(data) if data else 0.0


def _clean(text: str) -> str:
    """Line ends as `\\n`, without what stores cannot keep."""
    return _UNKEEPABLE.sub("\ufffd", text.replace("\r\n", "\n").replace("\r", "\n"))
