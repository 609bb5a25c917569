"""What is shipped and what an agent is told changes on purpose only (R25)."""

from __future__ import annotations

import json
import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from mmind.server.tools import INSTRUCTIONS, tools

ROOT = Path(__file__).parents[2]
SNAPSHOT = Path(__file__).with_name("tools.json")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_r25_the_tools_and_instructions_are_those_that_were_reviewed() -> None:
    """To change them, read the difference and run `python -m tests.security.test_supply`."""
    assert json.loads(SNAPSHOT.read_text("utf-8")) == told()


def told() -> dict[str, object]:
    """What a model is told about us, in both modes."""
    return {"instructions": INSTRUCTIONS, "tools": tools(leaves_machine=False), "open": tools(leaves_machine=True)}


def test_r25_the_list_of_tools_stays_small() -> None:
    assert len(json.dumps({"tools": tools(leaves_machine=True)}, separators=(",", ":"))) < 6 * 1024
    assert len(INSTRUCTIONS.encode()) < 2048


def test_r25_nothing_is_run_when_the_package_is_installed() -> None:
    assert PROJECT["build-system"]["build-backend"] == "hatchling.build"
    assert not (ROOT / "setup.py").exists()
    assert "hooks" not in PROJECT["tool"]["hatch"].get("build", {})


def test_r25_every_dependency_has_a_floor_and_mcp_is_past_its_last_advisory() -> None:
    needed = [Requirement(line) for line in PROJECT["project"]["dependencies"]]
    assert not [one.name for one in needed if not re.search(r">=|==", str(one.specifier))]
    (mcp,) = [one for one in needed if one.name == "mcp"]
    assert "2.2.9" not in mcp.specifier
    assert "3.0" not in mcp.specifier


def test_r25_what_is_installed_fits_what_is_declared() -> None:
    for line in PROJECT["project"]["dependencies"]:
        one = Requirement(line)
        if one.marker is None or one.marker.evaluate():
            assert one.specifier.contains(metadata.version(one.name), prereleases=True), line


PINNED = re.compile(
    r"^([A-Za-z0-9._-]+)==(\S+)(?: ; [^\\]+)? \\\n((?: +--hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE
)


def test_r25_the_lock_pins_by_hash_all_that_is_declared_and_nothing_else() -> None:
    """When it fails after a change of dependencies: `make lock`, and read the difference."""
    text = (ROOT / "requirements.lock").read_text("utf-8")
    pinned = {canonicalize_name(name): version for name, version, _ in PINNED.findall(text)}
    lines = [line for line in text.splitlines() if line and not line.lstrip().startswith(("#", "--hash=sha256:"))]
    assert len(lines) == len(PINNED.findall(text)), "a line of the lock has no hash"
    extras = [line for lines in PROJECT["project"]["optional-dependencies"].values() for line in lines]
    for one in map(Requirement, [*PROJECT["project"]["dependencies"], *extras]):
        if one.name != "multimodemind":
            assert one.specifier.contains(pinned[canonicalize_name(one.name)], prereleases=True), f"{one}: make lock"
    assert "//" not in re.sub(r"(?m)^ *#.*$", "", text), "the lock names no place to fetch from"


def test_r25_only_declared_packages_are_imported() -> None:
    import ast

    declared = {Requirement(line).name for line in PROJECT["project"]["dependencies"]}
    extras = {
        Requirement(line).name for lines in PROJECT["project"]["optional-dependencies"].values() for line in lines
    }
    owners = metadata.packages_distributions()
    through = {
        "anyio",
        "mcp-types",
        "pydantic",
        "starlette",
        "uvicorn",
        "multimodemind",
        "pygments",
    }  # with mcp and rich
    strangers = set()
    for file in (ROOT / "src").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module and not node.level else []
            for name in (name.partition(".")[0] for name in names):
                known = {owner.casefold() for owner in owners.get(name, ())}
                if name not in sys.stdlib_module_names and not known & {
                    one.casefold() for one in declared | extras | through
                }:
                    strangers.add(f"{file.name}: {name}")
    assert not {stranger for stranger in strangers if owners.get(stranger.split(": ")[1])}


@pytest.mark.parametrize("word", ["verify=False", "CERT_NONE", "shell=True", "os.system", "eval(", "pickle"])
def test_r25_nothing_weakens_what_it_stands_on(word: str) -> None:
    pattern = re.compile(rf"(?<![\w.]){re.escape(word)}")
    found = [file.name for file in (ROOT / "src").rglob("*.py") if pattern.search(file.read_text("utf-8"))]
    assert not found


if __name__ == "__main__":
    SNAPSHOT.write_text(json.dumps(told(), indent=1, ensure_ascii=False) + "\n", "utf-8")
