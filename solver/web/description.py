"""The OpenAPI description of the API: every address, what it takes and what it answers."""

from __future__ import annotations

from typing import Any

from solver.arena.puzzles import DIFFICULTIES
from solver.version import __version__
from solver.web.batch import MOST
from solver.web.handlers import MOST_PUZZLES, SEEDS
from solver.web.routes import PREFIX
from solver.web.schemas import SCHEMAS

ABOUT = """\
Perfect play for small games, from tables that are precomputed and proved.

Values are those of the side to move. An outcome is win, draw or loss; a distance counts plies,
single moves of either side, to the end of the game, and is null for a draw; a trap is the share of
the other side's replies, from 0 to 1, that worsen its outcome. Moves are numbers from 0 (cells in
reading order, or columns) or texts; labels are what people type.

Answers that follow from the address and the table may be kept for ever. Every error is an object
with one field, `error`, that says what is wrong and what would be right. A parameter that an
address does not know, or that stands twice, is refused. HEAD is taken wherever GET is, and OPTIONS
everywhere.
"""
ERRORS = {
    "400": "The request is not as it should be",
    "404": "There is no such game here, or its table does not hold the position",
    "408": "The body did not come in time",
    "413": "The body is too large",
    "414": "The address is too long",
}
TAG = {"description": "Weak, for If-None-Match", "required": True, "schema": {"type": "string"}}
KEPT = {"description": "How long to keep it", "required": True, "schema": {"type": "string"}}
POSITION = {
    "name": "position",
    "in": "query",
    "description": "A position as the game writes it, such as X...O....; the start if left out.",
    "schema": {"type": "string", "maxLength": 4000},
}
TURN = {
    "name": "turn",
    "in": "query",
    "description": "The side to move, such as X, if not the one that follows from the position.",
    "schema": {"type": "string"},
}
OF_TABLE = {
    "name": "tag",
    "in": "query",
    "description": "The tag that GET /api/v1/games tells: the answer may then be kept for good.",
    "schema": {"type": "string"},
}


def describe(games: list[str]) -> dict[str, Any]:
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
        "paths": _general() | _about_games(),
        "components": {
            "schemas": SCHEMAS,
            "parameters": {
                "game": {
                    "name": "game",
                    "in": "path",
                    "required": True,
                    "description": "The game's name; a / in it is written %2F.",
                    "schema": {"type": "string", "enum": games},
                }
            },
            "responses": {
                status: {
                    "description": said,
                    "headers": {"Cache-Control": KEPT},
                    "content": {"application/json": {"schema": _schema("Error")}},
                }
                for status, said in ERRORS.items()
            },
        },
    }


def _general() -> dict[str, Any]:
    """Return the paths that are about no single game."""
    return {
        "/healthz": {"get": _operation("health", "Whether the server runs", "Health", kept=False)},
        f"{PREFIX}/openapi.json": {
            "get": _operation("description", "This description", "Description")
        },
        f"{PREFIX}/games": {"get": _operation("games", "The games that are served", "Games")},
    }


def _about_games() -> dict[str, Any]:
    """Return the paths below a game's name."""
    asked = [POSITION, TURN]
    about = f"{PREFIX}/{{game}}"
    return {
        about: _read("best", "What a position and its moves are worth, best first", "Best", asked),
        f"{about}/line": _read("line", "The game to its end by the best moves", "Line", asked),
        f"{about}/explain": _read(
            "explain", "Why each move is worth what it is, in words", "Explained", asked
        ),
        f"{about}/player": _read(
            "player",
            "A player's moves in a position, with their probabilities",
            "Chances",
            [
                _query("name", "A name that GET /api/v1/games lists", {"type": "string"}, True),
                *asked,
            ],
        ),
        f"{about}/puzzles": _read(
            "puzzles",
            "Positions in which exactly one move keeps the win or the draw",
            "Puzzles",
            [
                _query("count", "How many", _range(1, MOST_PUZZLES, 5)),
                _query("seed", "Makes what is random repeatable", _range(-SEEDS, SEEDS, 0)),
                _query("difficulty", "Of one kind", {"type": "string", "enum": [*DIFFICULTIES]}),
            ],
        ),
        f"{about}/map": _read(
            "map",
            "A side's whole perfect play on a 3x3 board as one picture",
            None,
            [_query("side", "The side; the first if left out", {"type": "string"})],
        ),
        f"{about}/batch": _batch(),
    }


def _batch() -> dict[str, Any]:
    texts = {"type": "array", "items": {"type": "string"}, "maxItems": MOST}
    schema = {
        "type": "object",
        "properties": {"positions": texts},
        "required": ["positions"],
        "additionalProperties": False,
    }
    said = "Outcome, distance and best move of many positions, each in its place"
    operation = _operation("batch", said, "Batch", kept=False, errors=("400", "404", "408", "413"))
    body = {"required": True, "content": {"application/json": {"schema": schema}}}
    return {"parameters": [_game()], "post": operation | {"requestBody": body}}


def _read(name: str, said: str, schema: str | None, asked: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a path below a game that is read; without a schema it is a picture."""
    operation = _operation(name, said, schema, errors=("400", "404"))
    return {"parameters": [_game()], "get": operation | {"parameters": [*asked, OF_TABLE]}}


def _operation(
    name: str,
    said: str,
    schema: str | None,
    kept: bool = True,
    errors: tuple[str, ...] = ("400",),
) -> dict[str, Any]:
    headers = {"Cache-Control": KEPT} | ({"ETag": TAG} if kept else {})
    kind, shape = ("application/json", _schema(schema)) if schema else ("image/svg+xml", {})
    right: dict[str, Any] = {
        "200": {"description": said, "headers": headers, "content": {kind: {"schema": shape}}}
    }
    if kept:
        right["304"] = {"description": "What If-None-Match names is still right"}
    wrong = {status: {"$ref": f"#/components/responses/{status}"} for status in (*errors, "414")}
    return {"operationId": name, "summary": said, "responses": right | wrong}


def _query(name: str, said: str, schema: dict[str, Any], required: bool = False) -> dict[str, Any]:
    described = {"name": name, "in": "query", "description": said, "schema": schema}
    return described | ({"required": True} if required else {})


def _range(least: int, most: int, default: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most, "default": default}


def _game() -> dict[str, str]:
    return {"$ref": "#/components/parameters/game"}


def _schema(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}
