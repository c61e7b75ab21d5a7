"""What only the HTTP API and the page send, beside the answers that `solver.agent.answers` has."""
# ruff: noqa: UP013 -- those with few and plain fields are a line each

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from solver.agent.answers import (
    BestMove,
    Count,
    Explained,
    Natural,
    Outcome,
    Outlined,
    Puzzle,
    Share,
)

Style = Literal["grid", "rack", "squares", "points", "heaps"]
Sha256 = Annotated[str, ("pattern", "^[0-9a-f]{64}$")]

Levels = TypedDict("Levels", {"easy": Share, "medium": Share, "hard": Share})


class Listing(TypedDict):
    """A game that is served."""

    game: str
    title: str
    about: str
    seats: tuple[str, str]
    board: tuple[Count, Count] | None  # its columns and rows
    style: Style | None
    joined: list[tuple[Natural, Natural]]  # the pairs of cells joined by a line
    places: list[tuple[Natural, Natural]]  # the column and row of each cell, if there is no board
    start: str
    marks: str | None
    sample: str | None  # the marks of a position that shows what the game looks like
    positions: Count | None
    canonical: Count | None  # how many positions there are up to symmetry
    outcome: Outcome | None
    distance: Natural | None
    published: str | None
    players: list[str]
    levels: Levels
    sha256: Sha256
    tag: str
    searched: bool  # whether values take a search: `rules` answers at once
    whole: bool  # whether `Whole` answers about it
    map: bool
    rules_changed: NotRequired[bool]  # since the table was made; only if they have


Refusal = TypedDict("Refusal", {"error": str, "status": Literal[400, 404]})
Games = TypedDict("Games", {"games": list[Listing]})
Record = TypedDict("Record", {"game": str, "plies": list[Explained], "wrong": str | None})
Rules = TypedDict("Rules", {"game": str, "plies": list[Outlined], "wrong": str | None})
Puzzles = TypedDict("Puzzles", {"game": str, "puzzles": list[Puzzle]})
Batch = TypedDict("Batch", {"game": str, "results": list[BestMove | Refusal]})
Error = TypedDict("Error", {"error": str, "known": NotRequired[dict[str, Outcome]]})
Health = TypedDict("Health", {"status": Literal["ok"]})
Rows = list[Any]
Whole = TypedDict(
    "Whole", {"game": str, "moves": Rows, "symmetries": Rows, "nodes": Rows, "puzzles": Rows}
)
Description = TypedDict(
    "Description", {"openapi": str, "info": Any, "servers": Any, "paths": Any, "components": Any}
)
