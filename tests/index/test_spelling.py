"""The words of the index as they are spelled."""

from __future__ import annotations

from pathlib import Path

import pytest

from mmind.index.index import Index
from mmind.values.errors import EngineUnavailable
from mmind.values.memory import Memory
from mmind.values.ports import Lexicon
from tests.index.build import Shelf, index_of, level, memory
from tests.index.conftest import Closing


def near(index: Index, word: str) -> list[str]:
    return sorted(index.alike([word])[word])


def test_words_of_titles_headings_tags_and_texts_are_known_as_spelled(tmp_path: Path, closing: Closing) -> None:
    note = Memory(
        store="notes", id="a", text="## Kubernetes\n\nThe managers meet.", title="Harbour", tags=("Quayside",)
    )
    index = level(closing(index_of(tmp_path, Shelf.of(note))))
    assert isinstance(index, Lexicon)
    asked = {"kuberentes": ["kubernetes"], "mangers": ["managers"], "harobur": ["harbour"], "quayisde": ["quayside"]}
    assert {word: list(found) for word, found in index.alike(list(asked)).items()} == asked


def test_a_word_that_came_in_since_the_last_question_is_known(tmp_path: Path, closing: Closing) -> None:
    index = level(closing(index_of(tmp_path, Shelf.of(memory("a", "the market")))))
    assert near(index, "manger") == []
    index.add(memory("b", "the manager"))
    assert near(index, "manger") == ["manager"]


def test_a_word_of_a_memory_that_is_gone_is_forgotten_unless_another_holds_it(tmp_path: Path, closing: Closing) -> None:
    index = level(closing(index_of(tmp_path, Shelf.of(memory("a", "a manager at the market"), memory("b", "market")))))
    index.remove("notes", "a")
    index.close()
    again = closing(index_of(tmp_path, Shelf.of(memory("b", "market"))))
    assert near(again, "manger") == []
    assert near(again, "markett") == ["market"]


def test_a_word_that_an_edit_took_out_is_forgotten_and_one_that_it_put_in_is_known(
    tmp_path: Path, closing: Closing
) -> None:
    index = level(closing(index_of(tmp_path, Shelf.of(memory("a", "a manager")))))
    index.add(memory("a", "a kubernetes cluster"))
    index.close()
    again = closing(index_of(tmp_path, Shelf.of(memory("a", "a kubernetes cluster"))))
    assert near(again, "manger") == []
    assert near(again, "kuberentes") == ["kubernetes"]


def test_the_words_of_an_index_that_was_made_anew_are_read_anew(tmp_path: Path, closing: Closing) -> None:
    shelf = Shelf.of(*(memory(f"n{number}", f"winch {number}") for number in range(20)), memory("z", "a manager"))
    index = level(closing(index_of(tmp_path, shelf)))
    assert near(index, "manger") == ["manager"]
    shelf.memories = {"a": memory("a", "a manger, and a manner")}
    index.complete(lambda _: None, rebuild=True)
    assert near(index, "mannger") == ["manger", "manner"]


def test_an_index_that_is_not_there_knows_no_word_and_makes_no_file(tmp_path: Path, closing: Closing) -> None:
    index = closing(index_of(tmp_path, Shelf.of()))
    assert index.alike(["manger"]) == {"manger": []}
    assert list(tmp_path.rglob("index.db")) == []


def test_a_word_that_is_gone_hides_none_that_is_there_in_the_same_process(tmp_path: Path, closing: Closing) -> None:
    shelf = Shelf.of(memory("a", "the manager"), memory("b", "the manger"))
    index = level(closing(index_of(tmp_path, shelf)))
    assert near(index, "manger") == ["manger"]
    index.remove("notes", "b")
    assert near(index, "manger") == ["manager"]
    index.add(memory("b", "the manger"))
    assert near(index, "manger") == ["manger"]


@pytest.mark.parametrize(
    "text", ["Mu\u0308nchens Hafen", "hy\u00adphen\u00adated", "\u0130stanbul", "it doesn't, Hannah'd"]
)
def test_no_word_stays_when_the_last_memory_is_gone(tmp_path: Path, closing: Closing, text: str) -> None:
    index = level(closing(index_of(tmp_path, Shelf.of(memory("a", text)))))
    index.remove("notes", "a")
    with index._database.reading() as connection:
        assert connection.execute("SELECT word FROM spelling_1").fetchall() == []


def test_a_word_that_this_process_wrote_once_is_not_written_again(tmp_path: Path, closing: Closing) -> None:
    index = level(closing(index_of(tmp_path, Shelf.of(memory("a", "the manager")))))
    index.add(memory("b", "the manager meets"))
    index.add(memory("c", "a manager meets managers"))
    assert _words_written(index, memory("d", "the manager meets managers")) == []
    assert _words_written(index, memory("e", "the manager meets engineers")) == ["engineers"]


def test_a_word_that_another_process_dropped_is_written_again(tmp_path: Path, closing: Closing) -> None:
    shelf = Shelf.of(memory("a", "the manager"))
    one, other = level(closing(index_of(tmp_path, shelf))), closing(index_of(tmp_path, shelf))
    one.add(memory("b", "a market"))  # from here on this process knows that both words are kept
    other.remove("notes", "a")
    assert near(one, "manger") == []
    one.add(memory("c", "another manager"))
    assert near(one, "manger") == near(other, "manger") == ["manager"]


def test_a_word_of_a_transaction_that_failed_is_written_by_the_next(tmp_path: Path, closing: Closing) -> None:
    index = level(closing(index_of(tmp_path, Shelf.of(memory("a", "the market")))))
    with index._database.reading() as connection:
        connection.set_commit_hook(lambda: True)  # SQLite takes the transaction back
    with pytest.raises(EngineUnavailable):
        index.add(memory("b", "the manager"))
    connection.set_commit_hook(None)
    index.add(memory("c", "a manager"))
    assert near(index, "manger") == ["manager"]


def test_words_are_written_anew_into_an_index_that_another_process_made_anew(tmp_path: Path, closing: Closing) -> None:
    shelf = Shelf.of(memory("a", "the manager"))
    one, other = level(closing(index_of(tmp_path, shelf))), closing(index_of(tmp_path, shelf))
    one.add(memory("b", "the manager"))
    shelf.memories = {"z": memory("z", "a market")}
    other.complete(lambda _: None, rebuild=True)
    one.add(memory("c", "the manager"))
    assert near(one, "manger") == ["manager"]


def _words_written(index: Index, added: Memory) -> list[str]:
    """The words that adding a memory hands to SQLite, kept already or not."""
    words = list[str]()

    def traced(_: object, statement: str, bindings: tuple[str, ...]) -> bool:
        if "INTO spelling" in statement:
            words.append(bindings[1])
        return True

    with index._database.reading() as connection:
        connection.set_exec_trace(traced)
    index.add(added)
    connection.set_exec_trace(None)
    return sorted(words)
