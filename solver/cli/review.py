"""The command review: every move of a game with its value."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from solver.agent import review as reviews
from solver.agent import words
from solver.agent.agent import open_agent
from solver.cli import options
from solver.cli.output import echo, print_json, print_rows, still_searching
from solver.cli.render import check_picture, save_picture
from solver.errors import IllegalMoveError, UnknownPositionError
from solver.pictures.value_strip import draw_strip
from solver.tables.oracle import node_limit
from solver.value import Outcome

if TYPE_CHECKING:
    from solver.agent import answers

NODES = 1_000_000_000  # that the search of one game may take: a few minutes

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="Records of games, one in each line, such as 5 1 9 3, or an episode of Kaggle as JSON;"
        " - reads standard input.",
    ),
]
FromZero = Annotated[bool, typer.Option("--from-zero", help="Count all moves from 0.")]
Strip = Annotated[
    str | None,
    options.output("FILE.svg|png", "Draw the value over the game to this file.", "no picture"),
]


def review(
    file: File,
    game: options.Game = "tictactoe",
    table: options.Table = None,
    from_zero: FromZero = False,
    output: Strip = None,
    as_json: options.Json = False,
) -> None:
    """Show what every move of a game changed, and who gave it away.

    Values are those of the side that moves. They count its moves, as those of `best` do; with
    --json, plies. Moves count from 1, in a list in brackets, such as [4, 0, 8], also from 0. A
    move with a regret of 1 turned a win into a draw or a draw into a loss, one with 2 a win into a
    loss. What a search does not reach in a few minutes is not proved, and is said to be so.

    A line that is no game gets an error in place of an answer, and the status is 2.
    """
    if output is not None:
        check_picture(output)
    agent, wrong = open_agent(game, table), 0
    records = list(_records(file))
    if output is not None and len(records) != 1:
        raise ValueError(f"-o draws one game; {file} has {len(records):,}")
    for number, record in records:
        try:
            with node_limit(NODES, still_searching()):
                answer = reviews.review(agent, record, from_zero)
        except (IllegalMoveError, UnknownPositionError) as error:
            wrong += 1
            print_json({"error": str(error)}) if as_json else echo(f"line {number}: {error}\n")
            continue
        print_json(answer) if as_json else _show(answer, number if len(records) > 1 else 0)
        if output is not None:
            save_picture(output, draw_strip(answer, agent.game.seats))
    if wrong:
        raise IllegalMoveError(f"lines that are no games: {wrong:,}; their answers say why")


def _records(file: str) -> Iterator[tuple[int, str]]:
    """Yield the number and the text of each line that is not blank; of an episode all lines."""
    if file == "-":
        text = sys.stdin.read()
    else:
        with open(file, encoding="utf-8-sig") as source:
            text = source.read()
    first, _, rest = text.lstrip().partition("\n")
    if first.startswith("{") and reviews.EPISODE in rest and reviews.EPISODE not in first:
        yield 1, text
        return
    yield from ((n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip())


def _show(answer: answers.Review, number: int) -> None:
    """Print a review as a table, below the number of its line if there are several."""
    if number:
        echo(f"Line {number}:\n")
    rows = [("move", "side", "played", "before", "after", "best", "regret")]
    for move in answer["moves"]:
        best = ", ".join(each["label"] for each in move["best"] or ()) or _text(None)
        kept = move["before"] is not None and move["before"] == move["after"]
        values = _text(move["before"]), _text(move["after"]), "-" if kept else best
        regret = {None: "", 0: "-"}.get(move["regret"], str(move["regret"]))
        rows.append((str(move["ply"]), move["turn"], move["label"], *values, regret))
    print_rows(rows, [None, *(Outcome.LOSS if m["regret"] else None for m in answer["moves"])])
    echo("\n" + " ".join(filter(None, (answer["verdict"], answer["result"]))) + "\n")


def _text(value: answers.Value | None) -> str:
    if value is None:
        return "not proved"
    return words.value_text(Outcome[value["outcome"].upper()], value["distance"])
