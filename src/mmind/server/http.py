"""`mmind serve --http`: the same server over streamable HTTP, for clients on this machine that hold a token.

Stateless: each request stands alone, in both protocol eras, so that nothing of one client is kept for another.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mmind.config.presence import Presence
from mmind.config.settings import Settings, data_home, load
from mmind.config.tokens import READ_WRITE, given_hashes, kept_hashes, make_token, scope_for
from mmind.disk.refusals import reason, way_out
from mmind.server.front import blotted, leaves_machine, log_to_stderr, on_signals
from mmind.server.guard import PATH, Guard
from mmind.values.door import Door
from mmind.values.errors import BadRequest, ConfigError

if TYPE_CHECKING:
    from types import FrameType

    import uvicorn
    from starlette.applications import Starlette

    from mmind.server.latemind import LateMind

PORT = 8765
MOST_CONNECTIONS = 64
LONGEST_HEADERS = 16_384
FAREWELL_SECONDS = 3


@dataclass(frozen=True, slots=True)
class Address:
    """Where to listen, and the names (with or without a port) by which other machines may call this one."""

    host: str = "127.0.0.1"
    port: int = PORT
    exposed: Sequence[str] = ()


def main(vault: str | None, environ: Mapping[str, str], address: Address) -> int:
    """Serve until a signal ends it; gives the exit code. Raises ConfigError or BadRequest.

    Listens on this machine only, unless the user names what else it may be called by (`exposed`). The first start
    makes a token and shows it on standard error, once.
    """
    check_address(address)
    settings = load(environ, vault)
    given = given_hashes(settings)
    with _listening(address) as listener:
        port = listener.getsockname()[1]
        _show_token(settings, given)
        log_to_stderr(vault, environ)
        print(f"mmind: serving at http://{_bracketed(address.host)}:{port}{PATH} (Ctrl-C ends it)", file=sys.stderr)
        sys.stderr.flush()
        _serve(listener, vault, environ, hosts(address, port), lambda: {**kept_hashes(settings.home), **given})
    return 0


def check_address(address: Address) -> None:
    """Refuse to be reached from other machines unless the user named this one for them. Raises BadRequest."""
    if not 0 <= address.port <= 65_535:
        raise BadRequest(f"--port: must be from 0 to 65,535, got {address.port}")
    if not is_loopback(address.host) and not address.exposed:
        raise BadRequest(
            f"--host: {address.host} can be reached from other machines",
            "name this machine as they call it with --expose NAME, and put TLS before it; or leave --host out",
        )
    for name in address.exposed:
        if not name or any(letter.isspace() or letter in "/*@" for letter in name):
            raise BadRequest(f"--expose: {name!r} is not a host name", "give a name, as in memory.example:8765")


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone."""
    if host.casefold() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def hosts(address: Address, port: int) -> list[str]:
    """The Host headers that are served, exactly: those of the loopback, and those that the user exposes."""
    local = [f"127.0.0.1:{port}", f"localhost:{port}", f"[::1]:{port}"]
    names = [form for name in address.exposed for form in ([name] if ":" in name else [name, f"{name}:{port}"])]
    return [*local, *names]


def application(
    late: LateMind, environ: Mapping[str, str], served_hosts: Sequence[str], known: Callable[[], Mapping[str, str]]
) -> Guard:
    """The guarded ASGI application over a mind. `known` gives the hashes of the tokens that hold now."""
    from mcp.server.transport_security import TransportSecuritySettings

    from mmind.server.adapter import build_server

    server = build_server(late, leaves_machine(environ), lambda text: blotted(text, environ))
    inner: Starlette = server.streamable_http_app(
        streamable_http_path=PATH,
        json_response=True,
        stateless_http=True,
        transport_security=TransportSecuritySettings(allowed_hosts=list(served_hosts), allowed_origins=[]),
    )
    return Guard(inner, served_hosts, lambda token: scope_for(token, known()))


def _serve(
    listener: socket.socket,
    vault: str | None,
    environ: Mapping[str, str],
    served_hosts: Sequence[str],
    known: Callable[[], Mapping[str, str]],
) -> None:
    import uvicorn

    from mmind.server.latemind import LateMind
    from mmind.wiring import open_mind

    presence = Presence(data_home(environ))
    late = LateMind(lambda: open_mind(vault, environ, Door.AGENT, took_up=presence.say))
    config = uvicorn.Config(
        application(late, environ, served_hosts, known),
        log_level="error",
        access_log=False,
        server_header=False,
        ws="none",
        limit_concurrency=MOST_CONNECTIONS,
        h11_max_incomplete_event_size=LONGEST_HEADERS,
        timeout_graceful_shutdown=FAREWELL_SECONDS,
    )
    with contextlib.suppress(Exception):
        presence.watch(late.mind().rules)  # a failure to open is told to the client who meets it again
    try:
        _run(uvicorn.Server(config), listener)
    finally:
        late.close()
        presence.withdraw()


def _run(server: uvicorn.Server, listener: socket.socket) -> None:
    """Run until a signal; its own handling would kill the process before the stores are closed."""

    def end(_number: int, _frame: FrameType | None) -> None:
        server.force_exit = server.should_exit  # the second signal waits for nobody
        server.should_exit = True

    on_signals(end)
    server.capture_signals = contextlib.nullcontext  # type: ignore[assignment] # ours stand
    server.run(sockets=[listener])


@contextlib.contextmanager
def _listening(address: Address) -> Iterator[socket.socket]:
    family = socket.AF_INET6 if ":" in address.host else socket.AF_INET
    try:
        listener = socket.create_server((address.host, address.port), family=family)
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or "it is no address of this machine"
        where = f"{address.host} port {address.port}"
        raise ConfigError(f"cannot listen on {where}: {reason}", "take another --port") from None
    with listener:
        yield listener


def _show_token(settings: Settings, given: Mapping[str, str]) -> None:
    """At the first start there is no token yet: make one, and show it to the person who can use it."""
    if READ_WRITE in given or kept_hashes(settings.home):
        return
    try:
        token = make_token(settings.home, READ_WRITE)
    except OSError as error:
        hint = way_out(error, "check who may write there")
        raise ConfigError(
            f"no token can be kept in {settings.home}: {reason(error)}", f"{hint}, or set MMIND_HTTP_TOKEN"
        ) from None
    print(f"mmind: the token, shown this once (`mmind token new` makes another): {token}", file=sys.stderr)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def address_of(host: str | None, port: int | None, exposed: Sequence[str]) -> Address:
    """The address that the words of the command line mean."""
    return Address(host or Address().host, PORT if port is None else port, tuple(exposed))
