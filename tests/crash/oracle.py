"""What must be true of a store whose writer died: every acknowledged write, and nothing that was never begun."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from mmind.router.write import content_id

LONGEST = 6000


def text_of(token: str) -> str:
    """The text that is stored under a token: some lines or some pages of it, and the token again at the end."""
    rng = random.Random(token)
    body = " ".join(f"{rng.choice(_WORDS)}{rng.randrange(100)}" for _ in range(rng.choice((5, 40, LONGEST // 8))))
    return f"{token} opens.\n\n{body}\n\n{token} closes {hashlib.sha256(body.encode()).hexdigest()[:16]}."


def id_of(token: str) -> str:
    """The id of the memory of a token."""
    return content_id(text_of(token), "")


@dataclass(slots=True)
class Oracle:
    """Tokens by what is known of them: acknowledged as kept, acknowledged as forgotten, or under way at a death."""

    kept: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    unsure: set[str] = field(default_factory=set)

    def hear(self, lines: Iterable[str]) -> int:
        """Take in what a writer said: `begin put TOKEN`, `done put TOKEN`, likewise `forget`; gives how many were done.

        Only whole lines count, and what was begun and not done may be either way.
        """
        done = 0
        for line in lines:
            if not line.endswith("\n") or line.count(" ") != 2:
                continue
            stage, verb, token = line.split()
            if stage == "begin":
                self.begun(token)
            elif stage == "done":
                done += 1
                self.done(verb, token)
        return done

    def begun(self, token: str) -> None:
        """Something is under way, so that it may be either way."""
        self._put(self.unsure, token)

    def done(self, verb: str, token: str) -> None:
        """A put or a forget was acknowledged."""
        self._put(self.kept if verb == "put" else self.gone, token)

    def _put(self, where: set[str], token: str) -> None:
        for tokens in (self.kept, self.gone, self.unsure):
            tokens.discard(token)
        where.add(token)

    def settle(self, found: Mapping[str, str]) -> None:
        """After a look at the store: what was unsure is as it was found, and must stay so."""
        for token in list(self.unsure):
            self._put(self.kept if id_of(token) in found else self.gone, token)

    def complaints(self, found: Mapping[str, str]) -> list[str]:
        """What is wrong with the memories found (text by id); nothing when all promises were kept."""
        kept = {id_of(token): token for token in self.kept}
        maybe = {id_of(token): token for token in self.unsure}
        said = [f"lost: {token}" for id_, token in kept.items() if id_ not in found]
        for id_, text in found.items():
            token = kept.get(id_) or maybe.get(id_)
            if token is None:
                said.append(f"not asked for, or forgotten and back: {id_} {text[:60]!r}")
            elif text != text_of(token):
                said.append(f"half-written: {token} {text[:60]!r}")
        return said


_WORDS = ("winch", "ferry", "lamp", "rope", "slip", "keel", "buoy", "tide", "mast", "quay", "Fähre", "係船")
