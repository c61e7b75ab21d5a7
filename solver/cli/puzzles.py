"""The command puzzles: positions with one good move."""

from __future__ import annotations

from typing import Annotated

from solver.agent.agent import open_agent
from solver.arena.puzzles import DIFFICULTIES, find_puzzles
from solver.cli import options
from solver.cli.output import echo, print_json


def puzzles(
    count: Annotated[int, options.option("--count", "N", "Set at most N puzzles.", min=1)] = 5,
    seed: options.Seed = 0,
    difficulty: Annotated[
        str | None, options.choice("--difficulty", DIFFICULTIES, "Choose the difficulty.", "any")
    ] = None,
    game: options.Game = "tictactoe",
    table: options.Table = None,
    as_json: options.Json = False,
) -> None:
    """Set puzzles: positions with exactly one good move.

    A good move keeps the win or the draw. A puzzle is easy if the player winblock would choose
    from one move, medium if from 2 to 4 and hard if from more.
    """
    agent = open_agent(game, table)
    rules = agent.game
    drawn = find_puzzles(agent, count, seed, difficulty)
    if as_json:
        print_json(drawn)
        return
    for number, puzzle in enumerate(drawn, 1):
        task = "win" if puzzle["task"] == "win" else "hold the draw"
        echo(f"{number}. {puzzle['turn']} to move and {task} ({puzzle['difficulty']})")
        echo(rules.render(rules.parse(puzzle["position"]), puzzle["turn"]) + "\n")
    if not drawn:
        echo("No puzzle found: none of the positions examined has exactly one good move.")
        return
    echo("Solutions: " + ", ".join(f"{n}. {z['label']}" for n, z in enumerate(drawn, 1)))
