from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from pathlib import Path

import pytest
from textual.binding import Binding

from mmind.config.table import KNOBS
from mmind.dashboard import (
    app,
    ask_panel,
    audit_panel,
    engines_panel,
    evaluation_screen,
    help_screen,
    knobs_panel,
    prompt,
    rows,
    stores_panel,
    tuning_panel,
)
from tests.dashboard import sample
from tests.dashboard.pictures import FOLDER, PICTURES, taken, words

PAGE = (sample.ROOT / "docs" / "dashboard.md").read_text("utf-8")
MODULES = (
    app,
    ask_panel,
    audit_panel,
    engines_panel,
    evaluation_screen,
    help_screen,
    knobs_panel,
    prompt,
    rows,
    stores_panel,
    tuning_panel,
)
SIGNS = {
    "slash": "/",
    "question_mark": "?",
    "escape": "esc",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "pageup": "page up",
    "pagedown": "page down",
}


def bound_keys() -> Iterator[tuple[str, str]]:
    """Every key that the dashboard binds, as the page writes it, and the class that binds it."""
    for module in MODULES:
        for kind in vars(module).values():
            if isinstance(kind, type) and kind.__module__ == module.__name__:
                for binding in vars(kind).get("BINDINGS", ()):
                    assert isinstance(binding, Binding)
                    for key in binding.key.split(","):
                        yield SIGNS.get(key, key), kind.__name__


@pytest.mark.parametrize(("key", "owner"), sorted(set(bound_keys())))
def test_every_key_is_on_the_page(key: str, owner: str) -> None:
    assert f"`{key}`" in PAGE, f"{owner} binds {key}"


def test_there_are_keys_to_look_for() -> None:
    assert len(set(bound_keys())) > 30


def test_every_module_that_binds_keys_is_looked_at() -> None:
    folder = Path(app.__file__).parent
    binding = {file.stem for file in folder.glob("*.py") if "BINDINGS" in file.read_text("utf-8")}
    assert binding <= {module.__name__.rpartition(".")[2] for module in MODULES}


@pytest.mark.parametrize("name", PICTURES)
def test_every_picture_is_on_the_page_and_fetches_nothing(name: str) -> None:
    svg = (FOLDER / f"{name}.svg").read_text("utf-8")
    assert f"pictures/{name}.svg" in PAGE
    assert "@font-face" not in svg
    assert re.findall(r"https?://[^\"'\s)]+", svg.replace("http://www.w3.org/2000/svg", "")) in (
        [],
        ["https://www.textualize.io"],
    )


# Two near misses may change places, and one may leave the screen, where another processor rounds otherwise.
LEAST_ALIKE = 0.93


@pytest.mark.parametrize("name", ["dashboard-stores", "dashboard-access", "dashboard-paths", "dashboard-tuning"])
def test_a_picture_says_what_the_screen_says_today(name: str, tmp_path: Path) -> None:
    """Words are compared, not strokes: numbers and the framework's way of drawing may differ between machines."""
    fresh = taken(name, sample.make(tmp_path / "ann", "local"))
    kept = words((FOLDER / f"{name}.svg").read_text("utf-8"))
    alike = SequenceMatcher(None, words(fresh).split(), kept.split(), autojunk=False).ratio()
    assert alike >= LEAST_ALIKE, "make screenshots"


def test_the_page_names_no_key_of_the_ranking_that_is_not_there() -> None:
    named = set(re.findall(r"`(ranking\.[\w.]+)`", PAGE))
    assert named <= {knob.file_key for knob in KNOBS}


def test_only_the_dashboard_imports_textual() -> None:
    source = sample.ROOT / "src" / "mmind"
    strangers = [
        file.name
        for file in source.rglob("*.py")
        if "dashboard" not in file.parts
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "textual")
        or (isinstance(node, ast.Import) and any(name.name.split(".")[0] == "textual" for name in node.names))
    ]
    assert not strangers
