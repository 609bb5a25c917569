from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest

from mmind.embedding.choose import open_embedder
from mmind.embedding.local import LocalEmbedder
from mmind.embedding.local_model import PACKAGED, model_at, weights_of
from mmind.embedding.wordpiece import read_vocabulary
from mmind.values.errors import ConfigError

PRODUCER = b"\x12\x05ours!"  # ModelProto.producer_name: the same model under another sum


@pytest.fixture
def exported(tmp_path: Path) -> Path:
    """A folder with another export of the model: weights that are not the packaged file, and a word list."""
    (tmp_path / "onnx").mkdir()
    (tmp_path / "onnx" / "model.onnx").write_bytes(weights_of(PACKAGED).read_bytes() + PRODUCER)
    (tmp_path / "vocab.txt").write_text("\n".join(read_vocabulary(None)) + "\n", "utf-8", newline="\n")
    return tmp_path


def test_a_copy_of_the_packaged_file_is_the_same_model(tmp_path: Path) -> None:
    copy = shutil.copy(weights_of(PACKAGED), tmp_path / "copy.onnx")
    assert model_at(Path(copy)).identity == PACKAGED.identity


def test_a_model_in_a_folder_speaks_under_a_name_of_its_own(exported: Path, local: LocalEmbedder) -> None:
    embedder = open_embedder(str(exported), "", "")
    assert isinstance(embedder, LocalEmbedder)
    assert embedder.identity.startswith("all-MiniLM-L6-v2/file@")
    assert embedder.identity.endswith("/384")
    text = "The lease ends on 31 March."
    assert float(embedder.embed([text])[0] @ local.embed([text])[0]) > 0.97
    assert embedder.arithmetic == "float32"


def test_folder_and_file_name_the_same_model(exported: Path) -> None:
    assert model_at(exported) == model_at(exported / "onnx" / "model.onnx")


def test_other_weights_or_words_are_another_identity(exported: Path) -> None:
    first = model_at(exported).identity
    with (exported / "vocab.txt").open("a", encoding="utf-8") as words:
        words.write("one more\n")
    second = model_at(exported).identity
    with (exported / "onnx" / "model.onnx").open("ab") as weights:
        weights.write(PRODUCER)
    assert len({first, second, model_at(exported).identity}) == 3


def test_a_file_too_large_for_the_family_is_refused_unread(tmp_path: Path) -> None:
    with (tmp_path / "model.onnx").open("wb") as file:
        file.truncate(2 << 30)  # sparse: takes no room
    with pytest.raises(ConfigError, match="too large for all-MiniLM-L6-v2"):
        model_at(tmp_path)


def test_a_path_given_with_a_key_stays_local(exported: Path) -> None:
    embedder = open_embedder(str(exported), "sk-proj-Zq81xWv7", "")
    assert embedder is not None
    assert embedder.is_local
    assert np.isclose(np.linalg.norm(embedder.embed(["a"])), 1, atol=1e-5)
