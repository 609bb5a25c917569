"""Settings -> Mind: the only place that knows configuration and engines at once."""

from __future__ import annotations

import os
from collections.abc import Mapping

from mmind.router.mind import Mind
from mmind.values.door import Door


def open_mind(
    vault: str | os.PathLike[str] | None = None,
    environ: Mapping[str, str] | None = None,
    door: Door = Door.AGENT,
) -> Mind:
    """Open the mind that environment, saved file and defaults describe; nothing is scanned or loaded yet.

    Raises ConfigError on a setting that is unknown or out of range. A store that cannot be opened does not stop the
    others: it is named in every answer. `door` stamps trust: generated for an agent's tools, curated for the user.
    """
    raise NotImplementedError
