"""The map of the house: a folder that is new stands in ARCHITECTURE.md, on a floor, and under the rules."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "mmind"
FOLDERS = sorted(path.parent.name for path in SOURCE.glob("*/__init__.py"))
UNFLOORED = {"__init__", "__main__", "version"}  # the doors of the package, above every floor, and a constant


def rooms() -> set[str]:
    """What stands directly under the package: folders, and modules that have a floor."""
    return {*FOLDERS, *(path.stem for path in SOURCE.glob("*.py") if path.stem not in UNFLOORED)}


def test_every_folder_answers_a_question_in_architecture() -> None:
    table = (ROOT / "ARCHITECTURE.md").read_text("utf-8").partition("## Floors")[0]
    named = set(re.findall(r"`src/mmind/(\w+)(?:\.py|/\w+)?`", table))
    assert named == rooms()


def test_every_folder_stands_on_a_floor_in_architecture_and_in_the_linter() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8").partition("## Floors")[2].split("```")[1]
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    assert {room for layer in layers for room in re.findall(r"mmind\.(\w+)", layer)} == rooms()
    assert {room for room in rooms() if not re.search(rf"\b{room}\b", page)} == set()


def test_every_file_that_architecture_names_is_there() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    named = set(re.findall(r"`([\w/]+\.py)`", page))
    places = (SOURCE, SOURCE / "router", SOURCE / "stores", ROOT)  # the steps are named without their folder
    assert named
    assert {name for name in named if not any((place / name).is_file() for place in places)} == set()


def test_a_test_sleeps_only_between_two_looks_at_something() -> None:
    files = [file for file in sorted((ROOT / "tests").rglob("*.py")) if "node_modules" not in file.parts]
    assert {place for file in files for place in _sleeps(file)} == WAITS


# Where a test may sleep outside a loop that looks for its end.
WAITS = {
    "servers/programs.py:wait_a_moment",  # the pause of such loops
    "cases/acting.py:_do",  # the step `wait` of a case that was written by others
}


def _sleeps(file: Path) -> Iterator[str]:
    for function in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            loops = [node for node in ast.walk(function) if isinstance(node, ast.While)]
            looking = {id(node) for loop in loops for node in ast.walk(loop)}
            for node in ast.walk(function):
                is_sleep = isinstance(node, ast.Call) and ast.unparse(node.func).endswith(".sleep")
                if is_sleep and id(node) not in looking:
                    yield f"{file.relative_to(ROOT / 'tests').as_posix()}:{function.name}"
