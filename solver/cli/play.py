"""Commands to play with: play, puzzles."""

from __future__ import annotations

import random
from typing import Annotated, Any

import typer

from solver.agent.agent import open_agent
from solver.cli import options, player_options
from solver.cli.output import CheckFailedError, echo, print_json
from solver.cli.player_options import open_later
from solver.cli.session import Session
from solver.errors import IllegalPositionError
from solver.players import Player, PlayerFault
from solver.players.conventions import CONVENTIONS, shape_of
from solver.rules.game import Game
from solver.tables.open import is_strategy

X = Annotated[
    str, player_options.player_option("--x", "Choose who plays X, or the first side of the game.")
]
O = Annotated[  # noqa: E741 -- as the option
    str, player_options.player_option("--o", "Choose who plays O, or the second side of the game.")
]
First = Annotated[
    str | None,
    options.option(
        "--first",
        "SIDE|random",
        "Choose who moves first.",
        "X, or the first side of the game",
        autocompletion=lambda: ["X", "O", "random"],
    ),
]
Numpad = Annotated[
    bool, typer.Option("--numpad", help="Number the cells as on a numeric keypad, 7-8-9 on top.")
]
Seed = Annotated[int | None, options.option("--seed", "N", "Seed the random choices.", "random")]


def play(
    x: X = "human",
    o: O = "perfect",
    first: First = None,
    numpad: Numpad = False,
    seed: Seed = None,
    game: options.StrategyGame = None,
    table: options.Table = None,
) -> None:
    """Play at the terminal, against the perfect player or any other.

    With the file of a strategy as its table, the perfect player plays the side of the strategy.
    """
    following: dict[str, Player] = {}
    if table is not None and is_strategy(table):
        from solver.cli import follow

        agent = follow.open_followed(game, table)
        following = follow.players(agent, x, o)
    else:
        agent = open_later(game or "tictactoe", table)
    rules = agent.game
    first = _first_seat(rules, rules.seats[0] if first is None else first)
    if numpad and not CONVENTIONS["numpad"].fits(shape_of(rules)):
        raise ValueError(
            f"--numpad needs a game on 3x3 in which every move is a cell, which {rules.spec} is not"
        )
    names = dict(zip(rules.seats, (x, o), strict=True))
    listed = {seat: name for seat, name in names.items() if name != "human"}
    for seat in following:
        del listed[seat]
    chance = random.randrange(2**32) if seed is None else seed
    with player_options.open_players(listed, agent, seed=chance) as players:
        session = Session(agent, players | following, random.Random(seed), numpad)
        try:
            session.play(first)
        except PlayerFault as fault:
            raise CheckFailedError(f"{session.playing.turn} gave no legal move: {fault}") from fault


def _first_seat(game: Game[Any, Any], name: str) -> str | None:
    """Return the seat that --first names, None for a random one; raises ValueError."""
    seats = {seat.lower(): seat for seat in game.seats} | {"random": None}
    if name.lower() not in seats:
        raise ValueError(f"--first is {name!r}; it must be {', '.join(game.seats)} or random")
    seat = seats[name.lower()]
    if seat != game.seats[0] and not _either_moves_first(game):
        raise ValueError(f"{game.seats[0]} always moves first in {game.spec}: not --first {name}")
    return seat


def _either_moves_first(game: Game[Any, Any]) -> bool:
    """Return whether the starting position leaves open which side is to move."""
    try:
        game.parse(game.text(game.initial()), game.seats[1])
    except IllegalPositionError:
        return False
    return True


def puzzles(
    count: Annotated[int, options.option("--count", "N", "Set at most N puzzles.", min=1)] = 5,
    game: options.Game = "tictactoe",
    as_json: options.Json = False,
) -> None:
    """Set puzzles: positions with exactly one good move.

    A good move keeps the win or the draw. A puzzle is easy if the player winblock would choose
    from one move, medium if from 2 to 4 and hard if from more.
    """
    from solver.players.puzzles import find_puzzles  # here, since play must start fast

    agent = open_agent(game)
    rules = agent.game
    drawn = find_puzzles(agent, count)
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
