"""What a client over HTTP may do, by the token that it showed; over stdio the process that started us may do all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

KEY = "mmind.scope"
"""Where the guard leaves the scope in the ASGI scope of a request that it let in."""


def scope_of(request: Any) -> str:
    """The scope of an HTTP request ("read" or "read/write"); "" where there is no request, as over stdio."""
    scope = getattr(request, "scope", None)
    if scope is None:
        return ""
    found = scope.get(KEY, "read")  # a request that no guard let in may do the least
    return found if isinstance(found, str) else "read"


def may_call(scope: str, tool: Mapping[str, Any]) -> bool:
    """Whether a tool's row may be called: with the scope of reading, only tools that change nothing."""
    return scope in ("", "read/write") or tool["annotations"]["readOnlyHint"] is True
