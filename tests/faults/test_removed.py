"""What somebody removes under a running server: the next answer is right or names what is missing, and writes go on."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.lag import lags
from tests.server.wired import Wired, environment, vault
from tests.servers.programs import wait_a_moment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no open file can be removed on Windows, told of POSIX")
STORES = ("sqlite", "leveldb", "files", "vector")


def index_and_all(data: Path) -> None:
    for file in data.glob("index.db*"):
        file.unlink() if file.is_file() else shutil.rmtree(file)


def journal_of_the_index(data: Path) -> None:
    for file in data.glob("index.db-*"):
        file.unlink()


def audit_log(data: Path) -> None:
    shutil.rmtree(data / "audit")


def home(data: Path) -> None:
    shutil.rmtree(data)


def kept_in(store: str) -> Callable[[Path], None]:
    def remove(data: Path) -> None:
        places = {"sqlite": "memory.db*", "leveldb": "leveldb", "files": "files", "vector": "vector-index"}
        for place in data.glob(places[store]):
            place.unlink() if place.is_file() else shutil.rmtree(place)

    remove.__name__ = store
    return remove


def test_whatever_is_removed_under_a_server_it_answers_from_the_rest_and_takes_new_memories(tmp_path: Path) -> None:
    """M1.2, M2.14; in one server, one removal after the other: each meets a home that was mended before."""
    notes = vault(tmp_path, {"rent.md": "# Rent\nThe rent is 900 euros.\n"})
    removals = [index_and_all, journal_of_the_index, audit_log, *map(kept_in, STORES), home]
    with Wired.mmind(notes, environment(tmp_path)) as server:
        server.greet()
        for number, remove in enumerate(removals):
            stored(server, f"The lamp of round {number} is green")
            remove(tmp_path / "data")
            lost = set(STORES) if remove is home else {remove.__name__} & set(STORES)
            assert found_in(server, f"lamp round {number} green", number) == set(STORES) - lost, remove.__name__
            assert server.found("rent")[0]["id"] == "markdown:rent.md"
            stored(server, f"The lamp of round {number} is blue now")
            assert found_in(server, f"lamp round {number} blue", number) == set(STORES), remove.__name__
        assert server.call("sources").get("isError", False) is False
        assert server.close() == 0


def stored(server: Wired, text: str) -> None:
    """The text in every store; durable when this returns."""
    for store in STORES:
        result = server.call("store", content=f"{text}, says {store}.", store=store)
        assert result.get("isError", False) is False, result


def found_in(server: Wired, query: str, number: int) -> set[str]:
    """Where memories of this round are found; without the stores that are named as away, whose index is kept.

    An answer that says of a store that its index lags is no answer yet: on a busy machine a scan may rest.
    """
    colour = query.rsplit(maxsplit=1)[-1]
    while True:
        answer = server.call("retrieve", query=query, limit=50)["structuredContent"]
        away = {fault["store"] for fault in answer["unavailable"]}
        if not lags(note for note in answer.get("notes", ()) if note.partition(":")[0] not in away):
            break
        wait_a_moment()
    wanted = [one for one in answer["results"] if f"round {number} is {colour}" in one["text"]]
    return {place["store"] for one in wanted for place in one["provenance"]} - away
