"""Everything that can go wrong, in one tree; each error says what to do.

MmindError                 a message for people, and a `hint` that is the way out
├── ConfigError            a setting is unknown, out of range or contradicts another
├── BadRequest             an argument is empty, out of range or of the wrong kind
├── AccessDenied           the store's access mode forbids it
├── NotFound               no memory has this id
└── EngineError            a store cannot answer
    ├── EngineUnavailable  it is missing, unreadable, locked by a stranger or switched off
    └── EngineDamaged      what it holds cannot be read; nothing was changed
"""

from __future__ import annotations


class MmindError(Exception):
    """One line for people: what happened, then what to do (`hint`, may be empty)."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.message}; {self.hint}" if self.hint else self.message


class ConfigError(MmindError):
    """A setting is unknown, out of range or contradicts another; the message names the variable."""


class BadRequest(MmindError):
    """An argument is empty, out of range or of the wrong kind; the message names it."""


class AccessDenied(MmindError):
    """The store's access mode forbids this; the hint names the setting that allows it."""


class NotFound(MmindError):
    """No memory has this id."""


class EngineError(MmindError):
    """A store cannot answer; the other stores can."""


class EngineUnavailable(EngineError):
    """The store is missing, unreadable, held by another program or switched off."""


class EngineDamaged(EngineError):
    """What the store holds cannot be read; nothing was changed."""
