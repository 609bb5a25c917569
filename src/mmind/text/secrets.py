"""Texts that look like keys, tokens and passwords: found by the formats that their issuers publish, and by the words
that state one (`text.stated`).

One linear pattern over all formats. What only documents a format (`sk-your-key-here`, `ghp_xxxxxxxx`) is no secret.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from mmind.text.stated import stated


class Secret(NamedTuple):
    """Where a secret-shaped text stands, and what kind it seems to be."""

    kind: str
    start: int
    end: int


_FORMATS = {
    "private key": r"-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:(?!-----)[\s\S]){0,8000}"
    r"(?:-----END [A-Z0-9 ]{0,30}KEY(?: BLOCK)?-----)?",
    "Anthropic key": r"\bsk-ant-[\w-]{20,200}",
    "OpenAI key": r"\bsk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{20,200}",
    "AWS key id": r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}\b",
    "GitHub token": r"\b(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9_]{60,255})",
    "GitLab token": r"\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[\w-]{20,200}",
    "Slack token": r"\bxox[abeoprs]-[A-Za-z0-9-]{10,200}|\bxapp-\d-[A-Za-z0-9-]{20,200}",
    "Slack webhook": r"\bhooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_]{30,200}",
    "Discord webhook": r"\bdiscord(?:app)?\.com/api/webhooks/\d{15,22}/[\w-]{60,100}",
    "Google key": r"\bAIza[\w-]{35}(?![\w-])|\bGOCSPX-[\w-]{28}(?![\w-])|\bya29\.[\w-]{30,400}",
    "Stripe key": r"\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,255}|\bwhsec_[A-Za-z0-9+/=]{32,100}",
    "npm token": r"\bnpm_[A-Za-z0-9]{36}\b",
    "PyPI token": r"\bpypi-AgE[\w-]{50,400}",
    "Hugging Face token": r"\bhf_[A-Za-z0-9]{34,40}\b",
    "SendGrid key": r"\bSG\.[\w-]{20,24}\.[\w-]{40,50}",
    "Twilio key": r"\bSK[0-9a-f]{32}\b",
    "DigitalOcean token": r"\bdo[opr]_v1_[a-f0-9]{64}\b",
    "Shopify token": r"\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}\b",
    "Databricks token": r"\bdapi[a-f0-9]{32}(?:-\d)?\b",
    "Linear key": r"\blin_(?:api|oauth)_[A-Za-z0-9]{40,64}\b",
    "Notion token": r"\b(?:ntn_[A-Za-z0-9]{40,60}|secret_[A-Za-z0-9]{43})\b",
    "Vault token": r"\bhv[sbr]\.[\w-]{24,200}",
    "Telegram bot token": r"\b\d{8,10}:AA[\w-]{33}(?![\w-])",
    "Mailgun key": r"\bkey-[a-f0-9]{32}\b",
    "Postman key": r"\bPMAK-[a-f0-9]{24}-[a-f0-9]{34}\b",
    "Supabase token": r"\bsbp_[a-f0-9]{40}\b",
    "Groq key": r"\bgsk_[A-Za-z0-9]{52}\b",
    "xAI key": r"\bxai-[A-Za-z0-9]{70,100}\b",
    "Perplexity key": r"\bpplx-[A-Za-z0-9]{40,60}\b",
    "Replicate token": r"\br8_[A-Za-z0-9]{37}\b",
    "age key": r"\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b",
    "mmind token": r"\bmmind_(?:rw|ro)_[\w-]{43}(?![\w-])",
    "Azure key": r"\b(?:AccountKey|SharedAccessKey)=[A-Za-z0-9+/]{40,90}={0,2}",
    "JSON web token": r"\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,2000}",
    "password in a URL": r"(?<![\w.+-])[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s/:@\"'<>]{0,100}:"
    r"[^\s/@\"'<>]{3,200}@(?=[\w\[])",
    "bearer token": r"\b[Bb]earer\s+[A-Za-z0-9._~+/-]{24,2000}=*",
    "named secret": r"(?<![A-Za-z])(?:[A-Za-z0-9]{1,30}[_-]){0,4}"
    r"(?i:api[_-]?key|secret[_-]?key|access[_-]?key|auth[_-]?token|access[_-]?token|client[_-]?secret|private[_-]?key|passwd|password|secret|token)[\"']?\s{0,3}[:=]\s{0,3}[\"']?"
    r"(?=[A-Za-z0-9_./+~=-]{16})[A-Za-z0-9_./+~=-]{16,400}",
}

_ANY = re.compile("|".join(f"(?P<k{number}>{pattern})" for number, pattern in enumerate(_FORMATS.values())))
_KINDS = tuple(_FORMATS)
_GUESSED = {"named secret", "bearer token"}
"""Kinds without a mark of their issuer: here the value itself must look drawn by lot."""

_VALUE = re.compile(r"[A-Za-z0-9_./+~=-]+\Z")
_PLACEHOLDER = re.compile(
    r"(?i)example|your[-_ ]?|changeme|placeholder|dummy|redacted|x{6}|\*{4}|\.{4}|0{8}|1234567890?|abcdef(?:gh)|<|\$\{"
)
_WORDS_FOR_IT = {"password", "passwd", "pass", "pwd", "pw", "secret", "token", "key"}
_FEWEST_LETTERS = 8
"""A key draws from many letters: `sk-aaaaaaaaaaaaaaaaaaaa` shows a format."""

_LEAST_BITS = 3.3
"""Shannon's entropy in bits a character that a guessed secret has at least; words in a row have less or no digits."""


def find_secrets(text: str) -> list[Secret]:
    """Every secret-shaped part of a text, from left to right."""
    found = [
        Secret(_KINDS[int(match.lastgroup[1:])], match.start(), match.end())
        for match in _ANY.finditer(text)
        if match.lastgroup is not None and _is_likely(_KINDS[int(match.lastgroup[1:])], match[0])
    ]
    return _apart([*found, *(Secret(*one) for one in stated(text))])


def _apart(secrets: Sequence[Secret]) -> list[Secret]:
    """From left to right, without those that begin inside another."""
    kept, end = list[Secret](), 0
    for secret in sorted(secrets, key=lambda secret: (secret.start, -secret.end)):
        if secret.start >= end:
            kept.append(secret)
            end = secret.end
    return kept


def redacted(text: str) -> str:
    """The text with every secret-shaped part replaced by its kind in brackets."""
    if len(text) < _SHORTEST:
        return text
    parts, end = [], 0
    for secret in find_secrets(text):
        parts += [text[end : secret.start], f"[{secret.kind}]"]
        end = secret.end
    return "".join([*parts, text[end:]]) if parts else text


def masked(text: str, secrets: Sequence[str]) -> str:
    """The text without secret-shaped parts, and without these very secrets whatever they look like."""
    for secret in secrets:
        if len(secret) > _FEWEST_LETTERS:
            text = text.replace(secret, "[secret]")
    return redacted(text)


_SHORTEST = 7
"""No format is shorter than this, and no statement: `PIN:472`."""


def _is_likely(kind: str, found: str) -> bool:
    """Whether it looks like a real key rather than like a description of one."""
    if kind == "private key":
        return len(found) > 100
    value = _secret_part(kind, found)
    if _PLACEHOLDER.search(value):
        return False
    if kind == "password in a URL":
        return value.casefold() not in _WORDS_FOR_IT
    is_drawn = len(set(value)) >= _FEWEST_LETTERS and any(letter.isdigit() for letter in value)
    return is_drawn and (kind not in _GUESSED or _looks_drawn(value))


def _secret_part(kind: str, found: str) -> str:
    if kind == "password in a URL":
        return found.rpartition("@")[0].rpartition(":")[2]
    match = _VALUE.search(found)
    return match[0] if match and kind in _GUESSED else found


def _looks_drawn(value: str) -> bool:
    """Letters and digits mixed, and no letter too often: a path, a version or a name in snake case is not."""
    letters, digits = sum(letter.isalpha() for letter in value), sum(letter.isdigit() for letter in value)
    if not letters or digits < 2 or value.count("/") > 2:
        return False
    bits = -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())
    return bits >= _LEAST_BITS
