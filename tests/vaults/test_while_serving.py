"""Notes that change under a running server, and links that are swapped in at any moment."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cases.client import Client
from tests.crash.killing import environment, mind_on
from tests.lag import lags
from tests.servers.programs import wait_a_moment
from tests.vaults.ground import tree
from tests.vaults.swapping import swap_while_asked

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the client of the tests is POSIX here")


@pytest.fixture
def served(vault: Path, tmp_path: Path) -> Iterator[Client]:
    home = tmp_path / "home"
    home.mkdir()
    command = [sys.executable, "-m", "mmind", str(vault)]
    client = Client(command, environment(home), home, beneath_a_parent=False)
    try:
        client.greet()
        yield client
    finally:
        client.end()


def answered(server: Client, query: str) -> dict[str, Any]:
    """The next answer that does not say it lags (M2.14), or that names a store which is away."""
    while True:
        message = server.ask("tools/call", {"name": "retrieve", "arguments": {"query": query}}).message
        assert message is not None
        answer: dict[str, Any] = message["result"]["structuredContent"]
        if answer["unavailable"] or not lags(answer.get("notes", ())):
            return answer
        wait_a_moment()


def found(server: Client, query: str) -> set[str]:
    """The ids of an answer for which every store was asked; one that was away is back at the next scan."""
    while (answer := answered(server, query))["unavailable"]:
        wait_a_moment()
    return {one["id"].partition(":")[2] for one in answer["results"]}


def test_edits_renames_deletions_and_replaced_files_are_in_the_next_answer(vault: Path, served: Client) -> None:
    note = vault / "note.md"
    note.write_text("firstzq word\n")
    assert found(served, "firstzq") == {"note.md"}
    note.write_text("secondzq word\n")
    assert (found(served, "secondzq"), found(served, "firstzq")) == ({"note.md"}, set())
    (vault / "staged").write_text("thirdzq word\n")
    (vault / "staged").replace(note)
    assert (found(served, "thirdzq"), found(served, "secondzq")) == ({"note.md"}, set())
    (vault / "sub").mkdir()
    note.rename(vault / "sub" / "renamed.md")
    assert found(served, "thirdzq") == {"sub/renamed.md"}
    (vault / "sub").rename(vault / "moved")
    assert found(served, "thirdzq") == {"moved/renamed.md"}
    (vault / "moved" / "renamed.md").rename(vault / "moved" / "RENAMED.md")
    assert found(served, "thirdzq") == {"moved/RENAMED.md"}
    (vault / "moved" / "RENAMED.md").unlink()
    assert found(served, "thirdzq") == set()


def test_a_vault_that_goes_away_is_named_and_its_notes_stay_until_it_is_back(vault: Path, served: Client) -> None:
    (vault / "note.md").write_text("stayszq word\n")
    assert found(served, "stayszq") == {"note.md"}
    vault.rename(vault.with_name("away"))
    faults = answered(served, "stayszq")["unavailable"]
    assert [(fault["store"], bool(fault["hint"])) for fault in faults] == [("markdown", True)]
    vault.with_name("away").rename(vault)
    assert found(served, "stayszq") == {"note.md"}


def test_asking_a_server_changes_no_byte_of_a_vault(vault: Path, served: Client) -> None:
    """R3, through every tool."""
    (vault / "note.md").write_bytes(b"\xef\xbb\xbf---\r\ntitle: x\r\n---\r\ncalmzq word\r\n")
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian" / "app.json").write_text("{}")
    before = tree(vault)
    assert found(served, "calmzq") == {"note.md"}
    for name, arguments in (
        ("get", {"id": "markdown:note.md"}),
        ("forget", {"id": "markdown:note.md"}),
        ("store", {"content": "calmzq more", "store": "markdown"}),
        ("store", {"content": "calmzq more", "store": "files"}),
        ("sources", {}),
    ):
        assert served.ask("tools/call", {"name": name, "arguments": arguments}).message is not None
    assert tree(vault) == before


def test_a_link_that_is_swapped_in_while_it_is_asked_for_shows_nothing_of_the_outside(
    vault: Path, tmp_path: Path
) -> None:
    """R2, shortened: `make load` does 10,000 swaps."""
    with mind_on(tmp_path / "home", vault) as mind:
        assert swap_while_asked(mind, vault, vault.parent / "vault-evil" / "canary.md", swaps=400) == []
