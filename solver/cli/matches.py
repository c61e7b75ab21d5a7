"""Commands about players and their matches: players, arena."""

from __future__ import annotations

import inspect
from textwrap import fill, indent
from typing import Annotated

import typer

from solver.arena.match import play_match, play_sampled
from solver.arena.tournament import play_tournament
from solver.cli import options, player_options
from solver.cli.output import echo, print_json, progress
from solver.players import PLAYERS
from solver.players.conventions import CONVENTIONS
from solver.players.lists import expand_players
from solver.players.player import LIMIT
from solver.reports.match_text import match_data, match_text, ranking_data, ranking_text

SAMPLED_GAMES = 1000  # of a match that has no exact result
PROGRAMS = """\
"command:PROGRAM ARGUMENTS", such as "command:node bot.js", in any language
    It reads a line for each question, the side to move, a tab and the position, and writes a line,
    the move as people write it, such as a cell from 1. Text is UTF-8, lines end with LF, output
    must be flushed. At the end of its input it quits.

    while read -r turn board; do
        before=${board%%.*}
        echo $((${#before} + 1))
    done

    In place of a move it may write {"probabilities": {"1": 0.25, "5": 0.75}} or, where it has no
    move, {"fault": "exception", "detail": "why"}.
"""


def players() -> None:
    """List the players, and how bots are called.

    Functions in Python may return a dict of moves to probabilities instead of a move.
    """
    entries = [("human", "Asks for each move at the terminal.", "every game")]
    entries += [(e.name, inspect.getdoc(e.about) or "", e.games.label) for e in PLAYERS]
    for name, about, games in entries:
        typer.echo(f"{name} (for {games})\n{indent(about, '    ')}\n")
    for name, convention in CONVENTIONS.items():
        called = f"--convention {name}: a function in Python, called as f{convention.arguments}"
        about = f"It is given {convention.about}. It returns {convention.returns}."
        typer.echo(f"{called}\n{indent(fill(about, 75), '    ')}\n")
        typer.echo(f"{indent(convention.example, '    ')}\n")
    typer.echo(PROGRAMS, nl=False)


def arena(
    players: player_options.Players,
    game: options.Game = "tictactoe",
    table: options.Table = None,
    games: Annotated[
        int | None,
        options.option(
            "--games",
            "N",
            "Sample N games of a match of two, half of them with each moving first; of more"
            " players, those matches that have no exact result.",
            f"{SAMPLED_GAMES}, if there is no exact result",
            min=1,
        ),
    ] = None,
    convention: player_options.Convention = None,
    deterministic: player_options.Deterministic = False,
    limit: player_options.Limit = LIMIT,
    as_json: options.Json = False,
) -> None:
    """Match two players or more, with exact results where possible.

    More than two play every other one, and are ranked. FOLDER:FUNCTION stands for that function of
    every Python file in a folder, and @FILE for the players that a file lists, one in each line.

    Results are exact unless a player does not state the probabilities of its moves. An exact match
    of more than a million positions, or whose games cycle for too long, is refused; among more than
    two players it is sampled.
    """
    names = expand_players(players)
    if len(names) < 2:
        raise ValueError("arena needs two players or more")
    agent = player_options.open_later(game, table)
    entrants = dict(enumerate(names))
    is_ranking = len(names) > 2
    with player_options.open_players(
        entrants, agent, deterministic, limit, convention=convention, ranked=is_ranking
    ) as opened:
        rules, entered, total = agent.game, [*opened.values()], games or SAMPLED_GAMES
        if is_ranking:
            with progress("matches") as show:
                ranking = play_tournament(rules, entered, total, progress=show)
            if as_json:
                print_json(ranking_data(rules.spec, ranking))
            else:
                echo(ranking_text(ranking, total))
            return
        a, b = entered
        play = play_match if games is None else play_sampled
        with progress("games") as show:
            match = play(rules, a, b, total, 0, lambda played: show(played, total))
        print_json(match_data(match)) if as_json else echo(match_text(match))
