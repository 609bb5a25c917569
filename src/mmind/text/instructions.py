"""Text that speaks to a model rather than about the world: labelled, so that a reader is warned; never dropped.

A label, not a defence. It is made of a few families of turns of phrase (take back your instructions, be somebody
else, hide this from the user, send this there, here begins the system's part), in the way that published attacks use
them; they stand in `data/instructions.txt`. A memory that tells of an order ("the plumber said to ignore the noise")
is not meant.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from importlib.resources import files

FLAG = "instruction_like"

LOOKED_AT = 20_000
"""How many characters of a text are looked at; a passage is far shorter."""

_HIDDEN = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\u202a-\u202e\u2066-\u2069]")
_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_LOOK_ALIKES = str.maketrans(
    "’‘аеорсхуіјѕԁһАЕОРСХІЈЅВНКМТαοερνικΑΒΕΗΙΚΜΝΟΡΤΧ",
    "''aeopcxyijsdhAEOPCXIJSBHKMTaoepvikABEHIKMNOPTX",
)
_LIST = re.compile(r"\{([A-Z]+)\}")


def flags(*texts: str) -> tuple[str, ...]:
    """The labels of a memory whose parts (title, text) are given."""
    return (FLAG,) if any(is_instruction_like(text) for text in texts) else ()


@lru_cache(512)
def is_instruction_like(text: str) -> bool:
    """Whether a text reads as an order to a model; look-alike letters, invisible marks and tags are seen through."""
    return any(_any().search(form) for form in _forms(text[:LOOKED_AT]))


def families(text: str) -> list[str]:
    """Which turns of phrase a text uses, by name; for reports."""
    forms = _forms(text[:LOOKED_AT])
    return [name for name, pattern in patterns().items() if any(re.search(pattern, form, _FLAGS) for form in forms)]


@cache
def patterns() -> dict[str, str]:
    """One pattern a family, from the data file."""
    lists: dict[str, str] = {}
    found: dict[str, list[str]] = {}
    for line in (files("mmind.text") / "data" / "instructions.txt").read_text(encoding="utf-8").splitlines():
        name, tab, pattern = line.partition("\t")
        if tab and name.isupper():
            lists[name] = pattern
        elif tab:
            found.setdefault(name, []).append(_LIST.sub(lambda match: lists[match[1]], pattern))
    return {name: "|".join(f"(?:{one})" for one in alternatives) for name, alternatives in found.items()}


_FLAGS = re.IGNORECASE | re.MULTILINE


@cache
def _any() -> re.Pattern[str]:
    return re.compile("|".join(patterns().values()), _FLAGS)


def _forms(text: str) -> tuple[str, ...]:
    """The text as it stands, and as a model may read it: what is invisible gone, tags and look-alikes as letters."""
    if text.isascii():
        return (text,)
    shown = _TAGS.sub(lambda tags: "".join(chr(ord(tag) - 0xE0000) for tag in tags[0]), text)
    folded = unicodedata.normalize("NFKC", _HIDDEN.sub("", shown)).translate(_LOOK_ALIKES)
    return (text, folded)
