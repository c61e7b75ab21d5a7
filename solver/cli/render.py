"""The command render: pictures of positions and games."""

from __future__ import annotations

import re
from typing import Annotated, Any

import typer

from solver.agent.agent import TableAgent, ties
from solver.agent.facts import read_position
from solver.cli import options
from solver.cli.inputs import open_agent
from solver.files import check_writable, save
from solver.games import load_game
from solver.pictures.board_layout import find_cell, layout_of
from solver.pictures.colours import THEMES
from solver.pictures.pixels import gif, png
from solver.pictures.position import draw_position
from solver.pictures.shapes import Drawing
from solver.pictures.svg import svg
from solver.rules.game import Game
from solver.rules.notation import find_move, replay

FORMATS = (".svg", ".png", ".gif")
COLOUR = re.compile("#[0-9a-f]{6}", re.ASCII | re.IGNORECASE)


def render(
    output: Annotated[str, options.output("FILE.svg|png|gif", "Draw to this file.")],
    position: options.Position = None,
    game: options.Game = "tictactoe",
    table: options.Table = None,
    turn: options.Turn = None,
    record: Annotated[
        str | None,
        options.option(
            "--game-record",
            "MOVES",
            "Play these moves from the position, such as '5 1 7 3'; a GIF shows every move, a"
            " picture the last one.",
        ),
    ] = None,
    values: Annotated[
        bool, typer.Option("--values", help="Show the value of each move on its cell.")
    ] = False,
    last: Annotated[
        str | None,
        options.option(
            "--last",
            "CELL|FROM-TO",
            "Highlight the last move; in Connect 4 a column stands for its topmost stone.",
        ),
    ] = None,
    arrow: Annotated[
        list[str] | None,
        options.option(
            "--arrow",
            "MOVE|FROM-TO|best",
            "Draw an arrow: for a move, between two cells or for each best move. Repeatable.",
        ),
    ] = None,
    size: Annotated[
        int, options.option("--size", "PIXELS", "Set the picture's width.", min=40, max=4096)
    ] = 400,
    theme: Annotated[
        str,
        options.choice(
            "--theme", ["auto", *THEMES], "Choose the colours; auto follows the viewer's settings."
        ),
    ] = "auto",
    colours: Annotated[
        str | None,
        options.option(
            "--colours", "#RRGGBB,#RRGGBB", "Set the colours of X and O, or of White and Black."
        ),
    ] = None,
) -> None:
    """Draw a position as SVG or PNG, or a game as an animated GIF.

    With --values, W2 in a circle marks a move that wins in 2 moves, D in a square one that draws,
    L1 in a diamond one that loses in 1. The best moves have a second outline.
    """
    check_writable(output)
    kind = _kind(output, record)
    if record is not None and last is not None:
        raise ValueError("--last is for a position; a game's record tells its last move itself")
    if kind == ".gif" and set(arrow or ()) - {"best"}:
        raise ValueError("in a GIF --arrow takes best alone: the moves change")
    sides = _sides(colours)
    if theme not in ("auto", *THEMES):
        raise ValueError(f"no theme {theme!r}; the themes are auto, {', '.join(THEMES)}")
    knows = values or "best" in (arrow or ())
    agent = open_agent(game, table) if knows or table is not None else None
    rules = load_game(game) if agent is None else agent.game
    layout_of(rules)
    p, seat = read_position(rules, position, turn)
    painter = Painter(rules, agent, values, arrow or [], sides)
    if record is not None:
        drawings = painter.record(p, seat, record)
    else:
        cells = _cells(rules, p, last) if last is not None else ()
        drawings = [painter.position(p, seat, cells)]
    plain = "light" if theme == "auto" else theme
    if kind == ".svg":
        data = svg(drawings[-1], theme, size).encode()
    elif kind == ".png":
        data = png(drawings[-1], size, plain)
    else:
        data = gif(drawings, size, plain)
    save(output, data)
    frames = f", {len(drawings)} moves" * (kind == ".gif")
    typer.echo(f"wrote {output}: {drawings[-1].title}{frames}")


class Painter:
    """Draws positions of one game with the same things shown on each."""

    def __init__(
        self,
        rules: Game[Any, Any],
        agent: TableAgent | None,
        values: bool,
        arrows: list[str],
        sides: tuple[str, str] | None,
    ) -> None:
        self.rules, self.agent, self.values = rules, agent, values
        self.arrows, self.sides = arrows, sides

    def position(self, p: Any, seat: str, last: tuple[int, ...]) -> Drawing:
        """Return the drawing of a position after a move over these cells."""
        scores = self.agent.scores_at(p) if self.agent is not None else []
        arrows = [pair for name in self.arrows for pair in self._arrow(p, name, scores)]
        return draw_position(
            self.rules,
            p,
            seat,
            scores=scores if self.values else (),
            last=last,
            arrows=arrows,
            sides=self.sides,
        )

    def record(self, p: Any, seat: str, record: str) -> list[Drawing]:
        """Return the drawings of a game, one after each move."""
        found = []
        for before, move in replay(self.rules, p, record):
            start, end = self.rules.origin(before, move), self.rules.cell(before, move)
            p, seat = self.rules.play(before, move), self.rules.other(seat)
            found.append(self.position(p, seat, tuple(c for c in (start, end) if c is not None)))
        return found

    def _arrow(self, p: Any, name: str, scores: list[Any]) -> list[tuple[int | None, int]]:
        """Return what an arrow's name stands for: moves as their cells, or two cells."""
        if name == "best":
            moves = [s.move for s in ties(scores)]
        elif cells := _pair(name):
            start, end = (find_cell(self.rules, p, cell) for cell in cells)
            return [(start, end)]
        else:
            moves = [find_move(self.rules, p, name)]
        places = [(self.rules.origin(p, m), self.rules.cell(p, m)) for m in moves]
        return [(start, end) for start, end in places if end is not None]


def _kind(output: str, record: str | None) -> str:
    """Return how the file's name ends; raises ValueError if nothing is written like that."""
    found = [kind for kind in FORMATS if output.lower().endswith(kind)]
    if not found:
        raise ValueError(f"{output!r}: the name of a picture ends in {', '.join(FORMATS)}")
    if found == [".gif"] and record is None:
        raise ValueError(f"{output!r}: a GIF shows a game; give its moves with --game-record")
    return found[0]


def _sides(colours: str | None) -> tuple[str, str] | None:
    """Return the colours of the two sides; raises ValueError."""
    if colours is None:
        return None
    parts = colours.lower().split(",")
    if len(parts) != 2 or not all(map(COLOUR.fullmatch, parts)):
        raise ValueError(f"{colours[:40]!r} is not two colours; write them as '#0072b2,#f0e442'")
    return parts[0], parts[1]


def _pair(name: str) -> list[str] | None:
    """Return the two cells of a name such as a2-a3, or None."""
    parts = name.split("-")
    return parts if len(parts) == 2 and all(parts) else None


def _cells(rules: Game[Any, Any], p: Any, last: str) -> tuple[int, ...]:
    """Return the cells of a last move: one, or two with a hyphen between them."""
    return tuple(find_cell(rules, p, name) for name in _pair(last) or [last])
