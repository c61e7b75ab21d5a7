"""The commands that draw how to play: map, tree."""

from __future__ import annotations

from typing import Annotated

import typer

from solver.agent.facts import seat_named
from solver.agent.tree import MOST_DRAWN, MOST_TOLD, as_data, make_tree, tell
from solver.cli.app import (
    GameName,
    Json,
    Position,
    TableFile,
    Turn,
    app,
    check_drawing,
    open_agent,
    open_position,
    print_json,
)
from solver.files import check_writable, save
from solver.pictures.strategy_map import draw_map
from solver.pictures.svg import svg
from solver.pictures.tree_picture import draw_tree

DEEPEST = 200  # plies of a tree; a line of play is followed by recursion


@app.command("map")
def map_command(
    output: Annotated[
        str,
        typer.Option(
            "-o", "--output", metavar="FILE.svg", help="Draw it here.", show_default=False
        ),
    ],
    reader: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="X|O",
            help="The side whose play it shows; the one that begins if left out.",
            autocompletion=lambda: "XO",
            show_default=False,
        ),
    ] = None,
    game: GameName = "tictactoe",
    table: TableFile = None,
) -> None:
    """Draw a side's whole perfect play on a 3x3 board as one nested picture.

    Every cell that the opponent can take holds a smaller board with the answer, and so on.
    """
    check_drawing(output)
    agent = open_agent(game, table)
    drawing, boards = draw_map(agent, seat_named(agent.game, reader or agent.game.seats[0]))
    save(output, svg(drawing).encode())
    typer.echo(f"wrote {output}: {boards:,} boards")


@app.command()
def tree(
    position: Position = None,
    depth: Annotated[
        int | None,
        typer.Option(
            "--depth",
            metavar="N",
            min=0,
            max=DEEPEST,
            help="Follow this many plies; as many as a small picture takes if left out.",
            show_default=False,
        ),
    ] = None,
    view: Annotated[
        str | None,
        typer.Option(
            "--for",
            metavar="X|O",
            help="The side whose values to show; the side to move if left out.",
            autocompletion=lambda: "XO",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Draw it here, if the name ends in .svg, or write its text, in .txt.",
            show_default=False,
        ),
    ] = None,
    game: GameName = "tictactoe",
    table: TableFile = None,
    turn: Turn = None,
    as_json: Json = False,
) -> None:
    """Show the game tree below a position, with minimax values passed up it.

    The side whose values they are takes the largest of its moves (max), the other side the smallest
    (min).
    """
    drawn = output is not None and not output.endswith(".txt")
    if drawn:
        check_drawing(output, ".txt")
    check_writable(output)
    agent, p, seat = open_position(game, table, position, turn)
    most = MOST_DRAWN if drawn else MOST_TOLD
    found = make_tree(agent, p, seat, seat_named(agent.game, view or seat), depth, most)
    if output is not None:
        text = svg(draw_tree(found, agent.game)) if drawn else tell(found)
        save(output, text.encode())
    if as_json:
        facts = {"game": agent.game.spec, "for": found.view, "depth": found.depth}
        print_json(facts | {"positions": found.positions, "tree": as_data(found.root)})
    elif output is None:
        typer.echo(tell(found), nl=False)
    else:
        typer.echo(f"wrote {output}: {found.positions:,} positions to depth {found.depth}")
