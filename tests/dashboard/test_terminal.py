"""The dashboard in a real terminal: tmux types the keys and reads the screen."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from mmind.config.settings import load
from mmind.values.memory import Access
from tests.dashboard.sample import Sample

TMUX = shutil.which("tmux") or ""
needs_tmux = pytest.mark.skipif(not TMUX, reason="needs tmux")
LOOKS = 600
ENDED = "the dashboard has ended with"
COLOURS = re.compile(r"\x1b\[[\d;]*?(?:[34][0-7]|9[0-7]|10[0-7]|[34]8)[;m]")


@dataclass(frozen=True, slots=True)
class Terminal:
    """A tmux server of the test's own, with the dashboard in its only window."""

    socket: Path

    def tmux(self, *words: str) -> str:
        """Run one tmux command and give what it prints."""
        done = subprocess.run(
            [TMUX, "-f", "/dev/null", "-S", str(self.socket), *words], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, environ: dict[str, str], size: tuple[int, int]) -> None:
        """Open the window; when the dashboard ends, its exit status stays on the screen."""
        variables = " ".join(f"{name}={shlex.quote(value)}" for name, value in environ.items())
        command = f"env -i {variables} {shlex.quote(sys.executable)} -m mmind dashboard; echo {ENDED} $?; exec cat"
        self.tmux("new-session", "-d", "-x", str(size[0]), "-y", str(size[1]), command)

    def screen(self, *flags: str) -> str:
        """What stands on the screen."""
        return self.tmux("capture-pane", "-p", *flags)

    def keys(self, *names: str) -> None:
        """Press keys, by tmux's names of them."""
        self.tmux("send-keys", *names)

    def pause(self) -> None:
        """Between two looks: waits in the terminal, as a user's eye does."""
        self.tmux("run-shell", "sleep 0.1")

    def sees(self, *words: str) -> str:
        """Wait until all words stand on the screen, and give it."""
        for _ in range(LOOKS):
            shown = self.screen()
            if all(word in " ".join(shown.split()) for word in words):
                return shown
            self.pause()
        raise AssertionError(f"{words} never came; the screen:\n{self.screen()}")


def plain_environment(home: Sample, **variables: str) -> dict[str, str]:
    """Nothing of this machine's but what a program needs to start."""
    needed = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH", "SYSTEMROOT") if name in os.environ}
    return {**needed, "LANG": "C.UTF-8", "TERM": "tmux-256color", **home.environ, **variables}


@pytest.fixture
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    """A tmux server that is gone after the test."""
    window = Terminal(tmp_path_factory.mktemp("t") / "s")
    yield window
    window.tmux("kill-server")


@needs_tmux
def test_a_whole_visit_by_keyboard_alone_on_a_small_screen(home: Sample, terminal: Terminal) -> None:
    terminal.start(plain_environment(home), (80, 24))
    shown = terminal.sees("markdown ● ready", "1 thing was skipped", "q quit")
    assert all(len(line) <= 80 for line in shown.split("\n"))
    terminal.keys("a")
    terminal.sees("What agents may do")
    terminal.keys("Down", "Enter")
    terminal.sees("saved access.sqlite = read")
    assert load(home.environ, None).access["sqlite"] is Access.READ
    terminal.keys("b")
    terminal.sees("Which engine keeps each store")
    terminal.keys("c")
    terminal.sees("● works")
    terminal.keys("l")
    terminal.sees("following")
    terminal.keys("v")
    terminal.sees("the chain holds")
    terminal.keys("p")
    terminal.sees("Where everything lies")
    terminal.keys("/")
    terminal.keys("-l", "gateway timeout")
    terminal.keys("Enter")
    terminal.sees("results from", "relevance")
    terminal.keys("t")
    terminal.sees("semantic weight", "= score")
    terminal.keys("Right", "Right")
    terminal.sees("draft: 1 number differs")
    terminal.keys("?")
    terminal.sees("everywhere")
    terminal.keys("Escape")
    terminal.sees("semantic weight", "= score")  # escape and a letter in one go are another key to a terminal
    terminal.keys("q")
    terminal.sees(f"{ENDED} 0")


@needs_tmux
def test_a_terminal_that_is_resized_is_drawn_anew(home: Sample, terminal: Terminal) -> None:
    terminal.start(plain_environment(home), (150, 40))
    terminal.sees("half-life", "notes that already exist")
    terminal.tmux("resize-window", "-x", "80", "-y", "24")
    terminal.sees("markdown ● ready")
    for _ in range(LOOKS):
        lines = terminal.screen().split("\n")
        if lines[0].rstrip().endswith("? help") and all(len(line) <= 80 for line in lines):
            break
        terminal.pause()
    assert lines[0].rstrip().endswith("? help")
    terminal.keys("q")
    terminal.sees(ENDED)


@needs_tmux
def test_no_color_writes_no_colour_and_the_cursor_is_seen_in_reverse(home: Sample, terminal: Terminal) -> None:
    terminal.start(plain_environment(home, NO_COLOR="1"), (80, 24))
    terminal.sees("markdown ● ready")
    painted = terminal.screen("-e")
    assert not COLOURS.findall(painted)
    row = next(line for line in painted.split("\n") if "markdown" in line)
    assert "\x1b[7m" in row or ";7m" in row
    terminal.keys("q")
    terminal.sees(ENDED)


@needs_tmux
def test_with_colour_there_is_colour(home: Sample, terminal: Terminal) -> None:
    """So that the test above can fail."""
    terminal.start(plain_environment(home), (80, 24))
    terminal.sees("markdown ● ready")
    assert COLOURS.findall(terminal.screen("-e"))
    terminal.keys("q")
    terminal.sees(ENDED)


@needs_tmux
def test_a_wrong_setting_is_one_line_and_no_dashboard(home: Sample, terminal: Terminal) -> None:
    (home.home / "config.toml").write_text("[ranking]\nrecency_floor = 9\n")
    terminal.start(plain_environment(home), (120, 24))
    shown = terminal.sees(f"{ENDED} 2")
    assert "mmind:" in shown
    assert "recency_floor" in shown
    assert "Traceback" not in shown


def test_without_a_terminal_it_says_what_to_do_instead(home: Sample) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mmind", "dashboard"],
        env=plain_environment(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.strip().count("\n") == 0
    assert "needs a terminal" in done.stderr
    assert "mmind sources --json" in done.stderr


def test_help_imports_no_textual() -> None:
    code = "import sys, mmind.cli.arguments as a\ntry: a.parse(['--help'])\nexcept SystemExit: pass\n"
    code += "print('textual' in sys.modules, 'rich' in sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr.split() == ["False", "False"]
