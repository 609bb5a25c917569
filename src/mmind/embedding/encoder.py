"""A loaded local model: text -> unit vector, in int8 where that passes its test, else in float32."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmind.embedding.int8_graph import EMBEDDINGS, INPUT, int8_graph
from mmind.embedding.local_model import DIMENSION, FAMILY, PACKAGED_SHA256, LocalModel, weights_of
from mmind.embedding.onnx_wire import read_tensors
from mmind.embedding.self_test import least_agreement
from mmind.embedding.word_match import Pieces, WordVectors, table_of, word_vectors
from mmind.embedding.wordpiece import Tokenize, read_vocabulary, tokenizer
from mmind.values.errors import EngineUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from onnxruntime import InferenceSession

    from mmind.embedding.onnx_wire import Tensors

    Vector = NDArray[np.float32]

Run = Callable[[Sequence[int]], "Vector"]  # token ids of one text -> pooled vector, any length

# Least cosine to the stored vectors. int8 comes to .99; a kernel that saturates, or another model, does not come near.
INT8_AGREES = 0.97
# Exports that people quantised themselves (one scale a tensor) come to .935 and are still the same model.
FAMILY_AGREES = 0.9
_REPAIR = "reinstall mmind, or set MMIND_EMBED_MODEL to local or none"


@dataclass(frozen=True, slots=True)
class Encoder:
    """Text -> (384,) float32 of unit length, and the arithmetic behind it ("int8" or "float32").

    `words` holds the words of a question against those of texts (`embedding.word_match`); None for a file that is not
    laid out as ours.
    """

    encode: Callable[[str], Vector]
    arithmetic: str
    words: WordVectors | None = None


def load_encoder(model: LocalModel, write_graph: Callable[[Tensors], bytes] = int8_graph) -> Encoder:
    """Load a model and hold it against stored vectors; some 0.2 s for the packaged one, libraries included.

    The packaged weights run as the graph that `write_graph` makes of them; when that cannot be run or disagrees, as
    the file they came in. Raises EngineUnavailable when nothing that can be run agrees.
    """
    weights = weights_of(model)
    tokenize, vocabulary = _cut(model)
    if model.sha256 == PACKAGED_SHA256:
        tensors = _tensors(weights)
        try:
            tested = _tested(_encoder(tokenize, _int8_run(weights, tensors, write_graph), "int8"), INT8_AGREES)
        except EngineUnavailable:  # the file as it came says the same, at a third of the speed
            tested = _tested(_encoder(tokenize, _file_run(weights), "float32"), FAMILY_AGREES)
        spellings = {number: piece for piece, number in vocabulary.items()}
        pieces = Pieces(lambda text: tokenize(text)[1:-1], spellings.__getitem__, table_of(tensors))
        return replace(tested, words=word_vectors(pieces))
    return _tested(_encoder(tokenize, _file_run(weights), "float32"), FAMILY_AGREES)


def _tested(encoder: Encoder, least: float) -> Encoder:
    agreement = least_agreement(encoder.encode)
    if not agreement >= least:  # not a number is no agreement either
        raise EngineUnavailable(
            f"the model's vectors are not those of {FAMILY} (cosine {agreement:.2f} in the self-test)",
            "set MMIND_EMBED_MODEL=local for the packaged model, or none to answer by words",
        )
    return encoder


def _encoder(tokenize: Tokenize, run: Run, arithmetic: str) -> Encoder:
    import numpy as np

    def encode(text: str) -> Vector:
        pooled = run(tokenize(text))
        return pooled / np.float32(np.sqrt(np.square(pooled).sum()))

    return Encoder(encode, arithmetic)


def _cut(model: LocalModel) -> tuple[Tokenize, Mapping[str, int]]:
    """How texts are cut into pieces, and the number of each piece."""
    try:
        vocabulary = read_vocabulary(model.vocabulary)
        return tokenizer(vocabulary), vocabulary
    except (OSError, ValueError, KeyError, ImportError) as fault:
        named = model.vocabulary or "of the local model"
        raise EngineUnavailable(f"the vocabulary {named} cannot be used ({_line(fault)})", _REPAIR) from fault


def _tensors(weights: Path) -> Tensors:
    try:
        return read_tensors(weights)
    except (OSError, ValueError) as fault:
        raise EngineUnavailable(f"the model {weights} is not laid out as expected ({_line(fault)})", _REPAIR) from fault


def _int8_run(weights: Path, tensors: Tensors, write_graph: Callable[[Tensors], bytes]) -> Run:
    """The first step, looking up the embeddings, is ours: the tables stay in the mapped file and cost no memory."""
    try:
        session = _session(write_graph(tensors))
        words, scales = (tensors[f"{EMBEDDINGS}word_embeddings.weight_{part}"] for part in ("q", "scale"))
        places, sizes = (tensors[f"{EMBEDDINGS}position_embeddings.weight_{part}"] for part in ("q", "scale"))
        positions = places * sizes + tensors[f"{EMBEDDINGS}token_type_embeddings.weight"][0]
    except (OSError, ValueError, KeyError) as fault:
        raise EngineUnavailable(f"the model {weights} is not laid out as expected ({_line(fault)})", _REPAIR) from fault

    def run(ids: Sequence[int]) -> Vector:
        embedded = words[ids] * scales[ids] + positions[: len(ids)]
        return _outcome(session, {INPUT: embedded})

    return run


def _file_run(weights: Path) -> Run:
    """A graph as its authors exported it: token ids in, a vector a token or one pooled vector out."""
    import numpy as np

    session = _session(str(weights))
    wanted = {source.name for source in session.get_inputs()}
    if not {"input_ids"} <= wanted <= {"input_ids", "attention_mask", "token_type_ids"}:
        raise EngineUnavailable(f"the model {weights} takes other inputs than token ids", _REPAIR)

    def run(ids: Sequence[int]) -> Vector:
        row = np.array([ids], np.int64)
        feeds = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.zeros_like(row)}
        vectors = _outcome(session, {name: feeds[name] for name in wanted}).reshape(-1, DIMENSION)
        pooled: Vector = vectors.mean(axis=0)
        return pooled

    return run


def _session(graph: bytes | str) -> InferenceSession:
    # Official builds of onnxruntime report to their makers and keep a device id in the user's cache folder. The call
    # below stops most of it; only the variable is in time for what importing it tells.
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"
    try:
        import onnxruntime

        onnxruntime.set_default_logger_severity(3)
        onnxruntime.disable_telemetry_events()
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        return onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
    except Exception as fault:  # onnxruntime's own errors have no other class in common
        raise EngineUnavailable(f"onnxruntime cannot load the embedding model ({_line(fault)})", _REPAIR) from fault


def _outcome(session: InferenceSession, feeds: dict[str, Any]) -> NDArray[Any]:
    try:
        first: NDArray[Any] = session.run(None, feeds)[0]
        return first
    except Exception as fault:  # as in _session
        raise EngineUnavailable(f"onnxruntime cannot run the embedding model ({_line(fault)})", _REPAIR) from fault


def _line(fault: Exception) -> str:
    return " ".join(str(fault).split())[:160]
