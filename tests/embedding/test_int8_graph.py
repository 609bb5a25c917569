from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mmind.embedding.int8_graph import int8_graph
from mmind.embedding.local_model import PACKAGED, weights_of
from mmind.embedding.onnx_wire import read_tensors

if TYPE_CHECKING:
    from mmind.embedding.onnx_wire import Tensors


@pytest.fixture(scope="module")
def tensors() -> Tensors:
    return read_tensors(weights_of(PACKAGED))


def test_the_same_tensors_give_the_same_bytes(tensors: Tensors) -> None:
    assert int8_graph(tensors) == int8_graph(tensors)


def test_the_graph_is_as_small_as_the_int8_layers(tensors: Tensors) -> None:
    layers = sum(tensor.nbytes for name, tensor in tensors.items() if name.startswith("val_") and name.endswith("_q"))
    assert layers < len(int8_graph(tensors)) < 1.03 * layers


def test_tensors_of_another_export_are_refused(tensors: Tensors) -> None:
    without = {name: tensor for name, tensor in tensors.items() if name != "val_473_q"}
    with pytest.raises(ValueError, match="35 int8 matrices where 36 were expected"):
        int8_graph(without)
    renamed = {name.replace("inner.", "model."): tensor for name, tensor in tensors.items()}
    with pytest.raises(KeyError):
        int8_graph(renamed)
