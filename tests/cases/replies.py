"""The names of our reply fields, written once: what a judge asks of a reply, in the words of the cases."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mmind.wire import whole
from tests.cases.acting import Outcome

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Found:
    """One result: the case's ids of every place that it lists (the speaker first), and the rest as the cases ask."""

    ids: tuple[str, ...]
    title: str
    text: str
    tags: tuple[str, ...]
    headings: tuple[str, ...]
    stores: tuple[str, ...]
    paths: tuple[str, ...]
    weak: bool
    cut: bool
    factors: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Pair:
    """One conflict, its two sides and the preferred one by the case's ids."""

    ids: frozenset[str]
    kind: str
    preferred: str
    why: str


class Replies:
    """Reads replies; `refs` are the case's names of seeded memories by handle."""

    def __init__(self, refs: Mapping[str, str]) -> None:
        self._refs = refs

    def name(self, handle: str) -> str:
        """What the case calls a memory: its ref, or the path of a note below `vault/`."""
        if handle in self._refs:
            return self._refs[handle]
        store, _, local = handle.partition(":")
        return composed(f"vault/{local}") if store == "markdown" else handle

    def results(self, outcome: Outcome) -> list[Found]:
        """The results of a retrieve, best first; none of an error."""
        answer = structured(outcome)
        return [self._found(result) for result in whole(answer)["results"]] if "results" in answer else []

    def conflicts(self, outcome: Outcome) -> list[Pair]:
        """The conflicts of a retrieve."""
        return [
            Pair(frozenset(map(self.name, one["ids"])), one["kind"], self.name(one["trusted"]), one.get("reason", ""))
            for one in structured(outcome).get("conflicts", ())
        ]

    def _found(self, result: Json) -> Found:
        places = result["provenance"]
        return Found(
            ids=tuple(dict.fromkeys(self.name(id_) for id_ in (result["id"], *(place["id"] for place in places)))),
            title=result.get("title", ""),
            text=result["text"],
            tags=tuple(result.get("tags", ())),
            headings=tuple(places[0].get("heading", ())),
            stores=tuple(result["stores"]),
            paths=tuple(place.get("path", "") for place in places),
            weak=result.get("weak", False),
            cut=result.get("cut", False),
            factors={factor["name"]: factor for factor in result.get("explain", {}).get("factors", ())},
        )


def structured(outcome: Outcome) -> Json:
    """The structured content; empty for an error."""
    answer = ((outcome.message or {}).get("result") or {}).get("structuredContent") or {}
    assert isinstance(answer, dict)
    return answer


def text(outcome: Outcome) -> str:
    """All that a reader could see of a reply: the text blocks, or the error's message, or what a command printed."""
    message = outcome.message or {}
    blocks = [block.get("text", "") for block in (message.get("result") or {}).get("content", ())]
    return "\n".join([*blocks, message.get("error", {}).get("message", ""), outcome.printed])


def everything(outcome: Outcome) -> str:
    """The reply in both renderings."""
    return text(outcome) + json.dumps(structured(outcome), ensure_ascii=False)


def is_error(outcome: Outcome) -> bool:
    """Whether a call failed: a protocol error, a tool's error, no answer, or a command's exit code above 1."""
    if outcome.status is not None:
        return outcome.status > 1
    if outcome.tool.split()[0] in ("start", "fs", "exit"):
        return bool(outcome.failure)
    message = outcome.message or {}
    return "result" not in message or bool(message["result"].get("isError"))


def composed(name: str) -> str:
    """A name in composed form: file systems and cases spell the same name in two ways."""
    return unicodedata.normalize("NFC", name)
