from __future__ import annotations

import hashlib
import io
from importlib.resources import files

import numpy as np
import pytest
from evals.alignment import fitted, unit

from mmind.embedding.universal import ALIGNMENT, ALIGNMENT_SHA256

CHANCE = np.random.default_rng(5)
TURN = np.linalg.qr(CHANCE.normal(size=(12, 12)))[0][:, :8]  # 12 numbers to 8, columns orthonormal


def test_a_turn_is_found_again_at_any_power() -> None:
    source = CHANCE.normal(size=(400, 12))
    for power in (0.0, 0.25, 1.0):
        assert fitted(source, source @ TURN, power, ridge=1e-6) == pytest.approx(TURN, abs=1e-6)


def test_power_0_keeps_angles_where_power_1_drops_what_the_target_does_not_know() -> None:
    source = CHANCE.normal(size=(400, 12))
    target = source @ TURN * np.array([1.0, 1.0, 1.0, 1.0, 0.01, 0.01, 0.01, 0.01])
    kept = np.linalg.svd(fitted(source, target, 0.0), compute_uv=False)
    dropped = np.linalg.svd(fitted(source, target, 1.0), compute_uv=False)
    assert kept == pytest.approx(np.ones(8))
    assert dropped[-1] < 0.1 < 0.9 < dropped[0]


def test_rows_become_unit_vectors() -> None:
    assert np.linalg.norm(unit(CHANCE.normal(size=(5, 3))), axis=1) == pytest.approx(np.ones(5))


def test_the_map_that_is_shipped_fits_both_models_and_loses_no_direction() -> None:
    packed = files("mmind.embedding").joinpath(ALIGNMENT).read_bytes()
    stored = np.load(io.BytesIO(packed))
    assert hashlib.sha256(packed).hexdigest() == ALIGNMENT_SHA256
    assert (stored.shape, stored.dtype) == ((512, 384), np.float16)
    values = np.linalg.svd(stored.astype(np.float32), compute_uv=False)
    assert values[380] > 0.2 * values[0]  # the English model itself lies in some 382 dimensions
