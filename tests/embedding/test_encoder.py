from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mmind.embedding import encoder
from mmind.embedding.encoder import load_encoder
from mmind.embedding.int8_graph import int8_graph
from mmind.embedding.local_model import PACKAGED, model_at, weights_of
from mmind.embedding.onnx_wire import read_tensors
from mmind.values.errors import EngineUnavailable

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from mmind.embedding.onnx_wire import Tensors


def with_saturated_layer(tensors: Tensors) -> bytes:
    """A graph whose second widening layer is clipped to seven values, as a faulty kernel would."""
    return int8_graph({**tensors, "val_180_q": tensors["val_180_q"].clip(-3, 3)})


def with_missing_end(tensors: Tensors) -> bytes:
    return int8_graph(tensors)[:-100]


def with_unknown_operator(tensors: Tensors) -> bytes:
    return int8_graph(tensors).replace(b"DynamicQuantizeMatMul", b"DynamicQuantizeNatNul")


def test_the_packaged_weights_run_in_int8() -> None:
    assert load_encoder(PACKAGED).arithmetic == "int8"


def test_the_file_of_the_model_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    read = list[Path]()

    def counted(path: Path) -> Tensors:
        read.append(path)
        return read_tensors(path)

    monkeypatch.setattr(encoder, "read_tensors", counted)
    load_encoder(PACKAGED)
    assert len(read) == 1


@pytest.mark.parametrize("write_graph", [with_saturated_layer, with_missing_end, with_unknown_operator])
def test_a_graph_that_is_wrong_or_does_not_load_gives_way_to_the_packaged_one(
    write_graph: Any, golden: Mapping[str, NDArray[Any]]
) -> None:
    loaded = load_encoder(PACKAGED, write_graph)
    assert loaded.arithmetic == "float32"
    assert min(float(loaded.encode(text) @ vector) for text, vector in golden.items()) > 0.995


def test_other_weights_under_the_same_layout_are_refused(tmp_path: Path) -> None:
    content = bytearray(weights_of(PACKAGED).read_bytes())
    words = read_tensors(weights_of(PACKAGED))["inner.embeddings.word_embeddings.weight_q"].tobytes()
    at = content.find(words)
    content[at : at + len(words)] = words[::-1]
    (tmp_path / "model.onnx").write_bytes(content)
    with pytest.raises(EngineUnavailable, match=r"not those of all-MiniLM-L6-v2 .*self-test.*MMIND_EMBED_MODEL=local"):
        load_encoder(model_at(tmp_path))


@pytest.mark.parametrize("content", [b"", b"not a model", b"\x08\x08" * 500])
def test_a_file_that_is_no_model_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "model.onnx").write_bytes(content)
    with pytest.raises(EngineUnavailable, match="MMIND_EMBED_MODEL") as raised:
        load_encoder(model_at(tmp_path))
    assert "\n" not in str(raised.value)


def test_half_a_model_file_is_refused(tmp_path: Path) -> None:
    content = weights_of(PACKAGED).read_bytes()
    (tmp_path / "model.onnx").write_bytes(content[: len(content) // 2])
    with pytest.raises(EngineUnavailable, match="cannot load the embedding model"):
        load_encoder(model_at(tmp_path))


def test_weights_that_changed_since_they_were_named_are_refused(tmp_path: Path) -> None:
    model = tmp_path / "model.onnx"
    model.write_bytes(b"one")
    named = model_at(tmp_path)
    model.write_bytes(b"two")
    with pytest.raises(EngineUnavailable, match="is not the file it should be"):
        load_encoder(named)


def test_weights_that_went_away_are_named(tmp_path: Path) -> None:
    with pytest.raises(EngineUnavailable, match=r"gone\.onnx cannot be read"):
        load_encoder(replace(PACKAGED, weights=tmp_path / "gone.onnx"))


def test_a_broken_vocabulary_is_named(tmp_path: Path) -> None:
    vocabulary = tmp_path / "tokenizer.json"
    vocabulary.write_text("{", "utf-8")
    with pytest.raises(EngineUnavailable, match=r"tokenizer\.json cannot be used"):
        load_encoder(replace(PACKAGED, vocabulary=vocabulary))
