"""An event as the log keeps it: ids, sizes and keyed hashes; texts only where the user asked for them."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from enum import Enum

from mmind.audit.caller import Caller
from mmind.values.ports import AuditEvent

MOST_IDS = 20
# What `event` may say: what a router does, and what the log does with itself.
EVENTS = ("query", "read", "write", "forget", "export", "deny", "sources", "rotate", "retention")


class Content(Enum):
    """Which texts are kept: none, the questions, or the questions and what is stored."""

    NONE = "none"
    QUERIES = "queries"
    FULL = "full"


def entry(
    event: AuditEvent, caller: Caller, key: bytes, content: Content, redacted: Callable[[str], str]
) -> dict[str, object]:
    """The fields of a record that say what happened. Empty ones are left out.

    Every text that came from outside is redacted here, before it is hashed into the chain, so that a secret need never
    be cut out of a sealed record. The hash of a question is keyed (HMAC-SHA-256), so that short ones cannot be guessed.
    """
    fields: dict[str, object] = {
        "event": event.kind,
        "outcome": event.outcome,
        "store": event.store,
        "ids": [redacted(handle) for handle in event.ids[:MOST_IDS]],
        "n_results": event.results,
        "n_guessed": len(event.guessed),
        "dur_ms": round(event.elapsed_ms, 3),
        "bytes": event.size_bytes,
        "writer": redacted(event.writer),
        "session": redacted(event.session),
        "error": redacted(event.error),
        "query_hmac": _keyed(key, event.query),
        "transport": caller.transport,
        "client": redacted(caller.client),
        "scope": caller.scope,
        "request_id": redacted(caller.request_id),
        **_texts(event, content, redacted),
    }
    return {name: value for name, value in fields.items() if value not in ("", 0, [])}


def _texts(event: AuditEvent, content: Content, redacted: Callable[[str], str]) -> dict[str, object]:
    """What was asked, what was guessed at, and, once for each write, what was stored."""
    is_told = content is not Content.NONE
    text = redacted(event.content) if content is Content.FULL and event.outcome in ("begun", "denied") else ""
    return {
        "query": redacted(event.query) if is_told else "",
        "guessed": [redacted(guess) for guess in event.guessed] if is_told else [],
        "content": text,
    }


def _keyed(key: bytes, text: str) -> str:
    return hmac.new(key, text.encode("utf-8", "replace"), hashlib.sha256).hexdigest() if text else ""
