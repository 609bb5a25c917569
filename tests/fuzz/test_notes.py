"""Any bytes under any name in a vault: every file is read or named, and the vault is as it was."""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from mmind.stores.registry import EngineOptions, open_engine_row
from mmind.text.frontmatter import read
from mmind.text.passages import cut
from mmind.values.memory import TextFormat
from mmind.values.ports import Mark
from tests.fuzz.shapes import texts

names = st.text(
    st.characters(blacklist_characters="/\0", blacklist_categories=("Cs",)), min_size=1, max_size=20
).filter(lambda name: name.strip(".") and len(os.fsencode(name)) < 200)
paths = st.lists(names, min_size=1, max_size=3).map(lambda parts: "/".join(parts) + ".md")
yaml = st.lists(
    st.sampled_from(
        ["a: b", "tags: [x, y]", "date: 2026-02-30", "? [", "- - -", "&a *a", "<<: *a", "!!binary x", '"', "|", "\t"]
    )
    | texts,
    max_size=6,
).map("\n".join)
bodies = st.binary(max_size=300) | texts.map(lambda text: text.encode("utf-8", "replace"))
notes = st.tuples(st.booleans(), yaml, bodies).map(
    lambda parts: (b"---\n" + parts[1].encode("utf-8", "replace") + b"\n---\n" if parts[0] else b"") + parts[2]
)


def state(folder: Path) -> dict[str, tuple[str, int]]:
    return {
        str(file): (hashlib.sha256(file.read_bytes()).hexdigest(), file.stat().st_mtime_ns)
        for file in folder.rglob("*")
        if file.is_file()
    }


@given(st.dictionaries(paths, notes, max_size=5))
def test_every_file_of_a_vault_is_read_or_named_and_none_is_touched(files: dict[str, bytes]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        made = 0
        for path, data in files.items():
            try:
                (folder / path).parent.mkdir(parents=True, exist_ok=True)
                (folder / path).write_bytes(data)
                made += 1
            except OSError:
                continue  # a file where another one has a folder
        before = state(folder)
        engine = open_engine_row("markdown", folder, EngineOptions(), store="markdown")
        changes = engine.changes(Mark())
        memories = list(changes.changed)
        hidden = sum(any(part.startswith(".") for part in Path(path).relative_to(folder).parts) for path in before)
        assert len(memories) + len({thing.name for thing in changes.skipped}) + hidden >= len(before)
        for memory in memories:
            again = engine.get(memory.id)
            assert again is not None
            assert again.text == memory.text
        assert state(folder) == before


@given(yaml, texts)
def test_any_front_matter_is_read_or_its_fault_is_one_line(block: str, body: str) -> None:
    found = read(f"---\n{block}\n---\n{body}")
    assert len(found.problem.splitlines()) <= 1


@given(texts, st.sampled_from(list(TextFormat)))
def test_passages_stand_in_their_text_at_the_lines_that_they_name(text: str, format: TextFormat) -> None:
    lines = text.split("\n")
    for passage in cut(text, format):
        assert 1 <= passage.line_start <= passage.line_end <= len(lines)
