"""The main job, end to end: index a vault, store as an agent would, ask three questions through a real MCP client.

    python examples/demo.py VAULT [DATA_HOME]

`make demo` calls it. Everything that is written lies in DATA_HOME (default: `.demo` beside this folder), which is
wiped first; your own data home is not touched, and of the environment's `MMIND_…` variables only the embedding model
counts. `ASK="…"` asks your question instead of the three.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "examples" / "vault"
SESSION = "demo"
ANSWER_SECONDS = 60.0


class DemoFailed(Exception):
    """One line for the person who ran the demo."""


@dataclass(frozen=True, slots=True)
class Saying:
    """One memory that the demo's agent stores, and why the demo stores it."""

    store: str
    content: str
    why: str
    title: str = ""
    session: str = ""


# What an agent says after work on the sample vault.
AGENT_SAYS = (
    Saying("sqlite", "Deploys happen on Thursday mornings.", "contradicts a note", title="Harbour deploys"),
    Saying("files", "The lease runs to 31 March 2028; notice is three months.", "agrees with a note", title="Lease"),
    Saying("vector", "Tomasz would rather get one long message than five short ones.", "is new"),
    Saying("leveldb", "We are half-way through the deploy checklist of Harbour.", "is new", session=SESSION),
)
# Over a vault that the demo knows nothing of.
ABOUT_ITSELF = (
    Saying("sqlite", "The demo of mmind keeps facts and decisions in SQLite.", "is new"),
    Saying("files", "Documents that an agent files go to a folder of their own, never into the vault.", "is new"),
    Saying("vector", "A vector lets a question find an answer in other words.", "is new"),
    Saying("leveldb", "This session began with the demo.", "is new", session=SESSION),
)
QUESTIONS = (
    "What is the gateway request timeout?",  # two notes disagree, and the later one is trusted
    "Which dogs does the customer have?",  # the note has none of these words
    "味噌汁の作り方",  # how to make miso soup
)


def main(arguments: Sequence[str]) -> int:
    """Run the demo; 0 when every question was answered, else 1 after one line that says what went wrong."""
    if not 1 <= len(arguments) <= 2:
        return _failed("say which vault: python examples/demo.py VAULT [DATA_HOME]")
    vault = Path(arguments[0]).expanduser()
    home = Path(arguments[1]) if len(arguments) == 2 else ROOT / ".demo"
    try:
        _run(vault, home)
    except KeyboardInterrupt:
        return _failed("stopped")
    except Exception as error:  # noqa: BLE001 - whatever it is, a person gets one line
        return _failed(str(_innermost(error)) or type(error).__name__)
    return 0


def _run(vault: Path, home: Path) -> None:
    if not vault.is_dir():
        raise DemoFailed(f"{vault} is not a folder; name your vault with: make demo VAULT=~/notes")
    before = _state(vault)
    _wipe(home)
    environ = _environ(home)
    _say(f"1  Index {_shown(vault)}; everything derived goes to {_shown(home)}")
    _index(vault, environ)
    memories, questions = _script(vault)
    _say("\n2  Start `mmind` as an MCP client does, over stdio")
    asyncio.run(_talk(vault, environ, memories, questions))
    if _state(vault) != before:
        raise DemoFailed(f"something in {vault} changed while the demo ran, and mmind must never do that")
    _say(f"\nDone. The vault is as it was: {len(before)} files, each with the size and the time that it had.")
    command = ["mmind", "retrieve", "--vault", _shown(vault), "--explain", "your question"]
    _say(f"Ask more: MMIND_HOME={shlex.quote(_shown(home))} .venv/bin/{shlex.join(command)}")


def _wipe(home: Path) -> None:
    """An empty data home; only one that a demo made is ever removed."""
    mark = home / "made-by-the-demo"
    if home.exists() and not mark.exists():
        raise DemoFailed(f"{home} is there already and was not made by the demo; name another folder")
    if home.exists():
        shutil.rmtree(home)
    home.mkdir(parents=True)
    mark.touch()


def _environ(home: Path) -> dict[str, str]:
    """This process's environment with a data home of the demo's own, and with nothing that could lead out of it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("MMIND_")}
    model = os.environ.get("MMIND_EMBED_MODEL", "local")  # a key in the environment must not send a vault away
    return {**kept, "MMIND_HOME": str(home.resolve()), "MMIND_EMBED_MODEL": model}


def _index(vault: Path, environ: Mapping[str, str]) -> None:
    import mmind
    from mmind.cli.progress import progress

    terminal = _terminal(environ)
    with mmind.open(vault, environ) as mind, progress(terminal) as report:
        mind.index(report)
        notes = next(store for store in mind.sources().stores if store.name == "markdown")
    passages = notes.index.passages if notes.index else 0
    if notes.entries < 1:
        raise DemoFailed(f"{vault}: {notes.reason or 'no notes'}; {notes.hint}")
    _say(f"   {notes.entries:,} notes in {passages:,} passages")


def _script(vault: Path) -> tuple[Sequence[Saying], Sequence[str]]:
    """What the agent stores and what is asked: the sample's own, or made from the titles of the vault's notes."""
    asked = os.environ.get("ASK", "").strip()
    if vault.resolve() == SAMPLE:
        return AGENT_SAYS, (asked,) if asked else QUESTIONS
    return ABOUT_ITSELF, (asked,) if asked else _titles(vault)


def _titles(vault: Path) -> tuple[str, ...]:
    """Three titles from all over the vault, words rather than dates where there are such."""
    notes = [note for note in sorted(vault.rglob("*.md")) if not any(part[0] == "." for part in _parts(note, vault))]
    named = [note.stem for note in notes if any(letter.isalpha() for letter in note.stem)]
    stems = list(dict.fromkeys(named or [note.stem for note in notes]))
    return tuple(stems[len(stems) * part // 4] for part in (1, 2, 3))[: len(stems)]


async def _talk(vault: Path, environ: dict[str, str], memories: Sequence[Saying], questions: Sequence[str]) -> None:
    from mcp import Client, StdioServerParameters
    from mcp_types import Implementation

    server = StdioServerParameters(command=sys.executable, args=["-m", "mmind", str(vault)], env=environ)
    about = Implementation(name="demo-agent", version="1")
    async with Client(server, read_timeout_seconds=ANSWER_SECONDS, client_info=about) as client:
        tools = [tool.name for tool in (await client.list_tools()).tools]
        _say(f"   connected, it offers {', '.join(tools)}")
        _say("\n3  Store, as an agent would")
        for memory in memories:
            await _store(client, memory)
        for number, question in enumerate(questions, start=4):
            _say(f"\n{number}  {question}\n")
            answer = await _called(
                client, "retrieve", {"query": question, "limit": 3, "session": SESSION, "explain": True}
            )
            _show(answer, question, environ)


async def _store(client: Any, memory: Saying) -> None:
    arguments = {
        name: value
        for name in ("content", "store", "title", "session")
        if (value := getattr(memory, name))  # what is empty is left out, as agents do
    }
    kept = await _called(client, "store", arguments)
    _say(f"   {kept['id']:<24} {memory.content}  ({memory.why})")


async def _called(client: Any, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    """The structured content of one call; the tool's own words when it refuses."""
    result = await client.call_tool(tool, arguments)
    if result.is_error or result.structured_content is None:
        raise DemoFailed(f"{tool}: {result.content[0].text if result.content else 'no answer'}")
    return dict(result.structured_content)


def _show(answer: dict[str, Any], question: str, environ: Mapping[str, str]) -> None:
    from mmind.cli.extent import SCREEN, WHOLE
    from mmind.cli.render import render_bundle
    from mmind.text.shortening import Places
    from mmind.wire import bundle_from_json

    bundle = bundle_from_json(answer, question)
    if not bundle.searched:
        raise DemoFailed("no store answered: " + "; ".join(f"{fault.store}: {fault.reason}" for fault in bundle.faults))
    places = Places(str(Path.cwd()), str(Path.home()))
    extent = SCREEN if sys.stdout.isatty() else WHOLE
    _terminal(environ).show(render_bundle(bundle, places, explain=False, extent=extent))


def _terminal(environ: Mapping[str, str]) -> Any:
    from mmind.cli.terminal import Terminal

    return Terminal(environ, sys.stdin, sys.stdout, sys.stderr)


def _state(vault: Path) -> dict[str, tuple[int, int]]:
    """Size and time of every file of the vault."""
    files = ((path, path.lstat()) for path in vault.rglob("*") if not path.is_dir())
    return {str(path): (status.st_size, status.st_mtime_ns) for path, status in files}


def _parts(note: Path, vault: Path) -> tuple[str, ...]:
    return note.relative_to(vault).parts


def _shown(path: Path) -> str:
    """The path from where the person stands, if it lies below."""
    absolute = path.resolve()
    return str(absolute.relative_to(Path.cwd())) if absolute.is_relative_to(Path.cwd()) else str(path)


def _innermost(error: BaseException) -> BaseException:
    """Task groups wrap what went wrong in groups of one."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _say(line: str) -> None:
    print(line, flush=True)


def _failed(line: str) -> int:
    print(f"demo: {' '.join(line.split())}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr] # real streams here
    raise SystemExit(main(sys.argv[1:]))
