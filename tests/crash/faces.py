"""Kills of whole programs: the MCP server with requests under way, and the command line."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

from tests.cases.client import Client
from tests.crash.killing import ROUNDS_A_LOOK, Tally, answers, environment, found_in, index_complaints
from tests.crash.oracle import Oracle, id_of, text_of
from tests.faults import disk

AT_ONCE = 12  # requests sent to a server before it is killed
CLI_CHANGES = 160  # a `mmind store` makes 60 to 250 changes of files


def kill_servers(store: str, home: Path, kills: int, seed: int) -> Tally:
    """Kill so many servers, each after some of twelve `store` and `forget` calls were answered, the rest under way."""
    rng, oracle, tally = random.Random(f"{seed}-server-{store}"), Oracle(), Tally()
    home.mkdir(parents=True)
    for round_ in range(kills):
        client = Client([sys.executable, "-m", "mmind"], environment(home), home, beneath_a_parent=False)
        try:
            client.greet()
            tally.acknowledged += _asked_and_killed(client, store, oracle, f"s{store[0]}{seed}r{round_}", rng)
            tally.kills += 1
        finally:
            client.end()
        _look(store, home, oracle, tally, rng, is_time=round_ % ROUNDS_A_LOOK == 7 or round_ == kills - 1)
    return tally


def kill_commands(store: str, home: Path, kills: int, seed: int) -> Tally:
    """Kill so many `mmind store` and `mmind forget` at their n-th change of a file."""
    rng, oracle, tally = random.Random(f"{seed}-command-{store}"), Oracle(), Tally()
    home.mkdir(parents=True)
    for round_ in range(20 * kills):
        verb, token = "put", f"c{store[0]}{seed}r{round_}"
        if oracle.kept and rng.random() < 0.3:
            verb, token = "forget", rng.choice(sorted(oracle.kept))
        more = disk.watched(home.parent, kill_at=rng.randrange(1, CLI_CHANGES))
        oracle.begun(token)
        status = subprocess.run(
            _command(verb, store, token), env=environment(home, more), capture_output=True, timeout=60, check=False
        ).returncode
        if status == 0:
            oracle.done(verb, token)
            tally.acknowledged += 1
        tally.kills += status < 0
        tally.ended += status >= 0
        tally.complain([f"status {status}"] if status > 0 else [], round_)
        _look(store, home, oracle, tally, rng, is_time=tally.kills == kills)
        if tally.kills == kills:
            break
    return tally


def _command(verb: str, store: str, token: str) -> list[str]:
    words = [sys.executable, "-m", "mmind"]
    if verb == "put":
        return [*words, "store", "--store", store, text_of(token)]
    return [*words, "forget", "--yes", f"{store}:{id_of(token)}"]


def _asked_and_killed(client: Client, store: str, oracle: Oracle, who: str, rng: random.Random) -> int:
    sent = []
    for number in range(AT_ONCE):
        verb, token = "put", f"{who}n{number}"
        sure = sorted(oracle.kept)
        if sure and rng.random() < 0.3:
            verb, token = "forget", rng.choice(sure)
        oracle.begun(token)
        sent.append((verb, token, client.send("tools/call", _call(verb, store, token))))
    for _, _, waiting in sent[: rng.randrange(1, AT_ONCE)]:
        client.wait(waiting)
    client.process.kill()
    acknowledged = 0
    for verb, token, waiting in sent:
        message = client.wait(waiting).message
        if message is None:
            continue
        assert not message["result"].get("isError"), json.dumps(message)
        oracle.done(verb, token)
        acknowledged += 1
    return acknowledged


def _call(verb: str, store: str, token: str) -> dict[str, object]:
    if verb == "put":
        return {"name": "store", "arguments": {"content": text_of(token), "store": store}}
    return {"name": "forget", "arguments": {"id": f"{store}:{id_of(token)}"}}


def _look(store: str, home: Path, oracle: Oracle, tally: Tally, rng: random.Random, *, is_time: bool) -> None:
    found = found_in(store, home)
    tally.complain(oracle.complaints(found), tally.kills)
    oracle.settle(found)
    if is_time:
        tally.complain([*answers(store, home, oracle, rng), *index_complaints(home)], tally.kills)
