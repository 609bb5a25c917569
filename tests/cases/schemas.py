"""The plain subset of JSON Schema that every client takes, rule by rule."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Json = dict[str, Any]

COMBINATORS = ("anyOf", "oneOf", "allOf", "not", "if")


def every_schema(schema: Any) -> Iterator[Any]:
    """A schema and all those in it, booleans included."""
    yield schema
    if isinstance(schema, dict):
        inner = [*schema.get("properties", {}).values(), *(schema[key] for key in ("items",) if key in schema)]
        inner += [one for key in ("anyOf", "oneOf", "allOf") for one in schema.get(key, ())]
        for one in inner:
            yield from every_schema(one)


def _inside(tool: Json) -> list[Any]:
    return [one for key in ("inputSchema", "outputSchema") if key in tool for one in every_schema(tool[key])]


def _plain_object(schema: Json) -> bool:
    return schema.get("type") == "object" and isinstance(schema.get("properties"), dict)


SCHEMA_RULES: dict[str, Callable[[Json], list[str]]] = {
    "top_object": lambda tool: [] if _plain_object(tool["inputSchema"]) else ["no plain object"],
    "no_top_combinators": lambda tool: [key for key in COMBINATORS if key in tool["inputSchema"]],
    "no_type_lists": lambda tool: [
        str(one) for one in _inside(tool) if isinstance(one, dict) and isinstance(one.get("type"), list)
    ],
    "arrays_have_items": lambda tool: [
        str(one)
        for one in _inside(tool)
        if isinstance(one, dict)
        and one.get("type") == "array"
        and not isinstance(one.get("items", {}).get("type"), str)
    ],
    "required_is_list": lambda tool: [] if isinstance(tool["inputSchema"].get("required", []), list) else ["no list"],
    "no_boolean_schemas": lambda tool: [str(one) for one in _inside(tool) if isinstance(one, bool)],
    "properties_described": lambda tool: [
        name for name, one in tool["inputSchema"]["properties"].items() if not one.get("description")
    ],
    "output_top_object": lambda tool: (
        [] if tool.get("outputSchema", {"type": "object"}).get("type") == "object" else ["no object"]
    ),
}
