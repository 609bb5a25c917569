"""Which door a caller came in by. Trust is stamped here and nowhere else."""

from __future__ import annotations

from enum import Enum

from mmind.values.memory import Trust


class Door(Enum):
    """The path of a write: an agent's tool call, or the user's own hand (command line)."""

    AGENT = "agent"
    USER = "user"

    @property
    def trust(self) -> Trust:
        """The tier of everything written through this door."""
        return Trust.CURATED if self is Door.USER else Trust.GENERATED
