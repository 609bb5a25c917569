from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from mmind.router.mind import Mind
from tests.crash.killing import mind_on
from tests.vaults.ground import tree

OpenMind = Callable[[], Mind]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """An empty vault, with a folder beside it that no test may reach."""
    (tmp_path / "vault-evil").mkdir()
    (tmp_path / "vault-evil" / "canary.md").write_text("canary xq17 sings\n")
    made = tmp_path / "vault"
    made.mkdir()
    return made


@pytest.fixture
def open_mind(vault: Path, tmp_path: Path) -> Iterator[OpenMind]:
    """Opens a mind over the vault as it lies; at the end the vault must be what it was then, byte for byte (R3)."""
    before: list[object] = []
    with ExitStack() as stack:

        def open_one() -> Mind:
            before.append(tree(vault))
            return stack.enter_context(mind_on(tmp_path / "home", vault))

        yield open_one
    assert [tree(vault)] * len(before) == before
