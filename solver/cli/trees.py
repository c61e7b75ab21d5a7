"""Commands that show how to play on from a position: map, tree."""

from __future__ import annotations

from typing import Annotated

from solver.agent.agent import open_agent
from solver.agent.facts import read_position, seat_named
from solver.agent.tree import MOST_DRAWN, MOST_PRINTED, as_data, as_text, make_tree
from solver.cli import options
from solver.cli.inputs import check_svg_path
from solver.cli.output import counted, echo, plain_lines, print_json
from solver.files import check_writable, save
from solver.pictures.strategy_map import draw_map
from solver.pictures.svg import svg
from solver.pictures.tree_picture import draw_tree

DEEPEST = 200  # plies of a tree, which is made by recursion


def map_command(
    output: Annotated[str, options.output("FILE.svg", "Draw the map to this file.")],
    side: Annotated[
        str | None, options.side("--for", "Choose whose play to show.", "the side that moves first")
    ] = None,
    game: options.Game = "tictactoe",
    table: options.Table = None,
) -> None:
    """Draw the perfect play of one side on a 3x3 board.

    The picture is nested: every cell that the opponent can take holds a smaller board with the
    answer, and so on.
    """
    check_svg_path(output)
    agent = open_agent(game, table)
    drawing, boards = draw_map(agent, seat_named(agent.game, side or agent.game.seats[0]))
    save(output, svg(drawing).encode())
    echo(f"wrote {output}: {counted(boards, 'board')}")


def tree(
    position: options.Position = None,
    depth: Annotated[
        int | None,
        options.option(
            "--depth",
            "N",
            "Follow the moves for N plies.",
            "as deep as a small picture allows",
            min=0,
            max=DEEPEST,
        ),
    ] = None,
    view: Annotated[
        str | None, options.side("--for", "Choose whose values to show.", "the side to move")
    ] = None,
    output: Annotated[
        str | None, options.output("FILE", "Write the tree: as a drawing in .svg, as text in .txt.")
    ] = None,
    game: options.Game = "tictactoe",
    table: options.Table = None,
    turn: options.Turn = None,
    as_json: options.Json = False,
) -> None:
    """Show the game tree below a position with its minimax values.

    All values are those of one side: that side chooses the largest (max), the opponent the smallest
    (min). Distances count plies.
    """
    drawn = output is not None and not output.endswith(".txt")
    if drawn:
        check_svg_path(output, ".txt")
    check_writable(output)
    agent = open_agent(game, table)
    p, seat = read_position(agent.game, position, turn)
    most = MOST_DRAWN if drawn else MOST_PRINTED
    found = make_tree(agent, p, seat, seat_named(agent.game, view or seat), depth, most)
    if output is not None:
        text = svg(draw_tree(found, agent.game)) if drawn else plain_lines(as_text(found))
        save(output, text.encode())
    if as_json:
        head = {"game": agent.game.spec, "for": found.view, "depth": found.depth}
        print_json(head | {"positions": found.positions, "tree": as_data(found.root)})
    elif output is None:
        echo(as_text(found), nl=False)
    else:
        echo(f"wrote {output}: {counted(found.positions, 'position')} to depth {found.depth}")
