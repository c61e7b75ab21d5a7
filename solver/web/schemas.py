"""The shapes of the API's answers, as JSON Schemas by name."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
MOVE: Schema = {"type": ["integer", "string"]}
MOVE_OR_NULL: Schema = {"type": ["integer", "string", "null"]}
CELL: Schema = {"type": "integer", "minimum": 0}
CELL_OR_NULL: Schema = {"type": ["integer", "null"], "minimum": 0}
TEXT_OR_NULL: Schema = {"type": ["string", "null"]}
COUNT: Schema = {"type": "integer", "minimum": 1}
COUNT_OR_NULL: Schema = {"type": ["integer", "null"], "minimum": 1}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
OUTCOME: Schema = {"type": "string", "enum": ["win", "draw", "loss"]}
OUTCOME_OR_NULL: Schema = {"enum": ["win", "draw", "loss", None]}
NULL: Schema = {"type": "null"}
DISTANCE: Schema = {"type": ["integer", "null"], "minimum": 0}
STYLE: Schema = {"enum": ["grid", "rack", "squares", "points", "heaps", None]}


def object_of(**fields: Schema) -> Schema:
    """Return the schema of an object with exactly these fields."""
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def list_of(items: Schema, **bounds: int) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": items, **bounds}


VALUE = {"outcome": OUTCOME, "distance": DISTANCE}
HEAD = {"game": TEXT, "position": TEXT, "turn": TEXT}
MOVE_VALUE = {"move": MOVE, "label": TEXT, **VALUE, "trap": SHARE}
EVALUATED = {**HEAD, **VALUE, "move": MOVE_OR_NULL, "best": list_of(MOVE)}
PLACE = {
    "cell": CELL_OR_NULL,
    "origin": CELL_OR_NULL,
    "position": TEXT,
    "marks": TEXT_OR_NULL,
    "replies": CELL,
}
REASONED = {**MOVE_VALUE, "reasons": list_of(TEXT), **PLACE}
GAME = object_of(
    game=TEXT,
    title=TEXT,
    about=TEXT,
    seats=list_of(TEXT, minItems=2, maxItems=2),
    board={"type": ["array", "null"], "items": COUNT, "minItems": 2, "maxItems": 2},
    style=STYLE,
    joined=list_of(list_of(CELL, minItems=2, maxItems=2)),
    places=list_of(list_of(CELL, minItems=2, maxItems=2)),
    start=TEXT,
    marks=TEXT_OR_NULL,
    sample=TEXT_OR_NULL,
    positions=COUNT_OR_NULL,
    canonical=COUNT_OR_NULL,
    outcome=OUTCOME_OR_NULL,
    distance=DISTANCE,
    published=TEXT_OR_NULL,
    players=list_of(TEXT),
    levels=object_of(easy=SHARE, medium=SHARE, hard=SHARE),
    sha256={"type": "string", "pattern": "^[0-9a-f]{64}$"},
    tag=TEXT,
    searched={"type": "boolean"},
    whole={"type": "boolean"},
    map={"type": "boolean"},
)
PUZZLE = object_of(
    position=TEXT,
    turn=TEXT,
    task={"type": "string", "enum": ["win", "draw"]},
    move=MOVE,
    label=TEXT,
    candidates=COUNT,
    difficulty={"type": "string", "enum": ["easy", "medium", "hard"]},
)
FAILED = object_of(error=TEXT, status={"type": "integer", "enum": [400, 404]})
STEP = object_of(turn=TEXT, move=MOVE, label=TEXT, position=TEXT)
CHANCE = object_of(move=MOVE, label=TEXT, probability=SHARE)
SHOWN = {
    "verdict": TEXT,
    "marks": TEXT_OR_NULL,
    "result": TEXT_OR_NULL,
    "winner": TEXT_OR_NULL,
    "won": list_of(CELL),
}
EXPLAINED = object_of(**EVALUATED, moves=list_of(object_of(**REASONED)), **SHOWN)
OUTLINED = object_of(
    **{**EVALUATED, "outcome": OUTCOME_OR_NULL},
    moves=list_of(object_of(**{**REASONED, "outcome": NULL, "distance": NULL, "trap": NULL})),
    **SHOWN,
)
WHOLE = object_of(
    game=TEXT, **dict.fromkeys(("moves", "symmetries", "nodes", "puzzles"), list_of({}))
)
SCHEMAS: dict[str, Schema] = {
    "Error": object_of(error=TEXT)
    | {"properties": {"error": TEXT, "known": {"additionalProperties": OUTCOME}}},
    "Health": object_of(status={"const": "ok"}),
    "Description": {"type": "object", "required": ["openapi", "info", "paths"]},
    "Games": object_of(games=list_of(GAME)),
    "Best": object_of(**EVALUATED, moves=list_of(object_of(**MOVE_VALUE))),
    "Line": object_of(**HEAD, **VALUE, line=list_of(STEP)),
    "Explained": EXPLAINED,
    "Record": object_of(game=TEXT, plies=list_of(EXPLAINED), wrong=TEXT_OR_NULL),
    "Rules": object_of(game=TEXT, plies=list_of(OUTLINED), wrong=TEXT_OR_NULL),
    "Whole": WHOLE,
    "Chances": object_of(**HEAD, player=TEXT, moves=list_of(CHANCE)),
    "Puzzles": object_of(game=TEXT, puzzles=list_of(PUZZLE)),
    "Batch": object_of(
        game=TEXT,
        results=list_of({"oneOf": [object_of(**VALUE, move=MOVE_OR_NULL), FAILED]}),
    ),
}
