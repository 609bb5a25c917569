"""Five servers and the command line on one data home, each working as fast as it can, with a vault edited beside them.

Every reply is judged as it comes, and at the end all stores are held against what was acknowledged.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mmind.audit.reading import verify
from tests.cases.client import Client
from tests.crash.killing import PLACES, environment, found_in, index_complaints
from tests.crash.oracle import Oracle, id_of, text_of
from tests.lag import lags

SERVERS = 5
NOTES = 20
LOCK_WORDS = ("locked", "busy", "another program", "held by", "try again")


@dataclass(slots=True)
class Record:
    """What was done and what was wrong, by all threads together."""

    replies: dict[str, int] = field(default_factory=dict)
    late: int = 0
    complaints: list[str] = field(default_factory=list)
    oracles: dict[str, Oracle] = field(default_factory=lambda: {store: Oracle() for store in PLACES})
    turn: threading.Lock = field(default_factory=threading.Lock)

    def count(self, what: str) -> None:
        """One more reply of this kind."""
        with self.turn:
            self.replies[what] = self.replies.get(what, 0) + 1

    def complain(self, said: str) -> None:
        """Something is not as promised."""
        with self.turn:
            self.complaints.append(said[:400])


class Hammer:
    """The processes on one home, and the threads that drive them."""

    def __init__(self, place: Path, seed: int, model: str) -> None:
        self.home, self.vault = place / "home", place / "vault"
        self.home.mkdir()
        self.vault.mkdir()
        self.record = Record()
        self._seed = seed
        self._environment = environment(self.home, {"MMIND_VAULT_PATH": str(self.vault), "MMIND_EMBED_MODEL": model})
        for number in range(NOTES):
            self._write_note(number, f"first{number}")
        command = [sys.executable, "-m", "mmind"]
        self.servers = [Client(command, self._environment, self.home, beneath_a_parent=False) for _ in range(SERVERS)]

    def run(self, seconds: float) -> Record:
        """Let all work for so long, then look at what is left."""
        for server in self.servers:
            server.greet()
        end = time.monotonic() + seconds
        workers = [threading.Thread(target=self._guarded, args=(self._serve, end, n)) for n in range(SERVERS)]
        workers += [threading.Thread(target=self._guarded, args=(work, end, 9)) for work in (self._command, self._edit)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        self._look()
        return self.record

    def close(self) -> None:
        """End the servers."""
        for server in self.servers:
            server.end()

    def _guarded(self, work: Callable[[float, int], None], end: float, number: int) -> None:
        try:
            work(end, number)
        except Exception as error:  # noqa: BLE001 - a thread's failure is the test's
            self.record.complain(f"{work.__name__} {number} ended: {error!r}")

    # Each thread's work

    def _serve(self, end: float, number: int) -> None:
        """One agent: it stores, asks another server for it, forgets some through yet another, and looks around."""
        rng, count = random.Random(f"{self._seed}-{number}"), 0
        kept: list[tuple[str, str]] = []
        while time.monotonic() < end:
            count += 1
            store, token = rng.choice(sorted(PLACES)), f"agent{number}t{count}s{self._seed}"
            self._put(self.servers[number], store, token)
            kept.append((store, token))
            other = self.servers[(number + rng.randrange(1, SERVERS)) % SERVERS]
            if rng.random() < 0.5:
                self._expect(other, store, token, is_there=True)
            if rng.random() < 0.25:
                gone_store, gone = kept.pop(rng.randrange(len(kept)))
                self._forget(other, gone_store, gone)
                self._expect(self.servers[number], gone_store, gone, is_there=False)
            if rng.random() < 0.1:
                self._call(other, "sources")
            if kept and rng.random() < 0.2:
                some_store, some = rng.choice(kept)
                self._call(other, "get", id=f"{some_store}:{id_of(some)}")

    def _command(self, end: float, _number: int) -> None:
        """A person at the command line, whose writes the servers must find and whose reads must find theirs."""
        rng, count = random.Random(f"{self._seed}-command"), 0
        while time.monotonic() < end:
            count += 1
            store, token = rng.choice(sorted(PLACES)), f"person{count}s{self._seed}"
            with self.record.turn:
                self.record.oracles[store].begun(token)
            done = self._run("store", "--store", store, text_of(token))
            if done.returncode == 0:
                with self.record.turn:
                    self.record.oracles[store].done("put", token)
                self._expect(self.servers[count % SERVERS], store, token, is_there=True)
            self._judge_command("store", done)
            asked = self._run("retrieve", "--json", f"{token} opens")
            self._judge_command("retrieve", asked)
            silent = json.loads(asked.stdout or "{}").get("unavailable", "no answer")
            if silent:
                self.record.complain(f"mmind retrieve: a store was not there: {silent}")
            if done.returncode == 0 and f"{store}:{id_of(token)}" not in asked.stdout:
                self.record.complain(f"the command line does not find its own {token}")

    def _edit(self, end: float, _number: int) -> None:
        """A person in an editor: after each edit, rename or deletion the next answer of a server is asked for it."""
        rng, count = random.Random(f"{self._seed}-edit"), 0
        while time.monotonic() < end:
            count += 1
            number, word = rng.randrange(NOTES), f"edit{count}s{self._seed}"
            self._write_note(number, word)
            server = self.servers[count % SERVERS]
            for _ in range(50):
                found, notes = self._asked(server, f"{word} is the word")
                if f"markdown:n{number}.md" in found:
                    break
                if not lags([notes]):
                    self.record.complain(f"edit {word} is not in the next answer, which says {notes!r}")
                    break
                with self.record.turn:
                    self.record.late += 1
            else:
                self.record.complain(f"edit {word} is still not found after fifty answers")

    # One step

    def _put(self, server: Client, store: str, token: str) -> None:
        with self.record.turn:
            self.record.oracles[store].begun(token)
        if self._call(server, "store", content=text_of(token), store=store) is not None:
            with self.record.turn:
                self.record.oracles[store].done("put", token)

    def _forget(self, server: Client, store: str, token: str) -> None:
        with self.record.turn:
            self.record.oracles[store].begun(token)
        if self._call(server, "forget", id=f"{store}:{id_of(token)}") is not None:
            with self.record.turn:
                self.record.oracles[store].done("forget", token)

    def _expect(self, server: Client, store: str, token: str, *, is_there: bool) -> None:
        found, notes = self._asked(server, f"{token} opens")
        if (f"{store}:{id_of(token)}" in found) is not is_there:
            self.record.complain(f"{store} {token}: expected {is_there} in the next answer of another; {notes!r}")

    def _asked(self, server: Client, query: str) -> tuple[set[str], str]:
        result = self._call(server, "retrieve", query=query)
        if result is None:
            return set(), ""
        answer = result["structuredContent"]
        return {one["id"] for one in answer["results"]}, json.dumps([answer.get("notes"), answer["unavailable"]])

    def _call(self, server: Client, tool: str, **arguments: object) -> dict[str, Any] | None:
        """The result of a tool, judged; None when it was refused or never came."""
        message = server.wait(server.send("tools/call", {"name": tool, "arguments": arguments})).message
        self.record.count(tool)
        if message is None or "result" not in message or message["result"].get("isError"):
            self.record.complain(f"{tool} {str(arguments)[:80]}: {json.dumps(message)}")
            return None
        result: dict[str, Any] = message["result"]
        for store in result["structuredContent"].get("unavailable", []):
            self.record.complain(f"{tool}: a store was not there: {store}")
        return result

    def _judge_words(self, what: str, said: str) -> None:
        if any(word in said for word in LOCK_WORDS):
            self.record.complain(f"{what}: a reply speaks of locks: {said}")

    def _run(self, *words: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "mmind", *words]
        return subprocess.run(
            command, env=self._environment, cwd=self.home, capture_output=True, text=True, timeout=120, check=False
        )

    def _judge_command(self, verb: str, done: subprocess.CompletedProcess[str]) -> None:
        self.record.count(f"mmind {verb}")
        if done.returncode:
            self.record.complain(f"mmind {verb}: status {done.returncode} {done.stderr}")
        self._judge_words(f"mmind {verb}", done.stderr)

    def _write_note(self, number: int, word: str) -> None:
        """Now in place, now by replacing the file, as editors do."""
        text = f"# Note {number}\n\n{word} is the word of the day.\n"
        note = self.vault / f"n{number}.md"
        if len(word) % 2:
            note.write_text(text)
            return
        staged = self.vault / f".n{number}.tmp"
        staged.write_text(text)
        staged.replace(note)

    # The end

    def _look(self) -> None:
        """Counts are equal in every process and equal to what was acknowledged; nothing is lost or half-written."""
        counts = [self._counts(server) for server in self.servers]
        expected = {store: len(oracle.kept) for store, oracle in self.record.oracles.items()}
        for number, counted in enumerate(counts):
            if {store: counted.get(store) for store in PLACES} != expected:
                self.record.complain(f"server {number} counts {counted}, acknowledged {expected}")
        for store, oracle in self.record.oracles.items():
            for said in oracle.complaints(found_in(store, self.home)):
                self.record.complain(f"{store}: {said}")
        for said in index_complaints(self.home):
            self.record.complain(said)
        verdict = verify(self.home / "audit")
        if not verdict.holds:
            self.record.complain(f"audit: {verdict}")

    def _counts(self, server: Client) -> dict[str, int]:
        result = self._call(server, "sources")
        stores = result["structuredContent"]["stores"] if result else []
        for store in stores:
            if not store["usable"]:
                self.record.complain(f"not usable: {store}")
        return {store.get("name", store.get("store")): store["entries"] for store in stores}
