"""What MySQL and MariaDB answer when something is wrong, in one line for people: no user, no password, no data."""

from __future__ import annotations

import pymysql
from pymysql.constants import CR, ER

from mmind.stores.server_address import Address
from mmind.values.errors import EngineDamaged, EngineError, EngineUnavailable

_GRANT = "give its user SELECT, INSERT, UPDATE, DELETE and CREATE on the database {database}"
_START = "start the server, or correct {variable}"
_LOGIN = "correct the user and the password in {variable} (percent-encode signs such as @ and /)"
_UP = EngineUnavailable
_FAULTS: dict[int, tuple[type[EngineError], str, str]] = {
    CR.CR_CONN_HOST_ERROR: (_UP, "cannot be reached", _START),
    CR.CR_CONNECTION_ERROR: (_UP, "cannot be reached", _START),
    CR.CR_SERVER_GONE_ERROR: (_UP, "closed the connection", "try again; if it stays so, look into the server's log"),
    CR.CR_SERVER_LOST: (_UP, "stopped answering", "try again; if it stays so, look into the server's log"),
    CR.CR_SSL_CONNECTION_ERROR: (
        _UP,
        "could not agree on TLS",
        "set ssl-mode in {variable} as the server needs it",
    ),
    ER.CON_COUNT_ERROR: (_UP, "has too many connections", "try again, or raise max_connections"),
    ER.SERVER_SHUTDOWN: (_UP, "is shutting down", "try again when it is up"),
    ER.ACCESS_DENIED_ERROR: (_UP, "refused the login", _LOGIN),
    1698: (_UP, "refused the login", "use a user who may log in with a password"),
    ER.DBACCESS_DENIED_ERROR: (_UP, "refused the use of this database", _GRANT),
    ER.BAD_DB_ERROR: (_UP, "has no such database", "make it: CREATE DATABASE {database}"),
    ER.TABLEACCESS_DENIED_ERROR: (_UP, "refused the use of mmind's tables", _GRANT),
    ER.COLUMNACCESS_DENIED_ERROR: (_UP, "refused the use of mmind's tables", _GRANT),
    ER.OPTION_PREVENTS_STATEMENT: (_UP, "is read-only now", "write to the primary server, or end its read-only mode"),
    1792: (_UP, "is read-only now", "write to the primary server, or end its read-only mode"),
    1836: (_UP, "is read-only now", "write to the primary server, or end its read-only mode"),
    ER.NET_PACKET_TOO_LARGE: (_UP, "takes no text of this size", "raise max_allowed_packet, or store it in parts"),
    ER.DATA_TOO_LONG: (_UP, "takes no value of this size", "shorten the text, or store it in parts"),
    ER.LOCK_WAIT_TIMEOUT: (_UP, "was kept busy by another program; nothing was changed", "try again"),
    ER.LOCK_DEADLOCK: (_UP, "was kept busy by other writers; nothing was changed", "try again"),
    ER.RECORD_FILE_FULL: (_UP, "cannot grow: it is full", "free some space on its drive; nothing was changed"),
    ER.DISK_FULL: (_UP, "cannot grow: its drive is full", "free some space; nothing was changed"),
    ER.NO_SUCH_TABLE: (EngineDamaged, "lacks some of mmind's tables", "restore a backup, or drop the mmind_ tables"),
    ER.BAD_FIELD_ERROR: (
        EngineDamaged,
        "has mmind's tables with other columns than mmind made",
        "restore a backup, or drop the mmind_ tables",
    ),
    1176: (EngineDamaged, "lacks an index that mmind made", "restore a backup, or drop the mmind_ tables"),
    ER.CRASHED_ON_USAGE: (EngineDamaged, "has damaged tables", "repair or restore them with the server's tools"),
}


def worded(error: Exception, address: Address) -> EngineError:
    """The fault that an error of the driver or of the system stands for."""
    where = address.where
    number = number_of(error)
    if number in _FAULTS:
        kind, words, hint = _FAULTS[number]
        return kind(f"{where} {words}", hint.format(database=address.path, variable=address.variable))
    if isinstance(error, UnicodeError | RuntimeError):
        return EngineUnavailable(f"{where} cannot be used ({error})", "install multimodemind[mysql] anew")
    words = " ".join(str(error.args[-1] if error.args else error).split())[:200]
    return EngineUnavailable(f"{where} answered with error {number}: {words}", "look into the server's log")


def number_of(error: BaseException) -> int:
    """The server's or the client's number of an error; that of a lost connection for what the system raised."""
    if isinstance(error, pymysql.MySQLError):
        return error.args[0] if error.args and isinstance(error.args[0], int) else 0
    return CR.CR_SERVER_LOST if isinstance(error, OSError) else 0
