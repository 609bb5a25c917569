"""`mmind dashboard`: the door to the terminal dashboard."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping

from mmind.values.errors import BadRequest

CLOSE_SECONDS = 3.0


def main(vault: str | None, environ: Mapping[str, str]) -> int:
    """Show the dashboard until the user leaves it; 0.

    Raises BadRequest without a terminal, and ConfigError on settings that are wrong at the start.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise BadRequest("the dashboard needs a terminal", "in a script use `mmind sources --json`")
    from mmind.dashboard.app import Dashboard
    from mmind.dashboard.session import Session

    session = Session(environ, vault)
    dashboard = Dashboard(session)
    try:
        dashboard.run()
    finally:
        closing = threading.Thread(target=session.close, daemon=True)
        closing.start()
        closing.join(CLOSE_SECONDS)  # a store that hangs is not waited for: whatever was saved is saved
    if dashboard.defect is not None:
        raise dashboard.defect
    return 0
