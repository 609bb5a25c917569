"""How well the words of a text answer those of a question, by what each word means alone.

ColBERT's late interaction (Khattab and Zaharia 2020): for each word piece of the question the nearest piece of the
text, and the mean of these. Not over the model's last states, which a run of the model makes, but over the vectors
that it starts from, one for each piece of its vocabulary, which are looked up in the mapped file. On the dev halves
of six public sets both gain alike (.006 to .009 macro nDCG@10).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from statistics import fmean
from typing import TYPE_CHECKING

from mmind.embedding.int8_graph import EMBEDDINGS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from mmind.embedding.onnx_wire import Tensors
    from mmind.embedding.wordpiece import Tokenize

    Vectors = NDArray[np.float32]

Table = Callable[[Sequence[int]], "Vectors"]  # ids of pieces -> their vectors (n, 384)
Match = Callable[[str, frozenset[str], Sequence[str]], list[float]]
Nearest = Callable[[Sequence[str], Sequence[str]], list[list[float]]]
Look = Callable[[str], "Vectors"]  # text -> unit vectors of its distinct pieces (n, 384)

REMEMBERED = 16  # texts: the eight of a question are looked at twice in a row; 0.4 MB for one of 254 pieces


def table_of(tensors: Tensors) -> Table:
    """The vectors that the model starts from, as lookups in its file. Raises KeyError when it holds none."""
    words, scales = (tensors[f"{EMBEDDINGS}word_embeddings.weight_{part}"] for part in ("q", "scale"))
    return lambda ids: words[ids] * scales[ids]


def look_of(tokenize: Tokenize, table: Table) -> Look:
    """A function from a text to the vectors of its pieces, which remembers the last few texts."""
    return lru_cache(maxsize=REMEMBERED)(lambda text: _unit(table(_pieces(tokenize(text)))))


def word_match(tokenize: Tokenize, vocabulary: Mapping[str, int], table: Table, look: Look) -> Match:
    """A function from a question, words that name nothing, and texts to a match in [-1, 1] for each text.

    Pieces of the question that are such words or lone signs are left out, unless nothing else remains. A text without
    a word matches at 0.
    """

    @lru_cache(maxsize=4)
    def idle(small_words: frozenset[str]) -> frozenset[int]:
        signs = (number for piece, number in vocabulary.items() if len(piece) == 1 and not piece.isalnum())
        return frozenset((*signs, *(vocabulary[word] for word in small_words if word in vocabulary)))

    def match(question: str, small_words: frozenset[str], texts: Sequence[str]) -> list[float]:
        asked = _pieces(tokenize(question))
        telling = [piece for piece in asked if piece not in idle(small_words)] or asked
        if not telling:
            return [0.0] * len(texts)
        wanted = _unit(table(telling))
        return [float(_nearest(wanted, look(text)).mean()) for text in texts]

    return match


def nearest_words(tokenize: Tokenize, table: Table, look: Look) -> Nearest:
    """A function from words and texts to, for each text, how near its nearest word is to each of the words.

    In [-1, 1], 1 where the text holds the word; of a word of several pieces the mean of what is nearest to each.
    """

    def nearest(words: Sequence[str], texts: Sequence[str]) -> list[list[float]]:
        cut = [tokenize(word)[1:-1] for word in words]
        pieces = [piece for of_word in cut for piece in of_word]
        if not pieces:
            return [[0.0] * len(words) for _ in texts]
        wanted = _unit(table(pieces))
        return [_by_word(_nearest(wanted, look(text)), cut) for text in texts]

    return nearest


def _by_word(nearest: Vectors, cut: Sequence[Sequence[int]]) -> list[float]:
    """The mean over the pieces of each word; 0 for one without pieces."""
    of_pieces = iter(nearest.tolist())
    return [fmean(islice(of_pieces, len(of_word))) if of_word else 0.0 for of_word in cut]


def _nearest(wanted: Vectors, held: Vectors) -> Vectors:
    """For each row wanted the cosine of the nearest piece; 0 where there is none."""
    import numpy as np

    if not len(held):
        return np.zeros(len(wanted), np.float32)
    # As in the index: not `@`, whose threads spin beside other load.
    nearest: Vectors = np.einsum("id,jd->ij", wanted, held).max(axis=1)
    return nearest


def _pieces(ids: Sequence[int]) -> list[int]:
    """The distinct pieces between the marks of start and end."""
    return sorted(set(ids[1:-1]))


def _unit(vectors: Vectors) -> Vectors:
    import numpy as np

    unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit
