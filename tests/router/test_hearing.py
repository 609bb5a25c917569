"""What the passages that hold a question's words tell of how to read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from mmind import wiring
from mmind.embedding.local import LocalEmbedder
from mmind.embedding.local_model import PACKAGED
from mmind.embedding.multilingual import MultilingualEmbedder
from mmind.router.hearing import in_english
from mmind.values.query import Hit, Query
from mmind.wiring import open_mind
from tests.index.build import NOON
from tests.router.build import candidate

BOTH = "all-MiniLM-L6-v2/int8@8199be6f+use-multilingual-v3@618a2ff4/384"
BOAT = "The dinghy lies upside down behind the shed until the spring."
GERMAN = "Das Dinghy liegt bis zum Frühling umgedreht hinter dem Schuppen."


def told(question: str, *texts: str, identity: str = BOTH) -> bool | None:
    """As the passages with these texts tell, each of which holds its first so many terms of the question."""

    def find(query: Query) -> Sequence[Hit]:
        hits = [candidate(text).hit for text in texts]
        return [replace(hit, counts=dict.fromkeys(query.terms, 1.0)) for hit in hits]

    return in_english(Query(text=question, terms=tuple(question.lower().split())), [], identity, find)


def test_a_rare_word_is_read_as_the_passages_are_that_hold_it() -> None:
    assert told("dinghy", BOAT) is True
    assert told("dinghy", GERMAN) is False


@pytest.mark.parametrize("texts", [(), (BOAT, GERMAN), ("Hauptbahnhof Gleis",)])
def test_where_they_cannot_tell_it_is_read_by_both(texts: tuple[str, ...]) -> None:
    assert told("dinghy", *texts) is None


@pytest.mark.parametrize("question", ["Where is the dinghy?", "Wo ist denn das Dinghy?"])
def test_a_question_that_tells_its_language_is_asked_of_nobody(question: str) -> None:
    assert told(question, BOAT) is None


def test_a_model_that_reads_all_languages_alike_needs_no_telling() -> None:
    assert told("dinghy", BOAT, identity="text-embedding-3-small/openai/1536") is None


def test_the_passages_with_most_of_the_words_tell() -> None:
    def find(_: Query) -> Sequence[Hit]:
        return [
            replace(candidate(BOAT).hit, counts={"dinghy": 1.0}),
            replace(candidate(GERMAN).hit, counts={"dinghy": 1.0, "schuppen": 1.0}),
        ]

    assert in_english(Query(text="dinghy schuppen", terms=("dinghy", "schuppen")), [], BOTH, find) is False


def test_a_rare_word_loads_no_second_model_in_an_english_vault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models = MultilingualEmbedder(LocalEmbedder(PACKAGED))
    loaded: list[bool] = []
    monkeypatch.setattr(wiring, "open_embedder", lambda *_: models)
    monkeypatch.setattr("mmind.embedding.multilingual.load_universal", lambda: loaded.append(True))
    with open_mind(environ={"MMIND_HOME": str(tmp_path)}, clock=lambda: NOON) as mind:
        mind.store(BOAT, store="sqlite")
        assert mind.retrieve("dinghy").results[0].text == BOAT
        assert not loaded
