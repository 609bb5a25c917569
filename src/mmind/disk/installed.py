"""How mmind was installed here, and so the commands that add a package to it, mend one, or bring a newer mmind.

What pip, uv and pipx keep is theirs alone: an environment of uv has no pip in it, and what comes into a tool's
environment by another hand is gone after its next upgrade.
"""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

PACKAGE = "multimodemind"
UV_TOOL_RECEIPT, PIPX_RECEIPT = "uv-receipt.toml", "pipx_metadata.json"
UV_CACHED = ("archive-v0", "environments-v2")  # folders of uv's cache in which uvx makes its environments


class Installer(Enum):
    """Who keeps the environment: the commands that add packages to it, that put one in again, and that update mmind."""

    PIP = (
        "{python} -m pip install --upgrade {packages}",
        "{python} -m pip install --force-reinstall {packages}",
        "{python} -m pip install --upgrade {source}",
    )
    UV = (
        "uv pip install --python {python} --upgrade {packages}",
        "uv pip install --python {python} --reinstall {packages}",
        "uv pip install --python {python} --upgrade {source}",
    )
    UV_TOOL = (
        "uv tool install {beside} {source}",
        "uv pip install --python {python} --reinstall {packages}",
        "uv tool upgrade multimodemind",
    )
    UVX = (
        "uvx {beside} --from {source} mmind",
        "uv pip install --python {python} --reinstall {packages}",
        "uvx --refresh --from {source} mmind",
    )
    PIPX = (
        "pipx inject {environment} {packages}",
        "pipx runpip {environment} install --force-reinstall {packages}",
        "pipx upgrade {environment}",
    )
    PIPX_RUN = (
        "pipx run {beside} --spec {source} mmind",
        "pipx run --no-cache --spec {source} mmind",
        "pipx run --no-cache --spec {source} mmind",
    )


@dataclass(frozen=True, slots=True)
class Installation:
    """An environment that mmind lies in: its folder, its interpreter, and what mmind was installed from.

    `beside` are requirements that were installed with it on demand; uv forgets those that are not named again.
    """

    installer: Installer
    folder: Path
    python: str
    source: str = PACKAGE
    beside: tuple[str, ...] = ()

    def adding(self, packages: Sequence[str]) -> str:
        """The command that installs packages (requirements as in PEP 508) where this mmind finds them.

        An environment that is made for each start gets them at the start: the command then starts mmind.
        """
        return self._command(0, packages)

    @property
    def is_lasting(self) -> bool:
        """Whether the next start finds what was added."""
        return self.installer not in (Installer.UVX, Installer.PIPX_RUN)

    def mending(self, package: str) -> str:
        """The command that puts a package in again whose files are missing or damaged."""
        return self._command(1, [package])

    def updating(self) -> str:
        """The command that brings a newer mmind; right where it came from an index."""
        return self._command(2, ())

    def _command(self, which: int, packages: Sequence[str]) -> str:
        words = {
            "python": _word(self.python),
            "environment": _word(self.folder.name),
            "source": _quoted(self.source),
            "packages": " ".join(map(_quoted, packages)),
            "beside": " ".join(f"--with {_quoted(package)}" for package in (*self.beside, *packages)),
        }
        return str(self.installer.value[which].format_map(words))


def installation() -> Installation:
    """The environment that this process runs in."""
    folder, python = Path(sys.prefix), sys.executable or "python"
    installer = installer_of(folder, has_pip=find_spec("pip") is not None)
    if installer is Installer.UV_TOOL and (kept := list(_receipt(folder / UV_TOOL_RECEIPT))):
        return Installation(installer, folder, python, kept[0], tuple(kept[1:]))
    here = Installation(installer, folder, python)
    return here if here.is_lasting else replace(here, source=_place())


def installer_of(folder: Path, *, has_pip: bool) -> Installer:
    """Who keeps an environment, by the marks that each leaves in it."""
    if (folder / PIPX_RECEIPT).is_file():
        return Installer.PIPX if folder.parent.name == "venvs" else Installer.PIPX_RUN
    if (folder / UV_TOOL_RECEIPT).is_file():
        return Installer.UV_TOOL
    if set(UV_CACHED) & set(folder.parts):
        return Installer.UVX
    return Installer.PIP if has_pip else Installer.UV


def _receipt(file: Path) -> Iterator[str]:
    """What uv's receipt of a tool lists: the tool, then what came with it; nothing where it is not written as known."""
    try:
        rows = tomllib.loads(file.read_text("utf-8"))["tool"]["requirements"]
        yield from sorted((_requirement(row) for row in rows), key=lambda one: PACKAGE not in one)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return


def _requirement(row: Mapping[str, Any]) -> str:
    """A row of uv's receipt as it is written on a command line."""
    extras = f"[{','.join(row['extras'])}]" if row.get("extras") else ""
    for place in ("directory", "editable", "path"):
        if place in row:
            return f"{row['name']}{extras} @ {Path(row[place]).as_uri()}"
    if _may_hold_a_secret(row.get("git", "") or row.get("url", "")):
        return f"{row['name']}{extras}"
    if "git" in row:
        address, _, reference = row["git"].partition("?")
        return f"{row['name']}{extras} @ git+{address}" + (f"@{reference.partition('=')[2]}" if reference else "")
    return f"{row['name']}{extras}" + (f" @ {row['url']}" if "url" in row else row.get("specifier", ""))


def _place() -> str:
    """What mmind was installed from, by its `direct_url.json` (PEP 610); what came from an index has none."""
    from importlib.metadata import PackageNotFoundError, distribution  # brings half of `email` and `socket` along

    try:
        told = json.loads(distribution(PACKAGE).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return PACKAGE
    address, version_control = str(told.get("url", "")), told.get("vcs_info")
    if not address or _may_hold_a_secret(address):
        return PACKAGE
    return f"{PACKAGE} @ git+{address}@{version_control['commit_id']}" if version_control else f"{PACKAGE} @ {address}"


def _may_hold_a_secret(address: str) -> bool:
    """Whether somebody is named before the host, as no installer should have written down."""
    parts = urlsplit(address)
    return parts.scheme in ("http", "https") and "@" in parts.netloc


def _quoted(requirement: str) -> str:
    """In the quotes that every shell knows, where a shell would take a letter of it for its own."""
    is_plain = all(letter.isalnum() or letter in "-_." for letter in requirement)
    return requirement if is_plain else f'"{requirement}"'


def _word(path: str) -> str:
    return f'"{path}"' if " " in path else path
