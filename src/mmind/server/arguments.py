"""Arguments held against a tool's schema, with one plain line for each thing that can be wrong."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from mmind.values.errors import BadRequest

KINDS = {"string": "a text", "integer": "a whole number", "boolean": "true or false", "array": "a list of texts"}


def check_arguments(tool: str, schema: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments as they were given, whole numbers as `int`.

    Nothing is converted: text that looks like JSON stays text, and "5" is not a number. Raises BadRequest that names
    the argument, what it must be and what it was.
    """
    properties: Mapping[str, Any] = schema["properties"]
    for name in given:
        if name not in properties:
            known = ", ".join(properties) or "no arguments"
            raise BadRequest(f"{_named(name)}: unknown argument", f"{tool} takes {known}")
    for name in schema.get("required", ()):
        if name not in given:
            raise BadRequest(f"{name}: missing", f"{tool} needs {KINDS[properties[name]['type']]}")
    return {name: _checked(name, properties[name], value) for name, value in given.items()}


def _checked(name: str, rule: Mapping[str, Any], value: Any) -> Any:
    match rule["type"], value:
        case "string", str():
            return _text(name, rule, value)
        case "boolean", bool():
            return value
        case "integer", int() | float() if _is_whole(value):
            return _whole(name, rule, int(value))
        case "array", list():
            return _list(name, rule, value)
    out = "" if name in ("query", "content", "id") else "leave it out for the default"
    raise BadRequest(f"{name}: must be {_wanted(rule)}, got {_shown(value)}", out)


def _is_whole(value: float) -> bool:
    """JSON Schema counts 2.0 as an integer; Python counts true as one."""
    return not isinstance(value, bool) and (isinstance(value, int) or value.is_integer())


def _text(name: str, rule: Mapping[str, Any], value: str) -> str:
    most = rule.get("maxLength")
    if most is not None and len(value) > most:
        raise BadRequest(f"{name}: at most {most:,} characters, got {len(value):,}", "shorten it")
    if rule.get("minLength") and not value.strip():
        raise BadRequest(f"{name}: must not be blank")
    return value


def _whole(name: str, rule: Mapping[str, Any], value: int) -> int:
    least, most = rule["minimum"], rule.get("maximum")
    if value < least or (most is not None and value > most):
        raise BadRequest(f"{name}: must be {_range(least, most)}, got {_shown(value)}")
    return value


def _list(name: str, rule: Mapping[str, Any], value: list[Any]) -> list[str]:
    most, longest = rule["maxItems"], rule["items"]["maxLength"]
    if len(value) > most:
        raise BadRequest(f"{name}: at most {most} entries, got {len(value):,}")
    for item in value:
        if not isinstance(item, str):
            raise BadRequest(f"{name}: must be a list of texts, got {_shown(item)} in it")
        if len(item) > longest:
            raise BadRequest(f"{name}: each at most {longest} characters, got one of {len(item):,}")
    return value


def _wanted(rule: Mapping[str, Any]) -> str:
    kind = KINDS[rule["type"]]
    return f"{kind}, {_range(rule['minimum'], rule.get('maximum'))}" if rule["type"] == "integer" else kind


def _range(least: int, most: int | None) -> str:
    return f"{least} or more" if most is None else f"{least} to {most}"


def _shown(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**18:
        return "a very large number"  # Python refuses to print integers of more than 4,300 digits
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    shown = json.dumps(value)  # escapes every control and non-ASCII character
    return shown if len(shown) <= 60 else shown[:59] + "…"


def _named(name: str) -> str:
    return json.dumps(name)[1:61].rstrip('"')
