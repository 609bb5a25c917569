"""A case's action, done through the public face: servers over raw stdio, the command line, and hands on the files."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.cases.client import GREETING, PATIENCE, Answer, Client, Waiting
from tests.cases.grounds import Grounds, matching, put_file
from tests.cases.reading import written_out
from tests.cases.rulings import CLI_WORDS

Json = dict[str, Any]
Tree = dict[str, tuple[str, bytes, int]]

ANSWERING_IN_JSON = ("retrieve", "store", "sources", "get", "forget")


@dataclass(slots=True)
class Outcome:
    """What one call, command or hand on the files came to.

    `message` is a JSON-RPC answer (None: none came), `printed` what a command wrote, `status` its exit code, and
    `failure` what went wrong in a step that judges itself.
    """

    step: int
    tool: str = ""
    arguments: Json = field(default_factory=dict)
    message: Json | None = None
    size: int = 0
    seconds: float = 0.0
    printed: str = ""
    status: int | None = None
    failure: str = ""
    is_awaited: bool = True


@dataclass(slots=True)
class Journal:
    """Everything that came of an action: outcomes in order, and all that any process wrote."""

    outcomes: list[Outcome] = field(default_factory=list)
    stdout: list[bytes] = field(default_factory=list)
    log: str = ""
    statuses: list[int | None] = field(default_factory=list)
    is_alive_at_end: bool = True
    json_files_fault: str = "not looked at"


class Actor:
    """Does the steps of one case. Servers are started when they are first needed, called "" where a step names none."""

    def __init__(self, grounds: Grounds, variables: Mapping[str, str], check: Json, *, is_warm: bool = False) -> None:
        """With `is_warm` servers and commands are forked (`tests/warm_start.py`) where no step is about the start."""
        self._is_warm = is_warm
        self._grounds = grounds
        self._variables = variables
        self._clients: dict[str, Client] = {}
        self._ended: list[Client] = []
        self._last = ""
        self._snapshots: dict[str, Tree] = {}
        self._look_at_json_after = check.get("files_valid_json_after_step")
        self.journal = Journal()

    def act(self, action: Json) -> Journal:
        """Do the whole action and give what came of it; no process of it runs afterwards."""
        steps = action.get("steps") or action.get("each") or [action]
        try:
            for number, step in enumerate(steps):
                self._do(number, step, steps[number + 1 :])
                if number == self._look_at_json_after:
                    self.journal.json_files_fault = _json_fault(self._grounds)
            client = self._clients.get(self._last)
            self.journal.is_alive_at_end = client is None or client.is_alive()
            for name in list(self._clients):
                self._stop(name)
        finally:
            for client in (*self._clients.values(), *self._ended):
                client.end()
                self.journal.stdout += client.lines
                self.journal.log += client.log.decode("utf-8", "replace")
        return self.journal

    def _do(self, number: int, step: Json, later: Sequence[Json]) -> None:
        name = step.get("server", "")
        match step:
            case {"cli": str(command)}:
                self._note(self._run(number, command, step.get("env", {})))
            case {"fs": str(verb)}:
                self._note(Outcome(number, f"fs {verb}", failure=FS_VERBS[verb](self, step) or ""))
            case {"raw_session": list(items)}:
                self._raw_session(number, items, step.get("env", {}))
            case {"parallel": list(entries)}:
                self._in_parallel(number, entries)
            case {"restart": _}:
                for running in list(self._clients):
                    self._stop(running)
                    self._start(running, {}, later)
            case {"start": _}:
                self._start(name, step.get("env", {}), later, step.get("during", ""))
                self._note(Outcome(number, "start", failure="" if self._clients[name].is_alive() else "did not start"))
            case {"stop": _}:
                self._stop(name)
            case {"call": dict(call)}:
                self._call(number, name, call, later)
            case {"tool": str()}:
                self._call(number, name, step, later)
            case {"expect_exit_within": seconds}:
                is_gone = self._clients[self._last].has_ended_within(float(seconds))
                self._note(Outcome(number, "exit", failure="" if is_gone else f"still running after {seconds} s"))
                self._retire(self._last)
            case {"wait": seconds}:
                time.sleep(float(seconds))
            case _:
                self._at_the_pipes(name or self._last, step)

    def _at_the_pipes(self, name: str, step: Json) -> None:
        client = self._clients[name]
        match step:
            case {"close_stdin": _}:
                client.close_stdin()
            case {"close_stdout": _}:
                client.close_stdout()
            case {"kill_parent": _}:
                client.kill_parent()
            case {"signal": str(signal_name)}:
                client.signal(signal_name)
            case _:
                raise ValueError(f"no such step: {step}")

    def _note(self, outcome: Outcome) -> None:
        self.journal.outcomes.append(outcome)

    # -- servers

    def _start(self, name: str, env: Mapping[str, str], later: Sequence[Json] = (), during: str = "") -> Client:
        if name in self._clients:
            self._stop(name)
        if during:
            self._make_work(during)
        is_warm = self._is_warm and not _loses_its_parent(later)
        client = Client(
            [*([] if is_warm else [sys.executable, "-m", "mmind"]), *self._vault_argument()],
            self._grounds.environment(self._variables, env),
            self._grounds.root / "cwd",
            beneath_a_parent=_loses_its_parent(later),
            is_warm=is_warm,
        )
        self._clients[name], self._last = client, name
        client.greet()
        if during:
            self._wait_for_work(client)
        return client

    def _client(self, name: str, later: Sequence[Json] = ()) -> Client:
        self._last = name
        return self._clients.get(name) or self._start(name, {}, later)

    def _stop(self, name: str) -> None:
        if name in self._clients:
            if self._clients[name].process.poll() is None:
                self._clients[name].stop()
            self._retire(name)

    def _retire(self, name: str) -> None:
        client = self._clients.pop(name)
        self.journal.statuses.append(client.status())
        self._ended.append(client)

    def _vault_argument(self) -> list[str]:
        is_set = "MMIND_VAULT_PATH" in self._variables
        return [str(self._grounds.root / "vault")] if self._grounds.has_vault and not is_set else []

    def _make_work(self, what: str) -> None:
        """`embedding of 2000 notes`: so many new notes, which nobody has embedded yet."""
        count = next(int(word) for word in what.split() if word.isdigit())
        for number in range(count):
            put_file(self._grounds, f"vault/work/w{number}.md", f"Work note {number} about hawser {number * 7}.\n")

    def _wait_for_work(self, client: Client) -> None:
        """Return once notes wait for vectors, so that what comes next meets the embedding half way."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            message = client.ask("tools/call", {"name": "sources", "arguments": {}}).message or {}
            stores = message.get("result", {}).get("structuredContent", {}).get("stores", ())
            if any(store.get("index", {}).get("pending_vectors", 0) > 0 for store in stores):
                return
            time.sleep(0.05)

    # -- calls

    def _call(self, number: int, name: str, call: Json, later: Sequence[Json]) -> None:
        client = self._client(name, later)
        waiting = self._sent(client, call, None)
        is_awaited = client.is_alive()
        answer = client.wait(waiting, PATIENCE if is_awaited else 0.0)
        self._note(_outcome(number, call, answer, is_awaited))

    def _sent(self, client: Client, call: Json, index: int | None) -> Waiting:
        arguments = _numbered(written_out(call.get("args", {})), index)
        return client.send("tools/call", {"name": call["tool"], "arguments": arguments})

    def _in_parallel(self, number: int, entries: Sequence[Json]) -> None:
        """All calls of all entries are on their way before the first answer is waited for."""
        clients = [self._client(entry.get("server", "")) for entry in entries]
        sent: list[list[tuple[Json, Client, Waiting]]] = [[] for _ in entries]

        def send_all(place: int, entry: Json, client: Client) -> None:
            for index in range(entry.get("repeat", 1)):
                sent[place].append((_called(entry, index), client, self._sent(client, entry.get("call", entry), index)))

        threads = [
            threading.Thread(target=send_all, args=(place, entry, client))
            for place, (entry, client) in enumerate(zip(entries, clients, strict=True))
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for call, client, waiting in (one for calls in sent for one in calls):
            self._note(_outcome(number, call, client.wait(waiting), is_awaited=True))

    def _raw_session(self, number: int, items: Sequence[Any], env: Mapping[str, str]) -> None:
        """A session on a process of its own, which stays for the steps that follow."""
        if "" in self._clients:
            self._stop("")
        client = Client(
            [sys.executable, "-m", "mmind", *self._vault_argument()],
            self._grounds.environment(self._variables, env),
            self._grounds.root / "cwd",
            beneath_a_parent=False,
        )
        self._clients[""], self._last = client, ""
        for item in items:
            match item:
                case {"tool": str()}:
                    answer = client.wait(self._sent(client, item, None))
                    self._note(_outcome(number, item, answer, is_awaited=True))
                case {"method": str(method)} | str(method) if _is_method(method):
                    params = item.get("params") if isinstance(item, dict) else _params(method)
                    self._note(_outcome(number, {"tool": method}, client.ask(method, params), is_awaited=True))
                case _:
                    text = item if isinstance(item, str) else item.get("raw", json.dumps(item))
                    client.write(text.encode("utf-8", "surrogatepass") + b"\n")
                    client.ask("ping")

    # -- the command line

    def _run(self, number: int, command: str, env: Mapping[str, str]) -> Outcome:
        words = shlex.split(command)[1:]
        words = CLI_WORDS.get(" ".join(words), words)
        if words[0] in ANSWERING_IN_JSON and command.split()[1] == words[0] and "--json" not in words:
            words = [*words, "--json"]
        started = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-m", "mmind", *words, *(f"--vault={folder}" for folder in self._vault_argument())],
            capture_output=True,
            env=self._grounds.environment(self._variables, env),
            cwd=self._grounds.root / "cwd",
            timeout=PATIENCE,
            check=False,
        )
        printed = done.stdout.decode("utf-8", "replace")
        self.journal.log += printed + done.stderr.decode("utf-8", "replace")
        message = {"result": {"structuredContent": json.loads(printed)}} if printed.startswith("{") else None
        seconds = time.monotonic() - started
        return Outcome(number, words[0], {}, message, len(printed), seconds, printed, done.returncode)

    # -- hands on the files

    def paths(self, step: Json) -> list[Path]:
        """The files that a step names by `path` or `glob`."""
        return matching(self._grounds, step["glob"]) if "glob" in step else [self._grounds.path(step["path"])]

    def snapshot(self, step: Json) -> None:
        """Remember a folder as it is."""
        self._snapshots[step["path"]] = tree(self._grounds.path(step["path"]))

    def compare(self, step: Json) -> str:
        """What differs from the snapshot."""
        return difference(self._snapshots[step["path"]], tree(self._grounds.path(step["path"])))

    def put(self, step: Json) -> None:
        """Write a file in place, with whatever form of content."""
        put_file(self._grounds, step["path"], _content(step))

    def put_atomically(self, step: Json) -> None:
        """Write a file beside it and move it there, as editors do."""
        put_file(self._grounds, f"{step['path']}.tmp-of-editor", _content(step))
        self._grounds.path(f"{step['path']}.tmp-of-editor").replace(self._grounds.path(step["path"]))

    def rename(self, step: Json) -> None:
        """Move a file or folder."""
        target = self._grounds.path(step["to"])
        target.parent.mkdir(parents=True, exist_ok=True)
        self._grounds.path(step["path"]).rename(target)

    def run_sql(self, step: Json) -> None:
        """Another program at a SQLite file."""
        connection = sqlite3.connect(self._grounds.path(step["path"]))
        connection.executescript(step["sql"])
        connection.close()

    def cut(self, step: Json) -> None:
        """Tear the end off: so many bytes, or half."""
        for path in self.paths(step):
            size = path.stat().st_size
            os.truncate(path, size // 2 if step["fs"] == "truncate_half" else max(0, size - step["bytes"]))

    def change_mode(self, step: Json) -> None:
        """Other permissions."""
        for path in self.paths(step):
            path.chmod(int(str(step["mode"]), 8))

    def delete(self, step: Json) -> None:
        """Remove files or folders."""
        for path in self.paths(step):
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink()


FS_VERBS: dict[str, Callable[[Actor, Json], str | None]] = {
    "snapshot": Actor.snapshot,
    "compare": Actor.compare,
    "write": Actor.put,
    "replace_atomically": Actor.put_atomically,
    "rename": Actor.rename,
    "delete": Actor.delete,
    "chmod": Actor.change_mode,
    "truncate_tail": Actor.cut,
    "truncate_half": Actor.cut,
    "sqlite": Actor.run_sql,
}


def tree(folder: Path) -> Tree:
    """Every entry below a folder: what it is, its bytes, its mtime."""
    found: Tree = {}
    for path in [folder, *folder.rglob("*")]:
        status = path.lstat()
        kind = oct(status.st_mode)
        data = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else b""
        found[str(path.relative_to(folder))] = (kind, data, status.st_mtime_ns)
    return found


def difference(before: Tree, after: Tree) -> str:
    """The names whose entries differ, "" when none does."""
    return ", ".join(sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name)))


def _json_fault(grounds: Grounds) -> str:
    files = matching(grounds, "data/files/**/*.json*")
    if not files:
        return "there is no JSON file"
    for file in files:
        text = file.read_text("utf-8")
        try:
            json.loads(text)
        except ValueError:
            try:
                [json.loads(line) for line in text.splitlines()]
            except ValueError as error:
                return f"{file.name}: {error}"
    return ""


def _outcome(number: int, call: Json, answer: Answer, is_awaited: bool) -> Outcome:
    arguments = written_out(call.get("args", {}))
    return Outcome(number, call["tool"], arguments, answer.message, answer.size, answer.seconds, is_awaited=is_awaited)


def _called(entry: Json, index: int) -> Json:
    call = entry.get("call", entry)
    return {"tool": call["tool"], "args": _numbered(call.get("args", {}), index)}


def _numbered(value: Any, index: int | None) -> Any:
    if index is None:
        return value
    if isinstance(value, dict):
        return {name: _numbered(item, index) for name, item in value.items()}
    return value.replace("{i}", str(index)) if isinstance(value, str) else value


def _loses_its_parent(later: Sequence[Json]) -> bool:
    """Whether the server that is started now will have its parent killed."""
    for step in later:
        if "kill_parent" in step:
            return True
        if "start" in step or "restart" in step or "stop" in step:
            return False
    return False


def _content(step: Json) -> Any:
    return step.get("content", step.get("text", ""))


def _is_method(text: str) -> bool:
    return text in ("initialize", "ping") or (text.count("/") == 1 and text.replace("/", "").isalpha())


def _params(method: str) -> Json | None:
    return GREETING if method == "initialize" else None
