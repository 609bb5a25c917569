"""Stemming from several threads at once, with the pure edition that keeps its word in itself."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from mmind.text import stems

if TYPE_CHECKING:
    import pytest

WORDS = [
    f"{start}{end}"
    for start in ("relat", "hope", "trad", "migrat", "organis")
    for end in ("ional", "fulness", "ing", "ed", "s")
]


def test_threads_get_the_stems_that_one_thread_gets(monkeypatch: pytest.MonkeyPatch) -> None:
    from snowballstemmer.english_stemmer import EnglishStemmer

    pure = EnglishStemmer().stemWord
    expected = {word: EnglishStemmer().stemWord(word) for word in WORDS}
    monkeypatch.setattr(stems, "_stemmer", lambda: pure)
    found: list[dict[str, str]] = []

    def work() -> None:
        found.extend({word: stems.stem.__wrapped__(word) for word in WORDS} for _ in range(40))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 320
    assert all(one == expected for one in found)
