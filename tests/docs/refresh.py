"""Write today's answers into the pages: `python -m tests.docs.refresh`, after `make demo`.

The tests hold the pages to what the program prints; this is how a page follows when an answer changes for a reason.
"""

from __future__ import annotations

import json
import re
import shlex
import tempfile
import textwrap
from typing import Any

from mmind.server.tools import tools
from mmind.server.verbs import call, check
from mmind.values.door import Door
from mmind.wiring import open_mind
from tests.docs.pages import PAGES, ROOT
from tests.docs.test_answers import answer
from tests.docs.test_tools import STORED_FIRST

WIDTH = 96
DEMO_HOME = ROOT / ".demo"
CONSOLE = re.compile(r"^```console\n(?P<command>\$ [^\n]+)\n.*?^```$", re.MULTILINE | re.DOTALL)
TOOL_ANSWER = re.compile(r"^```json answer (?P<tool>\w+)\n.*?^```$", re.MULTILINE | re.DOTALL)
REQUEST = re.compile(r"^```json request (?P<tool>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
SHORT_LIST = re.compile(r"\[\s+((?:\"[^\"]*\"|[\d.]+)(?:,\s+(?:\"[^\"]*\"|[\d.]+))*)\s+\]")


def wrapped(line: str) -> str:
    """A line as a terminal of 96 columns would show it, kept under its own indentation."""
    indent = " " * (len(line) - len(line.lstrip()))
    hanging = indent + " " * 9 if re.match(r"\s+(trusted|against|because)  ", line) else indent
    pieces = textwrap.wrap(line, WIDTH, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False)
    return "\n".join(pieces) or line


def console(match: re.Match[str]) -> str:
    """A console block with what its command prints now."""
    arguments = shlex.split(match["command"].removeprefix("$ "))[2:]
    printed = answer(arguments, DEMO_HOME).replace(str(DEMO_HOME), ".demo").rstrip("\n")
    lines = "\n".join(wrapped(line) for line in printed.split("\n"))
    return f"```console\n{match['command']}\n{lines}\n```"


def tool_answers(requests: dict[str, Any]) -> dict[str, Any]:
    """What the server answers now to the requests of the page on tools, over an empty data home."""
    rows = {row["name"]: row for row in tools(leaves_machine=False)}
    with (
        tempfile.TemporaryDirectory() as home,
        open_mind(ROOT / "examples" / "vault", {"MMIND_HOME": home}, Door.AGENT) as mind,
    ):
        mind.index(lambda _: None)
        given = {
            tool: call(mind, tool, check(rows[tool], requests[tool]), "demo-agent").structured for tool in STORED_FIRST
        }
        text = json.dumps(given, ensure_ascii=False)
    read: dict[str, Any] = json.loads(text.replace(home, "/path/to/data").replace(str(ROOT), "/path/to/mmind"))
    read["sources"]["stores"] = read["sources"]["stores"][:2]
    return read


def shown(value: Any) -> str:
    """JSON for readers: short lists stay on one line."""
    whole = json.dumps(value, ensure_ascii=False, indent=2)
    return SHORT_LIST.sub(lambda found: "[" + re.sub(r",\s+", ", ", found[1]) + "]", whole)


def main() -> None:
    """Rewrite every page whose answers changed."""
    for page in PAGES:
        before = page.read_text("utf-8")
        after = CONSOLE.sub(console, before)
        requests = {found["tool"]: json.loads(found["text"]) for found in REQUEST.finditer(after)}
        if requests:
            answers = tool_answers(requests)
            after = TOOL_ANSWER.sub(
                lambda found, now=answers: f"```json answer {found['tool']}\n{shown(now[found['tool']])}\n```", after
            )
        if after != before:
            page.write_text(after, "utf-8")
            print(f"rewritten: {page.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
