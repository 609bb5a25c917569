"""A memory as a document that carries its own description, so that a lost index loses nothing.

The document opens with front matter that every Markdown program shows as properties: a line `---`, lines of
`key: JSON value` (which is YAML too) of which `mmind` with the memory's id is the first, a line `---`. What follows is
the memory's text, byte for byte. The description can lower trust and never raise it: a file without one is the user's.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from hashlib import blake2b

from mmind.stores.rows import Fields, fields_of
from mmind.values.memory import Memory, Trust

LARGEST_DESCRIPTION = 1024 * 1024  # bytes; tags, aliases and links of the largest note that may be put are a tenth
_OPENING = re.compile(rb"(?:\xef\xbb\xbf)?---\r?\nmmind: ")
_CLOSING = re.compile(rb"\r?\n---\r?\n")
_KEPT_WHEN_EMPTY = frozenset({"trust"})
_LONGEST_SLUG = 60  # bytes; with the digits and the suffix far below the 143 that encrypted home folders allow


@dataclass(frozen=True, slots=True)
class Document:
    """A document read back: the memory's id ("" when it was damaged), its fields but for the text, and the text's
    bytes. `is_edited` tells that somebody changed the text since it was written here."""

    id: str
    fields: Fields
    body: bytes
    is_edited: bool


def document_bytes(memory: Memory) -> bytes:
    """The document of a memory. Lone surrogates become question marks."""
    fields = fields_of(memory)
    body = str(fields.pop("text")).encode("utf-8", "replace")
    kept = {key: value for key, value in fields.items() if value or key in _KEPT_WHEN_EMPTY}
    description = {"mmind": memory.id, **kept, "digest": body_digest(body)}
    lines = [f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in description.items()]
    return "\n".join(["---", *lines, "---", ""]).encode("utf-8", "replace") + body


def read_document(data: bytes) -> Document | None:
    """The document in a file's bytes (a start of them is enough for all but the body), or None when it is not ours.

    A line that was damaged costs its own field; where the trust is not to be read, it is generated.
    """
    opening = _OPENING.match(data)
    closing = _CLOSING.search(data, opening.end(), LARGEST_DESCRIPTION) if opening else None
    if opening is None or closing is None:
        return None
    head = data[opening.end() - len(b"mmind: ") : closing.start()].decode("utf-8", "replace")
    fields = dict(pair for line in head.split("\n") if (pair := _field(line)))
    id_, digest, body = fields.pop("mmind", ""), fields.pop("digest", ""), data[closing.end() :]
    fields.setdefault("trust", Trust.GENERATED.value)
    return Document(id_ if isinstance(id_, str) else "", fields, body, digest != body_digest(body))


def body_digest(body: bytes) -> str:
    """32 hexadecimal digits of BLAKE2b over a text's bytes."""
    return blake2b(body, digest_size=16).hexdigest()


def document_name(title: str, id_: str, digits: int = 8) -> str:
    """A file name that a person recognises by its title and a program by its last digits, on every file system."""
    words = "".join(letter if letter.isalnum() else " " for letter in unicodedata.normalize("NFC", title)).split()
    slug = "-".join(words).lower().encode("utf-8", "replace")[:_LONGEST_SLUG].decode("utf-8", "ignore").strip("-?")
    return f"{slug or 'memory'}-{_id_digits(id_)[:digits]}.md"


def _id_digits(id_: str) -> str:
    return blake2b(id_.encode("utf-8", "replace"), digest_size=16).hexdigest()


def _field(line: str) -> tuple[str, object] | None:
    key, separator, value = line.rstrip("\r").partition(": ")
    try:
        return (key, json.loads(value)) if separator else None
    except ValueError:
        return None
