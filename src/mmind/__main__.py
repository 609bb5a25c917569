"""`python -m mmind` and the console script. Nothing heavy is imported before the words are read."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import Namespace


def main() -> int:
    """Run the command line of this process and give its exit code."""
    from mmind.cli.run import run

    return run(sys.argv[1:], os.environ, {"serve": _serve, "dashboard": _dashboard, "page": _page})


def _serve(arguments: Namespace, environ: Mapping[str, str]) -> int:
    if arguments.http:
        from mmind.server import http

        return http.main(arguments.vault, environ, http.address_of(arguments.host, arguments.port, arguments.expose))
    from mmind.server.front import main

    return main(arguments.vault, environ)


def _dashboard(arguments: Namespace, environ: Mapping[str, str]) -> int:
    from mmind.dashboard.front import main

    return main(arguments.vault, environ)


def _page(arguments: Namespace, environ: Mapping[str, str]) -> int:
    from mmind.page.serving import show

    return show(arguments.vault, environ, arguments.port, is_opened=not arguments.no_open)


if __name__ == "__main__":
    raise SystemExit(main())
