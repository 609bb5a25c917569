"""Passwords, PINs, recovery codes and seed phrases that a text states in plain words: `the password is …`.

Nobody's format marks such a value, so it is known by the word before it, and must look like one: what only speaks of
passwords (`the password is on the note in the cellar`) states none. Values that are drawn out (`1 2 3 4`), numbered
(`password 1: … / password 2: …`) or on the next line count as well. All patterns are linear in the length of the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Stated(NamedTuple):
    """Where a value stands that a text states as a secret, and as what."""

    kind: str
    start: int
    end: int


_LABEL = (
    r"(?:pass[ -]?(?:word|phrase|code)s?|passwd|pwd|passw(?:ort|örter)|kennwort|mot\ de\ passe|contraseña|wachtwoord"
    r"|senha)"
)
_WHOSE = r"(?:\ (?:for|of|to|on|at|für|de|del|van)\ [\w.@'-]{1,40}(?:\ [\w.@'-]{1,40}){0,2}?|\ ?\([^()\n]{1,40}\))?"
_INDEX = r"(?:\ ?\#?(?P<index>\d{1,2}))?[*_`\"']{0,3}"
_SAYS = r"(?P<says>\ {0,3}(?:[:=→|]|->)|\ (?:is|was|are|ist|lautet|est|es|é)(?=\s)(?:\ now)?:?)"
_GAP = r"[*_]{0,2}[ \t]{0,4}(?:\n{1,2}[ \t]{0,4}(?:[-*+>]\ |\d{1,2}[.)]\ |`{3}\w{0,10}\n)?)?[\"'`*_]{0,3}"
_DRAWN_OUT = r"\S(?:[ \t]\S){3,31}(?!\S)"

_STATED_PASSWORD = re.compile(
    rf"(?<![A-Za-z]){_LABEL}(?![A-Za-z]){_WHOSE}{_INDEX}{_SAYS}{_GAP}"
    rf"(?P<value>{_DRAWN_OUT}|[^\s\"'`<>|]{{3,80}})(?=(?P<after>[ \t]*\S?))",
    re.IGNORECASE,
)
_STATED_PIN = re.compile(
    rf"(?<![\w-])(?:pin|pin[ -]code|pass[ -]?code|cvv2?|cvc2?|geheimzahl)(?![\w-]){_WHOSE}{_INDEX}{_SAYS}{_GAP}"
    r"(?P<value>\d(?:[ \t.\-]?\d){2,7})(?![ \t.,:/\-]?\d|\ ?(?:[mkµ]?[VAWΩs]|[kMG]?Hz|ohms?|%|°)(?![a-z]))",
    re.IGNORECASE,
)
_CODES = re.compile(
    r"(?<![\w-])(?:recovery|backup|scratch|emergency|2fa|mfa)[ -](?:codes?|keys?)(?![\w-])[^\n:=]{0,40}[:=]"
    r"(?P<value>(?:[\s,;]{1,4}(?:[-*+]\ |\d{1,2}[.)]\ )?"
    r"(?=[\w-]{0,14}\d)[A-Za-z0-9]{3,12}(?:[- ][A-Za-z0-9]{3,12}){0,5}(?![\w-]))+)",
    re.IGNORECASE,
)
_SEED = re.compile(
    r"(?<![\w-])(?:seed|recovery|mnemonic|wallet|backup)[ -](?:phrase|words?|seed)(?![\w-])[^\n:=]{0,40}(?:[:=]|\ is)"
    r"(?P<value>(?:[\s,;]{1,4}(?:[-*+]\ |\d{1,2}[.):]?\ )?[a-z]{3,8}(?![\w-])){12,24})",
    re.IGNORECASE,
)
_FEWEST = 6  # characters of a password that stands alone; in a numbered list three are enough
# What stands behind `password:` and is none: a variable or a place for one, an algorithm, a number of things, a rule.
_NONE = re.compile(
    r"[$%{(\[\\/~@.]|.*[({]|.*://|.*\.(?:com|org|net|io|md|txt|json|ya?ml|py|js|sh)\b"
    r"|\d+[-+]?[a-z]+(?:-[a-z]+)*\Z|(?:oauth|utf|base|sha|md|aes|rsa|hs|rs|x|v|argon|pbkdf|ed)-?\d[\d.]*(?:\Z|[-/a])"
    r"|[\w.-]*?(?:passw|pass\b|pwd|secret|example|your|xxx|changeme|placeholder|dummy|redacted|hidden|\*{3}|\.{3}|…)",
    re.IGNORECASE,
)
_DESCRIBED = frozenset(
    word
    for line in (
        "admin any ask blank bool boolean changed default disabled empty enabled expired false field forgotten given",
        "hidden input int invalid kept known lost missing new nil no none not null off old on optional plain prompt",
        "random read required reset same see set shared short str string strong text the todo true unknown unset valid",
        "varchar weak wrong yes",
    )
    for word in line.split()
)


def stated(text: str) -> Iterator[Stated]:
    """Every value that a text states as a password, a PIN, recovery codes or a seed phrase, kind by kind."""
    is_list = len({match["index"] for match in _STATED_PASSWORD.finditer(text) if match["index"]}) > 1
    for match in _STATED_PASSWORD.finditer(text):
        value = match["value"].rstrip(".,;:!?)]}*_\"'")
        is_led = "\n" in text[match.end("says") : match.start("value")] and match["after"].strip()
        if not is_led and (_is_password(value) or (is_list and _is_listed(match, value))):
            yield Stated("password", match.start("value"), match.start("value") + len(value))
    for match in _STATED_PIN.finditer(text):
        digits = re.sub(r"\D", "", match["value"])
        is_date = re.fullmatch(r"(?:19|20)\d\d[-.]\d\d[-.]\d\d", match["value"]) is not None
        is_short = len(digits) < 4 and not match[0].casefold().startswith("cv")
        if not is_date and not is_short and len(set(digits)) > 1:
            yield Stated("PIN", match.start("value"), match.end("value"))
    for kind, pattern in (("recovery codes", _CODES), ("seed phrase", _SEED)):
        yield from (Stated(kind, match.start("value"), match.end("value")) for match in pattern.finditer(text))


def _is_password(value: str) -> bool:
    """Letters mixed with digits, or with a sign that stands in no word: six characters and more, or drawn out."""
    whole = re.sub(r"\s", "", value)
    letters, digits = any(map(str.isalpha, whole)), any(map(str.isdigit, whole))
    is_mixed = letters and (digits or re.search(r"\w[!#$%^&*?]\w", whole) is not None)
    least = 4 if whole != value else _FEWEST
    return len(whole) >= least and (is_mixed or (digits and whole != value)) and not _NONE.match(whole)


def _is_listed(match: re.Match[str], value: str) -> bool:
    """Whether a numbered password is one word that ends there: at the end of the line, or before the next."""
    is_alone = not match["after"].strip() or match["after"].strip() in "/,;|&" or match["value"] != value
    return bool(match["index"]) and is_alone and value.casefold() not in _DESCRIBED and not _NONE.match(value)
