"""A process that brings the index level over a vault and a store, over and over, until it is killed.

`python -m tests.crash.indexer VAULT SEED` with MMIND_HOME set. It says what it did after each step.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

import mmind.wiring
from mmind.values.door import Door
from tests.index.build import WordVectors


def main(vault: Path, seed: str) -> None:
    mmind.wiring.open_embedder = lambda *_: WordVectors()  # type: ignore[assignment]
    mind, rng = mmind.wiring.open_mind(vault, door=Door.AGENT), random.Random(seed)
    print("up", flush=True)
    for step in range(30):
        if rng.random() < 0.4:
            mind.index(lambda progress: print(progress.phase, progress.done, flush=True), rebuild=rng.random() < 0.5)
        else:
            mind.retrieve(f"winch {step}")
        print("done index -", flush=True)
    mind.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
