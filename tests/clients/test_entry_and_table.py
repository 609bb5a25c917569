"""How an entry starts us, and where each client keeps its list."""

from __future__ import annotations

from pathlib import Path

import pytest

from mmind.clients.entry import kept_variables, left_out, own_command, own_entry
from mmind.clients.table import ROWS, file_of, find_client, settings_folder
from mmind.values.errors import BadRequest

HOME = Path("/home/kim")
PROJECT = Path("/home/kim/garden")


@pytest.mark.parametrize(
    ("client", "scope", "environ", "place"),
    [
        ("claude-code", "user", {}, "/home/kim/.claude.json"),
        ("claude-code", "project", {}, "/home/kim/garden/.mcp.json"),
        ("codex", "user", {}, "/home/kim/.codex/config.toml"),
        ("codex", "user", {"CODEX_HOME": "/opt/codex"}, "/opt/codex/config.toml"),
        ("cursor", "project", {}, "/home/kim/garden/.cursor/mcp.json"),
        ("vscode", "project", {}, "/home/kim/garden/.vscode/mcp.json"),
    ],
)
def test_each_client_keeps_its_list_in_its_own_place(
    client: str, scope: str, environ: dict[str, str], place: str
) -> None:
    assert file_of(find_client(client), scope, environ, HOME, PROJECT) == Path(place)


@pytest.mark.parametrize(
    ("system", "environ", "folder"),
    [
        ("linux", {}, "/home/kim/.config"),
        ("linux", {"XDG_CONFIG_HOME": "/x"}, "/x"),
        ("darwin", {}, "/home/kim/Library/Application Support"),
        ("win32", {"APPDATA": "/r"}, "/r"),
        ("win32", {}, "/home/kim/AppData/Roaming"),
    ],
)
def test_settings_lie_where_the_system_wants_them(system: str, environ: dict[str, str], folder: str) -> None:
    assert settings_folder(environ, HOME, system) == Path(folder)


def test_a_client_that_is_not_known_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadRequest, match="known: claude-code, claude-desktop"):
        find_client("emacs")


def test_a_scope_that_a_client_lacks_is_refused() -> None:
    with pytest.raises(BadRequest, match="has no project scope"):
        file_of(find_client("claude-desktop"), "project", {}, HOME, PROJECT)


def test_every_client_has_a_user_scope_and_a_title() -> None:
    assert all("user" in row.files and row.title for row in ROWS)


def test_the_command_is_absolute(tmp_path: Path) -> None:
    program = tmp_path / "mmind"
    program.touch()
    assert own_command({}, str(program)) == [str(program)]


def test_a_program_out_of_the_cache_of_uvx_is_started_by_uvx(tmp_path: Path) -> None:
    program = tmp_path / "uv" / "archive-v0" / "abc" / "bin" / "mmind"
    program.parent.mkdir(parents=True)
    program.touch()
    uvx = tmp_path / "uvx"
    uvx.touch(mode=0o755)
    assert own_command({"PATH": str(tmp_path)}, str(program)) == [str(uvx), "--from", "multimodemind", "mmind"]


def test_settings_of_the_shell_go_along_and_secrets_do_not() -> None:
    environ = {"MMIND_HOME": "/m", "OPENAI_API_KEY": "sk-1", "MMIND_POSTGRES_URL": "postgresql://a:b@c/d", "HOME": "/h"}
    assert kept_variables(environ) == {"MMIND_HOME": "/m"}
    assert left_out(environ) == ["MMIND_POSTGRES_URL", "OPENAI_API_KEY"]


def test_an_entry_names_the_vault_last() -> None:
    assert own_entry(Path("/notes"), {}, "mmind").args[-1] == "/notes"
