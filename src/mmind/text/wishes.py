"""Does a text state anything, or does it only wish and ask? English, German and French; a question in any language."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from mmind.text.sentences import sentences

# Where none of these stands a text is not cut into sentences.
_MAY: Final = re.compile(
    r"[?？]|'d be\b|\b(?:would|wish|only|hopefully|maybe|perhaps|wäre|wünscht|serait|seulement|pourvu)", re.IGNORECASE
)
# `I would like` and `we should` are left out: they tell a preference and a rule.
_WISH: Final = re.compile(
    r"\W*(?:(?:it|that) (?:would|'d) (?:also |really |certainly )?be (?:\w+ )?\w+ (?:if|to)\b"
    r"|(?:i|we) (?:really |only )?wish\b|if only\b|would ?n[o']t it be\b|hopefully\b"
    r"|(?:maybe|perhaps) (?:we|i|one|they) (?:could|should|can|might)\b"
    r"|(?:es|das) wäre \w+,? (?:wenn|falls|zu)\b|wäre es nicht\b|ich wünschte\b|wir wünschten\b"
    r"|(?:ce|cela|ça) serait \w+ (?:si|de|que)\b|si seulement\b|pourvu que\b)",
    re.IGNORECASE,
)
_ASKING: Final = re.compile(
    r"\b(?:wish|wishes|wished|idea|ideas|question|questions|todo|undecided|wonder\w*|hope|hopes|hoped"
    r"|wunsch|wünsche\w*|idee|ideen|frage|fragen|souhait\w*|idées?)\b",
    re.IGNORECASE,
)


@lru_cache(maxsize=2_048)
def states_nothing(text: str) -> bool:
    """Whether every sentence of a text is a wish or a question; False where it holds no sentence."""
    if not _MAY.search(text):
        return False
    said = sentences(text)
    return bool(said) and all(one.rstrip("\"'”’) ").endswith(("?", "？")) or _WISH.match(one) for one in said)


def asks_for_wishes(question: str) -> bool:
    """Whether a question is for wishes, ideas or questions themselves."""
    return _ASKING.search(question) is not None
