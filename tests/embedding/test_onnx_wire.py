from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from mmind.embedding.onnx_wire import GraphWriter, read_tensors


def written() -> bytes:
    """y = mean over rows of (x + bias), width 3, with constants of all three types."""
    graph = GraphWriter()
    graph.constant(np.array([[1, -2], [3, -128]], np.int8))
    graph.constant(np.array(-5, np.int64))
    added = graph.node("Add", "x", graph.constant(np.array([0.5, 1.5, -2.0], np.float32)))
    pooled = graph.node("ReduceMean", added, axes=[0], keepdims=0)
    return graph.model(("x", 3), (pooled, 3), {"": 17})


def test_a_written_graph_computes_what_it_says() -> None:
    session = onnxruntime.InferenceSession(written(), providers=["CPUExecutionProvider"])
    rows = np.array([[1, 2, 3], [3, 4, 5]], np.float32)
    assert session.run(None, {"x": rows})[0].tolist() == [2.5, 4.5, 2.0]


def test_written_constants_are_read_back_with_type_and_shape(tmp_path: Path) -> None:
    (tmp_path / "graph.onnx").write_bytes(written())
    whole, single, bias = read_tensors(tmp_path / "graph.onnx").values()
    assert (whole.dtype, whole.tolist()) == (np.int8, [[1, -2], [3, -128]])
    assert (single.dtype, single.shape, int(single)) == (np.int64, (), -5)
    assert (bias.dtype, bias.tolist()) == (np.float32, [0.5, 1.5, -2.0])


def test_an_integer_attribute_may_be_negative() -> None:
    graph = GraphWriter()
    soft = graph.node("Softmax", "x", axis=-1)
    pooled = graph.node("ReduceMax", soft, axes=[0], keepdims=0)
    session = onnxruntime.InferenceSession(graph.model(("x", 2), (pooled, 2), {"": 17}))
    assert session.run(None, {"x": np.zeros((1, 2), np.float32)})[0].tolist() == [0.5, 0.5]


@pytest.mark.parametrize(
    "content",
    [b"", b"\xff" * 40, b"<!doctype html>", b"\x3a\xff\xff\x03short", written()[:-60], b"\x3a\x7f" + b"\x2a" * 127],
)
def test_a_file_that_is_not_onnx_is_a_value_error(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "graph.onnx").write_bytes(content)
    with pytest.raises(ValueError, match=r".+"):
        read_tensors(tmp_path / "graph.onnx")
