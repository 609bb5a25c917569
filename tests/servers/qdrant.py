"""A Qdrant for tests: a real server where MMIND_TEST_QDRANT_URL names one, else local mode behind HTTP.

The second is `qdrant_front.py`: it is no Qdrant, and its tests say so.
"""

from __future__ import annotations

import importlib.metadata
import os
import sys
import uuid
import warnings
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import httpx
from qdrant_client import QdrantClient

from tests.servers import qdrant_front
from tests.servers.programs import ServerProcess, free_port


class RealQdrant:
    """The server that MMIND_TEST_QDRANT_URL names; each key has collections with a prefix of its own there."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._mark = uuid.uuid4().hex[:8]
        self._numbers: dict[str, int] = {}

    def prefix(self, key: str) -> str:
        """What the names of this key's collections begin with."""
        return f"mmind_test_{self._mark}_{self._numbers.setdefault(key, len(self._numbers))}_"

    def url(self, key: str) -> str:
        """The address, with the key's prefix."""
        return f"{self._url}{'&' if '?' in self._url else '?'}collection_prefix={self.prefix(key)}"

    def is_untouched(self, key: str) -> bool:
        """Whether no collection was made for this key."""
        return not self._collections(key)

    def client(self) -> QdrantClient:
        """Another program's client."""
        return QdrantClient(url=self._url)

    def version(self) -> str:
        """As the server says it."""
        with closing(self.client()) as client:
            return f"Qdrant {client.info().version}"

    def stop(self) -> None:
        """Remove the collections that the tests made."""
        with closing(self.client()) as client:
            for key in self._numbers:
                for name in self._collections(key):
                    client.delete_collection(name)

    def _collections(self, key: str) -> list[str]:
        with closing(self.client()) as client:
            names = [each.name for each in client.get_collections().collections]
        return [name for name in names if name.startswith(self.prefix(key))]


class FrontedLocalMode:
    """qdrant-client's local mode behind HTTP, with a key that must be percent-encoded in a URL."""

    def __init__(self, folder: Path) -> None:
        self.port = free_port()
        self._folder = folder
        self._numbers: dict[str, int] = {}
        command = [sys.executable, str(Path(qdrant_front.__file__)), str(self.port), str(folder / "data")]
        self.process = ServerProcess(command, folder / "log", self._answers)

    def prefix(self, key: str) -> str:
        """What the names of this key's collections begin with."""
        return f"t{self._numbers.setdefault(key, len(self._numbers))}_"

    def url(self, key: str) -> str:
        """The address, with the access key and this key's prefix."""
        access = quote(qdrant_front.KEY, safe="")
        return f"http://:{access}@127.0.0.1:{self.port}?collection_prefix={self.prefix(key)}"

    def is_untouched(self, key: str) -> bool:
        """Whether no collection was made for this key."""
        return not list((self._folder / "data").glob(f"collection/{self.prefix(key)}*"))

    def client(self) -> QdrantClient:
        """Another program's client."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # the key goes to our own machine only
            return QdrantClient(
                host="127.0.0.1", port=self.port, https=False, api_key=qdrant_front.KEY, check_compatibility=False
            )

    def version(self) -> str:
        """What it is: no Qdrant."""
        return f"local mode of qdrant-client {importlib.metadata.version('qdrant-client')}"

    def stop(self) -> None:
        """End it; its files go with its folder."""
        self.process.stop()

    def _answers(self) -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{self.port}/", trust_env=False).status_code == 401
        except httpx.HTTPError:
            return False


def start(folder: Path) -> RealQdrant | FrontedLocalMode:
    """A real server if one is named, else local mode behind HTTP with its files in `folder`."""
    url = os.environ.get("MMIND_TEST_QDRANT_URL")
    if url:
        return RealQdrant(url)
    server = FrontedLocalMode(folder)
    server.process.start()
    return server
