"""The vault; A01 to A13 and B16 name the cases from real bug reports that a test stands for."""

from __future__ import annotations

import base64
import os
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mmind.stores.markdown import MarkdownEngine, open_engine
from mmind.stores.registry import EngineOptions
from mmind.values.errors import EngineUnavailable
from mmind.values.memory import Memory, TextFormat, Trust
from mmind.values.ports import Changes, Mark
from tests.stores.processes import open_to_all, without_rights

posix = pytest.mark.skipif("sys.platform == 'win32'", reason="links and pipes of another kind there")
CANARY = "the canary is outside"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    return folder


def engine_on(vault: Path, options: EngineOptions | None = None) -> MarkdownEngine:
    return open_engine("markdown", vault, options or EngineOptions())


def write(vault: Path, notes: dict[str, str | bytes]) -> None:
    for place, text in notes.items():
        path = vault / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


def taken(engine: MarkdownEngine, mark: Mark | None = None) -> dict[str, Memory]:
    return {memory.id: memory for memory in engine.changes(mark or Mark()).changed}


def everything(engine: MarkdownEngine, mark: Mark | None = None) -> tuple[dict[str, Memory], Changes, dict[str, str]]:
    """The memories by id, the changes, and what was skipped with the reason."""
    changes = engine.changes(mark or Mark())
    memories = {memory.id: memory for memory in changes.changed}
    return memories, changes, {skipped.name: skipped.reason for skipped in changes.skipped}


def mark_of(memories: dict[str, Memory]) -> Mark:
    return Mark("", {key: memory.fingerprint for key, memory in memories.items()})


# What a note is


def test_a_note_carries_its_facts_its_place_and_the_users_trust(vault: Path) -> None:
    front = "title: The winch\ntags: [ferry, tools]\naliases: [Windlass]\nupdated: 2026-02-03\n"
    text = f"---\n{front}---\n# Use\nSee [[Drum]].\n"
    write(vault, {"Quay/winch.md": text})
    (note,) = taken(engine_on(vault)).values()
    assert (note.store, note.id, note.title, note.text) == ("markdown", "Quay/winch.md", "The winch", text)
    assert set(note.tags) == {"ferry", "tools"}
    assert "Windlass" in note.aliases
    assert "Drum" in note.links
    assert (note.trust, note.writer, note.format) == (Trust.CURATED, "user", TextFormat.MARKDOWN)
    assert note.path == str(vault / "Quay" / "winch.md")
    assert (note.time, note.time_kind) == (datetime(2026, 2, 3, tzinfo=UTC), "front matter")


@pytest.mark.parametrize(
    ("name", "text", "time", "kind"),
    [
        ("2026-05-26.md", "---\nupdated: 2026-06-01\ndate: 2026-05-30\n---\n", "2026-06-01T00:00:00Z", "front matter"),
        ("2026-05-26.md", "---\nmodified: 2026-06-02\n---\nx\n", "2026-06-02T00:00:00Z", "front matter"),
        ("2026-05-26.md", "---\ndate: 2026-05-30\n---\nx\n", "2026-05-30T00:00:00Z", "front matter"),
        ("2026-05-26.md", "---\ncreated: 2020-01-01\n---\nx\n", "2026-05-26T00:00:00Z", "file name"),
        ("note.md", "---\ncreated: 1999-01-01\n---\nx\n", "2001-09-09T01:46:40Z", "file mtime"),
    ],
)
def test_the_surest_time_speaks(vault: Path, name: str, text: str, time: str, kind: str) -> None:
    write(vault, {name: text})
    os.utime(vault / name, (1_000_000_000, 1_000_000_000))
    (note,) = taken(engine_on(vault)).values()
    assert (note.time, note.time_kind) == (datetime.fromisoformat(time), kind)


def test_folders_marked_as_generated_are_the_agents_and_a_change_of_marking_is_seen(vault: Path) -> None:
    write(vault, {"agent/a.md": "---\ntrust: curated\n---\nx\n", "mine.md": "x\n"})
    marked = engine_on(vault, EngineOptions(generated=("agent/**",)))
    before, after = taken(engine_on(vault)), taken(marked)
    assert {note.trust for note in before.values()} == {Trust.CURATED}
    assert (after["agent/a.md"].trust, after["agent/a.md"].writer) == (Trust.GENERATED, "agent")
    assert after["mine.md"].trust is Trust.CURATED
    assert list(taken(marked, mark_of(before))) == ["agent/a.md"]
    assert taken(marked, mark_of(after)) == {}


def test_both_suffixes_are_notes_in_any_case_and_nothing_else_is(vault: Path) -> None:
    write(vault, {"a.md": "x", "b.MD": "x", "c.Markdown": "x", "d.txt": "x", "e.md.bak": "x", "md": "x"})
    assert set(taken(engine_on(vault))) == {"a.md", "b.MD", "c.Markdown"}


# A01, A02, A09: what is wrong with one note


def test_broken_front_matter_costs_a_note_its_metadata_and_is_named_even_when_nothing_is_read(vault: Path) -> None:
    """A01."""
    broken = {
        "win-path.md": "---\ntool: `D:\\jobs\\run`\nowner: ops\n---\n# Batch runner\nIt restarts the marigold queue.\n",
        "star-title.md": "---\ntitle: *Quarterly* review\n---\nThe quarterly review covers heron sales.\n",
        "list-link.md": "---\nrelated:\n  - [[Heron]]-notes\n---\nSee the osprey checklist before release.\n",
        "colon.md": "---\ndescription: Rules for exports: read these first\n---\nFiles go to juniper.\n",
    }
    write(vault, {**broken, "good.md": "---\ntitle: Lighthouse rota\n---\nIt changes on Mondays.\n"})
    memories, _, skipped = everything(engine_on(vault))
    assert {key: note.text for key, note in memories.items() if key in broken} == broken
    assert memories["good.md"].title == "Lighthouse rota"
    assert set(skipped) == set(broken)
    again, changes, still = everything(engine_on(vault), mark_of(memories))
    assert again == {}
    assert still == skipped
    assert len(changes.skipped) == 4


def test_typed_values_nothing_and_empty_notes_are_no_trouble(vault: Path) -> None:
    """A02."""
    write(
        vault,
        {
            "dated.md": "---\ntitle: 2026-06-03\ntags:\n  - 2024\n  - true\naliases: 7\n---\nx\n",
            "nulls.md": "---\ntitle:\ntype: null\ntags:\naliases: []\n---\nx\n",
            "comma.md": "---\ntags: pottery, glaze\n---\nx\n",
            "nested.md": "---\nmeta:\n  made: 2025-01-02\n  by: [ana, {role: helper}]\n---\nx\n",
            "empty.md": "",
            "blank.md": "\n  \n",
            "only-front.md": "---\ntitle: Placeholder\n---\n",
        },
    )
    memories, _, skipped = everything(engine_on(vault))
    assert skipped == {}
    assert {key: note.title for key, note in memories.items()} == {
        "dated.md": "2026-06-03",
        "nulls.md": "nulls",
        "comma.md": "comma",
        "nested.md": "nested",
        "empty.md": "empty",
        "blank.md": "blank",
        "only-front.md": "Placeholder",
    }
    assert set(memories["comma.md"].tags) == {"pottery", "glaze"}


def test_other_encodings_are_read_and_what_is_no_text_is_named(vault: Path) -> None:
    """A09."""
    binary = base64.b64decode("/9j/4AAQSkYAAP7t") * 30
    write(
        vault,
        {
            "latin1.md": "# Käsekeller\nDer Käse reift im Gewölbe.\n".encode("latin-1"),
            "utf16.md": "# Anchor log\nThe anchor chain.\n".encode("utf-16"),
            "binary.md": binary,
            "ok.md": "The cheese cellar stays at nine degrees.\n",
        },
    )
    memories, changes, skipped = everything(engine_on(vault))
    assert "Gewölbe" in memories["latin1.md"].text
    assert memories["utf16.md"].text == "# Anchor log\nThe anchor chain.\n"
    assert set(memories) == {"latin1.md", "utf16.md", "ok.md"}
    assert "not text" in skipped["binary.md"]
    assert "ok.md" not in skipped
    assert list(changes.gone) == []


def test_a_note_that_turns_binary_is_gone_and_named(vault: Path) -> None:
    write(vault, {"a.md": "text\n"})
    engine = engine_on(vault)
    mark = mark_of(taken(engine))
    write(vault, {"a.md": b"\x00\x01\x02" * 300})
    changes = engine.changes(mark)
    assert list(changes.changed) == []
    assert list(changes.gone) == ["a.md"]
    assert [skipped.name for skipped in changes.skipped] == ["a.md"]


def test_the_last_line_of_a_long_transcript_is_read(vault: Path) -> None:
    """B16."""
    line = "The clerk read the minutes and the members looked out at the rain over the pier.\n\n"
    write(vault, {"transcript.md": "# Meeting\n\n" + line * 20_000 + "The lens goes to the museum in Velm.\n"})
    memories, _, skipped = everything(engine_on(vault))
    assert memories["transcript.md"].text.endswith("The lens goes to the museum in Velm.\n")
    assert not memories["transcript.md"].truncated
    assert skipped == {}


def test_beyond_the_bound_a_note_is_cut_at_a_line_flagged_and_named(vault: Path) -> None:
    line = "Zürich — " * 20 + "\n"
    write(vault, {"log.md": line * 45_000, "one-line.md": "ü" * 5_000_000})
    engine = engine_on(vault)
    memories, _, skipped = everything(engine)
    assert memories["log.md"].truncated
    assert memories["log.md"].text.endswith(line)
    assert 8_000_000 < len(memories["log.md"].text.encode()) <= 8 * 1024 * 1024
    assert memories["one-line.md"].text == "ü" * len(memories["one-line.md"].text)
    assert {place: "8 MiB" in reason for place, reason in skipped.items()} == {"log.md": True, "one-line.md": True}
    assert set(everything(engine, mark_of(memories))[2]) == {"log.md", "one-line.md"}


# A05: nothing is written


def test_the_vault_refuses_to_be_written_and_says_what_to_do(vault: Path) -> None:
    """A05."""
    write(vault, {"a.md": "x\n"})
    engine = engine_on(vault)
    with pytest.raises(EngineUnavailable, match="never written") as refused:
        engine.put(Memory(store="markdown", id="a.md", text="y"))
    assert refused.value.hint
    with pytest.raises(EngineUnavailable, match="never written"):
        engine.delete("a.md")
    assert (vault / "a.md").read_text() == "x\n"
    assert [path.name for path in vault.iterdir()] == ["a.md"]


@posix
def test_a_vault_without_write_permission_is_read_in_full() -> None:
    """R3: proof that nothing needs to write."""
    code = """
import sys
from pathlib import Path
from mmind.stores.registry import EngineOptions, open_engine_row
from mmind.values.ports import Mark
import mmind.text.decode, mmind.text.notes, yaml
engine = open_engine_row("markdown", Path(sys.argv[1]), EngineOptions())
# drop rights
print([memory.id for memory in engine.changes(Mark()).changed], engine.health().usable)
"""
    with open_to_all() as folder:
        write(folder, {"notes/a.md": "x\n"})
        for path in (folder / "notes" / "a.md", folder / "notes", folder):
            path.chmod(path.stat().st_mode & ~0o222)
        assert without_rights(code, folder) == "['notes/a.md'] True"
        for path in (folder, folder / "notes"):
            path.chmod(0o755)


# A10: names


def test_names_are_nfc_in_ids_and_their_own_on_disk(vault: Path) -> None:
    """A10."""
    nfd = "Cafe\u0301 Zu\u0308rich.md"
    write(vault, {nfd: "table nine\n", "🚀 launch/⚓️ harbour.md": "crane hire\n"})
    engine = engine_on(vault)
    memories = taken(engine)
    assert set(memories) == {"Caf\u00e9 Z\u00fcrich.md", "🚀 launch/⚓️ harbour.md"}
    for key, note in memories.items():
        assert Path(note.path).read_text() == note.text
        assert engine.get(key) == note


@pytest.mark.skipif("sys.platform != 'linux'", reason="other file systems take the two names for one")
def test_two_names_that_collide_in_nfc_both_survive(vault: Path) -> None:
    """A10."""
    write(vault, {"Cafe\u0301/a.md": "decomposed\n", "Caf\u00e9/a.md": "composed\n"})
    engine = engine_on(vault)
    memories = taken(engine)
    assert {note.text for note in memories.values()} == {"decomposed\n", "composed\n"}
    assert memories["Caf\u00e9/a.md"].text == "composed\n"
    assert [engine.get(key) for key in memories] == list(memories.values())
    assert taken(engine, mark_of(memories)) == {}


@pytest.mark.skipif("sys.platform != 'linux'", reason="other file systems refuse such a name")
def test_a_name_that_is_not_utf8_is_read_under_a_name_that_is(vault: Path) -> None:
    (vault / os.fsdecode(b"caf\xe9.md")).write_text("x\n")
    engine = engine_on(vault)
    (note,) = taken(engine).values()
    assert note.id == "caf\\xe9.md"
    assert (note.id + note.path + note.title).encode()
    assert engine.get(note.id) == note


@pytest.mark.skipif("sys.platform == 'win32'", reason="Windows forbids these characters itself")
def test_characters_that_other_systems_reserve_are_fine(vault: Path) -> None:
    names = ['a:b?"c".md', "back\\slash.md", "*.md", "CON.md", "sync-conflict-20260101-123456-ABCDEF.md", " .md"]
    write(vault, dict.fromkeys(names, "x\n"))
    engine = engine_on(vault)
    assert set(taken(engine)) == set(names)
    assert all(engine.get(name) for name in names)


# A11: links, pipes, depth


@posix
def test_loops_dangling_and_inner_links_give_each_note_once_and_outer_links_are_named(
    vault: Path, tmp_path: Path
) -> None:
    """A11."""
    deep = "/".join(["level"] * 60) + "/bottom.md"
    write(vault, {"projects/a/note.md": "grease\n", deep: "amber\n"})
    write(tmp_path, {"outside/private.md": CANARY, "vault-evil/private.md": CANARY})
    (vault / "projects/a/loop").symlink_to("../../projects")
    (vault / "self").symlink_to(".")
    (vault / "itself.md").symlink_to("itself.md")
    (vault / "alias.md").symlink_to("projects/a/note.md")
    (vault / "dangling.md").symlink_to("nowhere.md")
    (vault / "peek").symlink_to("../outside")
    (vault / "sibling").symlink_to(tmp_path / "vault-evil")
    (vault / "peek.md").symlink_to(tmp_path / "outside" / "private.md")
    engine = engine_on(vault)
    memories, _, skipped = everything(engine)
    assert set(memories) == {"projects/a/note.md", deep}
    assert set(skipped) == {"peek", "sibling", "peek.md"}
    assert all("leads out" in reason for reason in skipped.values())
    for key in ("peek/private.md", "sibling/private.md", "peek.md", "alias.md", "self/projects/a/note.md"):
        assert engine.get(key) is None


@posix
def test_outer_links_are_followed_when_asked_once_each_and_never_back_into_the_vault(
    vault: Path, tmp_path: Path
) -> None:
    write(vault, {"a.md": "inside\n"})
    write(tmp_path, {"outside/b.md": "outside\n", "outside/deep/c.md": "deep\n"})
    (vault / "one").symlink_to("../outside")
    (vault / "two").symlink_to("../outside")
    (vault / "b.md").symlink_to("../outside/b.md")
    (vault / "parent").symlink_to("..")
    (tmp_path / "outside" / "back").symlink_to("../vault")
    (tmp_path / "outside" / "up").symlink_to("..")
    engine = engine_on(vault, EngineOptions(follow_links=True))
    memories = taken(engine)
    assert sorted(note.text for note in memories.values()) == ["deep\n", "inside\n", "outside\n"]
    assert [engine.get(key) for key in memories] == list(memories.values())
    assert taken(engine, mark_of(memories)) == {}


@posix
def test_r02_a_link_that_is_swapped_in_at_any_moment_shows_nothing_of_the_outside(vault: Path, tmp_path: Path) -> None:
    """R2: a note and a folder take turns with links to the canary while both are read."""
    write(tmp_path, {"outside/a.md": CANARY})
    write(vault, {"note.md": "mine\n", "folder/a.md": "mine\n"})
    (tmp_path / "link.md").symlink_to(tmp_path / "outside" / "a.md")
    (tmp_path / "link").symlink_to(tmp_path / "outside")
    done = threading.Event()

    def swap() -> None:
        while not done.is_set():
            for inside, link in ((vault / "note.md", tmp_path / "link.md"), (vault / "folder", tmp_path / "link")):
                kept = tmp_path / "kept"
                inside.rename(kept)
                link.rename(inside)
                inside.rename(link)
                kept.rename(inside)

    swapper = threading.Thread(target=swap)
    swapper.start()
    engine = engine_on(vault)
    seen: set[str] = set()
    try:
        for _ in range(400):
            seen.update(note.text for note in taken(engine).values())
            seen.update(note.text for key in ("note.md", "folder/a.md") if (note := engine.get(key)))
    finally:
        done.set()
        swapper.join()
    assert seen == {"mine\n"}


@posix
def test_pipes_and_sockets_are_named_and_never_opened(vault: Path) -> None:
    import socket

    os.mkfifo(vault / "pipe.md")
    write(vault, {"a.md": "x\n"})
    with socket.socket(socket.AF_UNIX) as listener:
        here = os.open(vault, os.O_RDONLY)
        listener.bind(f"/proc/self/fd/{here}/socket.md" if Path("/proc/self/fd").exists() else str(vault / "socket.md"))
        os.close(here)
        engine = engine_on(vault)
        memories, _, skipped = everything(engine)
        assert set(memories) == {"a.md"}
        assert skipped == {"pipe.md": "not a regular file", "socket.md": "not a regular file"}
        assert engine.get("pipe.md") is None
        assert engine.get("socket.md") is None


# A13: what stays out


def test_hidden_dependency_ignored_and_excluded_folders_stay_out_of_scans_and_of_get(vault: Path) -> None:
    """A13."""
    out = [
        ".obsidian/plugins/x/README.md",
        ".trash/kettle-old.md",
        ".git/notes.md",
        ".hidden.md",
        "node_modules/kettle/README.md",
        "Kitchen/__pycache__/a.md",
        "tools/env/lib/README.md",
        "drafts/a.md",
        "a.tmp.md",
        "mmind-home/audit/a.md",
    ]
    write(
        vault, {**dict.fromkeys(out, "copper kettle\n"), "Kitchen/kettle.md": "descaled\n", "tools/env/pyvenv.cfg": ""}
    )
    options = EngineOptions(ignore=("drafts", "*.tmp.md"), exclude=(vault / "mmind-home", vault.parent, vault))
    engine = engine_on(vault, options)
    memories, _, skipped = everything(engine)
    assert set(memories) == {"Kitchen/kettle.md"}
    assert skipped == {}
    assert [engine.get(key) for key in out] == [None] * len(out)


# What changed


def test_unchanged_notes_are_not_read_again(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(vault, {f"{number}.md": "x\n" for number in range(5)})
    for path in vault.iterdir():
        os.utime(path, (1_000_000_000, 1_000_000_000))
    monkeypatch.setattr("mmind.stores.fingerprint.YOUNG_NS", 0)
    engine = engine_on(vault)
    mark = mark_of(taken(engine))
    opened: list[object] = []
    real = os.open

    def counting(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        opened.append(path)
        return real(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", counting)
    assert taken(engine, mark) == {}
    assert taken(engine_on(vault), mark) == {}
    assert opened == []


def _write_at(path: Path, text: str, mtime_ns: int) -> None:
    path.write_text(text)
    os.utime(path, ns=(mtime_ns, mtime_ns))


def test_an_edit_of_the_same_size_within_the_same_tick_is_seen(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a file system whose mtime is all there is to see, as on Windows."""
    monkeypatch.setattr("mmind.stores.fingerprint._IS_WINDOWS", True)
    monkeypatch.setattr("mmind.stores.fingerprint.YOUNG_NS", 3_600 * 10**9)  # in one tick, however long this takes
    now = time.time_ns()
    _write_at(vault / "a.md", "before\n", now)
    for engine in (engine_on(vault), engine_on(vault)):
        mark = mark_of(taken(engine))
        assert taken(engine, mark) == {}
        _write_at(vault / "a.md", "after!\n", now)
        assert {note.text for note in taken(engine, mark).values()} == {"after!\n"}
        _write_at(vault / "a.md", "before\n", now)


@pytest.mark.skipif("sys.platform == 'win32'", reason="ctime is the time of creation there")
def test_an_edit_that_puts_size_and_mtime_back_is_seen(vault: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mmind.stores.fingerprint.YOUNG_NS", 0)
    note = vault / "a.md"
    _write_at(note, "before\n", 10**18)
    engine = engine_on(vault)
    mark = mark_of(taken(engine))
    ctime = note.stat().st_ctime_ns
    while note.stat().st_ctime_ns == ctime:  # a tick is some milliseconds
        _write_at(note, "after!\n", 10**18)
    assert {memory.text for memory in taken(engine, mark).values()} == {"after!\n"}


@pytest.mark.skipif("sys.platform == 'win32'", reason="no modes there")
def test_a_new_mode_is_no_change_of_the_note(vault: Path) -> None:
    write(vault, {"a.md": "x\n"})
    engine = engine_on(vault)
    mark = mark_of(taken(engine))
    (vault / "a.md").chmod(0o600)
    assert taken(engine, mark) == {}


def test_edits_renames_deletions_and_new_notes_are_told(vault: Path) -> None:
    """M2.14."""
    write(vault, {"edited.md": "x\n", "old.md": "y\n", "deleted.md": "z\n", "replaced.md": "v\n", "same.md": "w\n"})
    engine = engine_on(vault)
    mark = mark_of(taken(engine))
    write(vault, {"edited.md": "xx\n", "new/note.md": "n\n", ".replaced": "vv\n"})
    (vault / "old.md").rename(vault / "renamed.md")
    (vault / ".replaced").replace(vault / "replaced.md")
    (vault / "deleted.md").unlink()
    memories, changes, _ = everything(engine, mark)
    assert {key: note.text for key, note in memories.items()} == {
        "edited.md": "xx\n",
        "new/note.md": "n\n",
        "renamed.md": "y\n",
        "replaced.md": "vv\n",
    }
    assert sorted(changes.gone) == ["deleted.md", "old.md"]


def test_a_note_that_vanishes_between_scan_and_reading_is_gone(vault: Path) -> None:
    write(vault, {"a.md": "x\n", "b.md": "y\n"})
    engine = engine_on(vault)
    mark = mark_of(taken(engine))
    write(vault, {"a.md": "xx\n", "b.md": "yy\n"})
    changes = engine.changes(mark)
    (vault / "b.md").unlink()
    assert [note.id for note in changes.changed] == ["a.md"]
    assert list(changes.gone) == ["b.md"]
    assert list(changes.skipped) == []


_LOCKED = """
import sys
from pathlib import Path
from mmind.stores.registry import EngineOptions, open_engine_row
from mmind.values.ports import Mark
import mmind.text.decode, mmind.text.notes, yaml
engine = open_engine_row("markdown", Path(sys.argv[1]), EngineOptions())
# drop rights
known = {"locked/a.md": "k", "listed/b.md": "k", "c.md": "k", "was.md": "k"}
changes = engine.changes(Mark("", known))
print(sorted(memory.id for memory in changes.changed), list(changes.gone))
print(sorted((skipped.name, skipped.reason) for skipped in changes.skipped))
"""


@posix
def test_what_may_not_be_read_is_named_and_never_reported_gone() -> None:
    """E12, for a folder that may not be entered, one that may only be listed, and a note."""
    with open_to_all() as folder:
        write(folder, {"locked/a.md": "x\n", "listed/b.md": "x\n", "c.md": "x\n", "d.md": "x\n"})
        (folder / "locked").chmod(0)
        (folder / "listed").chmod(0o744)
        (folder / "c.md").chmod(0)
        changed, skipped = without_rights(_LOCKED, folder).splitlines()
        assert changed == "['d.md'] ['was.md']"
        assert skipped == str(
            [(place, "cannot be read: Permission denied") for place in ("c.md", "listed/b.md", "locked/")]
        )
        for place in ("locked", "listed"):
            (folder / place).chmod(0o755)


# The root


def test_a_vault_that_is_missing_a_file_or_empty_says_so_and_what_to_do(vault: Path, tmp_path: Path) -> None:
    (tmp_path / "file.md").write_text("x\n")
    for place, reason in ((tmp_path / "missing", "does not exist"), (tmp_path / "file.md", "is a file, not a folder")):
        engine = engine_on(place)
        with pytest.raises(EngineUnavailable, match=reason) as fault:
            engine.changes(Mark("", {"a.md": "known"}))
        assert fault.value.hint
        health = engine.health()
        assert not health.usable
        assert reason in health.reason
        assert health.hint
    with pytest.raises(EngineUnavailable, match="does not exist"):
        engine_on(tmp_path / "missing").get("a.md")
    empty = engine_on(vault).health()
    assert empty.usable
    assert empty.entries == 0
    assert "no Markdown notes" in empty.reason
    assert empty.hint


def test_health_counts_what_the_last_scan_took(vault: Path) -> None:
    write(vault, {"a.md": "x\n", "b.md": "y\n", "c.txt": "z\n"})
    engine = engine_on(vault)
    assert engine.health().entries == -1
    taken(engine)
    assert engine.health().entries == 2
    assert engine.health().where == str(vault)


@posix
def test_a_vault_that_is_a_link_is_read(vault: Path, tmp_path: Path) -> None:
    write(vault, {"a.md": "x\n"})
    (tmp_path / "link").symlink_to(vault)
    engine = engine_on(tmp_path / "link")
    assert set(taken(engine)) == {"a.md"}
    assert engine.get("a.md")
