"""Paths as short as a person needs them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath


@dataclass(frozen=True, slots=True)
class Places:
    """The folders that paths are shown relative to: the working directory, and the home as `~`."""

    working: str = ""
    user: str = ""

    def shorten(self, path: str) -> str:
        """The path as a shell in the working directory would take it."""
        for folder, sign in ((self.working, ""), (self.user, "~")):
            if folder and PurePath(path).is_relative_to(folder):
                return (PurePath(sign) / PurePath(path).relative_to(folder)).as_posix()
        return path
