from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from mmind.embedding.choose import open_embedder
from mmind.stores.registry import EngineOptions
from mmind.stores.vector import VectorEngine, open_engine
from mmind.values.errors import EngineUnavailable
from mmind.values.memory import Memory
from mmind.values.ports import Embedder, Mark
from tests.stores.processes import putters, sql

if TYPE_CHECKING:
    from mmind.values.ports import Vectors


class Letters:
    """An embedder that counts letters; `is_broken` makes it fail as one without its model does."""

    is_local = True

    def __init__(self, identity: str = "letters-26", dimension: int = 26) -> None:
        self.identity, self.dimension, self.is_broken = identity, dimension, False

    def embed(self, texts: Sequence[str]) -> Vectors:
        if self.is_broken:
            raise EngineUnavailable("the model is not there", hint="install it")
        counts = np.array([[text.count(chr(97 + n % 26)) + 0.01 for n in range(self.dimension)] for text in texts])
        return np.asarray(counts / np.linalg.norm(counts, axis=1, keepdims=True), np.float32)

    def close(self) -> None:
        """Holds nothing."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home" / "vector-index"


def engine_on(folder: Path, embedder: Embedder | None) -> VectorEngine:
    return open_engine("vector", folder, EngineOptions(embedder=embedder))


def memory(id: str, text: str) -> Memory:
    return Memory(store="vector", id=id, text=text)


def ids_with_vectors(engine: VectorEngine, model: str = "letters-26") -> list[str]:
    return [name for name, _ in engine.vectors(model)]


def test_a_memory_is_kept_with_its_vector_model_and_dimension(folder: Path) -> None:
    embedder = Letters()
    engine = engine_on(folder, embedder)
    engine.put(memory("lock", "the canal lock keeper"))
    ((name, vector),) = engine.vectors("letters-26")
    expected = embedder.embed(["the canal lock keeper"])[0]
    assert name == "lock"
    assert np.allclose(np.frombuffer(vector, "<f2"), expected, atol=1e-3)
    assert sql(folder / "vectors.db", "SELECT model, dimension FROM vectors") == "[('letters-26', 26)]"
    assert engine.health().notes == ()


def test_vectors_come_back_complete_over_several_batches(folder: Path) -> None:
    engine = engine_on(folder, Letters())
    engine.put(memory("first", "one put the usual way"))
    sql(
        folder / "vectors.db",
        "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 1199)"
        " INSERT INTO vectors SELECT printf('x%05d', i), 'letters-26', 26, zeroblob(52) FROM n",
    )
    found = ids_with_vectors(engine)
    assert (len(found), found == sorted(set(found))) == (1201, True)


def test_a_failing_embedder_loses_no_memory_and_is_named(folder: Path) -> None:
    embedder = Letters()
    embedder.is_broken = True
    engine = engine_on(folder, embedder)
    engine.put(memory("lock", "the canal lock"))
    kept = engine.get("lock")
    assert kept is not None
    assert (kept.text, ids_with_vectors(engine)) == ("the canal lock", [])
    assert engine.health().notes == (
        "1 of 1 memory has no vector of letters-26 in this file; the index makes its own, and search uses those",
        "the last memory was stored without a vector: the model is not there; install it",
    )


def test_without_an_embedder_memories_are_kept_all_the_same(folder: Path) -> None:
    engine = engine_on(folder, None)
    engine.put(memory("lock", "the canal lock"))
    assert ([m.id for m in engine.changes(Mark()).changed], engine.health().notes) == (["lock"], ())


@pytest.mark.parametrize("other", [Letters("wide", 1536), Letters("same-width", 26)], ids=lambda e: e.identity)
def test_vectors_of_another_model_are_kept_named_and_never_given_out(folder: Path, other: Letters) -> None:
    first = engine_on(folder, other)
    first.put(memory("lock", "the canal lock"))
    first.close()
    engine = engine_on(folder, Letters())
    assert (ids_with_vectors(engine), ids_with_vectors(engine, other.identity)) == ([], ["lock"])
    assert engine.health().notes == (
        f"kept and not compared, because they are of another model: vectors 1 of {other.identity}",
        "1 of 1 memory has no vector of letters-26 in this file; the index makes its own, and search uses those",
    )
    engine.put(memory("lock", "the canal lock"))
    assert (ids_with_vectors(engine), ids_with_vectors(engine, other.identity)) == (["lock"], [])


@pytest.mark.parametrize(
    ("statement", "left"),
    [
        ("UPDATE memories SET text = 'other words' WHERE id = 'a'", ["b"]),
        ("UPDATE memories SET id = 'z' WHERE id = 'a'", ["b"]),
        ("DELETE FROM memories WHERE id = 'a'", ["b"]),
        ("UPDATE memories SET tags = '[\"x\"]' WHERE id = 'a'", ["a", "b"]),
    ],
)
def test_a_vector_never_outlives_its_text(folder: Path, statement: str, left: list[str]) -> None:
    engine = engine_on(folder, Letters())
    engine.put(memory("a", "one"))
    engine.put(memory("b", "two"))
    sql(folder / "vectors.db", statement)
    assert ids_with_vectors(engine) == left


def test_a_new_text_that_cannot_be_embedded_drops_the_old_vector(folder: Path) -> None:
    embedder = Letters()
    engine = engine_on(folder, embedder)
    engine.put(memory("a", "one"))
    embedder.is_broken = True
    engine.put(memory("a", "two"))
    assert ids_with_vectors(engine) == []


def test_delete_takes_the_vector_along(folder: Path) -> None:
    engine = engine_on(folder, Letters())
    engine.put(memory("a", "one"))
    assert (engine.delete("a"), ids_with_vectors(engine)) == (True, [])


def test_three_processes_lose_nothing(folder: Path) -> None:
    acknowledged = putters("mmind.stores.vector", folder, processes=3, count=20)
    kept = {m.id for m in engine_on(folder, None).changes(Mark()).changed}
    assert (len(acknowledged), kept) == (60, set(acknowledged))


def test_a_file_in_place_of_the_folder_is_a_fault_in_words(folder: Path) -> None:
    folder.parent.mkdir()
    folder.write_text("not a folder")
    engine = engine_on(folder, None)
    with pytest.raises(EngineUnavailable, match="cannot be used"):
        engine.put(memory("a", "one"))
    assert not engine.health().usable


def test_a_removed_folder_is_gone_memories_and_a_removed_drive_is_a_fault(folder: Path) -> None:
    engine = engine_on(folder, None)
    kept = engine.put(memory("a", "one"))
    mark = Mark(engine.changes(Mark()).cursor, {"a": kept.fingerprint})
    engine.close()
    (folder / "vectors.db").unlink()
    folder.rmdir()
    assert list(engine.changes(mark).gone) == ["a"]
    folder.parent.rmdir()
    with pytest.raises(EngineUnavailable, match="is not there"):
        engine.changes(mark)


def test_the_kept_vectors_of_the_real_model_find_the_memory_that_means_the_same(folder: Path) -> None:
    embedder = open_embedder("local", "", "")
    assert embedder is not None
    engine = engine_on(folder, embedder)
    engine.put(memory("lock", "The canal lock opens at six in the morning."))
    engine.put(memory("soup", "Onion soup needs two hours on a low flame."))
    question = embedder.embed(["when can boats pass the sluice?"])[0]
    cosine = {
        name: float(np.frombuffer(vector, "<f2") @ question) for name, vector in engine.vectors(embedder.identity)
    }
    assert cosine["lock"] > cosine["soup"] + 0.1
