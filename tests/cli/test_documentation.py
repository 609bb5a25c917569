"""Everything that can be typed stands in docs/command-line.md."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mmind.cli import exits
from mmind.cli.arguments import parse
from mmind.cli.verb_arguments import VERBS

PAGE = (Path(__file__).parents[2] / "docs" / "command-line.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("words", [(verb,) for verb in VERBS] + [("config", "set")], ids=" ".join)
def test_every_verb_and_every_option_is_in_the_docs(words: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        parse([*words, "--help"])
    options = set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", capsys.readouterr().out)) - {"-h", "--help"}
    assert f"mmind {' '.join(words)}" in PAGE
    assert {option for option in options if f"`{option}" not in PAGE} == set()


def test_every_exit_code_is_in_the_docs_and_all_but_that_of_a_broken_pipe_in_the_help() -> None:
    codes = {value for name, value in vars(exits).items() if name.isupper() and isinstance(value, int)}
    assert {int(code) for code in re.findall(r"^\| (\d+) \|", PAGE, re.MULTILINE)} == codes
    assert {int(code) for code in re.findall(r"^  (\d+) ", exits.TABLE, re.MULTILINE)} == codes - {exits.READER_GONE}
