"""JSON Schemas of the answers, made from their types in `solver.agent.answers`."""

from __future__ import annotations

from collections.abc import Callable
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints

Schema = dict[str, Any]

NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", NoneType: "null"}
TEXT: Schema = {"type": "string"}


def schema_of(kind: Any) -> Schema:
    """Return the schema of the values of a type."""
    if kind is Any:
        return {}
    if kind in NAMES:
        return {"type": NAMES[kind]}
    make = GENERIC.get(get_origin(kind))
    return make(*get_args(kind)) if make else object_of(get_type_hints(kind, include_extras=True))


def object_of(fields: dict[str, Any]) -> Schema:
    """Return the schema of an object with exactly these fields, given their types."""
    optional = {name for name, kind in fields.items() if get_origin(kind) is NotRequired}
    return {
        "type": "object",
        "properties": {name: schema_of(kind) for name, kind in fields.items()},
        "required": [name for name in fields if name not in optional],
        "additionalProperties": False,
    }


def _list_of(kind: Any, **bounds: int) -> Schema:
    return {"type": "array", "items": schema_of(kind), **bounds}


def _any_of(*kinds: Any) -> Schema:
    schemas = [schema_of(kind) for kind in kinds]
    types = [schema["type"] for schema in schemas]
    if "object" in types:
        return {"oneOf": schemas}
    merged: Schema = {name: bound for schema in schemas for name, bound in schema.items()}
    enum = {"enum": [*merged["enum"], None]} if "enum" in merged else {}
    return merged | {"type": types} | enum


GENERIC: dict[Any, Callable[..., Schema]] = {
    Annotated: lambda kind, *bounds: schema_of(kind) | dict(bounds),
    Literal: lambda *values: schema_of(type(values[0])) | {"enum": [*values]},
    NotRequired: schema_of,
    list: _list_of,
    tuple: lambda *kinds: _list_of(kinds[0], minItems=len(kinds), maxItems=len(kinds)),
    dict: lambda _, kind: {"type": "object", "additionalProperties": schema_of(kind)},
    Union: _any_of,
    UnionType: _any_of,
}
