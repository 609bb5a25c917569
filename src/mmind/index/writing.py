"""Prepared memories into rows, inside a writing transaction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from mmind.index import rows, spelling
from mmind.index.written import Written, mark
from mmind.text.fields import joined
from mmind.text.prepared import Prepared, PreparedPassage
from mmind.text.tags import tag_keys

if TYPE_CHECKING:
    import apsw


class SourceWriter:
    """Writes memories of one source inside a writing transaction; `settle` brings words and sums up to date.

    `remember` is for after the transaction: what it wrote as a word is not written again.
    """

    def __init__(self, connection: apsw.Connection, source: int, written: Written) -> None:
        self._connection = connection
        self._source = source
        self._memories = self._passages = self._removals = 0
        self._length = 0.0
        self._dropped: set[str] = set()
        self._written = written
        self._mark = mark(connection, source)
        self._known = written.at(self._mark)
        self._spelled: dict[str, str] = {}
        self._newest = 0
        self._models = [number for (number,) in connection.execute("SELECT number FROM model").fetchall()]

    def put(self, prepared: Prepared) -> None:
        """Write a memory, in place of the one with its id. The same fingerprint means that nothing is to be done."""
        memory = prepared.memory
        found = self._find(memory.id)
        if found is not None:
            if memory.fingerprint and found[1] == memory.fingerprint:
                return
            self._drop(found[0])
        row = (self._source, tag_keys(memory.tags), *rows.memory_row(memory))
        self._connection.execute(_INSERT_MEMORY, row)
        number = self._connection.last_insert_rowid()
        self._memories += 1
        for passage in prepared.passages:
            self._put_passage(number, passage)
        self._newest = number
        self._spelled.update((word, term) for word, term in prepared.spellings.items() if word not in self._known)

    def drop(self, id: str) -> None:
        """Remove a memory; one that is not there is no fault."""
        found = self._find(id)
        if found is not None:
            self._drop(found[0])

    def settle(self) -> None:
        """Add what was written and removed to the sums of the source."""
        self._connection.execute(
            "UPDATE source SET memories = memories + ?, passages = passages + ?, removals = removals + ?,"
            " length = CASE WHEN passages + ? = 0 THEN 0 ELSE length + ? END WHERE number = ?",
            (self._memories, self._passages, self._removals, self._passages, self._length, self._source),
        )
        spelling.put(self._connection, self._source, self._spelled, self._newest)
        if self._dropped:
            spelling.drop(self._connection, self._source, self._dropped)
            self._spelled, self._known = {}, ()  # some of them may be gone
        self._dropped = set()
        self._memories = self._passages = self._removals = 0
        self._length = 0.0

    def remember(self) -> None:
        """Know from now on which words are kept; only once the transaction was committed."""
        self._written.remember(self._mark, self._spelled)

    def _find(self, id: str) -> tuple[int, str] | None:
        statement = "SELECT number, fingerprint FROM memory WHERE source = ? AND id = ?"
        return self._connection.execute(statement, (self._source, id)).fetchone()

    def _put_passage(self, memory: int, prepared: PreparedPassage) -> None:
        execute, tokens = self._connection.execute, prepared.tokens
        written = (joined(tokens), prepared.length, prepared.digest)
        execute(_INSERT_PASSAGE, (self._source, memory, *rows.passage_row(prepared.passage), *written))
        number = self._connection.last_insert_rowid()
        execute(
            f"INSERT INTO words_{self._source}(rowid, title, heading, body) VALUES (?, ?, ?, ?)",  # noqa: S608 - a number
            (number, tokens.title, tokens.heading, tokens.body),
        )
        for model in self._models:
            execute(_ENQUEUE, (model, self._source, number, model, prepared.digest))
        self._passages += 1
        self._length += prepared.length

    def _drop(self, memory: int) -> None:
        execute = self._connection.execute
        statement = "SELECT number, length, tokens FROM passage WHERE memory = ?"
        passages: list[Any] = execute(statement, (memory,)).fetchall()
        for number, length, tokens in passages:
            self._dropped.update(tokens.split())
            execute(f"DELETE FROM words_{self._source} WHERE rowid = ?", (number,))  # noqa: S608 - a number
            for model in self._models:
                execute(_DEQUEUE, (model, self._source, number))
            self._length -= length
        execute("DELETE FROM passage WHERE memory = ?", (memory,))
        execute("DELETE FROM memory WHERE number = ?", (memory,))
        self._memories -= 1
        self._passages -= len(passages)
        self._removals += len(passages)


_INSERT_MEMORY = (
    f"INSERT INTO memory(source, tag_keys, {rows.MEMORY_COLUMNS})"  # noqa: S608 - our own column names
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_INSERT_PASSAGE = (
    f"INSERT INTO passage(source, memory, {rows.PASSAGE_COLUMNS}, tokens, length, digest)"  # noqa: S608 - as above
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_ENQUEUE = (
    "INSERT INTO pending(model, source, passage) SELECT ?, ?, ?"
    " WHERE NOT EXISTS (SELECT 1 FROM vector WHERE model = ? AND digest = ?)"
)
_DEQUEUE = "DELETE FROM pending WHERE model = ? AND source = ? AND passage = ?"
