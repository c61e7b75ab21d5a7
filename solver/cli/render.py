"""The command render: pictures of positions and games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from solver.agent.agent import TableAgent, open_agent
from solver.agent.facts import read_position
from solver.cli import options
from solver.cli.output import counted, echo
from solver.files import check_writable, save
from solver.games import load_game
from solver.pictures.board_layout import find_cell, layout_of
from solver.pictures.pixels import gif, png
from solver.pictures.position import draw_position
from solver.pictures.shapes import Drawing
from solver.pictures.svg import svg
from solver.rules.game import Game
from solver.rules.notation import replay

FORMATS = (".svg", ".png", ".gif")


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
    size: Annotated[
        int, options.option("--size", "PIXELS", "Set the picture's width.", min=40, max=4096)
    ] = 400,
) -> None:
    """Draw a position as SVG or PNG, or a game as an animated GIF.

    With --values, W2 in a circle marks a move that wins in 2 moves, D in a square one that draws,
    L1 in a diamond one that loses in 1. The best moves have a second outline.
    """
    check_writable(output)
    ending = _ending(output, record)
    if record is not None and last is not None:
        raise ValueError("--last cannot be used with --game-record, which has the last move")
    agent = open_agent(game, table) if values or table is not None else None
    rules = load_game(game) if agent is None else agent.game
    layout_of(rules)  # raises here if there is no board
    p, seat = read_position(rules, position, turn)
    shown = agent if values else None
    if record is not None:
        drawings = _draw_record(rules, shown, p, seat, record)
    else:
        drawings = [_draw(rules, shown, p, seat, _cells(rules, p, last))]
    if ending == ".svg":
        data = svg(drawings[-1], size).encode()
    elif ending == ".png":
        data = png(drawings[-1], size)
    else:
        data = gif(drawings, size)
    save(output, data)
    frames = f", {counted(len(drawings), 'move')}" * (ending == ".gif")
    echo(f"wrote {output}: {drawings[-1].title}{frames}")


def _draw(
    game: Game[Any, Any], agent: TableAgent | None, p: Any, seat: str, last: Sequence[int]
) -> Drawing:
    """Return the drawing of a position, with the values of its moves if there is an agent."""
    scores = agent.scores_at(p) if agent is not None else ()
    return draw_position(game, p, seat, scores=scores, last=last)


def _draw_record(
    game: Game[Any, Any], agent: TableAgent | None, p: Any, seat: str, record: str
) -> list[Drawing]:
    """Return the drawings of a game, one after each move."""
    drawings = []
    for before, move in replay(game, p, record):
        cells = game.origin(before, move), game.cell(before, move)
        p, seat = game.play(before, move), game.other(seat)
        drawings.append(_draw(game, agent, p, seat, [c for c in cells if c is not None]))
    return drawings


def _ending(output: str, record: str | None) -> str:
    """Return the suffix of the file's name; raises ValueError if it is unknown."""
    found = [ending for ending in FORMATS if output.lower().endswith(ending)]
    if not found:
        raise ValueError(f"{output!r} must end in one of {', '.join(FORMATS)}")
    if found == [".gif"] and record is None:
        raise ValueError(f"{output!r}: a GIF shows a game; give its moves with --game-record")
    return found[0]


def _cells(game: Game[Any, Any], p: Any, last: str | None) -> list[int]:
    """Return the cells of a last move: none, one, or two with a hyphen between them."""
    names = [] if last is None else last.split("-")
    if len(names) != 2 or not all(names):
        names = [] if last is None else [last]
    return [find_cell(game, p, name) for name in names]
