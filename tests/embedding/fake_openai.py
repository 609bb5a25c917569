"""A server on loopback that speaks the embeddings API as far as we use it."""

from __future__ import annotations

import base64
import hashlib
import json
import threading
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

KEY = "sk-proj-Zq81xWv7LmN4"
WIDTH = 1536


@dataclass(frozen=True)
class Answer:
    """One scripted answer. `waits` holds it back until the server is told to close."""

    status: int = 200
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    waits: bool = False


@dataclass
class FakeOpenAI:
    """What the server does: first the scripted answers, then real ones. `requests` are the bodies that came in."""

    script: deque[Answer] = field(default_factory=deque)
    requests: list[dict[str, Any]] = field(default_factory=list)
    lists_of_numbers: bool = False
    width: int = WIDTH
    closing: threading.Event = field(default_factory=threading.Event)
    address: str = ""

    def answer(self, key: str, request: dict[str, Any]) -> Answer:
        self.requests.append(request)
        if self.script:
            return self.script.popleft()
        if key != f"Bearer {KEY}":
            return Answer(401, error(f"Incorrect API key provided: {key}. You can find your API key at …"))
        texts = request["input"]
        if not 1 <= len(texts) <= 2048 or "" in texts:
            return Answer(400, error("'$.input' is invalid"))
        entries = [self._entry(index, text, request) for index, text in enumerate(texts)]
        return Answer(200, json.dumps({"object": "list", "data": entries[::-1], "model": request["model"]}).encode())

    def _entry(self, index: int, text: str, request: dict[str, Any]) -> dict[str, Any]:
        numbers = 3 * vector_of(text, self.width)
        packed = request["encoding_format"] == "base64" and not self.lists_of_numbers
        embedding = base64.b64encode(numbers.tobytes()).decode() if packed else numbers.tolist()
        return {"object": "embedding", "index": index, "embedding": embedding}


def vector_of(text: str, width: int = WIDTH) -> Any:
    """The unit vector that the server has for a text."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    numbers = np.random.default_rng(seed).standard_normal(width).astype("<f4")
    return numbers / np.linalg.norm(numbers)


def error(message: str) -> bytes:
    """An error body in the API's form."""
    return json.dumps({"error": {"message": message, "type": "invalid_request_error", "code": None}}).encode()


@contextmanager
def running() -> Iterator[FakeOpenAI]:
    """The server, on a free port of 127.0.0.1, until the block ends."""
    fake = FakeOpenAI()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            answer = fake.answer(self.headers["authorization"], request)
            if answer.waits:
                fake.closing.wait(30)
                self.close_connection = True
                return
            body = answer.body if answer.body is not None else error("scripted")
            self.send_response(answer.status)
            for name, value in {"content-type": "application/json", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *values: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.daemon_threads = True
        fake.address = f"http://127.0.0.1:{server.server_port}/v1"
        serving = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        serving.start()
        try:
            yield fake
        finally:
            fake.closing.set()
            server.shutdown()
            serving.join()
