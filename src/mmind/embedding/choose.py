"""Which embedder speaks: decided from three settings, without loading a model or opening a connection."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

from mmind.embedding.local import LocalEmbedder
from mmind.embedding.local_model import PACKAGED, model_at
from mmind.embedding.multilingual import MultilingualEmbedder
from mmind.embedding.openai_api import DEFAULT_BASE_URL, OPENAI_DIMENSIONS, OpenAIEmbedder
from mmind.values.errors import ConfigError
from mmind.values.ports import Embedder

NO_MODEL = frozenset({"none", "off"})
CHOOSE_FOR_ME = frozenset({"", "auto"})
LOCAL = frozenset({"local"})
ENGLISH = frozenset({"all-minilm-l6-v2"})
DEFAULT_OPENAI_MODEL = "text-embedding-3-small"
ACCEPTED = ", ".join(("auto, local, all-MiniLM-L6-v2, openai, none", *OPENAI_DIMENSIONS, "or the path of a model"))


def open_embedder(model: str, openai_api_key: str, openai_base_url: str) -> Embedder | None:
    """The embedder that the settings ask for, or None when words alone shall answer.

    `model`: "" or "auto" takes OpenAI when there is a key and the local models otherwise; "none" or "off" takes
    nobody; "local", "openai" or an OpenAI model name takes that one; "all-MiniLM-L6-v2" takes the local model that
    reads English, alone; anything else is the path of a model of its family (a folder with `model.onnx`, or the file
    itself). A path's file is hashed here, for the identity; nothing else is read. Raises ConfigError on an unknown
    value, a path that does not hold a model, a key that cannot be sent or an address that is not http(s).
    """
    wish = model.strip()
    word = wish.casefold()
    key = openai_api_key.strip()
    if word in NO_MODEL:
        return None
    if word in LOCAL or (word in CHOOSE_FOR_ME and not key):
        return MultilingualEmbedder(LocalEmbedder(PACKAGED))
    if word in ENGLISH:
        return LocalEmbedder(PACKAGED)
    if word in CHOOSE_FOR_ME or word == "openai":
        return _openai(DEFAULT_OPENAI_MODEL, key, openai_base_url)
    if word in OPENAI_DIMENSIONS:
        return _openai(word, key, openai_base_url)
    return LocalEmbedder(model_at(_existing(wish)))


def _existing(wish: str) -> Path:
    try:
        path = Path(wish).expanduser()
        if path.exists():
            return path
    except (OSError, RuntimeError, ValueError):  # too long, no home folder, a NUL
        pass
    shown = wish if len(wish) <= 80 else wish[:80] + "…"
    raise ConfigError(f"MMIND_EMBED_MODEL={shown!r} is neither a known model nor a path that exists", f"use {ACCEPTED}")


def _openai(model: str, key: str, base_url: str) -> OpenAIEmbedder:
    if not key:
        raise ConfigError("MMIND_EMBED_MODEL asks for OpenAI, and there is no OPENAI_API_KEY", "set it, or use local")
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise ConfigError("OPENAI_API_KEY holds characters that no key has", "copy it again, without blanks or breaks")
    address = base_url.strip() or DEFAULT_BASE_URL
    if not _is_web_address(address):
        raise ConfigError(
            "OPENAI_BASE_URL is not a plain http(s) address", f"for example {DEFAULT_BASE_URL}, no password"
        )
    return OpenAIEmbedder(model=model, api_key=key, base_url=address)


def _is_web_address(address: str) -> bool:
    """A name or password before an @ is refused: HTTP libraries log addresses, and would send it in the key's place."""
    try:
        parts = urlsplit(address)
        return (
            parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and "@" not in parts.netloc
        )
    except ValueError:  # a port that is no number, a bracket that does not close
        return False
