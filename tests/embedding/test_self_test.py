from __future__ import annotations

import base64
import json
from importlib.resources import files

import numpy as np
import pytest

from mmind.embedding.self_test import least_agreement

STORED = json.loads(files("mmind.embedding").joinpath("data/self_test.json").read_text("utf-8"))
ROWS = np.frombuffer(base64.b64decode(STORED["vectors"]), "<f2").astype(np.float32).reshape(3, 384)
VECTORS = dict(zip(STORED["texts"], ROWS, strict=True))


def test_the_stored_vectors_agree_with_themselves() -> None:
    assert least_agreement(VECTORS.__getitem__) == pytest.approx(1.0, abs=1e-3)


def test_one_wrong_vector_of_three_is_seen() -> None:
    one_wrong = {**VECTORS, STORED["texts"][1]: -VECTORS[STORED["texts"][1]]}
    assert least_agreement(one_wrong.__getitem__) == pytest.approx(-1.0, abs=1e-3)


def test_vectors_that_are_no_numbers_agree_with_nothing() -> None:
    assert np.isnan(least_agreement(lambda _: np.full(384, np.nan, np.float32)))
