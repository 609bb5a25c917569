"""The tokens of `mmind serve --http`: made here, shown once, and kept as hashes only."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Mapping
from pathlib import Path

from mmind.config.settings import Settings
from mmind.disk.durable import write_whole
from mmind.values.errors import ConfigError

READ_WRITE, READ = "read/write", "read"
SCOPES = (READ_WRITE, READ)

_PREFIXES = {READ_WRITE: "mmind_rw_", READ: "mmind_ro_"}
_BYTES = 32
SHORTEST = 43
"""Characters of 256 bits in base64: what a token from the environment must have at least."""


def make_token(home: Path, scope: str) -> str:
    """A new token of 256 bits for a scope; the one before it ends. Only its hash is kept (mode 0600).

    Raises OSError when the data home cannot be written.
    """
    token = _PREFIXES[scope] + secrets.token_urlsafe(_BYTES)
    _save(home, {**kept_hashes(home), scope: digest(token)})
    return token


def drop_token(home: Path, scope: str) -> bool:
    """End a scope's token; a running server refuses it from the next request on. False when there was none."""
    kept = kept_hashes(home)
    if scope not in kept:
        return False
    _save(home, {name: known for name, known in kept.items() if name != scope})
    return True


def kept_hashes(home: Path) -> dict[str, str]:
    """The hashes by scope that the data home keeps; empty when there is no file, or one that is none of ours."""
    try:
        found = json.loads(_file(home).read_text("ascii"))
    except (OSError, ValueError):
        return {}
    return {scope: found[scope] for scope in SCOPES if isinstance(found, dict) and isinstance(found.get(scope), str)}


def given_hashes(settings: Settings) -> dict[str, str]:
    """The hashes by scope of the tokens that the environment gives. Raises ConfigError on one that can be guessed."""
    given = {READ_WRITE: settings.http_token, READ: settings.http_read_token}
    names = {READ_WRITE: "MMIND_HTTP_TOKEN", READ: "MMIND_HTTP_READ_TOKEN"}
    for scope, token in given.items():
        if token and (len(token) < SHORTEST or len(set(token)) < 10 or not token.isascii()):
            raise ConfigError(
                f"{names[scope]} is too easy to guess",
                "take 256 random bits (43 characters or more), for example from `openssl rand -hex 32`",
            )
    return {scope: digest(token) for scope, token in given.items() if token}


def scope_for(token: str, known: Mapping[str, str]) -> str:
    """The scope of a token that a client shows, "" for an unknown one. Takes as long whatever is wrong with it."""
    shown = digest(token)
    matches = [scope for scope in SCOPES if hmac.compare_digest(known.get(scope, ""), shown)]
    return matches[0] if matches else ""


def digest(token: str) -> str:
    """SHA-256 of a token, in hex. A plain hash is enough: nobody can try 2^256 tokens."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _file(home: Path) -> Path:
    return home / "http-tokens.json"


def _save(home: Path, hashes: Mapping[str, str]) -> None:
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_whole(_file(home), json.dumps(hashes, sort_keys=True).encode("ascii"), mode=0o600)
