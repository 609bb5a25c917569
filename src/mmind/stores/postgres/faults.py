"""What Postgres says when something goes wrong, as one line that holds no user and no password."""

from __future__ import annotations

import re

import psycopg
from psycopg import errors

from mmind.stores.served import ServedAt
from mmind.values.errors import EngineDamaged, EngineError, EngineUnavailable

_PRINTABLE = re.compile(r"[^\S ]+|[\x00-\x1f\x7f]+")

# What the text of a refused connection says (it comes without a code), how we say it, and what to do.
_REFUSALS = (
    ("password authentication failed", "refuses the user or password", "correct {variable}"),
    ("no password supplied", "wants a password", "put it into {variable}"),
    ("does not exist", "has no such database or user", "create it, or correct {variable}"),
    ("no pg_hba.conf entry", "does not let this user in from here", "see pg_hba.conf of the server"),
    ("permission denied", "does not let this user in", "GRANT CONNECT on the database to it"),
    ("too many", "has no connection left", "try again, or raise max_connections of the server"),
    ("remaining connection slots", "has no connection left", "try again, or raise max_connections of the server"),
    ("starting up", "is starting", "try again in a moment"),
    ("shutting down", "is shutting down", "try again when it is up"),
    ("not accepting connections", "is not accepting connections", "try again when it is up"),
    ("SSL", "could not agree on TLS", "set sslmode in {variable} as the server needs it"),
    ("certificate", "could not agree on TLS", "set sslmode in {variable} as the server needs it"),
    ("refused", "is not there: connection refused", "start the server, or correct {variable}"),
    ("No such file", "is not there: no such socket", "start the server, or correct {variable}"),
    ("resolve", "is not there: the host is unknown", "correct {variable}"),
    ("translate host name", "is not there: the host is unknown", "correct {variable}"),
    ("timeout", "did not answer in time", "see whether the server is up and reachable from here"),
)


def connecting(place: ServedAt, error: Exception) -> EngineUnavailable:
    """Why no connection was made."""
    text = str(error)
    if "invalid" in text and "connection option" in text:
        return bad_url(place)
    for sign, said, hint in _REFUSALS:
        if sign.casefold() in text.casefold():
            return EngineUnavailable(f"Postgres at {place.address} {said}", hint.format(variable=_name(place)))
    return EngineUnavailable(
        f"Postgres at {place.address} cannot be reached", f"see the server's log, or {_name(place)}"
    )


def bad_url(place: ServedAt) -> EngineUnavailable:
    """The URL cannot be read. What the driver says of it would show the password."""
    hint = (
        "write it as postgresql://user:password@host:5432/database, with special signs of the password as %40 and so on"
    )
    return EngineUnavailable(f"{_name(place)} is not a URL that Postgres understands", hint)


def silent(place: ServedAt, seconds: float) -> EngineUnavailable:
    """The server took the question and said nothing."""
    hint = "ask again, or see what keeps it busy"
    return EngineUnavailable(f"Postgres at {place.address} did not answer within {seconds:g} s", hint)


def working(place: ServedAt, error: psycopg.Error, seconds: float) -> EngineError:
    """What became of a question that was asked."""
    at = f"Postgres at {place.address}"
    match error:
        case errors.QueryCanceled() | errors.LockNotAvailable():
            return EngineUnavailable(
                f"{at} did not answer within {seconds:g} s", "ask again, or see what keeps it busy"
            )
        case errors.InsufficientPrivilege():
            hint = "let the owner GRANT it the rights on schema mmind (docs/engines.md)"
            return EngineUnavailable(f"{at} does not allow this role to do that: {first_line(error)}", hint)
        case errors.ReadOnlySqlTransaction():
            return EngineUnavailable(f"{at} is read-only", f"point {_name(place)} at the primary server")
        case errors.UndefinedTable() | errors.UndefinedColumn() | errors.InvalidSchemaName():
            hint = "restore schema mmind from a backup; where it was dropped on purpose, ask again"
            return EngineDamaged(f"{at} lacks a part of schema mmind: {first_line(error)}", hint)
        case errors.UndefinedObject():
            hint = "GRANT this role USAGE on the schema of the extension vector"
            return EngineUnavailable(f"{at} does not show pgvector to this role", hint)
        case errors.DiskFull():
            return EngineUnavailable(f"{at} has no disk space left", "free some on the server")
        case psycopg.OperationalError():
            return EngineUnavailable(f"{at} closed the connection", "ask again; if it stays so, see the server's log")
        case _:
            return EngineUnavailable(f"{at} failed: {first_line(error)}", "see the server's log")


def first_line(error: Exception) -> str:
    """The first line of a server's message, harmless on a terminal, at most 200 characters."""
    return _PRINTABLE.sub(" ", str(error).strip().split("\n")[0])[:200]


def _name(place: ServedAt) -> str:
    return place.variable or "the URL"
