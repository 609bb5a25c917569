"""One Qdrant collection: how it is reached, made and asked, and the server's errors put into words."""

from __future__ import annotations

import importlib.util
import re
import threading
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from mmind.stores.outage import Outage
from mmind.stores.served import ServedAt
from mmind.stores.server_address import Address, address_of
from mmind.values.errors import ConfigError, EngineError, EngineUnavailable

if TYPE_CHECKING:
    from qdrant_client import QdrantClient

Payload = dict[str, Any]

# Importing the client costs 0.9 s of CPU: it is done at the first use, but whether it is there is told at once.
if importlib.util.find_spec("qdrant_client") is None:
    raise ModuleNotFoundError("No module named 'qdrant_client'", name="qdrant_client")

ANSWER_SECONDS = 5
PAGE = 1000  # points a request
PREFIX = "mmind_"
_OPTIONS = ("api_key", "collection_prefix")


class QdrantCollection:
    """The collection of one store on the server that a URL names. Nothing is connected before the first use.

    Raises ConfigError when the URL makes no sense.
    """

    def __init__(self, store: str, place: ServedAt) -> None:
        variable = place.variable or "MMIND_QDRANT_URL"
        self._address = address_of(place.url, 6333, variable)
        if not _key(self._address).isascii():
            raise ConfigError(f"the key in {variable} has letters that HTTP does not carry", "look the key up again")
        self.name = _name(store, self._address.options, variable)
        self.where = f"{self._address.where} collection {self.name}"
        self._turn = threading.Lock()
        self._client: QdrantClient | None = None
        self._outage = Outage()

    @property
    def is_unencrypted(self) -> bool:
        """Whether a key goes over the wire in the open to another machine."""
        is_here = self._address.host in {"localhost", "127.0.0.1", "::1"}
        return bool(_key(self._address)) and self._address.scheme == "http" and not is_here

    @contextmanager
    def asking(self) -> Iterator[QdrantClient]:
        """The client; what goes wrong inside is raised as EngineError, in one line without the key."""
        from qdrant_client.http.exceptions import ApiException, ResponseHandlingException

        self._outage.check()
        try:
            yield self._opened()
        except ResponseHandlingException as error:
            waited = ANSWER_SECONDS if _is_silence(error.source) else 0
            raise self._outage.began(_unreachable(self.where, error.source), waited) from error
        except (ApiException, ValueError) as error:
            raise _worded(self.where, error) from error
        self._outage.ended()

    def is_there(self) -> bool:
        """Whether the collection exists. Raises EngineError."""
        with self.asking() as client:
            return client.collection_exists(self.name)

    def make(self, vectors: Mapping[str, int]) -> None:
        """Make the collection with these named vectors (name to dimension, cosine), unless somebody else just did."""
        from qdrant_client import models

        sizes = {
            name: models.VectorParams(size=size, distance=models.Distance.COSINE) for name, size in vectors.items()
        }
        with self.asking() as client:
            try:
                client.create_collection(self.name, vectors_config=sizes)
            except Exception:
                if not client.collection_exists(self.name):
                    raise
            for field, kind in (
                ("kind", models.PayloadSchemaType.KEYWORD),
                ("changed", models.PayloadSchemaType.INTEGER),
            ):
                client.create_payload_index(self.name, field, kind, wait=True)

    def vector_sizes(self) -> dict[str, int]:
        """The dimension of each named vector that the collection takes. Raises EngineError."""
        with self.asking() as client:
            found = client.get_collection(self.name).config.params.vectors
        return {name: params.size for name, params in found.items()} if isinstance(found, dict) else {}

    def payload(self, point: str) -> Payload | None:
        """What a point holds beside its vectors, or None when there is no such point, or no collection.

        Raises EngineError.
        """
        from qdrant_client.http.exceptions import UnexpectedResponse

        with self.asking() as client:
            try:
                found = client.retrieve(self.name, [point], with_payload=True)
            except UnexpectedResponse as error:
                if error.status_code != 404:
                    raise
                found = []
        return dict(found[0].payload or {}) if found else None

    def payloads(self, points: Sequence[str]) -> list[Payload]:
        """What these points hold, without those that are not there. Raises EngineError."""
        with self.asking() as client:
            return [dict(record.payload or {}) for record in client.retrieve(self.name, points, with_payload=True)]

    def put(self, point: str, payload: Payload, vectors: Mapping[str, list[float]]) -> None:
        """Write a point; applied and in the server's log when it returns. Raises EngineError."""
        from qdrant_client import models

        record = models.PointStruct(id=point, vector=dict(vectors), payload=payload)
        with self.asking() as client:
            client.upsert(self.name, [record], wait=True)

    def scroll(self, fields: Sequence[str], kind: str = "", changed_from: int | None = None) -> Iterator[Payload]:
        """These fields of every point of a kind ("": any), or of those that changed since. Raises EngineError."""
        offset: Any = None
        while True:
            with self.asking() as client:
                records, offset = client.scroll(
                    self.name, _filter(kind, changed_from), limit=PAGE, offset=offset, with_payload=list(fields)
                )
            yield from (dict(record.payload or {}) for record in records)
            if offset is None:
                return

    def count(self, kind: str) -> int:
        """How many points of a kind there are, exactly. Raises EngineError."""
        with self.asking() as client:
            return int(client.count(self.name, _filter(kind, None), exact=True).count)

    def close(self) -> None:
        """Close the connections; the next use opens new ones."""
        with self._turn:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    def _opened(self) -> QdrantClient:
        with self._turn:
            if self._client is None:
                self._client = _client(self._address)
            return self._client


def _client(address: Address) -> QdrantClient:
    from qdrant_client import QdrantClient

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a key over plain HTTP: `health` says it where it matters
        return QdrantClient(
            host=address.host,
            port=address.port,
            https=address.scheme == "https",
            prefix=address.path or None,
            api_key=_key(address) or None,
            timeout=ANSWER_SECONDS,
            check_compatibility=False,  # it would ask the server now
        )


def _key(address: Address) -> str:
    return address.options.get("api_key", "") or address.password or address.user


def _name(store: str, options: Mapping[str, str], variable: str) -> str:
    """The collection's name: the prefix, then the store's name. Raises ConfigError for an option it does not know."""
    for option in options:
        if option not in _OPTIONS:
            hint = f"known are {', '.join(_OPTIONS)}"
            raise ConfigError(f"{variable} has an option that is not known here: {option}", hint)
    name = options.get("collection_prefix", PREFIX) + store
    if not re.fullmatch(r"[\w.-]{1,200}", name, re.ASCII):
        hint = "use letters, digits, _ and - in collection_prefix"
        raise ConfigError(f"{name[:60]!r} cannot be the name of a Qdrant collection", hint)
    return name


def _filter(kind: str, changed_from: int | None) -> Any:
    from qdrant_client import models

    conditions: list[Any] = []
    if kind:
        conditions.append(models.FieldCondition(key="kind", match=models.MatchValue(value=kind)))
    if changed_from is not None:
        conditions.append(models.FieldCondition(key="changed", range=models.Range(gte=changed_from)))
    return models.Filter(must=conditions)


_BY_STATUS = {
    401: ("refused the key", "correct the key in MMIND_QDRANT_URL: https://:KEY@HOST:6333"),
    403: ("refused the key", "use a key in MMIND_QDRANT_URL that may read and write this collection"),
    413: ("takes no text of this size", "raise max_request_size_mb, or store it in parts"),
    429: ("asks for a pause", "try again in a moment"),
    503: ("is not ready", "try again in a moment; if it stays so, look into the server's log"),
    507: ("cannot grow: its drive is full", "free some space; nothing was changed"),
}


def _unreachable(where: str, error: Exception) -> EngineError:
    if _is_silence(error):
        return EngineUnavailable(f"{where} did not answer in time", "try again; if it stays so, look into its log")
    if "certificate" in str(error).lower():
        return EngineUnavailable(f"{where} shows a certificate that is not trusted here", "check the server's TLS")
    return EngineUnavailable(f"{where} cannot be reached", "start the server, or correct MMIND_QDRANT_URL")


def _is_silence(error: Exception) -> bool:
    return "timed out" in str(error) or "Timeout" in type(error).__name__


def _worded(where: str, error: Exception) -> EngineError:
    status = getattr(error, "status_code", None)
    if status in _BY_STATUS:
        words, hint = _BY_STATUS[status]
        return EngineUnavailable(f"{where} {words}", hint)
    words = " ".join(str(error).split())[:200]
    return EngineUnavailable(f"{where} answered with an error: {words}", "look into the server's log")
