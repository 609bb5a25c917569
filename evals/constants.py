"""Constants of the code, held at another value for a while."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from types import ModuleType
from typing import Any
from unittest.mock import patch


@contextmanager
def held_at(module: ModuleType, name: str, value: Any) -> Iterator[None]:
    """A constant or function of a module at a value, there and in all modules that took its name from there."""
    original = getattr(module, name)
    ours = [one for title, one in sys.modules.items() if title.startswith("mmind.")]
    with ExitStack() as stack:
        for holder in ours:
            if getattr(holder, name, None) is original:
                stack.enter_context(patch.object(holder, name, value))
        yield
