"""What looks like a key or password is not kept unless the user's settings, or the user's own hand, allow it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mmind.text.secrets import find_secrets
from mmind.values.errors import AccessDenied
from mmind.values.ports import AuditEvent, Record


def refuse_secrets(texts: Sequence[str], record: Record, attempt: AuditEvent) -> None:
    """Raise AccessDenied when one of the texts holds a secret-shaped part; the message tells its kind and line only."""
    for text in texts:
        found = find_secrets(text)
        if found:
            kind, line = found[0].kind, text.count("\n", 0, found[0].start) + 1
            record(replace(attempt, kind="deny", outcome="denied", error=f"holds a secret: {kind}"))
            raise AccessDenied(
                f"this looks like it holds a secret ({kind}, line {line}), nothing was written",
                "leave the secret out and say where it is kept; or the user can run `mmind store --allow-secret`, or"
                " set MMIND_ALLOW_SECRETS=on",
            )
