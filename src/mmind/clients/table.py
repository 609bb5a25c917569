"""One row a client: where its list of servers lies, by scope and system, and how an entry looks in it."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mmind.values.errors import BadRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientRow:
    """One client.

    `files` are the places of its list by scope ("user", "project"); they start with `~`, `$CONFIG` (where the system
    keeps settings of programs), `$NAME` (a variable, with a fallback after `|`) or, for a project, with nothing.
    `section` is the key under which the servers stand. `entry` is added to each entry. `program` is what the client
    is called on the PATH; where it `edits_itself`, that program alone changes its files, since it rewrites them while
    it runs.
    """

    name: str
    title: str
    files: Mapping[str, str]
    section: str = "mcpServers"
    entry: Mapping[str, Any] = field(default_factory=dict)
    program: str = ""
    edits_itself: bool = False


ROWS = (
    ClientRow(
        name="claude-code",
        title="Claude Code",
        files={"user": "~/.claude.json", "project": ".mcp.json"},
        entry={"type": "stdio"},
        program="claude",
        edits_itself=True,
    ),
    ClientRow(
        name="claude-desktop", title="Claude Desktop", files={"user": "$CONFIG/Claude/claude_desktop_config.json"}
    ),
    ClientRow(
        name="codex",
        title="Codex",
        files={"user": "$CODEX_HOME|~/.codex/config.toml", "project": ".codex/config.toml"},
        section="mcp_servers",
        entry={"startup_timeout_sec": 20},
        program="codex",
    ),
    ClientRow(
        name="cursor",
        title="Cursor",
        program="cursor",
        files={"user": "~/.cursor/mcp.json", "project": ".cursor/mcp.json"},
    ),
    ClientRow(
        name="gemini",
        title="Gemini CLI",
        program="gemini",
        files={"user": "~/.gemini/settings.json", "project": ".gemini/settings.json"},
    ),
    ClientRow(
        name="vscode",
        title="VS Code",
        program="code",
        files={"user": "$CONFIG/Code/User/mcp.json", "project": ".vscode/mcp.json"},
        section="servers",
        entry={"type": "stdio"},
    ),
)


def find_client(name: str) -> ClientRow:
    """The row of a client. Raises BadRequest with the known names."""
    row = next((row for row in ROWS if row.name == name.casefold()), None)
    if row is None:
        raise BadRequest(f"{name!r} is not a client that mmind knows", f"known: {', '.join(row.name for row in ROWS)}")
    return row


def file_of(row: ClientRow, scope: str, environ: Mapping[str, str], home: Path, project: Path) -> Path:
    """Where the client's list lies. `home` is the user's folder. Raises BadRequest when it has no such scope."""
    place = row.files.get(scope)
    if place is None:
        raise BadRequest(f"{row.title} has no {scope} scope", f"it knows: {', '.join(row.files)}")
    first, _, rest = place.partition("/")
    if first == "~":
        return home / rest
    if first == "$CONFIG":
        return settings_folder(environ, home) / rest
    if first.startswith("$"):
        variable, _, fallback = first[1:].partition("|")
        chosen = environ.get(variable, "").strip()
        return (Path(chosen) if chosen else home / rest.rpartition("/")[0] if fallback else home) / Path(rest).name
    return project / place


def settings_folder(environ: Mapping[str, str], home: Path, system: str = sys.platform) -> Path:
    """Where programs of this system keep their settings."""
    if system == "darwin":
        return home / "Library" / "Application Support"
    if system == "win32":
        return Path(environ.get("APPDATA") or home / "AppData" / "Roaming")
    return Path(environ.get("XDG_CONFIG_HOME") or home / ".config")


def is_there(row: ClientRow, environ: Mapping[str, str], home: Path) -> bool:
    """Whether the client seems to be installed: its list, the folder of it, or its program is here."""
    file = file_of(row, "user", environ, home, home)
    is_on_path = bool(row.program and shutil.which(row.program, path=environ.get("PATH")))
    return is_on_path or file.exists() or (file.parent != home and file.parent.is_dir())
