"""OpenAI's embeddings over the network, and what happens when the network or the service does not answer."""

from __future__ import annotations

import base64
import binascii
import hashlib
import ipaddress
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mmind.embedding.legal_text import legal_text
from mmind.values.errors import EngineUnavailable

if TYPE_CHECKING:
    import openai

    from mmind.values.ports import Vectors

DEFAULT_BASE_URL = "https://api.openai.com/v1"
OPENAI_DIMENSIONS = {"text-embedding-3-small": 1536, "text-embedding-3-large": 3072}

# The API takes 8,192 tokens a text and 300,000 a request. A token is at least one byte, so these hold in any language.
TEXT_BYTES = 8_000
REQUEST_BYTES = 280_000
REQUEST_TEXTS = 256
BLANK = "."  # stands for a text without a visible character: the API refuses empty ones


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to wait for one answer, how often to ask again, and the longest pause between (all in seconds)."""

    timeout: float
    retries: int
    longest_pause: float


FOR_A_QUERY = Patience(timeout=4, retries=1, longest_pause=0.5)  # somebody waits, and words alone can answer
FOR_A_BATCH = Patience(timeout=30, retries=4, longest_pause=20)  # the index works in the background
FIRST_PAUSE = 0.25
# After a failure nobody asks again for so long: a dead network must not cost every retrieve its timeout.
COOL_DOWN = 30.0
COOL_DOWN_REFUSED = 300.0  # a wrong key or address stays wrong until mmind is restarted with another one


@dataclass(frozen=True, slots=True)
class _Failure:
    """Why a request failed, in words that hold nothing of the key or of the server's answer."""

    reason: str
    hint: str
    passing: bool = True  # may be gone at the next try
    silence: float = COOL_DOWN  # seconds in which nobody asks again
    wait: float = 0.0  # seconds that the server asks for


class OpenAIEmbedder:
    """Vectors of an OpenAI model; safe to call from any thread. One text is a query, several are a batch.

    Texts are cut at 8,000 bytes of UTF-8. The key is sent to `base_url` and shown nowhere. `monotonic` (seconds)
    and `sleep` are the clock. Nothing is imported or connected before the first text.
    """

    def __init__(
        self,
        *,
        model: str,
        api_key: str,
        base_url: str,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.dimension = OPENAI_DIMENSIONS[model]
        self.identity = f"{model}/openai{_mark(base_url)}/{self.dimension}"
        self.is_local = False
        self._model, self._api_key, self._base_url = model, api_key, base_url
        self._monotonic, self._sleep = monotonic, sleep
        self._opening = threading.Lock()
        self._client: openai.OpenAI | None = None
        self._silence: tuple[float, _Failure] | None = None  # until when, and why

    def embed(self, texts: Sequence[str]) -> Vectors:
        """(n, d) float32, each row unit length. Raises EngineUnavailable when the service does not answer with them.

        A passing failure (429, 5xx, no connection, time out) is tried again after growing pauses, then nobody asks
        for a while; a refusal is final.
        """
        import numpy as np

        patience = FOR_A_QUERY if len(texts) == 1 else FOR_A_BATCH
        parts = [self._part(part, patience) for part in _requests(texts)]
        return np.concatenate(parts) if parts else np.zeros((0, self.dimension), np.float32)

    def close(self) -> None:
        """Close the connection, if there is one. Harmless when called twice."""
        with self._opening:
            client, self._client = self._client, None
        if client:
            client.close()

    def _part(self, texts: list[str], patience: Patience) -> Vectors:
        if self._silence and self._monotonic() < self._silence[0]:
            raise _unavailable(self._silence[1])
        answer = self._ask(texts, patience.timeout)
        for pause in _pauses(patience):
            if not isinstance(answer, _Failure) or not answer.passing or answer.wait > patience.longest_pause:
                break
            self._sleep(max(pause, answer.wait))
            answer = self._ask(texts, patience.timeout)
        if isinstance(answer, _Failure):
            self._silence = (self._monotonic() + max(answer.silence, answer.wait), answer)
            raise _unavailable(answer)
        self._silence = None
        return answer

    def _ask(self, texts: list[str], timeout: float) -> Vectors | _Failure:
        """One request. The library's errors are turned into a value here: they quote keys and bodies."""
        import openai

        try:
            raw = self._connected().embeddings.with_raw_response.create(
                model=self._model, input=texts, encoding_format="base64", timeout=timeout
            )
            return _vectors(raw.content, len(texts), self.dimension)
        except openai.APIStatusError as fault:
            return _status_failure(fault.status_code, fault.response.headers.get("retry-after", ""), self._host)
        except openai.APITimeoutError:
            return _Failure(f"{self._host} did not answer within {timeout:g} seconds", "check the network")
        except openai.APIConnectionError:
            return _Failure(f"no connection to {self._host}", "check the network and OPENAI_BASE_URL")
        except (openai.OpenAIError, ImportError, OSError, RuntimeError, ValueError, KeyError, TypeError) as fault:
            named = type(fault).__name__
            return _Failure(f"the answer of {self._host} cannot be used ({named})", "check OPENAI_BASE_URL")

    def _connected(self) -> openai.OpenAI:
        import openai

        with self._opening:
            if self._client is None:
                # A proxy from the environment does not know this machine's own loopback.
                own = openai.DefaultHttpxClient(trust_env=False) if _is_loopback(self._base_url) else None
                self._client = openai.OpenAI(
                    api_key=self._api_key, base_url=self._base_url, max_retries=0, http_client=own
                )
            return self._client

    @property
    def _host(self) -> str:
        return urlsplit(self._base_url).hostname or ""


def _requests(texts: Sequence[str]) -> Iterator[list[str]]:
    """The texts as the API takes them, in order, cut into requests within its bounds."""
    request: list[str] = []
    size = 0
    for text in map(_sendable, texts):
        length = len(text.encode())
        if request and (len(request) == REQUEST_TEXTS or size + length > REQUEST_BYTES):
            yield request
            request, size = [], 0
        request.append(text)
        size += length
    if request:
        yield request


def _sendable(text: str) -> str:
    cut = legal_text(text[:TEXT_BYTES]).encode()[:TEXT_BYTES].decode("utf-8", "ignore")
    return cut if cut.strip() else BLANK


def _pauses(patience: Patience) -> Iterator[float]:
    return (min(FIRST_PAUSE * 2**turn, patience.longest_pause) for turn in range(patience.retries))


def _vectors(content: bytes, count: int, dimension: int) -> Vectors:
    """The rows of an answer, in the order of the question. Raises ValueError, KeyError or TypeError when it is not one.

    The API's list is put in order by `index`. Servers that do not know base64 answer with lists of numbers.
    """
    import numpy as np

    rows = np.full((count, dimension), np.nan, np.float32)
    for entry in json.loads(content)["data"]:
        index = entry["index"]
        if type(index) is not int or not 0 <= index < count:
            raise ValueError("an index out of range")
        rows[index] = _row(entry["embedding"], dimension)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not (np.isfinite(lengths).all() and lengths.all()):
        raise ValueError("a vector is missing or has no direction")
    unit: Vectors = rows / lengths
    return unit


def _row(embedding: Any, dimension: int) -> Any:
    import numpy as np

    try:
        packed = isinstance(embedding, str)
        row = np.frombuffer(base64.b64decode(embedding), "<f4") if packed else np.asarray(embedding, np.float32)
    except binascii.Error as fault:
        raise ValueError("not base64") from fault
    if row.shape != (dimension,):
        raise ValueError(f"a vector of {row.size} numbers where {dimension} were expected")
    return row


def _status_failure(status: int, retry_after: str, host: str) -> _Failure:
    if status in (408, 409, 429) or status >= 500:
        why, hint = ("limits this key", "check its plan") if status == 429 else ("has a fault", "wait a little")
        return _Failure(f"{host} {why} (HTTP {status})", hint, wait=_seconds(retry_after))
    if status in (400, 413, 422):  # this request's own fault: the next one may be taken
        return _Failure(f"{host} refuses the texts (HTTP {status})", "check OPENAI_BASE_URL", False, silence=0)
    if status in (401, 403):
        why, hint = f"{host} does not accept OPENAI_API_KEY (HTTP {status})", "set a valid key, or unset it"
    else:
        why, hint = f"{host} does not embed (HTTP {status})", "check OPENAI_BASE_URL and the model"
    return _Failure(why, hint, False, silence=COOL_DOWN_REFUSED)


def _seconds(retry_after: str) -> float:
    """The header's number of seconds, at most an hour; its other form, a date, counts as none (RFC 9110, 10.2.3)."""
    return min(float(retry_after), 3600.0) if retry_after.isdecimal() else 0.0


def _unavailable(failure: _Failure) -> EngineUnavailable:
    return EngineUnavailable(f"no embeddings from OpenAI: {failure.reason}", failure.hint)


def _mark(base_url: str) -> str:
    """Nothing for OpenAI itself, else a mark of the address: another server may hold another model of that name."""
    parts = urlsplit(base_url.rstrip("/"))
    place = f"{parts.hostname}:{parts.port or ''}{parts.path}"
    if place == "api.openai.com:/v1":
        return ""
    return "@" + hashlib.sha256(place.encode()).hexdigest()[:8]


def _is_loopback(base_url: str) -> bool:
    host = urlsplit(base_url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
