"""What the page asks for, as JSON: one retrieve, one memory, the stores, the audit trail. Nothing here writes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mmind.audit.reading import Selection, tail, verify
from mmind.router.mind import Mind
from mmind.text.age import age_in_words
from mmind.text.marking import query_spans
from mmind.text.shortening import Places
from mmind.values.errors import BadRequest
from mmind.wire import bundle_to_json, page_to_json, status_to_json

MOST_RECORDS = 200
HIDDEN = ("prev", "hash", "query_hmac", "pid", "host", "v")


class Answers:
    """Answers by name; each takes the words of the address after its `?`. Raises MmindError."""

    def __init__(self, mind: Mind, audit: Path, places: Places) -> None:
        self._mind = mind
        self._audit = audit
        self._places = places
        self.by_name = {
            "retrieve": self.retrieve,
            "get": self.get,
            "sources": self.sources,
            "audit": self.audit,
            "verify": self.verify,
        }

    def retrieve(self, asked: Mapping[str, str]) -> dict[str, Any]:
        """`q`, and `limit` (default 8): the bundle with every factor, what to mark, ages and short paths."""
        question = asked.get("q", "")
        bundle = self._mind.retrieve(question, limit=_number(asked, "limit", 8))
        answer = bundle_to_json(bundle, explain=True)
        for found, result in zip(bundle.results, answer["results"], strict=True):
            result["marks"] = query_spans(result["text"], question)
            for evidence, place in zip(found.evidence, result["provenance"], strict=True):
                place["shown"] = self._places.shorten(place.get("path", ""))
                place["age"] = age_in_words(evidence.time, bundle.now)
        return answer

    def get(self, asked: Mapping[str, str]) -> dict[str, Any]:
        """`id`, and `offset`: one page of a memory."""
        return page_to_json(self._mind.get(asked.get("id", ""), offset=_number(asked, "offset", 0)))

    def sources(self, _: Mapping[str, str]) -> dict[str, Any]:
        """Every store."""
        return status_to_json(self._mind.sources())

    def audit(self, asked: Mapping[str, str]) -> dict[str, Any]:
        """The last `n` records (default 50), the newest first, of one `event` where it is named."""
        count = min(max(1, _number(asked, "n", 50)), MOST_RECORDS)
        events = [asked["event"]] if asked.get("event") else []
        records = tail(self._audit, Selection(count=count, events=events))
        shown = [{key: value for key, value in record.items() if key not in HIDDEN} for record in records]
        return {"records": shown[::-1]}

    def verify(self, _: Mapping[str, str]) -> dict[str, Any]:
        """Whether the chain of the audit log holds."""
        verdict = verify(self._audit)
        return {"holds": verdict.holds, "records": verdict.records, "why": verdict.why}


def _number(asked: Mapping[str, str], name: str, default: int) -> int:
    word = asked.get(name, "")
    try:
        return int(word) if word else default
    except ValueError:
        raise BadRequest(f"{name}: must be a whole number, got {word[:40]!r}") from None
