"""A Redis server that several threads use: how it is reached, how durable it is, and its errors put into words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

import redis
from redis import exceptions as faults
from redis.backoff import NoBackoff
from redis.retry import Retry

from mmind.stores.drivers import update_hint
from mmind.stores.outage import Outage
from mmind.stores.redis_scripts import NEWER_SCHEMA, SCHEMA_VERSION
from mmind.stores.served import ServedAt
from mmind.stores.server_address import address_of
from mmind.values.errors import ConfigError, EngineError, EngineUnavailable

CONNECT_SECONDS = 3.0
ANSWER_SECONDS = 5.0
EXPIRE_OPTION = "expire_days"
_OPTIONS = {
    "db",
    "protocol",
    "ssl_ca_certs",
    "ssl_ca_path",
    "ssl_cert_reqs",
    "ssl_certfile",
    "ssl_check_hostname",
    "ssl_keyfile",
    "ssl_min_version",
    EXPIRE_OPTION,
}


class RedisServer:
    """The database that a URL names, and the milliseconds that a memory lives there (0: for ever).

    Nothing is connected before the first use. Raises ConfigError when the URL makes no sense.
    """

    def __init__(self, place: ServedAt) -> None:
        variable = place.variable or "MMIND_REDIS_URL"
        options = _options_of(place.url, variable)
        self.expire_ms = _milliseconds(options.pop(EXPIRE_OPTION, ""), variable)
        self.where = _where(place.url, options, variable)
        self.client = _client(urlunsplit(urlsplit(place.url)._replace(query=urlencode(options))), variable)
        self._outage = Outage()

    @contextmanager
    def asking(self) -> Iterator[Any]:
        """The client; what goes wrong inside is raised as EngineError, in one line without user and password."""
        self._outage.check()
        try:
            yield self.client
        except faults.TimeoutError as error:
            raise self._outage.began(_worded(self.where, error), ANSWER_SECONDS) from error
        except faults.ConnectionError as error:
            raise self._outage.began(_worded(self.where, error)) from error
        except (faults.RedisError, OSError, UnicodeError) as error:
            raise _worded(self.where, error) from error
        self._outage.ended()

    def notes(self) -> Iterator[str]:
        """What a crash or a full memory would cost. Raises EngineError."""
        with self.asking() as client:
            persistence, memory = client.info("persistence"), client.info("memory")
            yield from _durability(persistence, _setting(client, "appendfsync"))
        policy = str(memory.get("maxmemory_policy", "noeviction"))
        if policy.startswith("allkeys"):
            yield f"Redis drops memories when its memory is full (maxmemory-policy {policy}); set it to noeviction"

    def close(self) -> None:
        """Close the connections; the next use opens new ones."""
        self.client.close()
        self.client.connection_pool.disconnect()


def _client(url: str, variable: str) -> Any:
    try:
        return redis.Redis.from_url(
            url,
            socket_connect_timeout=CONNECT_SECONDS,
            socket_timeout=ANSWER_SECONDS,
            # A write whose answer was lost may have been made: it is not made twice behind the caller's back. A
            # connection that died while it rested is noticed and replaced before use all the same.
            retry=Retry(NoBackoff(), 0),
        )
    except (ValueError, TypeError, faults.RedisError):
        raise ConfigError(f"{variable} is no address", _FORM) from None  # the original may quote the password


_FORM = "write it as redis://USER:PASSWORD@HOST:6379/0, with %40 for @ and %2F for / in a password"


def _options_of(url: str, variable: str) -> dict[str, str]:
    options = dict(parse_qsl(urlsplit(url).query, keep_blank_values=True))
    for name in options:
        if name not in _OPTIONS:
            raise ConfigError(f"{variable} has an option that is not known here: {name}", f"known: {_known()}")
    return options


def _known() -> str:
    return ", ".join(sorted(_OPTIONS))


def _milliseconds(days: str, variable: str) -> int:
    if not days:
        return 0
    with suppress(ValueError):
        if 0 < float(days) < 36_525:
            return max(1, round(float(days) * 86_400_000))
    raise ConfigError(
        f"{EXPIRE_OPTION} in {variable} is no number of days", f"write {EXPIRE_OPTION}=30, or leave it out"
    )


def _where(url: str, options: Mapping[str, str], variable: str) -> str:
    """Scheme, host, port and number of the database: what may be shown, the same for the same place."""
    parts = urlsplit(url)
    if parts.scheme == "unix":
        return f"unix://{parts.path} database {options.get('db', '0')}"
    address = address_of(url, 6379, variable)
    return address.where if address.path else f"{address.where}/{options.get('db', '0')}"


def _setting(client: Any, name: str) -> str:
    """A setting of the server, or "" where asking is forbidden (servers for hire)."""
    with suppress(faults.ResponseError):
        return str(dict(client.config_get(name)).get(name, ""))
    return ""


def _durability(persistence: Mapping[str, Any], fsync: str) -> Iterator[str]:
    if not persistence.get("aof_enabled"):
        yield "a crash of Redis loses what came after its last snapshot (appendonly is off); set appendonly yes"
    elif fsync != "always":
        rhythm = f"appendfsync is {fsync}" if fsync else "unless appendfsync is always"
        yield f"a crash of Redis may lose the last second or more ({rhythm}); set appendfsync always to rule that out"
    failed = [name for name in ("aof_last_write_status", "rdb_last_bgsave_status") if persistence.get(name) == "err"]
    if failed:
        yield f"Redis could not write to its disk ({', '.join(failed)}): look into its log"


_START = "start the server, or correct MMIND_REDIS_URL"
_LOGIN = "correct the user and the password in MMIND_REDIS_URL (percent-encode signs such as @ and /)"
_RIGHTS = "give its user the rights ~mmind:* +@read +@write +@scripting +@transaction +@connection +info (ACL SETUSER)"
_CLUSTER = ("is part of a cluster", "use a Redis that stands alone, or a proxy in front of the cluster")
# The driver knows some answers by kind and cuts their first word off; the others begin with it. The first that fits.
_BY_KIND: tuple[tuple[type[Exception], str, str], ...] = (
    (faults.BusyLoadingError, "is still reading its data", "try again in a moment"),
    (faults.AuthenticationError, "refused the login", _LOGIN),
    (faults.AuthorizationError, "refused the use of mmind's keys", _RIGHTS),
    (faults.NoPermissionError, "refused the use of mmind's keys", _RIGHTS),
    (faults.OutOfMemoryError, "is full", "raise its maxmemory, or remove memories; nothing was changed"),
    (faults.ReadOnlyError, "is a read-only replica", "point MMIND_REDIS_URL at the primary server"),
    (faults.AskError, *_CLUSTER),
    (faults.ClusterCrossSlotError, *_CLUSTER),
    (faults.ClusterDownError, *_CLUSTER),
    (faults.TimeoutError, "did not answer in time", "try again; if it stays so, look into the server's log"),
    (faults.ConnectionError, "cannot be reached", _START),
    (OSError, "cannot be reached", _START),
)
_BY_WORD = {
    "NOAUTH": ("asks for a password", _LOGIN),
    "WRONGPASS": ("refused the login", _LOGIN),
    "NOPERM": ("refused the use of mmind's keys", _RIGHTS),
    "MISCONF": ("refuses writes, because it cannot write to its disk", "look into its log; nothing was changed"),
    "WRONGTYPE": ("holds another kind of value under one of mmind's keys", "look at the keys mmind:* with redis-cli"),
    NEWER_SCHEMA: (
        f"holds memories of a newer version of mmind (this one knows schema {SCHEMA_VERSION})",
        update_hint(),
    ),
}


def _worded(where: str, error: Exception) -> EngineError:
    text = " ".join(str(error).split())
    told = [(words, hint) for word, (words, hint) in _BY_WORD.items() if word in text.split(maxsplit=8)[:8]]
    told += [(words, hint) for kind, words, hint in _BY_KIND if isinstance(error, kind)]
    words, hint = (*told, (f"answered with an error: {text[:200]}", "look into the server's log"))[0]
    return EngineUnavailable(f"{where} {words}", hint)
