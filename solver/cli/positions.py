"""The commands about a position: best, line, explain, puzzles."""

from __future__ import annotations

from typing import Annotated

import typer

from solver.agent import facts as answers
from solver.agent import words
from solver.arena.puzzles import DIFFICULTIES, find_puzzles
from solver.cli.app import (
    GameName,
    Json,
    Position,
    Seed,
    TableFile,
    Turn,
    app,
    open_agent,
    open_position,
    print_json,
    print_rows,
    print_styled,
)
from solver.cli.session import draw_values
from solver.files import check_writable, save
from solver.pictures.board_sheet import draw_sheet
from solver.pictures.svg import svg
from solver.value import Outcome


@app.command()
def best(
    position: Position = None,
    game: GameName = "tictactoe",
    table: TableFile = None,
    turn: Turn = None,
    as_json: Json = False,
) -> None:
    """Show the value of every move, and the best one.

    Values count moves of the side to move: a win in 2 moves is won by its second move at the
    latest. On the board, W2 marks a win in 2 moves, D a draw and L1 a loss in 1 move. A trap is
    the share of the opponent's replies that worsen the opponent's outcome. With --json, distances
    count plies, i.e. moves of both sides.
    """
    agent, p, seat = open_position(game, table, position, turn)
    if as_json:
        print_json(answers.best(agent, p, seat))
        return
    scores = agent.scores_at(p)
    picture = draw_values(agent.game, p, seat, scores)
    typer.echo(f"{picture}\n\n{words.verdict(agent, p, seat)}")
    if scores:
        typer.echo()
        rows = [
            (s.label, words.value_text(s.outcome, s.distance), words.trap_text(s.trap))
            for s in scores
        ]
        print_rows([("move", "value", "trap"), *rows], [None, *(s.outcome for s in scores)])
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
    agent, p, seat = open_position(game, table, position, turn)
    known = answers.line(agent, p, seat)
    if as_json:
        print_json(known)
        return
    for number, step in enumerate(known["line"], 1):
        typer.echo(f"{number}. {step['turn']} {step['label']}")
    for move in agent.line(p):
        p, seat = agent.game.play(p, move), agent.game.other(seat)
    typer.echo(words.result(agent.game, p, seat) or "The position repeats: a draw.")


@app.command()
def explain(
    position: Position = None,
    game: GameName = "tictactoe",
    table: TableFile = None,
    turn: Turn = None,
    as_json: Json = False,
) -> None:
    """Say in words why each move is worth what it is."""
    agent, p, seat = open_position(game, table, position, turn)
    known = answers.explain(agent, p, seat)
    if as_json:
        print_json(known)
        return
    typer.echo(f"{agent.game.render(p, seat)}\n\n{known['verdict']}")
    if known["moves"]:
        typer.echo()
    width = max((len(entry["label"]) for entry in known["moves"]), default=0)
    for entry in known["moves"]:
        outcome, why = Outcome[entry["outcome"].upper()], entry["reasons"]
        worth = words.value_text(outcome, entry["distance"])
        parts = why if why in (["wins now"], ["loses now"]) else [worth, *why]
        print_styled(f"{entry['label']:>{width}}  {'; '.join(parts)}", outcome)


@app.command()
def puzzles(
    count: Annotated[int, typer.Option("--count", min=1, help="How many.")] = 5,
    seed: Seed = 0,
    difficulty: Annotated[
        str | None,
        typer.Option(
            "--difficulty",
            metavar="|".join(DIFFICULTIES),
            help="By how many moves look as good to the player winblock.",
            autocompletion=lambda: list(DIFFICULTIES),
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", metavar="FILE.svg", help="Draw them here.", show_default=False
        ),
    ] = None,
    game: GameName = "tictactoe",
    table: TableFile = None,
    as_json: Json = False,
) -> None:
    """Set puzzles: positions in which exactly one move keeps the win or the draw."""
    check_writable(output)
    agent = open_agent(game, table)
    rules = agent.game
    found = find_puzzles(agent, count, seed, difficulty)
    if output is not None:
        if rules.board is None:
            raise ValueError(f"puzzles of {rules.spec} cannot be drawn: it has no board of cells")
        boards = [
            (rules.marks(z.position), f"{n}. {z.turn} to {z.task}", z.difficulty)
            for n, z in enumerate(found, 1)
        ]
        title = f"{len(boards)} puzzles: find the one good move"
        save(output, svg(draw_sheet(boards, rules.board[0], title)).encode())
    if as_json:
        print_json([puzzle._asdict() for puzzle in found])
        return
    for number, puzzle in enumerate(found, 1):
        task = "win" if puzzle.task == "win" else "hold the draw"
        typer.echo(f"{number}. {puzzle.turn} to move and {task} ({puzzle.difficulty})")
        typer.echo(rules.render(rules.parse(puzzle.position), puzzle.turn) + "\n")
    if not found:
        typer.echo("No position that was looked at has exactly one good move.")
        return
    typer.echo("Solutions: " + ", ".join(f"{n}. {z.label}" for n, z in enumerate(found, 1)))
