"""`python -m mmind` and the console script. Nothing heavy is imported before the words are read."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping


def main() -> int:
    """Run the command line of this process and give its exit code."""
    from mmind.cli.run import run

    return run(sys.argv[1:], os.environ, _server)


def _server(vault: str | None, environ: Mapping[str, str]) -> int:
    from mmind.server.front import main

    return main(vault, environ)


if __name__ == "__main__":
    raise SystemExit(main())
