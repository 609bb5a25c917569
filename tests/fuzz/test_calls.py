"""Any arguments for any tool: an answer or a plain refusal, never a fault of ours; what is kept comes back."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from mmind.audit.caller import Caller
from mmind.router.mind import Mind
from mmind.router.parse import clean
from mmind.server.adapter import run_tool
from mmind.server.latemind import LateMind
from mmind.server.tools import tools
from mmind.values.errors import AccessDenied, BadRequest, MmindError
from tests.fuzz.shapes import TOOLS, arguments, texts

ROWS = {row["name"]: row for row in tools(leaves_machine=False)}
STORES = ("sqlite", "leveldb", "files", "vector")


@given(tool=st.sampled_from(TOOLS), given_arguments=arguments)
def test_any_arguments_get_an_answer_or_one_plain_line(mind: Mind, tool: str, given_arguments: dict[str, Any]) -> None:
    late = LateMind(lambda: mind)
    result = run_tool(late, ROWS[tool], given_arguments, Caller("stdio", "fuzz"), str)
    text = result.content[0].text  # type: ignore[union-attr]
    assert "internal error" not in text
    if result.is_error:
        assert text == " ".join(text.split())
        assert len(text) < 2000
    else:
        json.dumps(result.structured_content, ensure_ascii=False, allow_nan=False).encode()


@given(store=st.sampled_from(STORES), content=texts, title=texts, tags=st.lists(texts, max_size=3), session=texts)
def test_what_is_kept_comes_back_as_it_went_in_and_is_gone_when_forgotten(
    mind: Mind, store: str, content: str, title: str, tags: list[str], session: str
) -> None:
    try:
        kept = mind.store(
            content, store=store, title=title[:150], tags=[tag[:60] for tag in tags], session=session[:150]
        )
    except (BadRequest, AccessDenied):
        assume(False)
    handle = kept.memory.handle
    page = mind.get(handle)
    assert page.text.replace("\r\n", "\n").replace("\r", "\n") == clean(content).replace("\r\n", "\n").replace(
        "\r", "\n"
    )
    assert page.memory.trust == "generated"
    mind.forget(handle)
    try:
        mind.get(handle)
    except MmindError:
        return
    raise AssertionError("a forgotten memory is still there")


@given(
    query=texts,
    tags=st.lists(texts, max_size=2),
    session=texts,
    limit=st.integers(1, 50),
    max_tokens=st.integers(100, 8000),
)
def test_any_question_is_answered_within_its_bounds(
    mind: Mind, query: str, tags: list[str], session: str, limit: int, max_tokens: int
) -> None:
    try:
        answer = mind.retrieve(query, tags=tags, session=session[:150], limit=limit, max_tokens=max_tokens)
    except BadRequest:
        return
    assert not answer.faults
    assert len(answer.results) <= limit
    for result in answer.results:
        assert 0 <= result.confidence <= 1
        assert result.score.value >= 0
