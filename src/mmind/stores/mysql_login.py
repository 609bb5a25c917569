"""What the driver is told of a MySQL or MariaDB address: who, where, how long, and with which TLS."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pymysql

from mmind.stores.server_address import Address
from mmind.values.errors import ConfigError

CONNECT_SECONDS = 3.0
READ_SECONDS = 5.0  # without a word from the server
WRITE_SECONDS = 10.0  # a write may wait for others; then it fails, and nothing was changed

_OPTIONS = ("ssl_mode", "ssl_ca", "ssl_cert", "ssl_key", "unix_socket")
_MODES = ("preferred", "required", "verify_ca", "verify_identity", "disabled")


def connected(login: Mapping[str, Any], answer_seconds: float = READ_SECONDS) -> Any:
    """A connection on which an answer may take so long. Raises what the driver and the system raise."""
    connection = pymysql.connect(**login)
    let_answer(connection, answer_seconds)
    return connection


def let_answer(connection: Any, seconds: float) -> None:
    """Wait so long for each part of an answer on this connection from now on."""
    connection._read_timeout = seconds  # noqa: SLF001 - the driver takes one limit, for login and answers alike


def login_of(address: Address) -> dict[str, Any]:
    """What the driver is told. Raises ConfigError, which names no secret, for an option that it would not heed."""
    unknown = [name for name in address.options if name not in _OPTIONS]
    if unknown:
        hint = f"known are {', '.join(_OPTIONS)}"
        raise ConfigError(f"{address.variable} has an option that is not known here: {unknown[0]}", hint)
    if not address.path:
        raise ConfigError(
            f"{address.variable} names no database", "write it as mysql://USER:PASSWORD@HOST:3306/DATABASE"
        )
    return {
        "host": address.host,
        "port": address.port,
        "user": address.user or None,
        "password": address.password.encode(),  # as bytes: the driver would take a text for Latin-1
        "database": address.path,
        "charset": "utf8mb4",
        "unix_socket": address.options.get("unix_socket"),
        "connect_timeout": CONNECT_SECONDS,
        "read_timeout": CONNECT_SECONDS,  # while it logs in: who takes the call may still be deaf
        "write_timeout": WRITE_SECONDS,
        "program_name": "mmind",
        **_tls(address),
    }


def _tls(address: Address) -> dict[str, Any]:
    """TLS as `ssl-mode` says, in MySQL's own words; a named authority is always checked."""
    options = address.options
    files = {name: options[name] for name in ("ssl_ca", "ssl_cert", "ssl_key") if options.get(name)}
    mode = options.get("ssl_mode", "verify_ca" if "ssl_ca" in files else "preferred").lower().replace("-", "_")
    if mode not in _MODES:
        raise ConfigError(
            f"ssl-mode in {address.variable} is not known: {mode[:20]}", f"use one of {', '.join(_MODES)}"
        )
    if mode == "disabled":
        return {"ssl_disabled": True}
    if mode.startswith("verify"):
        return {**files, "ssl_verify_cert": True, "ssl_verify_identity": mode == "verify_identity"}
    if mode == "required" and not files:
        return {"ssl": {"verify_mode": "none", "check_hostname": False}}
    return files
