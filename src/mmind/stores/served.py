"""Where a served engine is: a URL that may hold a password, and the part of it that may be shown."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qs


@dataclass(frozen=True, slots=True)
class ServedAt:
    """The place of a served engine. `url` is for its driver alone: it stands in no message, log or repr.

    `variable` is the environment variable that holds the URL, for hints.
    """

    url: str = field(repr=False)
    variable: str = ""

    @property
    def address(self) -> str:
        """`scheme://host:port/database`, without user, password and options: what may be shown. Never raises.

        Everything before the last `@` may be a password, whatever signs it holds; a URL that has a user and no `@`
        shows its scheme alone.
        """
        scheme, _, rest = self.url.partition("://")
        place, _, options = rest.rpartition("@")[2].partition("?")
        if "@" not in rest and ":" in place and not place.rpartition(":")[2].partition("/")[0].isdigit():
            return f"{scheme}://"
        host = ",".join(parse_qs(options).get("host", [])) if place.startswith("/") else ""
        return f"{scheme}://{host}{place}"

    def __str__(self) -> str:
        return self.address
