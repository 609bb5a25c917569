"""Text of memories made harmless for a terminal: in words by `text.plain`, and in JSON."""

from __future__ import annotations

import json
import re
from typing import Any

from mmind.text.plain import agreeing, counted, one_line, plain

__all__ = ["agreeing", "counted", "json_text", "one_line", "plain"]

_UNESCAPED_IN_JSON = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def json_text(value: Any, *, indent: int | None) -> str:
    """JSON that holds the text unchanged and still no raw control character."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _UNESCAPED_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)
