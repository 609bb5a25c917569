"""The page's server: this machine only, one browser, gone when nobody looks any more."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import TYPE_CHECKING

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import (
    HTMLResponse,
    JSONResponse,
    PlainTextResponse,
    RedirectResponse,
    Response,
    StreamingResponse,
)
from starlette.routing import Route

from mmind.config.places import user_home, working_folder
from mmind.config.settings import load
from mmind.page.answers import Answers
from mmind.page.guard import COOKIE, Guard
from mmind.page.watch import Watch
from mmind.text.shortening import Places
from mmind.values.door import Door
from mmind.values.errors import BadRequest, MmindError
from mmind.wiring import open_mind

if TYPE_CHECKING:
    from starlette.requests import Request

LONGEST_ADDRESS = 64_000
HEADERS = {
    "cache-control": "no-store",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}


def show(vault: str | None, environ: Mapping[str, str], port: int, *, is_opened: bool) -> int:
    """Serve the page until the last window with it is closed, or Ctrl-C; gives the exit code.

    `port` 0 takes a free one. `is_opened` opens the user's browser; the address is printed either way.
    """
    settings = load(environ, vault)
    try:
        listener = socket.create_server(("127.0.0.1", port))
    except (OSError, OverflowError) as error:
        raise BadRequest(f"port {port} cannot be used: {error}", "leave --port out, and a free one is taken") from None
    number = listener.getsockname()[1]
    guard = Guard(number)
    with open_mind(vault, environ, Door.USER) as mind:
        mind.warm()
        server = uvicorn.Server(uvicorn.Config(app=Starlette(), log_level="error", lifespan="off", access_log=False))
        watch = Watch(lambda: setattr(server, "should_exit", True))
        server.config.app = application(
            Answers(mind, settings.audit_path, Places(working_folder(), user_home(environ))), guard, watch
        )
        address = f"http://127.0.0.1:{number}/?token={guard.token}"
        print(address, flush=True)
        if is_opened:
            webbrowser.open(address)
        server.run(sockets=[listener])
    return 0


def application(answers: Answers, guard: Guard, watch: Watch) -> Starlette:
    """The routes: the page itself, its answers, and the line that tells whether somebody looks."""

    async def page(request: Request) -> Response:
        if not guard.is_own_host(request.headers):
            return _refused("this address is not the page's")
        if token := request.query_params.get("token"):
            return _entered(guard.exchange(token))
        if why := guard.refusal(request.headers, request.cookies):
            return _refused(why)
        return _page()

    async def answer(request: Request) -> Response:
        if why := guard.refusal(request.headers, request.cookies):
            return _refused(why)
        found = answers.by_name.get(request.path_params["name"])
        if found is None or len(request.url.query) > LONGEST_ADDRESS:
            return _told({"error": "there is no such answer"}, 404)
        return await run_in_threadpool(_answered, found, dict(request.query_params))

    async def line(request: Request) -> Response:
        if why := guard.refusal(request.headers, request.cookies):
            return _refused(why)
        return StreamingResponse(watch.line(), media_type="text/plain", headers=HEADERS)

    routes = [Route("/", page), Route("/api/{name}", answer), Route("/line", line)]
    return Starlette(routes=routes)


def _answered(found: Callable[[Mapping[str, str]], dict[str, object]], asked: Mapping[str, str]) -> Response:
    try:
        return _told(found(asked), 200)
    except MmindError as error:
        return _told({"error": str(error)}, 400)


def _entered(session: str) -> Response:
    """From the address with the token to the one without, with the session in a cookie."""
    if not session:
        return _refused("this address was used already; start `mmind page` again for a new one")
    response = RedirectResponse("/", status_code=303, headers=HEADERS)
    response.set_cookie(COOKIE, session, httponly=True, samesite="strict", path="/")
    return response


def _page() -> Response:
    """The page, whose one script and one style the browser knows by a number used once; nothing else may run."""
    nonce = secrets.token_urlsafe(16)
    text = files("mmind.page").joinpath("page.html").read_text("utf-8").replace("NONCE", nonce)
    policy = (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; "
        "connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    return HTMLResponse(text, headers={**HEADERS, "content-security-policy": policy})


def _told(value: object, status: int) -> Response:
    return JSONResponse(value, status_code=status, headers=HEADERS)


def _refused(why: str) -> Response:
    return PlainTextResponse(f"{why}\n", status_code=403, headers=HEADERS)
