"""The command render: pictures of positions and games."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, NamedTuple

import typer

from solver.agent.agent import MoveScore, TableAgent, open_agent, ties
from solver.agent.facts import read_position
from solver.cli import options
from solver.cli.output import counted, echo
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
    ending = _ending(output, record)
    if record is not None and last is not None:
        raise ValueError("--last cannot be used with --game-record, which has the last move")
    if ending == ".gif" and set(arrow or ()) - {"best"}:
        raise ValueError("a GIF shows several positions, so its only --arrow is best")
    if theme not in ("auto", *THEMES):
        raise ValueError(f"no theme {theme!r}; the themes are auto, {', '.join(THEMES)}")
    uses_table = values or "best" in (arrow or ()) or table is not None
    agent = open_agent(game, table) if uses_table else None
    rules = load_game(game) if agent is None else agent.game
    layout_of(rules)  # raises here if there is no board
    p, seat = read_position(rules, position, turn)
    painter = Painter(rules, agent, values, arrow or [], _sides(colours))
    if record is not None:
        drawings = painter.record(p, seat, record)
    else:
        drawings = [painter.position(p, seat, _cells(rules, p, last))]
    plain = "light" if theme == "auto" else theme
    if ending == ".svg":
        data = svg(drawings[-1], theme, size).encode()
    elif ending == ".png":
        data = png(drawings[-1], size, plain)
    else:
        data = gif(drawings, size, plain)
    save(output, data)
    frames = f", {counted(len(drawings), 'move')}" * (ending == ".gif")
    echo(f"wrote {output}: {drawings[-1].title}{frames}")


class Painter(NamedTuple):
    """The positions of one game as drawings, with the same things shown on each."""

    game: Game[Any, Any]
    agent: TableAgent | None
    values: bool
    arrows: list[str]
    sides: tuple[str, str] | None

    def position(self, p: Any, seat: str, last: Sequence[int]) -> Drawing:
        """Return the drawing of a position; `last` are the cells of the last move."""
        scores = self.agent.scores_at(p) if self.agent is not None else []
        arrows = [pair for name in self.arrows for pair in self._arrow(p, name, scores)]
        shown = scores if self.values else ()
        return draw_position(
            self.game, p, seat, scores=shown, last=last, arrows=arrows, sides=self.sides
        )

    def record(self, p: Any, seat: str, record: str) -> list[Drawing]:
        """Return the drawings of a game, one after each move."""
        drawings = []
        for before, move in replay(self.game, p, record):
            cells = self.game.origin(before, move), self.game.cell(before, move)
            p, seat = self.game.play(before, move), self.game.other(seat)
            drawings.append(self.position(p, seat, [c for c in cells if c is not None]))
        return drawings

    def _arrow(self, p: Any, name: str, scores: list[MoveScore]) -> list[tuple[int | None, int]]:
        """Return the arrows of a name: of a move, of the best moves, or between two cells."""
        if name == "best":
            moves = [s.move for s in ties(scores)]
        elif cells := _pair(name):
            start, end = (find_cell(self.game, p, cell) for cell in cells)
            return [(start, end)]
        else:
            moves = [find_move(self.game, p, name)]
        pairs = [(self.game.origin(p, m), self.game.cell(p, m)) for m in moves]
        return [(start, end) for start, end in pairs if end is not None]


def _ending(output: str, record: str | None) -> str:
    """Return the suffix of the file's name; raises ValueError if it is unknown."""
    found = [ending for ending in FORMATS if output.lower().endswith(ending)]
    if not found:
        raise ValueError(f"{output!r} must end in one of {', '.join(FORMATS)}")
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


def _cells(game: Game[Any, Any], p: Any, last: str | None) -> list[int]:
    """Return the cells of a last move: none, one, or two with a hyphen between them."""
    names = [] if last is None else _pair(last) or [last]
    return [find_cell(game, p, name) for name in names]
