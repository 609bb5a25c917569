"""Text -> token ids as BERT base uncased cuts it, by the `tokenizers` library."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from pathlib import Path

from mmind.embedding.legal_text import legal_text

MOST_TOKENS = 256  # the model's own limit; 512 gained nothing on three labelled sets
VOCABULARY_SIZE = 30_522
# Text beyond it is not looked at. 254 tokens of prose have some 1,300 characters; 5 MB would take seconds to cut.
MOST_CHARACTERS = 10_000

Tokenize = Callable[[str], list[int]]


def tokenizer(vocabulary: Mapping[str, int]) -> Tokenize:
    """A function from any text to [CLS], at most 254 word pieces, [SEP]; never padded.

    The file that travels with the model cuts and pads at 128 and reads a typed "[SEP]" as the mark itself; this one
    is built from the vocabulary alone. Raises KeyError when the vocabulary lacks one of the marks.
    """
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import BertProcessing

    cut = Tokenizer(WordPiece(dict(vocabulary), unk_token="[UNK]", max_input_chars_per_word=100))  # noqa: S106 - no password
    cut.normalizer = BertNormalizer(lowercase=True)
    cut.pre_tokenizer = BertPreTokenizer()
    cut.post_processor = BertProcessing(("[SEP]", vocabulary["[SEP]"]), ("[CLS]", vocabulary["[CLS]"]))
    cut.enable_truncation(MOST_TOKENS)

    def tokenize(text: str) -> list[int]:
        ids: list[int] = cut.encode(legal_text(text[:MOST_CHARACTERS])).ids
        return ids

    return tokenize


def read_vocabulary(path: Path | None) -> dict[str, int]:
    """Word piece -> id from `tokenizer.json` or a list of one piece a line; None is the list shipped with mmind.

    Raises ValueError when it is not a WordPiece vocabulary of 30,522 entries, OSError when it cannot be read.
    """
    if path is None:
        packed = files("mmind.embedding").joinpath("data/bert_base_uncased_vocabulary.txt.gz").read_bytes()
        words = _numbered(gzip.decompress(packed).decode())
    elif path.suffix == ".json":
        words = _vocabulary_in(json.loads(path.read_text("utf-8")))
    else:
        words = _numbered(path.read_text("utf-8"))
    if len(words) != VOCABULARY_SIZE or not {"[UNK]", "[CLS]", "[SEP]"} <= words.keys():
        raise ValueError(f"not the vocabulary of BERT base uncased ({len(words)} entries)")
    return words


def _vocabulary_in(content: object) -> dict[str, int]:
    match content:
        case {"model": {"vocab": dict(words)}} if all(type(number) is int for number in words.values()):
            return words
    raise ValueError("no WordPiece vocabulary in it")


def _numbered(lines: str) -> dict[str, int]:
    return {piece: number for number, piece in enumerate(lines.rstrip("\n").split("\n"))}
