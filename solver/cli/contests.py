"""The commands about players: play, players, arena, tournament."""

from __future__ import annotations

import inspect
import random
from contextlib import ExitStack
from typing import Annotated, Any

import typer

from solver.agent.agent import TableAgent
from solver.arena.match import Match, Result, interval, play_exact, play_sampled
from solver.arena.tournament import play_match, play_tournament
from solver.cli import grade_report as report
from solver.cli.app import (
    CheckFailedError,
    ConventionName,
    Deterministic,
    GameName,
    Json,
    Limit,
    PlayerName,
    PlayerNames,
    Seed,
    TableFile,
    app,
    complete_players,
    open_agent,
    print_json,
    print_rows,
    progress,
)
from solver.cli.session import Session
from solver.errors import IllegalPositionError
from solver.files import check_writable, save
from solver.pictures.heat_map import draw_heat_map
from solver.pictures.svg import svg
from solver.players import PLAYERS, Player, PlayerFault, closing, derived_seed, load_player
from solver.players.conventions import CONVENTIONS, shape_of
from solver.players.external import LIMIT
from solver.rules.game import Game

REPEATS = (
    "Positions come again. An exact match counts a game as drawn by that only if it never ends,\n"
    "a sampled one when a position comes for the third time."
)
GAMES_SAMPLED = 1000  # where a player leaves no exact result and no number is given


@app.command()
def play(
    x: Annotated[
        str,
        typer.Option(
            "--x",
            metavar="PLAYER",
            help="Who plays X, or the side that begins in a game without X.",
            autocompletion=complete_players,
        ),
    ] = "human",
    o: Annotated[
        str,
        typer.Option(
            "--o",
            metavar="PLAYER",
            help="Who plays O, or the other side.",
            autocompletion=complete_players,
        ),
    ] = "perfect",
    first: Annotated[
        str | None,
        typer.Option(
            "--first",
            metavar="X|O|random",
            help="Who begins; X, or the first of the game's two sides, if left out.",
            autocompletion=lambda: ["X", "O", "random"],
            show_default=False,
        ),
    ] = None,
    numpad: Annotated[
        bool, typer.Option("--numpad", help="Number the cells as on a keypad, 7-8-9 on top.")
    ] = False,
    seed: Annotated[
        int | None, typer.Option(help="Makes what is random repeatable.", show_default=False)
    ] = None,
    game: GameName = "tictactoe",
    table: TableFile = None,
    convention: ConventionName = "rows",
    limit: Limit = LIMIT,
) -> None:
    """Play at the terminal, against the table or anyone else."""
    agent = open_agent(game, table)
    seats = dict(zip(agent.game.seats, (x, o), strict=True))
    begins = {seat.lower(): seat for seat in seats} | {"random": None}
    first = agent.game.seats[0] if first is None else first
    if first.lower() not in begins:
        raise ValueError(f"the first player is {first!r}; it must be {', '.join(seats)} or random")
    if first.lower() != agent.game.seats[0].lower() and not _either_begins(agent.game):
        raise ValueError(f"{agent.game.seats[0]} always begins {agent.game.spec}, not {first}")
    if numpad and not CONVENTIONS["numpad"].fits(shape_of(agent.game)):
        raise ValueError(
            f"--numpad is for games on 3x3 in which every move is a cell, not for {agent.game.spec}"
        )
    with ExitStack() as stack:
        players: dict[str, Player | None] = {}
        for seat, name in seats.items():
            players[seat] = None
            if name != "human":
                chance = random.randrange(2**32) if seed is None else seed
                players[seat] = player = load_player(
                    name, agent, convention, False, limit, derived_seed(chance, seat)
                )
                stack.enter_context(closing(player))
        session = Session(agent, players, random.Random(seed), input, typer.echo, numpad)
        try:
            session.play(begins[first.lower()])
        except PlayerFault as fault:
            raise CheckFailedError(f"{session.turn} has no legal answer: {fault}") from fault


def _either_begins(game: Game[Any, Any]) -> bool:
    """Return whether the start says nothing of who is to move."""
    try:
        game.parse(game.text(game.initial()), game.seats[1])
    except IllegalPositionError:
        return False
    return True


@app.command("players")
def players_command(as_json: Json = False) -> None:
    """List the players."""
    entries = [("human", "Asks at the terminal.", "every game")]
    for entry in PLAYERS:
        entries.append((entry.name, inspect.getdoc(entry.about) or "", entry.games.label))
    if as_json:
        print_json([{"name": n, "about": about, "games": games} for n, about, games in entries])
        return
    for name, about, games in entries:
        typer.echo(f"{name} (for {games})")
        typer.echo("".join(f"    {line}".rstrip() + "\n" for line in about.splitlines()))


@app.command()
def arena(
    a: PlayerName,
    b: PlayerName,
    game: GameName = "tictactoe",
    table: TableFile = None,
    exact: Annotated[
        bool, typer.Option("--exact", help="Refuse where no exact result can be had.")
    ] = False,
    games: Annotated[
        int | None,
        typer.Option(
            "--games", min=1, help="Sample so many games, half with A first.", show_default=False
        ),
    ] = None,
    seed: Seed = 0,
    convention: ConventionName = "rows",
    deterministic: Deterministic = False,
    limit: Limit = LIMIT,
    as_json: Json = False,
) -> None:
    """Match two players: exact results, or sampled ones where chance is not told.

    An exact match is refused that would pass through more than a million positions, or whose games
    go round for too long.
    """
    if exact and games is not None:
        raise ValueError("--exact and --games exclude each other")
    agent = open_agent(game, table)
    rules = agent.game
    with ExitStack() as stack:
        first, second = _enter(stack, [a, b], agent, convention, deterministic, limit, seed)
        if exact:
            match = play_exact(rules, first, second)
        else:
            total = games or GAMES_SAMPLED
            contest = play_match if games is None else play_sampled
            with progress("games") as show:
                match = contest(
                    rules, first, second, total, seed, lambda played: show(played, total)
                )
    if as_json:
        print_json(_match_json(match))
        return
    how = f"{match.games:,} games sampled, seed {seed}" if match.games else "exact"
    typer.echo(f"{match.a} against {match.b}, {how}\n")
    rows: list[tuple[str, ...]] = [("", "win", "draw", "loss")]
    for name, result, played in _halves(match):
        cells = [f"{share:.4%}" if not match.games else f"{share:.1%}" for share in result]
        if match.games:
            bounds = [interval(share, played) for share in result]
            cells = [
                f"{c} ({lo:.1%} to {hi:.1%})" for c, (lo, hi) in zip(cells, bounds, strict=True)
            ]
        rows.append((name, *cells))
    print_rows(rows)
    if match.repeats:
        typer.echo(f"\n{REPEATS}")
    _print_faults(match.faults)


@app.command()
def tournament(
    players: PlayerNames,
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", metavar="FILE.svg", help="Draw a heat map.", show_default=False
        ),
    ] = None,
    game: GameName = "tictactoe",
    table: TableFile = None,
    games: Annotated[
        int, typer.Option("--games", min=1, help="Games where a match has to be sampled.")
    ] = GAMES_SAMPLED,
    seed: Seed = 0,
    convention: ConventionName = "rows",
    deterministic: Deterministic = False,
    limit: Limit = LIMIT,
    as_json: Json = False,
) -> None:
    """Match everyone with everyone: the exact cross-table, ranked."""
    check_writable(output)
    agent = open_agent(game, table)
    with ExitStack() as stack:
        entered = _enter(stack, players, agent, convention, deterministic, limit, seed)
        with progress("matches") as show:
            result = play_tournament(agent.game, entered, games, seed, show)
    names = [standing.player for standing in result.standings]
    table_of = {a: {b: result.match(a, b) for b in names if b != a} for a in names}
    if output is not None:
        values = [[table_of[a][b].both.expected if a != b else None for b in names] for a in names]
        title = f"{agent.game.spec}: mean result of the row against the column"
        save(output, svg(draw_heat_map(names, values, title)).encode())
    if as_json:
        standings = [s._asdict() | {"result": s.result._asdict()} for s in result.standings]
        matches = [_match_json(match) for match in result.matches]
        print_json({"game": agent.game.spec, "standings": standings, "matches": matches})
        return
    rows: list[tuple[str, ...]] = [("", "player", "points", "win", "draw", "loss")]
    rows += [
        (f"{s.rank}.", s.player, f"{s.points:.4f}", *(f"{share:.2%}" for share in s.result))
        for s in result.standings
    ]
    print_rows(rows)
    typer.echo("\nMean result (win 1, draw 0, loss -1) of the row against the column:\n")
    rows = [("", *(f"{rank}." for rank in range(1, len(names) + 1)))]
    for rank, a in enumerate(names, 1):
        cells = (f"{table_of[a][b].both.expected:+.3f}" if b != a else "" for b in names)
        rows.append((f"{rank}. {a}", *cells))
    print_rows(rows)
    sampled = [f"{m.a} against {m.b}" for m in result.matches if m.games]
    if sampled:
        typer.echo(f"\nSampled, {games:,} games each, not exact: {', '.join(sampled)}")
    if any(match.repeats for match in result.matches):
        typer.echo(f"\n{REPEATS}")
    _print_faults(result.faults)


def _enter(
    stack: ExitStack,
    names: list[str],
    agent: TableAgent,
    convention: str,
    deterministic: bool,
    limit: float,
    seed: int,
) -> list[Player]:
    """Return the players of these names, which are closed with the stack."""
    players = []
    for place, name in enumerate(names):
        chance = derived_seed(seed, place)
        players.append(load_player(name, agent, convention, deterministic, limit, chance))
        stack.enter_context(closing(players[-1]))
    return players


def _halves(match: Match) -> list[tuple[str, Result, int]]:
    """Return the three results of a match, each with its name and its number of games."""
    second = match.games // 2
    return [
        (f"{match.a} first", match.a_first, match.games - second),
        (f"{match.a} second", match.a_second, second),
        ("both", match.both, match.games),
    ]


def _match_json(match: Match) -> dict[str, Any]:
    parts: dict[str, Any] = {"a": match.a, "b": match.b, "method": match.method}
    names = ("a_first", "a_second", "both")
    for name, (_, result, played) in zip(names, _halves(match), strict=True):
        parts[name] = result._asdict()
        if match.games:
            bounds = {k: interval(share, played) for k, share in result._asdict().items()}
            parts[name] |= {"games": played, "intervals": bounds}
    parts["repeats"] = match.repeats
    parts["faults"] = [fault._asdict() for fault in match.faults]
    return parts


def _print_faults(faults: list[Any]) -> None:
    if faults:
        typer.echo(f"\nNo legal answer, and so a game lost, in {len(faults):,} positions:")
    for fault in faults[: report.SHOWN]:
        typer.echo(f"  {fault.player}  {fault.position}  {fault.kind}: {fault.detail}")
