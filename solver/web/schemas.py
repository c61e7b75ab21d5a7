"""The shapes of what the API answers, as JSON Schema."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
MOVE: Schema = {"type": ["integer", "string"]}
NO_MOVE: Schema = {"type": ["integer", "string", "null"]}
CELL: Schema = {"type": "integer", "minimum": 0}
NO_CELL: Schema = {"type": ["integer", "null"], "minimum": 0}
NO_TEXT: Schema = {"type": ["string", "null"]}
COUNT: Schema = {"type": "integer", "minimum": 1}
SHARE: Schema = {"type": "number", "minimum": 0, "maximum": 1}
OUTCOME: Schema = {"type": "string", "enum": ["win", "draw", "loss"]}
DISTANCE: Schema = {"type": ["integer", "null"], "minimum": 0}
STYLE: Schema = {"enum": ["grid", "rack", "squares", "points", None]}


def _object(**fields: Schema) -> Schema:
    """Return the schema of an object that has all of these fields and no other."""
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def _list(items: Schema, **bounds: int) -> Schema:
    return {"type": "array", "items": items, **bounds}


VALUE = {"outcome": OUTCOME, "distance": DISTANCE}
ASKED = {"game": TEXT, "position": TEXT, "turn": TEXT}
WORTH = {"move": MOVE, "label": TEXT, **VALUE, "trap": SHARE}
KNOWN = {**ASKED, **VALUE, "move": NO_MOVE, "best": _list(MOVE)}
REASONED = {**WORTH, "reasons": _list(TEXT), "cell": NO_CELL, "origin": NO_CELL, "position": TEXT}
GAME = _object(
    game=TEXT,
    title=TEXT,
    seats=_list(TEXT, minItems=2, maxItems=2),
    board={"type": ["array", "null"], "items": COUNT, "minItems": 2, "maxItems": 2},
    style=STYLE,
    joined=_list(_list(CELL, minItems=2, maxItems=2)),
    start=TEXT,
    positions=COUNT,
    canonical=COUNT,
    **VALUE,
    players=_list(TEXT),
    sha256={"type": "string", "pattern": "^[0-9a-f]{64}$"},
    tag={"type": "string"},
)
PUZZLE = _object(
    position=TEXT,
    turn=TEXT,
    task={"type": "string", "enum": ["win", "draw"]},
    move=MOVE,
    label=TEXT,
    candidates=COUNT,
    difficulty={"type": "string", "enum": ["easy", "medium", "hard"]},
)
MISSED = _object(error=TEXT, status={"type": "integer", "enum": [400, 404]})
STEP = _object(turn=TEXT, move=MOVE, label=TEXT, position=TEXT)
CHANCE = _object(move=MOVE, label=TEXT, probability=SHARE)
SCHEMAS: dict[str, Schema] = {
    "Error": _object(error=TEXT),
    "Health": _object(status={"const": "ok"}),
    "Description": {"type": "object", "required": ["openapi", "info", "paths"]},
    "Games": _object(games=_list(GAME)),
    "Best": _object(**KNOWN, moves=_list(_object(**WORTH))),
    "Line": _object(**ASKED, **VALUE, line=_list(STEP)),
    "Explained": _object(
        **KNOWN,
        moves=_list(_object(**REASONED)),
        verdict=TEXT,
        marks=NO_TEXT,
        result=NO_TEXT,
        winner=NO_TEXT,
        won=_list(CELL),
    ),
    "Chances": _object(**ASKED, player=TEXT, moves=_list(CHANCE)),
    "Puzzles": _object(game=TEXT, puzzles=_list(PUZZLE)),
    "Batch": _object(
        game=TEXT,
        results=_list({"oneOf": [_object(**VALUE, move=NO_MOVE), MISSED]}),
    ),
}
