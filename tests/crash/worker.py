"""A process that stores and forgets through the public face until it is killed, and says each step before and after.

`python -m tests.crash.worker STORE WHO COUNT` with MMIND_HOME set. The model is the tests' own small one, so that a
vector store keeps vectors and a start is quick.
"""

from __future__ import annotations

import random
import sys

import mmind.wiring
from mmind.values.door import Door
from tests.crash.oracle import id_of, text_of
from tests.index.build import WordVectors


def main(store: str, who: str, count: int) -> None:
    mmind.wiring.open_embedder = lambda *_: WordVectors()  # type: ignore[assignment]
    mind = mmind.wiring.open_mind(door=Door.AGENT)
    rng, kept = random.Random(who), list[str]()
    print("up", flush=True)
    for number in range(count):
        if kept and rng.random() < 0.25:
            token = kept.pop(rng.randrange(len(kept)))
            print(f"begin forget {token}", flush=True)
            mind.forget(f"{store}:{id_of(token)}")
            print(f"done forget {token}", flush=True)
            continue
        token = kept[0] if kept and rng.random() < 0.1 else f"{who}x{number}"  # now and then the same once more
        print(f"begin put {token}", flush=True)
        mind.store(text_of(token), store=store, title=f"About {token}", tags=["crash"])
        print(f"done put {token}", flush=True)
        if token not in kept:
            kept.append(token)
    mind.close()
    print("ended", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
