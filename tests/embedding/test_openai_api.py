from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from mmind.embedding import openai_api
from mmind.embedding.openai_api import OpenAIEmbedder, Patience
from mmind.values.errors import EngineUnavailable
from tests.embedding.fake_openai import KEY, Answer, FakeOpenAI, error, running, vector_of
from tests.servers.programs import wait_a_moment

Open = Callable[..., OpenAIEmbedder]


class Watch:
    """A clock that moves only when somebody sleeps or a test says so; `slept` lists the pauses."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.slept: list[float] = []

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def fake() -> Iterator[FakeOpenAI]:
    with running() as server:
        yield server


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def opened(fake: FakeOpenAI, watch: Watch) -> Iterator[Open]:
    """Opens embedders of the fake server, and closes them after the test."""
    made: list[OpenAIEmbedder] = []

    def opening(api_key: str = KEY, base_url: str = "") -> OpenAIEmbedder:
        embedder = OpenAIEmbedder(
            model="text-embedding-3-small",
            api_key=api_key,
            base_url=base_url or fake.address,
            monotonic=watch.monotonic,
            sleep=watch.sleep,
        )
        made.append(embedder)
        return embedder

    yield opening
    for embedder in made:
        embedder.close()


def test_rows_are_unit_length_and_in_the_order_of_the_texts(opened: Open) -> None:
    texts = ["one", "two", "three", "知识", "🚀"]
    vectors = opened().embed(texts)
    assert (vectors.shape, vectors.dtype) == ((5, 1536), np.float32)
    assert np.allclose(vectors, [vector_of(text) for text in texts], atol=1e-6)


def test_the_model_is_named_and_packed_numbers_are_asked_for(fake: FakeOpenAI, opened: Open) -> None:
    opened().embed(["one"])
    assert fake.requests == [{"model": "text-embedding-3-small", "input": ["one"], "encoding_format": "base64"}]


def test_a_server_that_answers_with_lists_of_numbers_is_understood(fake: FakeOpenAI, opened: Open) -> None:
    fake.lists_of_numbers = True
    assert np.allclose(opened().embed(["one"])[0], vector_of("one"), atol=1e-6)


def test_no_texts_ask_nobody(fake: FakeOpenAI, opened: Open) -> None:
    assert opened().embed([]).shape == (0, 1536)
    assert fake.requests == []


def test_many_texts_go_in_requests_of_at_most_256(fake: FakeOpenAI, opened: Open) -> None:
    texts = [f"note {number}" for number in range(600)]
    vectors = opened().embed(texts)
    assert [len(request["input"]) for request in fake.requests] == [256, 256, 88]
    assert np.allclose(vectors[599], vector_of("note 599"), atol=1e-6)


def test_long_texts_are_cut_and_spread_over_requests(fake: FakeOpenAI, opened: Open) -> None:
    opened().embed(["知识" * 5000] * 50)
    sizes = [[len(text.encode()) for text in request["input"]] for request in fake.requests]
    assert [len(size) for size in sizes] == [35, 15]
    assert {size for request in sizes for size in request} == {7998}  # whole characters of three bytes below 8,000


def test_blank_and_broken_texts_are_sent_as_something_legal(fake: FakeOpenAI, opened: Open) -> None:
    assert opened().embed(["", " \n", "a\ud800", "\0"]).shape == (4, 1536)
    assert fake.requests[0]["input"] == [".", ".", "a?", "\0"]


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_passing_fault_is_tried_again(fake: FakeOpenAI, opened: Open, watch: Watch, status: int) -> None:
    fake.script.append(Answer(status))
    assert opened().embed(["one"]).shape == (1, 1536)
    assert (len(fake.requests), watch.slept) == (2, [0.25])


def test_pauses_of_a_batch_grow_and_end(fake: FakeOpenAI, opened: Open, watch: Watch) -> None:
    fake.script.extend([Answer(503)] * 9)
    with pytest.raises(EngineUnavailable, match=r"127\.0\.0\.1 has a fault \(HTTP 503\)"):
        opened().embed(["one", "two"])
    assert (len(fake.requests), watch.slept) == (5, [0.25, 0.5, 1.0, 2.0])


def test_a_batch_waits_as_long_as_the_server_asks(fake: FakeOpenAI, opened: Open, watch: Watch) -> None:
    fake.script.append(Answer(429, headers={"retry-after": "7"}))
    assert opened().embed(["one", "two"]).shape == (2, 1536)
    assert watch.slept == [7]


def test_a_query_does_not_wait_that_long_and_nobody_asks_before_the_time(
    fake: FakeOpenAI, opened: Open, watch: Watch
) -> None:
    fake.script.append(Answer(429, headers={"retry-after": "90"}))
    embedder = opened()
    for later in (0, 89):
        watch.now = 1000.0 + later
        with pytest.raises(EngineUnavailable, match=r"limits this key \(HTTP 429\); check its plan"):
            embedder.embed(["one"])
    assert (len(fake.requests), watch.slept) == (1, [])
    watch.now = 1090.0
    assert embedder.embed(["one"]).shape == (1, 1536)


def test_after_a_failure_nobody_waits_again_until_the_cool_down_is_over(
    fake: FakeOpenAI, opened: Open, watch: Watch
) -> None:
    fake.script.extend([Answer(500), Answer(500)])
    embedder = opened()
    with pytest.raises(EngineUnavailable) as first:
        embedder.embed(["one"])
    watch.now += 29
    with pytest.raises(EngineUnavailable) as second:
        embedder.embed(["two"])
    assert (len(fake.requests), str(first.value)) == (2, str(second.value))
    watch.now += 1
    assert embedder.embed(["two"]).shape == (1, 1536)


def test_a_slow_answer_is_given_up(fake: FakeOpenAI, opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai_api, "FOR_A_QUERY", Patience(timeout=0.1, retries=1, longest_pause=0.5))
    fake.script.extend([Answer(waits=True), Answer(waits=True)])
    with pytest.raises(EngineUnavailable, match=r"did not answer within 0\.1 seconds; check the network"):
        opened().embed(["one"])
    while len(fake.requests) < 2:  # the server may hear of a request after its client gave it up
        wait_a_moment()
    assert len(fake.requests) == 2


def test_a_wrong_key_is_refused_at_once_and_no_part_of_it_is_shown(
    fake: FakeOpenAI, opened: Open, watch: Watch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    wrong = "sk-proj-SECRETtail9876"
    embedder = opened(api_key=wrong)
    with pytest.raises(EngineUnavailable, match="does not accept OPENAI_API_KEY") as raised:
        embedder.embed(["one"])
    shown = f"{raised.value!s} {raised.value!r} {raised.value.hint} {embedder!r} {embedder.identity} {caplog.text}"
    assert [part for part in ("sk-", "SECRET", "tail", "9876") if part in shown] == []
    assert (raised.value.__cause__, raised.value.__context__) == (None, None)  # the library's error quotes the key
    assert "\n" not in str(raised.value)
    watch.now += 299
    with pytest.raises(EngineUnavailable):
        embedder.embed(["one"])
    assert (len(fake.requests), watch.slept) == (1, [])


def test_refused_texts_are_not_tried_again_and_silence_nobody(fake: FakeOpenAI, opened: Open, watch: Watch) -> None:
    fake.script.append(Answer(400, error("maximum context length is 8192 tokens, you said: my diary")))
    embedder = opened()
    with pytest.raises(EngineUnavailable, match=r"refuses the texts \(HTTP 400\)") as raised:
        embedder.embed(["my diary", "two"])
    assert "diary" not in str(raised.value)
    assert embedder.embed(["two"]).shape == (1, 1536)
    assert watch.slept == []


def test_a_wrong_address_is_not_tried_again(fake: FakeOpenAI, opened: Open) -> None:
    fake.script.append(Answer(404))
    with pytest.raises(EngineUnavailable, match=r"does not embed \(HTTP 404\); check OPENAI_BASE_URL"):
        opened().embed(["one"])
    assert len(fake.requests) == 1


def one_row(**changed: object) -> bytes:
    return json.dumps({"data": [{"index": 0, "embedding": [1.0] * 1536, **changed}]}).encode()


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>welcome</html>",
        b"[]",
        b"{}",
        b'{"data": null}',
        b'{"data": []}',
        b'{"data": [7]}',
        one_row(index=1),
        one_row(index="0"),
        one_row(index=True),
        one_row(embedding=[1.0] * 1535),
        one_row(embedding=[0.0] * 1536),
        one_row(embedding=[float("nan")] * 1536),
        one_row(embedding=["x"] * 1536),
        one_row(embedding="AAAA!"),
        one_row(embedding=None),
    ],
)
def test_an_answer_that_holds_no_vectors_is_a_fault_and_no_crash(fake: FakeOpenAI, opened: Open, body: bytes) -> None:
    fake.script.extend([Answer(200, body)] * 2)
    with pytest.raises(EngineUnavailable, match=r"the answer of 127\.0\.0\.1 cannot be used") as raised:
        opened().embed(["one"])
    assert "\n" not in str(raised.value)


def test_a_model_of_another_width_is_a_fault(fake: FakeOpenAI, opened: Open) -> None:
    fake.width = 768
    with pytest.raises(EngineUnavailable, match="cannot be used"):
        opened().embed(["one"])


def test_nobody_at_the_address_is_a_fault_that_names_it(opened: Open) -> None:
    with running() as gone:
        address = gone.address
    with pytest.raises(
        EngineUnavailable, match=r"no connection to 127\.0\.0\.1; check the network and OPENAI_BASE_URL"
    ):
        opened(base_url=address).embed(["one"])


def test_a_proxy_in_the_environment_is_not_asked_for_this_machine(
    fake: FakeOpenAI, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert opened().embed(["one"]).shape == (1, 1536)
    assert len(fake.requests) == 1


def test_threads_share_one_embedder(opened: Open) -> None:
    embedder = opened()
    texts = [f"note {number}" for number in range(16)]
    with ThreadPoolExecutor(4) as threads:
        rows = list(threads.map(lambda text: embedder.embed([text])[0], texts))
    assert np.allclose(rows, [vector_of(text) for text in texts], atol=1e-6)


def test_a_closed_embedder_opens_again_when_it_is_asked(opened: Open) -> None:
    embedder = opened()
    embedder.close()
    assert embedder.embed(["one"]).shape == (1, 1536)
    embedder.close()
    embedder.close()
    assert embedder.embed(["one"]).shape == (1, 1536)
