"""Labelled sets: documents, questions, and which documents answer which question.

A set is a folder with `corpus.jsonl` {id, text, title?, group?}, `queries.jsonl` {id, text, group?} and `qrels.tsv`
(query, document, grade); a name that ends in `.gz` is gzip. Where there is a group, a question is answered from the
documents of its group only, so each group is a collection of its own, with a world of its own.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HALVES = ("dev", "test")


@dataclass(frozen=True, slots=True)
class Document:
    """What is remembered."""

    id: str
    text: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the grade of each document that answers it (0 and missing: does not)."""

    id: str
    text: str
    grades: Mapping[str, int]

    @property
    def half(self) -> str:
        """ "dev" (may be tuned on) or "test" (quoted), by a hash of the id."""
        return HALVES[_digest(self.id)[-1] % 2]


@dataclass(frozen=True, slots=True)
class Collection:
    """The documents and questions of one group of a set, or of a whole set without groups."""

    set: str
    group: str
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]

    @property
    def name(self) -> str:
        """As tables show it: `xquad/de`."""
        return f"{self.set}/{self.group}" if self.group else self.set


def read_collections(folder: Path, most_questions: int = 0) -> list[Collection]:
    """Every collection of every set in a folder, by name. Questions without an answer are left out.

    `most_questions` (0: all) keeps so many of each collection, chosen by a hash of their ids.
    """
    sets = sorted(path.parent for path in folder.glob("*/queries.jsonl*"))
    return [collection for one in sets for collection in _collections(one, most_questions)]


def chosen(questions: Sequence[Question], half: str) -> tuple[Question, ...]:
    """The questions of one half; of both for "all"."""
    return tuple(question for question in questions if half in (question.half, "all"))


def _collections(folder: Path, most_questions: int) -> Iterator[Collection]:
    documents, questions = list(_rows(folder / "corpus.jsonl")), list(_rows(folder / "queries.jsonl"))
    grades = _grades(folder)
    for group in sorted({row.get("group", "") for row in documents}):
        asked = [
            Question(row["id"], row["text"], grades[row["id"]])
            for row in questions
            if row.get("group", "") == group and row["id"] in grades
        ]
        if most_questions:
            asked = sorted(sorted(asked, key=lambda one: _digest(one.id))[:most_questions], key=lambda one: one.id)
        kept = (row for row in documents if row.get("group", "") == group)
        held = tuple(Document(row["id"], row["text"], row.get("title", "")) for row in kept)
        yield Collection(folder.name, group, held, tuple(asked))


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in _lines(path))


def _grades(folder: Path) -> dict[str, dict[str, int]]:
    grades: dict[str, dict[str, int]] = {}
    for line in _lines(folder / "qrels.tsv"):
        query, document, grade = line.rstrip("\n").split("\t")[:3]
        if int(grade) > 0:
            grades.setdefault(query, {})[document] = int(grade)
    return grades


def _lines(path: Path) -> list[str]:
    packed = path.with_name(path.name + ".gz")
    data = gzip.decompress(packed.read_bytes()) if packed.exists() else path.read_bytes()
    return [line for line in data.decode("utf-8").split("\n") if line.strip()]


def _digest(id: str) -> bytes:
    return hashlib.sha256(id.encode()).digest()
