"""The command review: every move of a game with its value."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from solver.agent import answers
from solver.agent import review as reviews
from solver.agent.agent import open_agent
from solver.agent.records import FORMS, games_in
from solver.agent.words import value_text
from solver.cli import options
from solver.cli.output import echo, print_json, print_rows, still_searching
from solver.errors import IllegalMoveError, UnknownPositionError, quoted
from solver.rules.search import node_limit
from solver.units import counted
from solver.value import Outcome

NODES = 1_000_000_000  # that the search of one game may take: a few minutes

File = Annotated[
    str,
    typer.Argument(
        metavar="FILE",
        help="Games, one in each line, such as 5 1 9 3, or an episode of Kaggle as JSON; - reads"
        " standard input.",
    ),
]
FromZero = Annotated[bool, typer.Option("--from-zero", help="Count all moves from 0.")]


def review(
    file: File,
    game: options.Game = "tictactoe",
    table: options.Table = None,
    from_zero: FromZero = False,
    as_json: options.Json = False,
) -> None:
    """Show what every move of a game changed, and who gave it away.

    Values are those of the side that moves, in its moves or, with --json, in plies. Moves count
    from 1; those of a list, such as [4, 0, 8] or 4,0,8, from 0 or 1, whichever is legal. A
    regret of 1 turned a win into a draw or a draw into a loss, one of 2 a win into a loss. What a
    search does not reach in a few minutes is shown as not proved.

    The answer to a line that is no game is an error, and the status is then 2.
    """
    records = games_in(_read(file), "standard input" if file == "-" else file)
    agent, wrong, said = open_agent(game, table), 0, set[str]()
    for number, record in records.items():
        gap = "\n" if number > min(records) else ""
        try:
            with node_limit(NODES, still_searching()):
                answer = reviews.review(agent, record, from_zero)
        except (IllegalMoveError, UnknownPositionError) as error:
            wrong += 1
            reason = str(error)
            if as_json:
                print_json({"error": reason})
            elif reason not in said or not reason.endswith(FORMS):
                echo(f"{gap}Line {number}: {reason}")
            said.add(reason)
            continue
        heading = f"{gap}Line {number}:\n\n" if len(records) > 1 else gap
        print_json(answer) if as_json else _show(answer, heading)
    if wrong:
        raise IllegalMoveError(
            f"{counted(wrong, 'line')} could not be read as games; see the errors above"
        )


def _read(file: str) -> bytes:
    """Return what a file holds, or standard input; raises ValueError if there is no file."""
    try:
        return sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
    except FileNotFoundError as error:
        hint = "- reads games, as in: echo 5 1 9 | perfectplay review -"
        raise ValueError(f"there is no file {quoted(file)}; {hint}") from error


def _show(answer: answers.Review, heading: str) -> None:
    rows = [("move", "side", "played", "before", "after", "best", "regret")]
    for move in answer["moves"]:
        best = ", ".join(each["label"] for each in move["best"] or ())
        kept = move["before"] is not None and move["before"] == move["after"]
        values = _text(move["before"]), _text(move["after"]), "-" if kept else best or "not proved"
        rows.append(
            (str(move["ply"]), move["turn"], move["label"], *values, str(move["regret"] or ""))
        )
    echo(heading, nl=False)
    print_rows(rows, [None, *(Outcome.LOSS if m["regret"] else None for m in answer["moves"])])
    echo("\n" + " ".join(filter(None, (answer["verdict"], answer["result"]))))


def _text(value: answers.Value | None) -> str:
    if value is None:
        return "not proved"
    return value_text(Outcome[value["outcome"].upper()], value["distance"])
