"""A process that stores and forgets through the public face until it is killed, and says each step before and after.

`python -m tests.crash.worker STORE WHO COUNT` with MMIND_HOME set. The model is the tests' own small one, so that a
vector store keeps vectors and a start is quick. With GO_ON=1 a refusal is told (`failed VERB TOKEN`, and the error on
standard error) and work goes on.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable

import mmind.wiring
from mmind.values.door import Door
from mmind.values.errors import MmindError
from tests.crash.oracle import id_of, text_of
from tests.index.build import WordVectors


def main(store: str, who: str, count: int) -> None:
    mmind.wiring.open_embedder = lambda *_: WordVectors()  # type: ignore[assignment]
    mind = mmind.wiring.open_mind(door=Door.AGENT)
    rng, kept = random.Random(who), list[str]()
    print("up", flush=True)
    for number in range(count):
        if kept and rng.random() < 0.25:
            token = kept[rng.randrange(len(kept))]
            if told("forget", token, lambda token=token: mind.forget(f"{store}:{id_of(token)}")):  # type: ignore[misc]
                kept.remove(token)
            continue
        token = kept[0] if kept and rng.random() < 0.1 else f"{who}x{number}"  # now and then the same once more
        text, title = text_of(token), f"About {token}"
        is_done = told("put", token, lambda text=text, title=title: mind.store(text, store=store, title=title))  # type: ignore[misc]
        if is_done and token not in kept:
            kept.append(token)
    mind.close()
    print("ended", flush=True)


def told(verb: str, token: str, work: Callable[[], object]) -> bool:
    """Do one piece of work, and say so before and after."""
    print(f"begin {verb} {token}", flush=True)
    try:
        work()
    except MmindError as error:
        if not os.environ.get("GO_ON"):
            raise
        print(f"{verb}\t{error.message}\t{error.hint}", file=sys.stderr, flush=True)
        print(f"failed {verb} {token}", flush=True)
        return False
    print(f"done {verb} {token}", flush=True)
    return True


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
