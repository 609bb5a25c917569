"""A question of several lines, such as a pasted dialogue: what one of its lines asks for counts beside the whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mmind.router.candidate import Candidate
from mmind.text.tokens import tokens

# A vector of the whole is a mean over everything that was said, and a memory is about one thing of it. On the dev
# halves of six public sets .3 to .7 gain alike (.014 to .017 nDCG@10 on dialogues; the other sets ask in one line).
LINES_SHARE = 0.5
LEAST_WORDS = 3  # of a line that is looked at: a greeting is near to nothing in particular. 8 changed nothing
MOST_LINES = 12  # the last ones; each costs a run of the model, some 4 ms of one core. The dialogues have 9 at most


def lines_of(text: str) -> list[str]:
    """The lines that are worth a vector of their own, the last `MOST_LINES` of them; none where there is only one."""
    lines = [line for line in text.splitlines() if len(tokens(line)) >= LEAST_WORDS]  # Chinese has no blanks
    return lines[-MOST_LINES:] if len(lines) > 1 else []


def with_lines(candidates: Sequence[Candidate], lines: Sequence[Sequence[float]]) -> list[Candidate]:
    """The candidates with their `meaning`: half the cosine of the whole question, half that of its nearest line.

    `lines` are unit vectors; without any, or for a passage whose vector is not told, the whole question speaks alone.
    """
    placed = [place for place, one in enumerate(candidates) if _is_comparable(one, lines)]
    found = list(candidates)
    if not placed:
        return found
    import numpy as np

    passages = np.asarray([candidates[place].hit.vector for place in placed], np.float32)
    # As in the index: not `@`, whose threads spin beside other load.
    nearest = np.einsum("ij,kj->ik", passages, np.asarray(lines, np.float32)).max(axis=1).tolist()
    for place, cosine in zip(placed, nearest, strict=True):
        whole = candidates[place].cosine or 0.0
        found[place] = replace(candidates[place], meaning=(1.0 - LINES_SHARE) * whole + LINES_SHARE * cosine)
    return found


def _is_comparable(candidate: Candidate, lines: Sequence[Sequence[float]]) -> bool:
    vector = candidate.hit.vector
    return bool(lines) and candidate.cosine is not None and vector is not None and len(vector) == len(lines[0])
