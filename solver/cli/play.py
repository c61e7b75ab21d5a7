"""The command play: games at the terminal."""

from __future__ import annotations

import random
from typing import Annotated

import typer

from solver.cli import options, player_options
from solver.cli.output import CheckFailedError, echo, plain_lines
from solver.cli.session import Session
from solver.players import PlayerFault
from solver.players.conventions import CONVENTIONS, shape_of
from solver.players.external import LIMIT


def play(
    x: Annotated[
        str,
        player_options.player_option("--x", "Choose who plays X, or the first side of the game."),
    ] = "human",
    o: Annotated[
        str,
        player_options.player_option("--o", "Choose who plays O, or the second side of the game."),
    ] = "perfect",
    numpad: Annotated[
        bool,
        typer.Option("--numpad", help="Number the cells as on a numeric keypad, 7-8-9 on top."),
    ] = False,
    seed: Annotated[
        int | None, options.option("--seed", "N", "Seed the random choices.", "random")
    ] = None,
    game: options.Game = "tictactoe",
    table: options.Table = None,
    convention: player_options.Convention = "rows",
    limit: player_options.Limit = LIMIT,
) -> None:
    """Play at the terminal, against the perfect player or any other."""
    agent = player_options.open_later(game, table)
    rules = agent.game
    if numpad and not CONVENTIONS["numpad"].fits(shape_of(rules)):
        raise ValueError(
            f"--numpad needs a game on 3x3 in which every move is a cell, which {rules.spec} is not"
        )
    names = dict(zip(rules.seats, (x, o), strict=True))
    listed = {seat: name for seat, name in names.items() if name != "human"}
    chance = random.randrange(2**32) if seed is None else seed
    with player_options.open_players(listed, agent, convention, False, limit, chance) as players:
        session = Session(agent, players, random.Random(seed), _ask, echo, numpad)
        try:
            session.play()
        except PlayerFault as fault:
            raise CheckFailedError(f"{session.playing.turn} gave no legal move: {fault}") from fault


def _ask(prompt: str) -> str:
    return input(plain_lines(prompt))
