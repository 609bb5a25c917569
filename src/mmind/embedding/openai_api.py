"""OpenAI's embeddings over the network, and what happens when the network or the service does not answer."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mmind.values.ports import Vectors

DEFAULT_BASE_URL = "https://api.openai.com/v1"
OPENAI_DIMENSIONS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072}


class OpenAIEmbedder:
    """Vectors of an OpenAI model; safe to call from any thread."""

    def __init__(
        self,
        *,
        model: str,
        api_key: str,
        base_url: str,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.identity = f"{model}/openai/{OPENAI_DIMENSIONS[model]}"
        self.dimension = OPENAI_DIMENSIONS[model]
        self.is_local = False

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, each row unit length. Raises EngineUnavailable when the service is not there."""
        raise NotImplementedError
