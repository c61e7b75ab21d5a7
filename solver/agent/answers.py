"""The answers about games and positions: the JSON objects that `--json` prints and the API sends.

`solver.web.answers` has those that only the API sends. `solver.web.endpoint` makes the schemas of
the API's description from these types, and `python -m scripts.docs` the types of the page. Values
are for the side to move; moves are written as in tables.
"""
# ruff: noqa: UP013 -- those with few and plain fields are a line each

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

Outcome = Literal["win", "draw", "loss"]
Difficulty = Literal["easy", "medium", "hard"]
Code = int | str
Natural = Annotated[int, ("minimum", 0)]
Count = Annotated[int, ("minimum", 1)]
Share = Annotated[float, ("minimum", 0), ("maximum", 1)]


Named = TypedDict("Named", {"move": Code, "label": str})
Step = TypedDict("Step", {"turn": str, "move": Code, "label": str, "position": str})
Chance = TypedDict("Chance", {"move": Code, "label": str, "probability": Share})
Scored = TypedDict("Scored", {"move": Code, "label": str, "score": float})


class Position(TypedDict):
    """A position of a game, with the side to move."""

    game: str
    position: str
    turn: str
    rules_changed: NotRequired[bool]  # since the table was made; only if they have


class Value(TypedDict):
    """The value of a position or a move for the side to move."""

    outcome: Outcome
    distance: Natural | None  # plies, of both sides, to the end of the game; null for a draw


class Move(Named, Value):
    """A move with its value for the side that makes it."""

    trap: Share  # the share of the opponent's replies that worsen the opponent's outcome


class Display(TypedDict):
    """The cell where a move is shown, the cell that it leaves, and the position after it."""

    cell: Natural | None
    origin: Natural | None
    position: str
    marks: str | None
    replies: Natural  # how many moves that position has


class ExplainedMove(Move, Display):
    """A move with its value, why it has it, and how to show it."""

    reasons: list[str]


class OutlinedMove(Named, Display):
    """A move and how to show it, as far as the rules tell."""

    outcome: None
    distance: None
    trap: None
    reasons: list[str]


class Evaluated(Position, Value):
    """The value of a position, its best move, and all that tie with it; none at the end."""

    move: Code | None
    best: list[Code]


class Best(Evaluated):
    """The value of a position and of its moves, best first."""

    moves: list[Move]


class Outcomes(Position):
    """The outcome of each move of a position, for the side that makes it, by its label."""

    outcomes: dict[str, Outcome]


class Presentation(TypedDict):
    """A position in words and as marks, and how its game ended, if it is over."""

    verdict: str
    marks: str | None  # a character for each cell; null without cells
    result: str | None
    winner: str | None
    won: list[Natural]  # the cells of the lines that won it


class Explained(Evaluated, Presentation):
    """The value of a position and of its moves, best first, in words, too, and how to show them."""

    moves: list[ExplainedMove]


class Outlined(Position, Presentation):
    """What the rules alone tell of a position; its value is null unless the game is over."""

    outcome: Outcome | None
    distance: Natural | None
    move: None
    best: list[Code]
    moves: list[OutlinedMove]


class Line(Position, Value):
    """The game to its end under best play."""

    line: list[Step]


class ReviewedMove(Named):
    """A move of a game, with its values for the side that made it; null if they are not proved."""

    ply: Count
    turn: str
    position: str  # before the move
    before: Value | None  # the move
    after: Value | None  # the move, whose ply its distance counts: a perfect move changes nothing
    regret: Annotated[int, ("minimum", 0), ("maximum", 2)] | None  # by how much the outcome drops
    best: list[Named] | None


class Review(Position):
    """A game with the value of every move, the position that it leads to, and who gave it away."""

    value: Value | None  # of the last position
    result: str | None
    moves: list[ReviewedMove]
    decisive: Count | None  # the ply of the last move that changed the outcome
    verdict: str


class Chances(Position):
    """The moves of a player in a position."""

    player: str
    moves: list[Chance]
    scores: list[Scored] | None  # the player's own, of all moves; null if it has none
    remark: NotRequired[str]  # if no game leads to the position


class Puzzle(Named):
    """A position in which exactly one move keeps the outcome, and that move."""

    position: str
    turn: str
    task: Literal["win", "draw"]  # the outcome to keep
    candidates: Count  # how many moves the player `winblock` chooses from
    difficulty: Difficulty


class BestMove(Value):
    """The value of a position and its best move."""

    move: Code | None
