"""What an endpoint of the HTTP API is: its path, its parameters, its answer and its limits.

`solver.web.api.ENDPOINTS` is the table of them all. Their answers have types in
`solver.agent.answers`, from which JSON Schemas are made here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from solver.errors import printable
from solver.web.messages import Reply, RequestError, parse_integer, to_json

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


API = "/api/v1"
GAME = f"{API}/{{game}}"  # a slash in the name of a game is written %2F


class Parameter(NamedTuple):
    """A parameter of a query; it is required if it has an example."""

    name: str
    description: str
    schema: Schema = TEXT
    example: str = ""

    def parse(self, query: Mapping[str, str]) -> str | int | None:
        """Return the value in a query, or the default; raises RequestError."""
        text, schema = query.get(self.name), self.schema
        if schema["type"] == "integer":
            text = str(schema["default"]) if text is None else text
            return parse_integer(self.name, text, schema["minimum"], schema["maximum"])
        if text is None and self.example:
            example = f"?{self.name}={self.example}"
            raise RequestError(
                400, f"the parameter {self.name} is missing; add it, as in {example}"
            )
        if text is None:
            return None
        if len(text) > (most := schema.get("maxLength", len(text))):
            size = f"{len(text):,} characters; the limit is {most:,}"
            raise RequestError(400, f"{self.name} has {size}")
        if text not in schema.get("enum", (text,)):
            names = ", ".join(schema["enum"])
            given = printable(repr(text), 60)
            raise RequestError(400, f"the {self.name} is {given}; it must be one of {names}")
        return text


TAG = Parameter(
    "tag", "The game's tag in GET /api/v1/games: the answer never changes and may be cached forever"
)


@dataclass(frozen=True)
class Endpoint:
    """An entry of the table.

    The handler is called with the game that the path names, or else with the catalogue of games,
    followed by the values of the parameters in their order, or the body. It returns an answer, or
    a Reply; its annotation is the type of the answer, Annotated[Reply, type] or Reply for a
    picture. It raises ValueError for a bad request (status 400) or UnknownPositionError for a
    position outside the table (404). Its docstring opens with the summary in the description.
    """

    path: str
    handler: Callable[..., Any]
    parameters: tuple[Parameter, ...] = ()
    pictures: tuple[str, ...] = ()
    """The content types of the picture or the file."""
    body: Schema | None = None
    """The schema of the body, which makes it a POST."""
    cache: int = 0
    """How many replies the server caches; if none, clients cache none either."""
    threads: int = 0
    """The size of the thread pool that runs the handler, shared by the endpoints of that size.

    If 0, the handler runs in the event loop, which it must not block for more than a millisecond.
    """
    is_search: Callable[..., bool] | None = None
    """Whether a request with these values searches: such requests have a pool of their own."""
    busy: str = ""
    """What few threads of its own do; more requests are refused."""
    is_quick: bool = False
    """Whether it asks for no values, so that it need not wait for searches."""

    @cached_property
    def answer(self) -> Any:
        """The type of the answer in `solver.agent.answers`; None for a picture."""
        kind = get_type_hints(self.handler, include_extras=True)["return"]
        *_, kind = get_args(kind) or (kind,)
        return None if kind is Reply else kind

    @cached_property
    def summary(self) -> str:
        """What it does, in a line."""
        return str(self.handler.__doc__).splitlines()[0].rstrip(".")

    @cached_property
    def names_game(self) -> bool:
        """Whether the path names a game."""
        return self.path.startswith(GAME)

    @cached_property
    def methods(self) -> tuple[str, ...]:
        """The HTTP methods that are allowed, the one that does the work first."""
        return ("POST", "OPTIONS") if self.body else ("GET", "HEAD", "OPTIONS")

    @cached_property
    def query(self) -> dict[str, Parameter]:
        """The parameters of the query by name, `tag` included."""
        tag = (TAG,) if self.names_game and self.cache else ()
        return {parameter.name: parameter for parameter in (*self.parameters, *tag)}

    def reply(self, *arguments: Any) -> Reply:
        """Call the handler and return its answer as a reply."""
        answer = self.handler(*arguments)
        if isinstance(answer, Reply):
            return answer
        changed = self.names_game and arguments[0].description.get("rules_changed")
        return Reply(to_json({**answer, "rules_changed": True} if changed else answer))
