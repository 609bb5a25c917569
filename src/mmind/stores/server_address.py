"""Where a server is, from its URL: what the driver must be told, and what may be shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from mmind.values.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """A server's address in its parts, percent-encoding undone. User, password and options are kept out of `repr`.

    `where` is what people are shown: scheme, host, port and database, never a user, a password or an option.
    `variable` is the environment variable that holds the URL, for hints.
    """

    scheme: str
    host: str
    port: int
    path: str
    where: str
    variable: str
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    options: Mapping[str, str] = field(default_factory=dict, repr=False)


def address_of(url: str, default_port: int, variable: str) -> Address:
    """The parts of `scheme://user:password@host:port/path?option=value`; `variable` names it in errors.

    An option's `-` counts as `_`. Raises ConfigError, without the URL in it, when a part makes no sense.
    """
    try:
        parts = urlsplit(url.strip())
        port = parts.port or default_port
    except ValueError:
        # `from None`: the original names the part that is wrong, which may be half of a password with a bare `/` or `@`
        hint = "write it as SCHEME://USER:PASSWORD@HOST:PORT/NAME, with %40 for @ and %2F for / in a password"
        raise ConfigError(f"{variable} is no address", hint) from None
    options = {name.replace("-", "_"): value for name, value in parse_qsl(parts.query, keep_blank_values=True)}
    path = unquote(parts.path.strip("/"))
    return Address(
        scheme=parts.scheme,
        host=parts.hostname or "localhost",
        port=port,
        path=path,
        where=f"{parts.scheme}://{_host(parts)}:{port}" + (f"/{path}" if path else ""),
        variable=variable,
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        options=options,
    )


def _host(parts: SplitResult) -> str:
    host = parts.hostname or "localhost"
    return f"[{host}]" if ":" in host else host
