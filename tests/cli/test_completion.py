"""The scripts for shells, and what a press of the tab key gives in a real bash."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mmind.cli.arguments import parse
from mmind.cli.examples import EXAMPLES
from mmind.cli.verb_arguments import VERBS
from tests.cli.running import Run
from tests.docs.test_commands import words_of


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_there_is_a_script_for_each_shell(mmind: Run, shell: str) -> None:
    done = mmind("completion", shell)
    assert done.returncode == 0
    assert "mmind" in done.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("mmind con", ["config "]),
        ("mmind retrieve --store sq", ["sqlite "]),
        ("mmind config get ranking.recency", ["ranking.recency_floor "]),
        ("mmind install cur", ["cursor "]),
        ("mmind forget --y", ["--yes "]),
    ],
)
def test_the_tab_key_in_bash(typed: str, offered: list[str], tmp_path: Path) -> None:
    program = tmp_path / "mmind"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m mmind "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    script = (
        f'source <(mmind completion bash); COMP_LINE="{typed}" COMP_POINT={len(typed)}; '
        '_python_argcomplete mmind; printf "%s\\n" "${COMPREPLY[@]}"'
    )
    environ = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path)}
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, env=environ, check=False)
    assert [line.strip() for line in done.stdout.splitlines()] == [word.strip() for word in offered], done.stderr


def test_every_verb_has_examples_that_the_program_takes() -> None:
    assert set(EXAMPLES) == set(VERBS)
    for verb, lines in EXAMPLES.items():
        for line in lines:
            assert parse(words_of(line)).verb == verb, line
