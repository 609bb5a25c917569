"""One raw value -> the value of its knob, or one line that says what is wrong. Pure: no disk, no environment."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from urllib.parse import urlsplit

from mmind.config.table import Kind, Knob
from mmind.values.errors import ConfigError
from mmind.values.memory import Access

Value = str | float | bool | tuple[str, ...] | Access

_PLACEHOLDER = re.compile(r"\$\{[^{}]*\}")
_CREDENTIALS = re.compile(r"(?<=://)[^/@\s]*@|\bsk-[\w-]{8,}")
_SWITCH_WORDS = {
    "on": True,
    "true": True,
    "1": True,
    "yes": True,
    "off": False,
    "false": False,
    "0": False,
    "no": False,
}
_ACCESS_WORDS = {"read": Access.READ, "readonly": Access.READ, "ro": Access.READ} | dict.fromkeys(
    ("readwrite", "rw"), Access.READ_WRITE
)
_SYNONYMS = {"vectra": "local"}  # an older name of the local vector index, which clients' configurations still hold


def is_placeholder(text: str) -> bool:
    """Whether a client left a `${…}` unfilled. No path or URL of a real set-up holds one."""
    return _PLACEHOLDER.search(text) is not None


def is_unset(text: str | None) -> bool:
    """Whether a variable counts as unset: absent, empty, blank, or an unfilled placeholder."""
    return text is None or not text.strip() or is_placeholder(text)


def shown(raw: object) -> str:
    """A raw value for a message: one line, at most 60 characters, credentials of URLs and keys blotted out."""
    text = raw if isinstance(raw, str) else repr(raw)
    text = _CREDENTIALS.sub("…", "".join(c if c.isprintable() else "?" for c in text))
    return text if len(text) <= 60 else text[:59] + "…"


def written(value: object) -> str:
    """A value as people write it: `on`, `0.7`, `read/write`, `a/**, b/**`; "" for nothing."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, int | float):
        return f"{value:.15g}"
    if isinstance(value, tuple):
        return ", ".join(value)
    return "" if value is None else str(value)


def expected(knob: Knob) -> str:
    """What a knob takes, as the end of the sentence "set it to …"."""
    match knob.kind:
        case Kind.NUMBER:
            return f"a number from {written(knob.minimum)} to {written(knob.maximum)}"
        case Kind.CHOICE:
            return _listed(knob.choices)
        case Kind.URL:
            return "a URL that starts with " + _listed([f"{scheme}://" for scheme in knob.choices])
        case Kind.SWITCH:
            return "on or off"
        case Kind.ACCESS:
            return "read" if knob.read_only_because else "read or read/write"
        case Kind.PATTERNS:
            return "glob patterns, separated by commas"
        case Kind.PATH | Kind.TEXT:
            return str(knob.kind.value)


def read(knob: Knob, raw: object, label: str) -> Value:
    """The value of a knob from the text of a variable, or from what TOML held (number, boolean, list, text).

    `label` names the place in errors ("MMIND_LOG_LEVEL", "config.toml line 3: log.level"). Paths are not expanded
    here. Raises ConfigError; the value of a secret is never in the message.
    """
    value = _READERS[knob.kind](knob, raw)
    if value is None:
        wrong = "is not valid" if knob.secret else f"is {shown(raw)!r}"
        raise ConfigError(f"{label} {wrong}", f"set it to {expected(knob)}")
    return value


def _read_text(_: Knob, raw: object) -> str | None:
    return raw.strip() if isinstance(raw, str) and "\0" not in raw else None


def _read_number(knob: Knob, raw: object) -> float | None:
    if isinstance(raw, bool) or not isinstance(raw, int | float | str):
        return None
    try:
        number = float(raw)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) and knob.minimum <= number <= knob.maximum else None


def _read_switch(_: Knob, raw: object) -> bool | None:
    if isinstance(raw, bool):
        return raw
    return _SWITCH_WORDS.get(str(raw).strip().casefold()) if isinstance(raw, int | str) else None


def _read_choice(knob: Knob, raw: object) -> str | None:
    word = raw.strip().casefold() if isinstance(raw, str) else ""
    word = _SYNONYMS.get(word, word)
    return word if word in knob.choices else None


def _read_access(_: Knob, raw: object) -> Access | None:
    word = raw.casefold() if isinstance(raw, str) else ""
    return _ACCESS_WORDS.get(re.sub(r"[\s/_-]", "", word))


def _read_url(knob: Knob, raw: object) -> str | None:
    text = _read_text(knob, raw)
    try:
        scheme = urlsplit(text or "").scheme
    except ValueError:
        return None
    return text if scheme in knob.choices and text and "://" in text else None


def _read_patterns(_: Knob, raw: object) -> tuple[str, ...] | None:
    items = re.split(r"[,\n]", raw) if isinstance(raw, str) else raw
    if not isinstance(items, list | tuple) or not all(isinstance(item, str) and "\0" not in item for item in items):
        return None
    return tuple(item.strip() for item in items if item.strip())


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


_READERS: dict[Kind, Callable[[Knob, object], Value | None]] = {
    Kind.PATH: _read_text,
    Kind.TEXT: _read_text,
    Kind.URL: _read_url,
    Kind.CHOICE: _read_choice,
    Kind.ACCESS: _read_access,
    Kind.NUMBER: _read_number,
    Kind.SWITCH: _read_switch,
    Kind.PATTERNS: _read_patterns,
}
