"""The OpenAPI description of the API, from the table of endpoints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.version import __version__
from solver.web.answers import Description, Error
from solver.web.endpoint import TEXT, Endpoint, Parameter, schema_of

ABOUT = """\
Perfect play for small games, from precomputed and proved tables.

Values are those of the side to move. An outcome is win, draw or loss. A distance is the number of
plies, single moves of either side, to the end of the game, and null for a draw. A trap is the share
of the other side's replies, from 0 to 1, that worsen its outcome. Moves are numbers from 0 (cells
in reading order, or columns) or texts; labels are what people type.

Every error is an object with a field `error`, which says what is wrong and what would be right.
With status 503, where a search was not finished, `known` has the outcomes that it found, by label.
Unknown and repeated parameters are errors. HEAD is allowed wherever GET is, and OPTIONS everywhere.
"""
ERRORS = {
    "400": "The request is malformed",
    "404": "The game is not served here, or the position is not in its table",
    "408": "The body did not arrive in time",
    "413": "The body is too large",
    "414": "The address is too long",
    "500": "The rules of a custom game exited, or the server has a fault",
    "501": "The server draws no PNG; it lacks an extra",
    "503": "The table has become unreadable, or a search takes longer or must wait: ask again",
}
CACHE_CONTROL = {"description": "How long to cache it", "required": True, "schema": TEXT}
ETAG = {"description": "Weak, for If-None-Match", "required": True, "schema": TEXT}


def describe(endpoints: Sequence[Endpoint], games: list[str]) -> Description:
    """Return the description for a server of these games."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "perfectplay",
            "version": __version__,
            "description": ABOUT,
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/"}],
        "paths": {endpoint.path: _path(endpoint) for endpoint in endpoints},
        "components": {
            "schemas": {
                kind.__name__: schema_of(kind)
                for kind in (Error, *(each.answer for each in endpoints))
                if kind
            },
            "parameters": {
                "game": {
                    "name": "game",
                    "in": "path",
                    "required": True,
                    "description": "The name of the game; write %2F for a slash in it.",
                    "schema": {"type": "string", "enum": games},
                }
            },
            "responses": {
                status: {
                    "description": description,
                    "headers": {"Cache-Control": CACHE_CONTROL},
                    "content": {"application/json": {"schema": _schema(Error)}},
                }
                for status, description in ERRORS.items()
            },
        },
    }


def _path(endpoint: Endpoint) -> dict[str, Any]:
    path: dict[str, Any] = {endpoint.methods[0].lower(): _operation(endpoint)}
    if endpoint.names_game:
        path["parameters"] = [{"$ref": "#/components/parameters/game"}]
    return path


def _operation(endpoint: Endpoint) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": endpoint.handler.__name__,
        "summary": endpoint.summary,
        "parameters": [_parameter(parameter) for parameter in endpoint.query.values()],
    }
    if endpoint.body:
        body = {"application/json": {"schema": endpoint.body}}
        operation["requestBody"] = {"required": True, "content": body}
    content: dict[str, Any] = {kind: {"schema": {}} for kind in endpoint.pictures}
    if endpoint.answer:
        content = {"application/json": {"schema": _schema(endpoint.answer)}}
    headers = {"Cache-Control": CACHE_CONTROL} | ({"ETag": ETAG} if endpoint.cache else {})
    responses: dict[str, Any] = {
        "200": {"description": endpoint.summary, "headers": headers, "content": content}
    }
    if endpoint.cache:
        responses["304"] = {"description": "The reply that If-None-Match names is up to date"}
    errors = {"400", "414"}
    errors |= {"404", "500", "503"} if endpoint.names_game else set()
    errors |= {"408", "413"} if endpoint.body else set()
    errors |= {"501"} if len(endpoint.pictures) > 1 else set()
    responses |= {status: {"$ref": f"#/components/responses/{status}"} for status in sorted(errors)}
    return operation | {"responses": responses}


def _parameter(parameter: Parameter) -> dict[str, Any]:
    required = {"required": True, "example": parameter.example} if parameter.example else {}
    return {
        "name": parameter.name,
        "in": "query",
        "description": parameter.description,
        "schema": parameter.schema,
        **required,
    }


def _schema(kind: type) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{kind.__name__}"}
