"""The packaged model, loaded once for all tests of a process."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from mmind.embedding.local import LocalEmbedder
from mmind.embedding.local_model import PACKAGED

if TYPE_CHECKING:
    from numpy.typing import NDArray


@pytest.fixture(scope="session")
def local() -> LocalEmbedder:
    """The packaged model."""
    return LocalEmbedder(PACKAGED)


@pytest.fixture(scope="session")
def golden() -> Mapping[str, NDArray[Any]]:
    """Text -> vector of the float32 weights, made by a forward pass that shares no code with ours."""
    stored = json.loads(Path(__file__).with_name("golden_vectors.json").read_text("utf-8"))
    rows = np.frombuffer(base64.b64decode(stored["vectors"]), "<f2").astype(np.float32)
    return dict(zip(stored["texts"], rows.reshape(len(stored["texts"]), -1), strict=True))
