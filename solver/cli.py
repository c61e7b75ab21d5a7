"""The command line: data on stdout; progress and errors on stderr.

Exit status: 0 if all is well, 1 if a check failed, 2 for bad input, which gets one line that says
what would be right.
"""

from __future__ import annotations

import json
import os
import random
import re
import sys
import time
from enum import StrEnum
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from . import __version__, words
from .agent import MoveScore, TableAgent
from .errors import TableFormatError, TableProofError
from .games import GAMES, load_game
from .players import PLAYERS, load_player
from .proof import verify
from .solving import solve
from .store import find_table, own_path, save
from .table import Table, decode, describe, encode
from .terminal import Session
from .value import Outcome

app = typer.Typer(
    name="perfectplay",
    help="Perfect play for small games, precomputed and proved.",
    invoke_without_command=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
BAD_INPUT = (ValueError, KeyError, OSError, ImportError)
DASHED_BOARD = re.compile(r"-[-XxOo._ /|\n1-9]{8,}")
STYLES = {Outcome.WIN: "bold blue", Outcome.DRAW: "", Outcome.LOSS: "red"}


class Method(StrEnum):
    """How to solve."""

    search = "search"
    retrograde = "retrograde"


def _complete_games() -> list[str]:
    return [listing.spec for listing in GAMES]


def _complete_players() -> list[str]:
    return ["human", *PLAYERS]


Position = Annotated[
    str | None,
    typer.Argument(
        help="A board cell by cell, such as X...O....: X and O in either case; . - _ a space or"
        " the cell's number for an empty cell; / or | between rows. The start if left out.",
        show_default=False,
    ),
]
GameName = Annotated[
    str, typer.Option("--game", help="The game to use.", autocompletion=_complete_games)
]
TableFile = Annotated[
    str | None,
    typer.Option("--table", metavar="FILE", help="Use this table.", show_default=False),
]
Turn = Annotated[
    str | None,
    typer.Option("--turn", metavar="X|O", help="Who is to move; X began if left out."),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
File = Annotated[str, typer.Argument(metavar="FILE", help="A table.", show_default=False)]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"perfectplay {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Perfect play for small games, precomputed and proved."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("solve")
def solve_command(
    game: Annotated[
        str, typer.Argument(help="The game to solve.", autocompletion=_complete_games)
    ] = "tictactoe",
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Write the table here.", show_default=False
        ),
    ] = None,
    method: Annotated[Method, typer.Option(help="How to solve.")] = Method.search,
    as_json: Json = False,
) -> None:
    """Solve a game and write its table."""
    begun = time.perf_counter()
    table = solve(load_game(game), method)
    data = encode(table)
    path = output or own_path(table.game.spec)
    if output is None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
    save(path, data)
    seconds = round(time.perf_counter() - begun, 3)
    facts = _facts(table, path, data)
    if as_json:
        facts["seconds"] = seconds
        _print_json(facts)
        return
    _print_counts(facts)
    typer.echo(f"wrote {path}: {len(data):,} bytes in {seconds} s")


@app.command()
def best(
    position: Position = None,
    game: GameName = "tictactoe",
    table: TableFile = None,
    turn: Turn = None,
    as_json: Json = False,
) -> None:
    """Show what every move is worth, and the best one."""
    agent, p, seat = _open(game, table, position, turn)
    scores = agent.scores(p)
    if as_json:
        _print_json(_answer(agent, p, seat))
        return
    typer.echo(f"{agent.game.render(p, seat)}\n\n{words.verdict(agent, p, seat)}")
    if scores:
        typer.echo()
        _print_scores(scores)
        typer.echo(f"\nBest move: {scores[0].label}")


@app.command()
def line(
    position: Position = None,
    game: GameName = "tictactoe",
    table: TableFile = None,
    turn: Turn = None,
    as_json: Json = False,
) -> None:
    """Show the game to its end if both sides play the best moves."""
    agent, p, seat = _open(game, table, position, turn)
    rules = agent.game
    answer = _answer(agent, p, seat)
    steps = []
    for move in agent.line(p):
        step = {"turn": seat, "move": rules.code(move), "label": rules.label(p, move)}
        p, seat = rules.play(p, move), words.other(rules, seat)
        steps.append(step | {"position": rules.text(p, seat)})
    if as_json:
        kept = ("game", "position", "turn", "outcome", "distance")
        _print_json({name: answer[name] for name in kept} | {"line": steps})
        return
    for number, step in enumerate(steps, 1):
        typer.echo(f"{number}. {step['turn']} {step['label']}")
    typer.echo(words.result(rules, p, seat))


@app.command()
def explain(
    position: Position = None,
    game: GameName = "tictactoe",
    table: TableFile = None,
    turn: Turn = None,
    as_json: Json = False,
) -> None:
    """Say in words why each move is worth what it is."""
    agent, p, seat = _open(game, table, position, turn)
    rules = agent.game
    said = [(score, words.reasons(agent, p, score, seat, rules.label)) for score in agent.scores(p)]
    if as_json:
        answer = _answer(agent, p, seat)
        for entry, (_, why) in zip(answer["moves"], said, strict=True):
            entry["reasons"] = why
        _print_json(answer | {"verdict": words.verdict(agent, p, seat)})
        return
    typer.echo(f"{rules.render(p, seat)}\n\n{words.verdict(agent, p, seat)}")
    if said:
        typer.echo()
    width = max((len(score.label) for score, _ in said), default=0)
    for score, why in said:
        parts = [words.worth(score.outcome, score.distance), *why]
        _print_styled(f"{score.label:>{width}}  {'; '.join(parts)}", score.outcome)


@app.command("verify")
def verify_command(
    file: File,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            help="The rules to prove it from; the game that the table names if left out.",
            autocompletion=_complete_games,
            show_default=False,
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Prove every entry of a table from the rules alone; exit 1 if one is wrong."""
    data = _read(file)
    try:
        proof = verify(data, load_game(game) if game else None)
    except (TableFormatError, TableProofError) as error:
        if as_json:
            _print_json({"path": file, "proved": False, "error": str(error)})
        raise _CheckFailed(f"{file}: {error}") from error
    facts = proof._asdict() | {
        "outcome": str(proof.outcome),
        "path": file,
        "bytes": len(data),
    }
    if as_json:
        _print_json({"proved": True} | facts)
        return
    _print_counts(facts)
    typer.echo(f"proved {file}: every entry follows from the rules")


@app.command()
def info(file: File, as_json: Json = False) -> None:
    """Show what a table holds."""
    data = _read(file)
    table = decode(data)
    facts = _facts(table, file, data)
    if as_json:
        _print_json(facts)
        return
    _print_counts(facts)
    for name in ("rules", "sha256", "bytes"):
        typer.echo(f"{name}: {facts[name]}")


@app.command()
def games(as_json: Json = False) -> None:
    """List the games."""
    if as_json:
        _print_json([listing._asdict() for listing in GAMES])
        return
    for listing in GAMES:
        typer.echo(
            f"{listing.spec}: {listing.title}; {listing.positions:,} positions,"
            f" {listing.canonical:,} up to symmetry; {listing.value} ({listing.source})"
        )


@app.command()
def play(
    x: Annotated[
        str, typer.Option("--x", metavar="PLAYER", autocompletion=_complete_players)
    ] = "human",
    o: Annotated[
        str, typer.Option("--o", metavar="PLAYER", autocompletion=_complete_players)
    ] = "perfect",
    first: Annotated[str, typer.Option("--first", metavar="X|O|random", help="Who begins.")] = "X",
    numpad: Annotated[
        bool, typer.Option("--numpad", help="Number the cells as on a keypad, 7-8-9 on top.")
    ] = False,
    seed: Annotated[
        int | None, typer.Option(help="Make what is random repeatable.", show_default=False)
    ] = None,
    game: GameName = "tictactoe",
    table: TableFile = None,
) -> None:
    """Play at the terminal, against the table or anyone else."""
    agent = _agent(game, table)
    seats = dict(zip(agent.game.seats, (x, o), strict=True))
    if first not in (*seats, "random"):
        raise ValueError(f"the first player is {first!r}; it must be {', '.join(seats)} or random")
    players = {
        seat: None if name == "human" else load_player(name, agent) for seat, name in seats.items()
    }
    session = Session(agent, players, random.Random(seed), input, typer.echo, numpad)
    session.play(None if first == "random" else first)


class _CheckFailed(Exception):
    """What was to be checked is wrong; the command ends with status 1."""


def main() -> None:
    """Run the command line and exit."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """Run the command line and return the exit status."""
    try:
        status = app(
            [_undash(argument) for argument in arguments],
            prog_name="perfectplay",
            standalone_mode=False,
        )
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of our output has gone, as in `perfectplay best | head -1`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except (KeyboardInterrupt, typer.Abort):
        return 130
    except _CheckFailed as error:
        return _complain(str(error), 1)
    except BAD_INPUT as error:
        return _complain(str(error), 2)
    except Exception as error:
        if not hasattr(error, "format_message"):  # how Typer reports a misused option
            raise
        return _complain(f"{error.format_message()} (see perfectplay --help)", 2)
    return int(status or 0)


def _complain(message: str, status: int) -> int:
    print(f"perfectplay: {' '.join(message.split())}", file=sys.stderr)
    return status


def _undash(argument: str) -> str:
    """Write a board that begins with a dash, and would be taken for an option, with dots."""
    return argument.replace("-", ".") if DASHED_BOARD.fullmatch(argument) else argument


def _agent(game: str, table: str | None) -> TableAgent:
    """Return the agent for a game, from the file named or else from where tables lie."""
    rules = load_game(game)
    path = table or find_table(rules.spec)
    try:
        return TableAgent.open(path, rules)
    except TableFormatError as error:
        raise TableFormatError(f"{path}: {error}") from error


def _open(
    game: str, table: str | None, position: str | None, turn: str | None
) -> tuple[TableAgent, Any, str]:
    """Return the agent, the position asked about and the seat to move there."""
    agent = _agent(game, table)
    rules = agent.game
    if turn is not None:
        turn = turn.upper()
    text = rules.text(rules.initial()) if position is None else position
    p = rules.parse(text, turn)
    return agent, p, turn or rules.turn(p)


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _facts(table: Table, path: str, data: bytes) -> dict[str, Any]:
    """Return what a table file holds, for printing."""
    described = describe(table)
    content = json.loads(data)
    return {
        "game": table.game.spec,
        **table.counts,
        "outcome": str(Outcome(described["outcome"])),
        "distance": described["distance"],
        "rules": described["rules"],
        "sha256": content["sha256"],
        "bytes": len(data),
        "path": path,
    }


def _answer(agent: TableAgent, p: Any, seat: str) -> dict[str, Any]:
    """Return what is known about a position and its moves, best first, for printing."""
    game = agent.game
    scores = agent.scores(p)
    top = [s for s in scores if (s.outcome, s.distance) == (scores[0].outcome, scores[0].distance)]
    return {
        "game": game.spec,
        "position": game.text(p, seat),
        "turn": seat,
        "outcome": str(agent.outcome(p)),
        "distance": agent.distance(p),
        "move": game.code(scores[0].move) if scores else None,
        "best": sorted(game.code(s.move) for s in top),
        "moves": [
            s._asdict() | {"move": game.code(s.move), "outcome": str(s.outcome)} for s in scores
        ],
    }


def _print_json(value: Any) -> None:
    typer.echo(json.dumps(value))


def _print_counts(facts: dict[str, Any]) -> None:
    worth = words.worth(Outcome[facts["outcome"].upper()], facts["distance"])
    typer.echo(f"{facts['game']}: {worth} for the side to move at the start")
    typer.echo(
        f"{facts['positions']:,} positions ({facts['canonical']:,} up to symmetry,"
        f" {facts['terminal']:,} of them all with the game over)"
    )
    typer.echo(
        f"for the side to move: {facts['win']:,} wins, {facts['draw']:,} draws,"
        f" {facts['loss']:,} losses"
    )


def _print_scores(scores: list[MoveScore]) -> None:
    rows = [("move", "worth", "trap")]
    rows += [
        (s.label, words.worth(s.outcome, s.distance), words.trap_words(s.trap)) for s in scores
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    for row, score in zip(rows, [None, *scores], strict=True):
        text = "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        _print_styled(text.rstrip(), score.outcome if score else None)


def _print_styled(text: str, outcome: Outcome | None) -> None:
    """Print a line, in the outcome's colour on a terminal that takes colours."""
    style = STYLES[outcome] if outcome is not None else ""
    Console(soft_wrap=True).print(Text(text, style=style))
