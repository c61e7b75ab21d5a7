"""Commands about positions: best, line, explain, puzzles."""

from __future__ import annotations

from typing import Annotated

import typer

from solver.agent import facts, words
from solver.arena.puzzles import DIFFICULTIES, find_puzzles
from solver.cli import options
from solver.cli.inputs import open_agent, open_position
from solver.cli.output import print_json, print_rows, print_styled
from solver.cli.value_board import draw_values
from solver.files import check_writable, save
from solver.pictures.board_sheet import draw_sheet
from solver.pictures.svg import svg
from solver.value import Outcome


def best(
    position: options.Position = None,
    game: options.Game = "tictactoe",
    table: options.Table = None,
    turn: options.Turn = None,
    as_json: options.Json = False,
) -> None:
    """Show the value of every move, best first.

    Values count the moves of the side to move: a win in 2 moves is won with its second move. On
    the board, W2 marks a win in 2 moves, D a draw and L1 a loss in 1 move. A trap is the share of
    the opponent's replies that worsen the opponent's outcome. With --json, distances count plies:
    the moves of both sides.
    """
    agent, p, seat = open_position(game, table, position, turn)
    if as_json:
        print_json(facts.best(agent, p, seat))
        return
    scores = agent.scores_at(p)
    typer.echo(f"{draw_values(agent.game, p, seat, scores)}\n\n{words.verdict(agent, p, seat)}")
    if scores:
        typer.echo()
        rows = [
            (s.label, words.value_text(s.outcome, s.distance), words.trap_text(s.trap))
            for s in scores
        ]
        print_rows([("move", "value", "trap"), *rows], [None, *(s.outcome for s in scores)])
        typer.echo(f"\nBest move: {scores[0].label}")


def line(
    position: options.Position = None,
    game: options.Game = "tictactoe",
    table: options.Table = None,
    turn: options.Turn = None,
    as_json: options.Json = False,
) -> None:
    """Show the rest of the game if both sides play perfectly."""
    agent, p, seat = open_position(game, table, position, turn)
    answer = facts.line(agent, p, seat)
    if as_json:
        print_json(answer)
        return
    for number, step in enumerate(answer["line"], 1):
        typer.echo(f"{number}. {step['turn']} {step['label']}")
    for move in agent.line(p):
        p, seat = agent.game.play(p, move), agent.game.other(seat)
    typer.echo(words.result(agent.game, p, seat) or "The position repeats: a draw.")


def explain(
    position: options.Position = None,
    game: options.Game = "tictactoe",
    table: options.Table = None,
    turn: options.Turn = None,
    as_json: options.Json = False,
) -> None:
    """Explain the value of every move in words."""
    agent, p, seat = open_position(game, table, position, turn)
    answer = facts.explain(agent, p, seat)
    if as_json:
        print_json(answer)
        return
    typer.echo(f"{agent.game.render(p, seat)}\n\n{answer['verdict']}")
    if answer["moves"]:
        typer.echo()
    width = max((len(move["label"]) for move in answer["moves"]), default=0)
    for move in answer["moves"]:
        outcome, reasons = Outcome[move["outcome"].upper()], move["reasons"]
        if reasons not in (["wins now"], ["loses now"]):
            reasons = [words.value_text(outcome, move["distance"]), *reasons]
        print_styled(f"{move['label']:>{width}}  {'; '.join(reasons)}", outcome)


def puzzles(
    count: Annotated[int, options.option("--count", "N", "Set at most N puzzles.", min=1)] = 5,
    seed: options.Seed = 0,
    difficulty: Annotated[
        str | None, options.choice("--difficulty", DIFFICULTIES, "Choose the difficulty.", "any")
    ] = None,
    output: Annotated[str | None, options.output("FILE.svg", "Draw the puzzles.")] = None,
    game: options.Game = "tictactoe",
    table: options.Table = None,
    as_json: options.Json = False,
) -> None:
    """Set puzzles: positions with exactly one good move.

    A good move keeps the win or the draw. A puzzle is easy if the player winblock would choose
    from one move, medium if from 2 to 4 and hard if from more.
    """
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
        typer.echo("No puzzle found: none of the positions examined has exactly one good move.")
        return
    typer.echo("Solutions: " + ", ".join(f"{n}. {z.label}" for n, z in enumerate(found, 1)))
