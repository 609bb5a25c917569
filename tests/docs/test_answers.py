"""The answers that the pages show are those that the program gives today."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, Block, blocks
from tests.lag import lags

CONSOLE = list(blocks("console"))

# What changes from day to day or from machine to machine, and is no claim of the page.
_CHANGES = (
    (r"\b\d+ ms\b", "# ms"),
    (r"\b\d+ (?:second|minute|hour|day|month|year)s? old", "# old"),
    (r"\btoday\b(?= \()", "# old"),
    (r"\bage days -?[\d.e-]+", "age days #"),
    (r"\b\d\.\d{3}(?= \w+ ·)", "#"),
    (r"(?<=confidence )\d\.\d+", "#"),
    (r"\b(bm25|lexical|cosine|score of the trusted) -?[\d.]+", r"\1 #"),
    (r"(relevance|recency|contradicted|= score) \d[\d.]*", r"\1 #"),
    (r"\bscanned [\d,]+ s ago", "scanned # s ago"),
)


def steady(text: str) -> str:
    """The text in one line, with what changes by itself masked."""
    line = " ".join(text.split())
    for pattern, mask in _CHANGES:
        line = re.sub(pattern, mask, line)
    return line


def test_there_are_answers_in_the_pages_and_the_first_is_in_the_readme() -> None:
    assert {block.page.name for block in CONSOLE} >= {"README.md", "ranking.md", "getting-started.md"}


@pytest.mark.parametrize("block", CONSOLE, ids=[block.name for block in CONSOLE])
def test_an_answer_in_a_page_is_what_its_command_prints(block: Block, demo_home: Path) -> None:
    command, _, shown = block.text.partition("\n")
    setting, program, *arguments = shlex.split(command.removeprefix("$ "))
    assert (setting, program) == ("MMIND_HOME=.demo", ".venv/bin/mmind")
    printed = answer(arguments, demo_home).replace(str(demo_home), ".demo")
    assert steady(printed) == steady(shown), f"paste what is printed today:\n{printed}"


def answer(arguments: list[str], home: Path) -> str:
    """What the command prints into a pipe, started in the root of the checkout, once it tells of no lag."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MMIND_", "OPENAI_"))}
    printed = ""
    while not printed or lags([printed]):
        done = subprocess.run(
            [sys.executable, "-m", "mmind", *arguments],
            cwd=ROOT,
            env={**kept, "MMIND_HOME": str(home)},
            capture_output=True,
            encoding="utf-8",
            timeout=100,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        printed = done.stdout
        assert printed
    return printed


@pytest.mark.parametrize("block", CONSOLE, ids=[block.name for block in CONSOLE])
def test_an_answer_in_a_page_fits_a_terminal_of_96_columns(block: Block) -> None:
    assert max(map(len, block.text.splitlines()[1:])) <= 96


def test_masking_keeps_what_a_page_claims() -> None:
    seen = steady("1. 0.692 markdown · Runbook\n   Runbook.md:11 · 9 months old · 30 seconds, confidence 1.00")
    assert seen == "1. # markdown · Runbook Runbook.md:11 · # old · 30 seconds, confidence #"
