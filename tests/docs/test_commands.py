"""Every command line that a page shows is one that the program takes."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from mmind.cli.arguments import parse
from mmind.cli.verb_arguments import VERBS
from mmind.config.table import KNOB_BY_FILE_KEY, KNOBS
from tests.docs.pages import PAGES, ROOT, Block, blocks

_ASSIGNMENT = re.compile(r"[A-Z_]+=.*")


def commands(block: Block) -> list[list[str]]:
    """The words after `mmind` of each command line of a block that starts it, as the program itself or by a client."""
    found = []
    for line in block.text.splitlines():
        shown = line.removeprefix("$ ") if block.words[0] == "console" else line
        if block.words[0] == "console" and shown == line:
            continue
        words = _shell_words(shown)
        starts = [place for place, word in enumerate(words) if word == "mmind" or word.endswith("/mmind")]
        is_own = starts and all(_ASSIGNMENT.fullmatch(word) for word in words[: starts[0]])
        found += [words[starts[-1] + 1 :]] if is_own or (starts and "--" in words) else []
    return found


def words_of(line: str) -> list[str]:
    """The words after `mmind` of a command line that runs it, as the last one of a pipe."""
    words = _shell_words(line)
    return words[words.index("mmind") + 1 :]


def _shell_words(line: str) -> list[str]:
    return shlex.split(re.sub(r" (?:<|>>?) \S+$", "", line.rsplit(" | ", maxsplit=1)[-1]), comments=True)


SHOWN = [(block.page.name, words) for block in blocks("sh", "console") for words in commands(block)]


@pytest.mark.parametrize(("page", "words"), SHOWN, ids=lambda value: value if isinstance(value, str) else None)
def test_a_command_line_in_a_page_parses(page: str, words: list[str]) -> None:
    arguments = parse(words)
    assert arguments.verb in VERBS
    if arguments.verb == "config" and arguments.action in ("get", "set", "unset"):
        assert arguments.key in KNOB_BY_FILE_KEY


def test_command_lines_were_found() -> None:
    assert {words[0] for _, words in SHOWN} >= {"retrieve", "store", "sources", "index", "config", "/path/to/notes"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_verbs_that_are_named_in_the_text_exist(page: Path) -> None:
    text = page.read_text("utf-8")
    verbs = set(re.findall(r"`mmind ([a-z]+)[^`]*`", text)) - {"serve"}
    assert verbs - set(VERBS) == set()


def test_every_setting_is_on_the_page_of_settings() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text("utf-8")
    missing = [knob.env for knob in KNOBS if f"`{knob.env}`" not in page]
    missing += [knob.file_key for knob in KNOBS if knob.file_key and f"`{knob.file_key}`" not in page]
    assert missing == []


def test_every_variable_that_a_page_names_is_a_setting() -> None:
    known = {knob.env for knob in KNOBS}
    named = {
        name
        for page in PAGES
        for name in re.findall(r"\bMMIND_[A-Z_]*[A-Z]\b", page.read_text("utf-8"))
        if not name.startswith(("MMIND_BACKEND_", "MMIND_EVAL_", "MMIND_TEST_")) or name in known
    }
    assert named - known == set()


def test_every_make_target_that_a_page_names_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = {name for block in blocks("sh") for name in re.findall(r"^make ([a-z]+)", block.text, re.MULTILINE)}
    named |= {name for page in PAGES for name in re.findall(r"`make ([a-z]+)", page.read_text("utf-8"))}
    assert named
    assert named - targets == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_says_to_make_can_be_made_and_what_it_says_to_run_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    code = "\n".join([*re.findall(r"`([^`\n]+)`", text), *(block.text for block in blocks("sh") if block.page == page)])
    assert set(re.findall(r"^(?:\$ )?make ([a-z-]+)", code, re.MULTILINE)) - TARGETS == set()
    modules = re.findall(r"python -m ((?:mmind|evals|tests|bench)[.\w]*)", code)
    assert {name for name in modules if not _is_module(name)} == set()
    files = re.findall(r"(?:^|[\s`])((?:src|tests|bench|evals|examples)/[\w./-]+)", code, re.MULTILINE)
    assert {name for name in files if not (ROOT / name.split("::")[0]).exists()} == set()


TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))


def _is_module(name: str) -> bool:
    path = ROOT / ("src" if name.startswith("mmind") else "") / name.replace(".", "/")
    return path.with_suffix(".py").is_file() or (path / "__main__.py").is_file()


def test_make_help_names_every_target() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE)) == TARGETS
    phony = re.search(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    assert phony is not None
    assert set(phony[1].split()) == TARGETS
