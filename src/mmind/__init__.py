"""One memory for AI agents, spread over the places where a person's knowledge already lies.

>>> import mmind
>>> with mmind.open(vault="notes") as mind:  # doctest: +SKIP
...     bundle = mind.retrieve("when is rent due?")
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mmind.version import __version__

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from mmind.router.mind import Mind

__all__ = ["__version__", "open"]


def open(vault: str | os.PathLike[str] | None = None, environ: Mapping[str, str] | None = None) -> Mind:  # noqa: A001 - `mmind.open` reads like the built-in that it mirrors
    """Open the mind that the environment, the saved file and the defaults describe.

    `vault` is a folder of Markdown notes; `MMIND_VAULT_PATH` beats it, as it beats the command line's argument.
    `environ` stands in for `os.environ` (tests give their own). Close the mind, or use it in a `with` block.
    Raises `mmind.values.errors.ConfigError` on a setting that is unknown or out of range.
    """
    from mmind.wiring import open_mind

    return open_mind(vault, environ)
