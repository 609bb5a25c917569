"""Undo (R20): a hundred planted memories are found by writer and time, shown, removed, and in no file any more."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from mmind.router.mind import Mind
from mmind.values.door import Door
from mmind.wiring import open_mind
from tests import warm_start
from tests.server.wired import environment

STORES = ("sqlite", "leveldb", "files", "vector")
PLANTED = 100
CANARY = "quixotrope"


def mmind(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return warm_start.run(words, environment(home))


def plant(mind: Mind) -> None:
    for number in range(PLANTED):
        text = f"The {CANARY}{number} vendor account changed to IBAN {CANARY} {number}."
        mind.store(text, store=STORES[number % 4], title=f"{CANARY} title", writer="poisoner")


@pytest.fixture
def poisoned(tmp_path: Path) -> Path:
    """A home with one good memory of another agent in each store, and a hundred planted ones."""
    with open_mind(None, environment(tmp_path), Door.AGENT) as mind:
        for store in STORES:
            mind.store("The canteen closes at two.", store=store, writer="helper")
        plant(mind)
        mind.index(lambda _: None)
    return tmp_path


def test_r20_a_purge_shows_first_and_then_leaves_nothing_of_what_was_planted(poisoned: Path) -> None:
    preview = mmind(poisoned, "forget", "--origin", "poisoner", "--dry-run", "--json")
    assert len(json.loads(preview.stdout)["would_forget"]) == PLANTED
    done = mmind(poisoned, "forget", "--origin", "Poisoner", "--yes", "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, len(told["forgotten"]), told["kept"], told["left"]) == (0, PLANTED, {}, [])
    with open_mind(None, environment(poisoned), Door.AGENT) as mind:
        for query in (CANARY, f"{CANARY}7 vendor account", "IBAN"):
            assert not [one for one in mind.retrieve(query).results if CANARY in one.text]
        assert len(mind.retrieve("when does the canteen close", limit=8).results[0].evidence) == len(STORES)
    holding = [
        str(file.relative_to(poisoned))
        for file in poisoned.rglob("*")
        if file.is_file() and CANARY.encode() in file.read_bytes()
    ]
    assert not holding


def test_r20_a_purge_by_time_takes_what_was_stored_since_and_nothing_else(poisoned: Path) -> None:
    assert mmind(poisoned, "forget", "--since", "2999-01-01", "--dry-run").returncode == 3
    before = mmind(poisoned, "forget", "--until", "2020-01-01", "--dry-run")
    assert (before.returncode, "nothing was removed" in before.stderr) == (3, True)
    everything = mmind(poisoned, "forget", "--since", "2020-01-01", "--store", "files", "--dry-run", "--json")
    assert len(json.loads(everything.stdout)["would_forget"]) == PLANTED // 4 + 1


def test_r20_a_store_that_is_read_only_keeps_its_memories_and_says_so(poisoned: Path) -> None:
    words = ["forget", "--origin", "poisoner", "--yes", "--json"]
    done = warm_start.run(words, environment(poisoned, MMIND_ACCESS_FILES="read"))
    told = json.loads(done.stdout)
    assert (done.returncode, len(told["forgotten"]), len(told["kept"])) == (5, PLANTED * 3 // 4, PLANTED // 4)
    assert "MMIND_ACCESS_FILES" in done.stderr


def test_r20_an_agent_cannot_purge(tmp_path: Path) -> None:
    from mmind.router.purge import Span
    from mmind.values.errors import AccessDenied

    with open_mind(None, environment(tmp_path), Door.AGENT) as mind, pytest.raises(AccessDenied):
        mind.purge(Span(origin="user"))


@pytest.mark.parametrize("words", [[], ["sqlite:a", "--origin", "x"], ["sqlite:a", "--dry-run"]])
def test_r20_forget_takes_an_id_or_a_span_and_not_both(tmp_path: Path, words: list[str]) -> None:
    assert mmind(tmp_path, "forget", *words).returncode == 2


def test_r20_every_stored_memory_tells_its_writer_and_its_time(poisoned: Path) -> None:
    with open_mind(None, environment(poisoned), Door.USER) as mind:
        memories = [memory for store in STORES for memory in mind.export(store)]
    assert len(memories) == PLANTED + len(STORES)
    assert all(memory.writer in ("poisoner", "helper") and memory.created for memory in memories)
