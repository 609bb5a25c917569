"""Where a verb reads and writes: the three streams, and the two ways of printing (for people, for programs)."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TextIO

from mmind.cli.plain import json_text, one_line
from mmind.cli.wrapping import wrapped
from mmind.values.errors import BadRequest

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

_UNWRAPPED = 100_000  # columns where nobody looks: a pipe gets whole lines


@dataclass(frozen=True, slots=True)
class Terminal:
    """The streams and the environment of one run; `is_quiet` silences everything but answers and errors."""

    environ: Mapping[str, str]
    stdin: TextIO
    stdout: TextIO
    stderr: TextIO
    is_quiet: bool = False

    def show(self, renderable: RenderableType) -> None:
        """Print for people: in colour and wrapped on a terminal, whole plain lines into a pipe."""
        if self.stdout.isatty():
            self.console(self.stdout).print(renderable)
            return
        from rich.console import Console

        page = io.StringIO()
        Console(file=page, width=_UNWRAPPED, color_system=None, highlight=False, emoji=False).print(renderable)
        self.stdout.writelines(f"{line.rstrip()}\n" for line in page.getvalue().splitlines())

    def give(self, value: Any) -> None:
        """Print JSON: indented on a terminal, one line into a pipe."""
        self.stdout.write(json_text(value, indent=2 if self.stdout.isatty() else None) + "\n")

    def say(self, line: str) -> None:
        """A remark beside the answer, on standard error."""
        if not self.is_quiet:
            self.complain(line)

    def complain(self, line: str) -> None:
        """An error beside the answer, on standard error, also where the run is quiet."""
        self.stderr.write(wrapped(f"mmind: {one_line(line)}", self.stderr) + "\n")

    def console(self, stream: TextIO) -> Console:
        """A `rich` console on one of the streams; NO_COLOR is respected."""
        from rich.console import Console

        return Console(file=stream, highlight=False, emoji=False, no_color=bool(self.environ.get("NO_COLOR")))

    def read_text(self) -> str:
        """All of standard input. Raises BadRequest when it is not UTF-8."""
        source = getattr(self.stdin, "buffer", None)
        try:
            return source.read().decode("utf-8-sig") if source else self.stdin.read()
        except UnicodeDecodeError:
            raise BadRequest("standard input is not UTF-8 text", "convert it first, for example with iconv") from None
