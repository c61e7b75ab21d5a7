"""Commands about players and their matches: players, arena."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from textwrap import fill, indent
from typing import Annotated, Any

import typer

from solver.arena.match import Fault, Match, Result, interval, play_match, play_sampled
from solver.arena.tournament import Tournament, play_tournament
from solver.cli import options, player_options
from solver.cli.grade_report import SHOWN
from solver.cli.output import echo, print_json, print_rows, progress
from solver.players import PLAYERS
from solver.players.conventions import CONVENTIONS
from solver.players.player import LIMIT, Changed
from solver.units import counted

REPEATS = (
    "Positions can repeat. An exact match counts a game as a draw only if it never ends, a\n"
    "sampled match when a position occurs for the third time."
)
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
    names = player_options.expand_players(players)
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
            _show_ranking(rules.spec, ranking, total, as_json)
            return
        a, b = entered
        play = play_match if games is None else play_sampled
        with progress("games") as show:
            match = play(rules, a, b, total, 0, lambda played: show(played, total))
        _show_match(match, as_json)


def _show_match(match: Match, as_json: bool) -> None:
    """Print the results of two players."""
    if as_json:
        print_json(_match_data(match))
        return
    method = f"{counted(match.games, 'game')} sampled" if match.games else "exact"
    echo(f"{match.a} against {match.b}, {method}\n")
    rows: list[tuple[str, ...]] = [("", "win", "draw", "loss")]
    for name, result, played in _parts(match):
        cells = [f"{share:.4%}" for share in result]
        if match.games:
            bounds = [(share, *interval(share, played)) for share in result]
            cells = [f"{share:.1%} ({low:.1%} to {high:.1%})" for share, low, high in bounds]
        rows.append((name, *cells))
    print_rows(rows)
    if match.repeats:
        echo(f"\n{REPEATS}")
    _print_changed(match.changed)
    _print_faults(match.faults)


def _show_ranking(spec: str, result: Tournament, games: int, as_json: bool) -> None:
    """Print the standings of more than two players and their cross-table of mean results."""
    standings, matches = result.standings, result.matches
    if as_json:
        table = [s._asdict() | {"result": s.result._asdict()} for s in standings]
        print_json({"game": spec, "standings": table, "matches": [*map(_match_data, matches)]})
        return
    rows: list[tuple[str, ...]] = [("", "player", "points", "win", "draw", "loss")]
    rows += [
        (f"{s.rank}.", s.player, f"{s.points:.4f}", *(f"{share:.2%}" for share in s.result))
        for s in standings
    ]
    print_rows(rows)
    echo("\nMean result (win 1, draw 0, loss -1) of the row against the column:\n")
    rows = [("", *(f"{s.rank}." for s in standings))]
    results = result.results
    for s in standings:
        against = (results.get((s.player, other.player)) for other in standings)
        cells = ("" if mean is None else f"{mean.expected:+.3f}" for mean in against)
        rows.append((f"{s.rank}. {s.player}", *cells))
    print_rows(rows)
    sampled = [f"{m.a} against {m.b}" for m in matches if m.games]
    if sampled:
        echo(f"\nSampled, {counted(games, 'game')} each, not exact: {', '.join(sampled)}")
    if any(match.repeats for match in matches):
        echo(f"\n{REPEATS}")
    _print_changed([*dict.fromkeys(one for match in matches for one in match.changed)])
    _print_faults([*dict.fromkeys(fault for match in matches for fault in match.faults)])


def _parts(match: Match) -> list[tuple[str, Result, int]]:
    """Return the results of a match, each with its name and its number of games if sampled.

    They are those of both seats and of all games; a single game has no second seat.
    """
    second = match.games // 2
    seconds = [(f"{match.a} second", match.a_second, second)] if match.games != 1 else []
    return [
        (f"{match.a} first", match.a_first, match.games - second),
        *seconds,
        ("both", match.both, match.games),
    ]


def _match_data(match: Match) -> dict[str, Any]:
    """Return a match as JSON data."""
    data: dict[str, Any] = {"a": match.a, "b": match.b, "method": match.method}
    keys = ("a_first", "a_second", "both") if match.games != 1 else ("a_first", "both")
    for key, (_, result, played) in zip(keys, _parts(match), strict=True):
        data[key] = result._asdict()
        if match.games:
            bounds = {k: interval(share, played) for k, share in result._asdict().items()}
            data[key] |= {"games": played, "intervals": bounds}
    data["changed"] = [one._asdict() for one in match.changed]
    return data | {"repeats": match.repeats, "faults": [f._asdict() for f in match.faults]}


def _print_changed(changed: Sequence[Changed]) -> None:
    for one in changed:
        echo(f"\n{one}: its games are sampled.")


def _print_faults(faults: Sequence[Fault]) -> None:
    if faults:
        echo(f"\nNo legal move, which loses the game, in {counted(len(faults), 'position')}:")
    for fault in faults[:SHOWN]:
        echo(f"  {fault.player}  {fault.position}  {fault.kind}: {fault.detail}")
    if len(faults) > SHOWN:
        echo(f"  ... and {len(faults) - SHOWN:,} more")
