"""Who may look: the browser that was handed the address, and nobody else on this machine or any page in it."""

from __future__ import annotations

import hmac
import secrets
import threading
from collections.abc import Mapping

COOKIE = "mmind_page"


class Guard:
    """One token, good once, is changed into a session that lives in a cookie; every other request needs that.

    The token stands in the address, and so in the browser's history: it is worthless after its first use. The cookie
    is not readable by scripts, and is not sent along by other sites' pages.
    """

    def __init__(self, port: int) -> None:
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self._token = secrets.token_urlsafe(32)
        self._session = secrets.token_urlsafe(32)
        self._is_used = False
        self._lock = threading.Lock()

    @property
    def token(self) -> str:
        """What the address carries."""
        return self._token

    def exchange(self, token: str) -> str:
        """The session for a token, once; "" for a wrong one, and for the right one the second time."""
        with self._lock:
            if self._is_used or not hmac.compare_digest(token.encode(), self._token.encode()):
                return ""
            self._is_used = True
            return self._session

    def refusal(self, headers: Mapping[str, str], cookies: Mapping[str, str]) -> str:
        """Why a request is not answered; "" when it is.

        Another host name may be an attacker's that was pointed at this machine, and another origin is another page.
        """
        if headers.get("host", "") not in self._hosts:
            return "this address is not the page's"
        origin = headers.get("origin")
        if origin is not None and origin not in {f"http://{host}" for host in self._hosts}:
            return "another page asked"
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return "another page asked"
        if not hmac.compare_digest(cookies.get(COOKIE, "").encode(), self._session.encode()):
            return "this browser has no session; start `mmind page` again for a new address"
        return ""

    def is_own_host(self, headers: Mapping[str, str]) -> bool:
        """Whether the request names this machine as we do."""
        return headers.get("host", "") in self._hosts
