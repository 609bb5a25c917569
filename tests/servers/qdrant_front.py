"""Not Qdrant: the requests of Qdrant's REST interface that mmind makes, answered by qdrant-client's local mode.

No Qdrant server can be had from a package registry. This gives the client's real HTTP path a server that can be
stopped, killed and shared; what a real Qdrant does differently, it cannot show. Run as `qdrant_front.py PORT FOLDER`.
"""

from __future__ import annotations

import json
import re
import sys
import threading
import warnings
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from qdrant_client import QdrantClient, models

KEY = "k@y/:?#%"
_TURN = threading.Lock()  # local mode is not made for several threads

Answer = Callable[[QdrantClient, str, dict[str, Any]], Any]


def _create(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    if client.collection_exists(name):
        raise FileExistsError(name)
    return client.create_collection(name, vectors_config=models.CreateCollection(**body).vectors or {})


def _index(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    return client.create_payload_index(name, body["field_name"], body["field_schema"])


def _upsert(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    return client.upsert(name, models.PointsList(**body).points)


def _scroll(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    asked = models.ScrollRequest(**body)
    points, offset = client.scroll(name, asked.filter, asked.limit or 10, None, asked.offset, asked.with_payload)
    return models.ScrollResult(points=points, next_page_offset=offset)


def _count(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    return client.count(name, models.CountRequest(**body).filter)


def _retrieve(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    asked = models.PointRequest(**body)
    return client.retrieve(name, asked.ids, asked.with_payload, asked.with_vector or False)


def _query(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    asked = models.QueryRequest(**body)
    return client.query_points(name, asked.query, using=asked.using, limit=asked.limit or 10, with_payload=True)


def _delete(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    return client.delete(name, models.FilterSelector(**body))


def _set_payload(client: QdrantClient, name: str, body: dict[str, Any]) -> Any:
    asked = models.SetPayload(**body)
    return client.set_payload(name, asked.payload, asked.filter)


_ROUTES: tuple[tuple[str, str, Answer], ...] = (
    ("GET", "", lambda client, name, _: client.get_collection(name)),
    ("GET", "/exists", lambda client, name, _: {"exists": client.collection_exists(name)}),
    ("PUT", "", _create),
    ("PUT", "/index", _index),
    ("PUT", "/points", _upsert),
    ("POST", "/points", _retrieve),
    ("POST", "/points/scroll", _scroll),
    ("POST", "/points/count", _count),
    # What only the tests' own hands ask for:
    ("DELETE", "", lambda client, name, _: client.delete_collection(name)),
    ("POST", "/points/query", _query),
    ("POST", "/points/delete", _delete),
    ("POST", "/points/payload", _set_payload),
)


class _Handler(BaseHTTPRequestHandler):
    client: QdrantClient

    def _answer(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        if self.headers.get("api-key") != KEY:
            self._send(401, b"{}")
            return
        path = self.path.partition("?")[0]
        found = re.fullmatch(r"/collections/([^/]+)(/.*)?", path)
        for method, rest, answer in _ROUTES:
            if found and self.command == method and (found[2] or "") == rest:
                self._send(*self._asked(answer, found[1], body))
                return
        self._send(404, json.dumps({"status": {"error": f"no route {self.command} {path}"}}).encode())

    do_GET = do_PUT = do_POST = do_DELETE = _answer  # noqa: N815 - the standard library's names

    def _asked(self, answer: Answer, name: str, body: dict[str, Any]) -> tuple[int, bytes]:
        try:
            with _TURN:
                result = answer(self.client, name, body)
        except FileExistsError:
            return 409, b"{}"
        except ValueError as error:
            return (404 if "not found" in str(error) else 400), json.dumps({"status": {"error": str(error)}}).encode()
        return 200, json.dumps({"result": _plain(result), "status": "ok", "time": 0.0}).encode()

    def _send(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def _plain(result: Any) -> Any:
    if isinstance(result, list):
        return [_plain(each) for each in result]
    return result.model_dump(mode="json", exclude_none=True) if hasattr(result, "model_dump") else result


def main() -> None:
    """Serve until killed."""
    warnings.simplefilter("ignore")
    _Handler.client = QdrantClient(path=sys.argv[2], force_disable_check_same_thread=True)
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), _Handler).serve_forever()


if __name__ == "__main__":
    main()
