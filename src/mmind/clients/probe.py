"""Starts an entry as a client would, and asks it for its tools in both eras of the protocol. Raw lines, no library."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_CALLER = {"name": "mmind-install", "version": "1"}
_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": _CALLER,
    "io.modelcontextprotocol/clientCapabilities": {},
}
_QUESTIONS = {
    "handshake": (
        {
            "id": 1,
            "method": "initialize",
            "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": _CALLER},
        },
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
        {"id": 3, "method": "tools/call", "params": {"name": "sources", "arguments": {}}},
    ),
    "stateless": (
        {"id": 1, "method": "server/discover", "params": {"_meta": _META}},
        {"id": 2, "method": "tools/list", "params": {"_meta": _META}},
    ),
}
PASSED_ON = ("SYSTEMROOT", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "TEMP", "TMP")


@dataclass(frozen=True, slots=True)
class Probe:
    """What came back: the tools' names, the stores and their access, or why it failed (one line)."""

    tools: tuple[str, ...] = ()
    stores: Mapping[str, str] | None = None
    fault: str = ""


def probe(words: Sequence[str], variables: Mapping[str, str], environ: Mapping[str, str], seconds: float = 60) -> Probe:
    """Start `words` with the environment of a program with a window, not that of this shell."""
    path = {"PATH": "/usr/bin:/bin"} if "SYSTEMROOT" not in environ else {"PATH": environ.get("PATH", "")}
    home = {name: environ[name] for name in ("HOME", *PASSED_ON) if name in environ}
    tools: tuple[str, ...] = ()
    stores: dict[str, str] = {}
    for era, questions in _QUESTIONS.items():
        try:
            answers = _asked(words, {**path, **home, **variables}, questions, seconds)
            tools = tuple(tool["name"] for tool in answers[2]["result"]["tools"])
            if 3 in answers:
                stores = _stores(answers[3])
        except (OSError, subprocess.SubprocessError, KeyError, TypeError, ValueError) as error:
            return Probe(fault=f"{era} failed: {_reason(error)}")
    return Probe(tools, stores)


def _asked(
    words: Sequence[str], environ: Mapping[str, str], questions: Sequence[Mapping[str, Any]], seconds: float
) -> dict[int, Any]:
    """The answers by id; the server ends by itself when its input does."""
    lines = "".join(json.dumps({"jsonrpc": "2.0", **question}) + "\n" for question in questions)
    done = subprocess.run(  # noqa: S603 - the entry is the user's own, and no shell reads it
        list(words), input=lines.encode(), capture_output=True, timeout=seconds, env=dict(environ), check=False
    )
    answers = [json.loads(line) for line in done.stdout.splitlines() if line.strip()]
    if not answers:
        last = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise OSError(last[-1] if last else f"it ended with code {done.returncode} and no answer")
    return {answer["id"]: answer for answer in answers if "id" in answer}


def _stores(answer: Any) -> dict[str, str]:
    rows = answer["result"]["structuredContent"]["stores"]
    return {row["name"]: row["access"] if row.get("usable", True) else "not usable" for row in rows}


def _reason(error: Exception) -> str:
    if isinstance(error, subprocess.TimeoutExpired):
        return f"no answer within {error.timeout:g} s"
    if isinstance(error, KeyError):
        return f"the answer lacks {error}"
    return str(error)[:200]
