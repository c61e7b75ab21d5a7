"""The command render: pictures of positions, games and strategies."""

from __future__ import annotations

import os
from typing import Annotated, Any

import typer

from solver.agent.agent import TableAgent, open_agent
from solver.agent.facts import read_typed
from solver.cli import options
from solver.cli.output import echo
from solver.files import save
from solver.games import load_game
from solver.pictures.board_layout import layout_of
from solver.pictures.position import draw_position
from solver.pictures.shapes import Drawing
from solver.pictures.strategy_map import draw_map
from solver.pictures.svg import png, svg
from solver.rules.game import Game, seat_named
from solver.rules.notation import replay
from solver.tables.open import is_strategy
from solver.units import counted

ENDINGS = (".svg", ".png")
WIDTH = 400  # pixels of a board


Output = Annotated[str, options.output("FILE.svg|png", "Draw to this file.")]
Record = Annotated[
    str | None,
    options.option(
        "--game-record",
        "MOVES",
        "Play these moves from the position, such as '5 1 7 3', and mark the last one.",
    ),
]
Values = Annotated[bool, typer.Option("--values", help="Show the value of each move on its cell.")]
MapSide = Annotated[
    str | None,
    options.side("--map", "Draw the perfect play of this side on a 3x3 board.", "no map"),
]


def render(
    output: Output,
    position: options.Position = None,
    game: options.StrategyGame = None,
    table: options.Table = None,
    turn: options.Turn = None,
    record: Record = None,
    values: Values = False,
    map_side: MapSide = None,
) -> None:
    """Draw a position, perfect play or the cards of a strategy as SVG or PNG.

    With --values, W2 in a circle marks a move that wins in 2 moves, D in a square one that draws,
    L1 in a diamond one that loses in 1. The best moves have a second outline.

    With --map, every cell that the other side can take holds a smaller board with the answer, and
    so on. In place of a position, the file of a strategy is drawn as cards on one A4 sheet.
    """
    options.check_output(output, "the picture", *ENDINGS)
    if position is not None and _names_strategy(position):
        if table or turn or record or values or map_side:
            raise ValueError(f"{position} is a strategy, which takes only --game")
        _render_cards(output, position, game)
        return
    game = game or "tictactoe"
    forms = {"--game-record": record, "--values": values or None, "--map": map_side}
    given = [name for name, value in forms.items() if value is not None]
    if len(given) > 1 and given != ["--game-record", "--values"]:
        raise ValueError(f"{' and '.join(given)} exclude each other")
    if map_side is not None and position is not None:
        raise ValueError("--map draws the game from its start: leave out the position")
    agent = open_agent(game, table) if given not in ([], ["--game-record"]) or table else None
    rules, width = load_game(game) if agent is None else agent.game, None
    if agent and map_side is not None:
        drawing, boards = draw_map(agent, seat_named(rules, map_side))
        about = counted(boards, "board")
    else:
        layout_of(rules)  # raises here if there is no board
        p, seat = read_typed(rules, position, turn)
        drawing, width = _draw(rules, agent if values else None, p, seat, record), WIDTH
        about = drawing.title
    save_picture(output, drawing, width)
    echo(f"wrote {output}: {about}")


def _names_strategy(position: str) -> bool:
    """Return whether the text names a file of a strategy; raises OSError if that is missing."""
    if position.endswith(".txt"):  # as their names do, and no position
        return True
    return os.path.isfile(position) and is_strategy(position)


def _render_cards(output: str, file: str, game: str | None) -> None:
    """Draw the cards of a strategy, which is proved first."""
    from solver.cli.follow import draw

    drawing, cards = draw(file, game)
    save_picture(output, drawing)
    echo(f"wrote {output}: {counted(cards, 'card')}")


def save_picture(output: str, drawing: Drawing, width: int | None = None) -> None:
    """Write a drawing as SVG or PNG, `width` pixels wide or as wide as it says."""
    if output.lower().endswith(".png"):
        save(output, png(drawing, width or round(drawing.width)))
    else:
        save(output, svg(drawing, width).encode())


def _draw(
    game: Game[Any, Any], agent: TableAgent | None, p: Any, seat: str, record: str | None
) -> Drawing:
    """Return the drawing of a position, or of the last one of a record with its move marked.

    It has the values of the moves if there is an agent.
    """
    cells: tuple[int | None, ...] = ()
    for before, move in () if record is None else replay(game, p, record):
        cells = game.origin(before, move), game.cell(before, move)
        p, seat = game.play(before, move), game.other(seat)
    scores = agent.scores_at(p) if agent else ()
    return draw_position(game, p, seat, scores=scores, last=[c for c in cells if c is not None])
