"""Each tool's call on the mind, and both renderings of what came back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mmind import wire
from mmind.server import text
from mmind.server.arguments import check_arguments
from mmind.server.neutral import neutral, neutral_tree, plain_name

if TYPE_CHECKING:
    from mmind.router.mind import Mind

Json = dict[str, Any]

MAX_WRITER = 64


@dataclass(frozen=True, slots=True)
class Answer:
    """What a tool says, twice: each rendering is complete alone, since clients show their model only one of them."""

    structured: Json
    text: str


def check(tool: Mapping[str, Any], arguments: Mapping[str, Any]) -> Json:
    """The arguments of a call on this row of `tools.tools`. Raises BadRequest."""
    return check_arguments(tool["name"], tool["inputSchema"], arguments)


def call(mind: Mind, name: str, arguments: Json, writer: str) -> Answer:
    """Run one tool whose arguments hold. Raises MmindError."""
    work, render = VERBS[name]
    structured: Json = neutral_tree(work(mind, arguments, writer))
    return Answer(structured, render(structured))


def writer_name(client: str) -> str:
    """The client's own name as memories keep it: one bounded line. It is a claim of the client and earns no trust."""
    return " ".join(neutral(client).split())[:MAX_WRITER]


def _retrieve(mind: Mind, arguments: Json, _: str) -> Json:
    explain = arguments.pop("explain", False)
    return wire.lean(wire.bundle_to_json(mind.retrieve(**arguments), explain=explain))


def _store(mind: Mind, arguments: Json, writer: str) -> Json:
    return wire.stored_to_json(mind.compared(mind.store(**arguments, writer=writer)))


def _sources(mind: Mind, _arguments: Json, _writer: str) -> Json:
    return wire.status_to_json(mind.sources())


def _get(mind: Mind, arguments: Json, _: str) -> Json:
    return wire.page_to_json(mind.get(plain_name(arguments.pop("id")), **arguments))


def _forget(mind: Mind, arguments: Json, _: str) -> Json:
    return wire.forgotten_to_json(mind.forget(plain_name(arguments["id"])))


VERBS: dict[str, tuple[Callable[[Mind, Json, str], Json], Callable[[Json], str]]] = {
    "retrieve": (_retrieve, text.bundle_text),
    "store": (_store, text.stored_text),
    "sources": (_sources, text.status_text),
    "get": (_get, text.page_text),
    "forget": (_forget, text.forgotten_text),
}
