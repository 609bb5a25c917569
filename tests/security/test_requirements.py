"""Every requirement has a test that cites its number: in the test's name (`test_r07_…`) or in its docstring (`R7`)."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NUMBERS = range(1, 26)


@cache
def cited() -> dict[int, list[str]]:
    """The tests by the numbers that they cite."""
    found: dict[int, list[str]] = defaultdict(list)
    for file in sorted((ROOT / "tests").rglob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                named = re.match(r"test_r(\d\d)_", node.name)
                told = re.findall(r"\bR(\d{1,2})\b", ast.get_docstring(node) or "")
                for number in {int(text) for text in [*([named[1]] if named else []), *told]}:
                    found[number].append(f"{file.relative_to(ROOT)}::{node.name}")
    return found


@pytest.mark.parametrize("number", NUMBERS)
def test_every_requirement_has_a_test_that_cites_it(number: int) -> None:
    assert cited().get(number)


def test_no_test_cites_a_number_that_there_is_not() -> None:
    assert set(cited()) <= set(NUMBERS)


def test_the_page_on_testing_names_for_every_requirement_files_whose_tests_cite_it() -> None:
    rows = re.findall(r"^\| R(\d+) \|(.*)\|$", (ROOT / "TESTING.md").read_text("utf-8"), re.MULTILINE)
    files = {number: {test.partition("::")[0] for test in tests} for number, tests in cited().items()}
    assert [int(number) for number, _ in rows] == list(NUMBERS)
    for number, row in rows:
        named = set(re.findall(r"`(tests/[\w/]+\.py)`", row))
        assert named, number
        assert named <= files[int(number)], number


if __name__ == "__main__":
    for number, tests in sorted(cited().items()):
        print(number, len(tests), *sorted({test.partition("::")[0] for test in tests}))
