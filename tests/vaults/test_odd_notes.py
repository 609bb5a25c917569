"""Notes as people and programs write them, asked for through a mind: each is found, and no byte of a vault changes."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from pathlib import Path

import pytest

from mmind.router.mind import Mind
from mmind.values.errors import NotFound
from tests.vaults.conftest import OpenMind

POSIX = pytest.mark.skipif(os.name == "nt", reason="links, pipes and sockets are POSIX here")


def found(mind: Mind, query: str) -> list[str]:
    return [result.id.partition(":")[2] for result in mind.retrieve(query).results]


def skipped(mind: Mind) -> dict[str, str]:
    (status,) = [one for one in mind.sources().stores if one.name == "markdown"]
    return {one.name: one.reason for one in status.skipped}


HEADERS = {
    "yaml": "---\ntitle: Rope\ntags: [sea, rope]\n---\n",
    "yaml list": "---\ntags:\n  - sea\n  - rope\naliases:\n  - The line\n---\n",
    "crlf": "---\r\ntitle: Rope\r\ntags: sea, rope\r\n---\r\n",
    "bom": "\ufeff---\ntitle: Rope\n---\n",
    "dots": "---\ntitle: Rope\n...\n",
    "trailing blanks": "---  \ntitle: Rope\n---  \n",
    "toml": '+++\ntitle = "Rope"\n+++\n',
    "json": '{"title": "Rope"}\n\n',
    "json between lines": '---\n{"title": "Rope"}\n---\n',
    "unclosed": "---\ntitle: Rope\n\n",
    "tabs": "---\n\ttitle: Rope\n---\n",
    "double keys": "---\ntitle: Rope\ntitle: Line\n---\n",
    "odd types": "---\ntitle: 42\ntags: {a: 1}\ndate: yesterday\n---\n",
    "template": "---\ntitle: {{title}}\ndate: <% tp.date.now() %>\n---\n",
    "anchors": "---\na: &x [1, 2]\nb: *x\ntitle: Rope\n---\n",
    "empty": "---\n---\n",
    "a rule and no header": "Text above.\n\n---\n\n",
    "object tag": "---\nvalue: !!python/object/apply:os.system ['true']\n---\n",
}


@pytest.mark.parametrize("kind", HEADERS)
def test_a_note_is_found_by_its_text_whatever_its_header(kind: str, vault: Path, open_mind: OpenMind) -> None:
    (vault / "rope.md").write_bytes((HEADERS[kind] + "The hawser zq88 is frayed.\n").encode())
    mind = open_mind()
    assert found(mind, "hawser zq88 frayed") == ["rope.md"]
    assert "zq88" in mind.get("markdown:rope.md").text


ENCODINGS = {
    "utf-8": b"Der Z\xc3\xb6llner zq88 ruft.\n",
    "utf-8 with mark": b"\xef\xbb\xbfDer Z\xc3\xb6llner zq88 ruft.\n",
    "utf-16 little": "\ufeffDer Zöllner zq88 ruft.\n".encode("utf-16-le"),
    "utf-16 big": "\ufeffDer Zöllner zq88 ruft.\n".encode("utf-16-be"),
    "latin-1": "Der Zöllner zq88 ruft.\n".encode("latin-1"),
    "cr only": "Oben.\rDer Zöllner zq88 ruft.\r".encode(),
    "crlf": "Oben.\r\nDer Zöllner zq88 ruft.\r\n".encode(),
    "decomposed": "Der Zo\u0308llner zq88 ruft.\n".encode(),
}


@pytest.mark.parametrize("kind", ENCODINGS)
def test_a_note_is_found_by_an_accented_word_in_any_encoding(kind: str, vault: Path, open_mind: OpenMind) -> None:
    (vault / "gate.md").write_bytes(ENCODINGS[kind])
    mind = open_mind()
    assert found(mind, "Zöllner zq88") == ["gate.md"]
    assert "\r" not in mind.get("markdown:gate.md").text


NAMES = (
    "Übung.md",
    "Nachtra\u0308ge.md",
    "🦭 seal.md",
    "日本語.md",
    "two  blanks.md",
    "a'quote\"d.md" if os.name != "nt" else "a'quote.md",
    "%2e%2e.md",
    "C# & C++ [draft] (v1.2).md",
    "-dash.md",
    "x" * 200 + ".md",
    "UPPER.MD",
)


def test_notes_of_any_name_are_found_and_got_by_the_id_that_is_shown(vault: Path, open_mind: OpenMind) -> None:
    for number, name in enumerate(NAMES):
        (vault / name).write_text(f"entry number{number}zq\n")
    mind = open_mind()
    for number in range(len(NAMES)):
        bundle = mind.retrieve(f"number{number}zq")
        assert len(bundle.results) == 1
        assert f"number{number}zq" in mind.get(bundle.results[0].id).text


def test_names_that_differ_in_case_only_are_two_notes_where_the_drive_has_two(vault: Path, open_mind: OpenMind) -> None:
    (vault / "Winch.md").write_text("upperzq winch\n")
    (vault / "winch.md").write_text("lowerzq winch\n")
    if len(list(vault.iterdir())) == 1:
        pytest.skip("this drive takes both names for one")
    mind = open_mind()
    assert found(mind, "upperzq") == ["Winch.md"]
    assert found(mind, "lowerzq") == ["winch.md"]
    with pytest.raises(NotFound):
        mind.get("markdown:WINCH.md")


@POSIX
def test_links_lead_round_in_circles_nowhere_and_out_and_show_nothing_twice_or_from_outside(
    vault: Path, open_mind: OpenMind
) -> None:
    """R2: also a sibling folder whose name begins like the vault's."""
    (vault / "deep" / "er").mkdir(parents=True)
    (vault / "deep" / "er" / "note.md").write_text("innerzq note\n")
    for link, target in {
        "loop": ".",
        "deep/er/up": "../..",
        "dangling.md": "nowhere.md",
        "self.md": "self.md",
        "twin.md": "deep/er/note.md",
        "out.md": "../vault-evil/canary.md",
        "evil": "../vault-evil",
        "root": "/",
    }.items():
        (vault / link).symlink_to(target)
    mind = open_mind()
    assert found(mind, "innerzq note") == ["deep/er/note.md"]
    assert "canary" not in repr(mind.retrieve("canary xq17 sings").results)
    for id_ in ("out.md", "evil/canary.md", "../vault-evil/canary.md", "root/etc/hostname", "loop/../../x.md"):
        with pytest.raises(NotFound):
            mind.get(f"markdown:{id_}")
    assert {"out.md", "evil", "root"} & set(skipped(mind)) >= {"out.md", "evil"}


@POSIX
def test_pipes_and_sockets_are_named_and_hold_nobody_up(vault: Path, open_mind: OpenMind) -> None:
    (vault / "note.md").write_text("plainzq note\n")
    os.mkfifo(vault / "pipe.md")
    with tempfile.TemporaryDirectory(dir="/tmp") as short, socket.socket(socket.AF_UNIX) as unix:
        unix.bind(f"{short}/s")
        Path(f"{short}/s").rename(vault / "socket.md")
        mind = open_mind()
        assert found(mind, "plainzq note") == ["note.md"]
        assert {"pipe.md", "socket.md"} <= set(skipped(mind))
        for name in ("pipe.md", "socket.md"):
            with pytest.raises(NotFound):
                mind.get(f"markdown:{name}")


def test_hidden_and_dependency_folders_stay_out_of_answers_and_of_get(vault: Path, open_mind: OpenMind) -> None:
    for folder in (".obsidian", ".git", ".trash", "node_modules/pkg", "a/.hidden", "venv"):
        (vault / folder).mkdir(parents=True)
        (vault / folder / "hid.md").write_text("hiddenzq text\n")
    (vault / "venv" / "pyvenv.cfg").write_text("home = x\n")
    (vault / "plain.md").write_text("hiddenzq is a word in the open too\n")
    mind = open_mind()
    assert found(mind, "hiddenzq") == ["plain.md"]
    for folder in (".obsidian", "node_modules/pkg", "a/.hidden", "venv"):
        with pytest.raises(NotFound):
            mind.get(f"markdown:{folder}/hid.md")


def test_notes_of_ten_megabytes_are_read_as_far_as_the_bound_and_named(vault: Path, open_mind: OpenMind) -> None:
    line = "the winch turns and turns again\n"
    (vault / "long.md").write_text("startzq here\n\n" + line * (10_000_000 // len(line)) + "\nendzq here\n")
    with (vault / "sparse.md").open("wb") as file:
        file.write(b"sparsezq start\n")
        file.truncate(10 * 1024 * 1024)
    (vault / "one-line.md").write_text("singlezq " + "word " * 300_000)
    mind = open_mind()
    mind.index(lambda _: None)
    assert found(mind, "startzq here")[0] == "long.md"
    assert found(mind, "singlezq")[0] == "one-line.md"
    assert {"long.md", "sparse.md"} <= set(skipped(mind))
    assert len(mind.get("markdown:long.md", max_tokens=500).text) < 10_000


_AS_NOBODY = """
import os, sys, tempfile
from pathlib import Path
from mmind.wiring import open_mind

def look(home, vault):
    env = {"HOME": str(home), "MMIND_HOME": str(home / "data"), "MMIND_EMBED_MODEL": "none"}
    with open_mind(vault, env) as mind:
        print([result.id for result in mind.retrieve("openzq note").results])
        print([result.id for result in mind.retrieve("closedzq").results])
        (notes,) = [status for status in mind.sources().stores if status.name == "markdown"]
        print(notes.usable, sorted(one.name for one in notes.skipped), notes.reason)

with tempfile.TemporaryDirectory() as place:  # with all rights first: what is imported later could not be read
    (Path(place) / "vault").mkdir()
    (Path(place) / "vault" / "a.md").write_text("openzq note")
    (Path(place) / "vault" / "b.md").write_text("openzq note, another")
    look(Path(place), Path(place) / "vault")
# drop rights
look(Path(sys.argv[1]), Path(sys.argv[2]))
look(Path(sys.argv[1]), Path(sys.argv[2]) / "shut")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")
def test_a_user_without_rights_reads_what_may_be_read_and_is_told_of_the_rest() -> None:
    """R3, as a user without write permission; unreadable notes and folders are named."""
    from tests.stores.processes import open_to_all, without_rights
    from tests.vaults.ground import tree

    with open_to_all() as place:
        vault, home = place / "vault", place / "home"
        (vault / "shut").mkdir(parents=True)
        home.mkdir()
        home.chmod(0o777)
        (vault / "open.md").write_text("openzq note\n")
        (vault / "closed.md").write_text("closedzq note\n")
        (vault / "shut" / "in.md").write_text("closedzq too\n")
        (vault / "closed.md").chmod(0)
        (vault / "shut").chmod(0)
        vault.chmod(0o555)
        before = tree(vault)
        said = without_rights(_AS_NOBODY, home, vault).splitlines()
        assert tree(vault) == before
        vault.chmod(0o755)
        (vault / "shut").chmod(0o755)
    assert said[3:6] == ["['markdown:open.md']", "[]", "True ['closed.md', 'shut/'] "]
    assert said[6:8] == ["[]", "[]"]
    assert said[8].startswith("False [] ")  # a root that may not be read is a fault, and is named
    assert "cannot be read: Permission denied" in said[8]
