"""A model that made vectors in this database."""

from __future__ import annotations

from dataclasses import dataclass

from psycopg import sql


@dataclass(frozen=True, slots=True)
class Model:
    """A model that made vectors here: the number of its table, and the type of its vectors there."""

    number: int
    dimension: int
    kind: str

    @property
    def table(self) -> sql.Composed:
        """Its table's name, quoted."""
        return sql.SQL("mmind.{}").format(sql.Identifier(f"vector_{self.number}"))
