"""Grades the tic-tac-toe project of CS50's Introduction to Artificial Intelligence.

    python examples/autograder/autograder.py tictactoe.py results.json

The seven functions of the rules are called at all 5,478 positions and compared with the rules of
perfectplay; then `minimax` is asked about every position. What the project leaves open is not
asked, such as whose turn it is at the end. Students' code runs in processes of its own, with time
limits. The results are those that Gradescope reads: there, setup.sh installs perfectplay, and
run_autograder is

    cd /autograder && python3 source/autograder.py submission/tictactoe.py results/results.json
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import solver
from solver import Outcome, UnknownPlayerError

LIMIT = 20.0  # seconds for all calls of a function
MOVE, TOTAL = 60.0, 900.0  # seconds for a move of minimax, and for all of them
POINTS, MINIMAX = 1, 5  # of each function, and of minimax
TICTACTOE = solver.load_game("tictactoe")
RAISES = "raises an exception"

Marks = dict[Any, Any]
Call = tuple[str | None, int | None, Any]  # a board, a cell, and the right value in plain terms


def calls() -> Iterator[tuple[str, Call]]:
    """Yield every function with each of its calls, by plies."""
    game = TICTACTOE
    yield "initial_state", (None, None, game.text(game.initial()))
    level = [game.initial()]
    while level:
        for p in level:
            board, seat, over = game.text(p), game.turn(p), game.primitive(p)
            yield "terminal", (board, None, over is not None)
            if over is not None:
                winner = {Outcome.WIN: seat, Outcome.LOSS: game.other(seat)}.get(over, ".")
                yield "winner", (board, None, winner)
                yield "utility", (board, None, {"X": 1, "O": -1, ".": 0}[winner])
                continue
            moves = list(game.moves(p))
            yield "winner", (board, None, ".")
            yield "player", (board, None, seat)
            yield "actions", (board, None, moves)
            for m in moves:
                yield "result", (board, m, game.text(game.play(p, m)))
            for cell in [cell for cell in range(9) if cell not in moves][:1]:
                yield "result", (board, cell, RAISES)
        going = [p for p in level if game.primitive(p) is None]
        level = sorted({game.play(p, m) for p in going for m in game.moves(p)})


def answer(path: str, name: str) -> None:
    """Call a function of a file as standard input says; runs in a process of its own."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    with contextlib.redirect_stdout(sys.stderr):  # what the student prints
        module = runpy.run_path(path)
        marks = {sign: module.get(sign, sign) for sign in "XO"} | {".": module.get("EMPTY")}
        asked = json.loads(sys.stdin.read())
        answers = [_called(module[name], READ[name], marks, *call) for call in asked]
    json.dump(answers, sys.stdout)


def _called(function: Any, read: Any, marks: Marks, text: str | None, cell: int | None) -> Any:
    """Return the value of a call in plain terms, or what is wrong with it."""
    boards = [] if text is None else [_board(marks, text)]
    action = [] if cell is None else [divmod(cell, 3)]
    try:
        value = function(*boards, *action)
    except Exception:
        return RAISES
    if text is not None and boards != [_board(marks, text)]:
        return "changes the board that it is given"
    try:
        return read({mark: sign for sign, mark in marks.items()}, value)
    except Exception:
        return f"returns {value!r:.60}"


def _board(marks: Marks, text: str) -> list[list[Any]]:
    return [[marks[sign] for sign in text[row : row + 3]] for row in (0, 3, 6)]


def _text(signs: Marks, rows: Any) -> str:
    if len({*map(id, rows)}) < 3:
        return "has rows that are one list"  # as those of [[EMPTY] * 3] * 3
    return "".join(signs[mark] for row in rows for mark in row)


READ: dict[str, Any] = {
    "initial_state": _text,
    "player": lambda signs, value: signs[value],
    "actions": lambda _, value: sorted(3 * row + column for row, column in value),
    "result": _text,
    "winner": lambda signs, value: "." if value is None else signs[value],
    "terminal": lambda _, value: value,
    "utility": lambda _, value: value,
}
"""The functions, and what puts their values into plain terms: a board into a text, a mark into X, O
or a dot, actions into cells from 0."""


def compare(path: str, name: str, of_one: list[Call]) -> str:
    """Return the first call of a function that is wrong, in words; an empty text if none is."""
    questions = json.dumps([call[:2] for call in of_one])
    try:
        command = [sys.executable, __file__, "--answer", path, name]
        done = subprocess.run(
            command, input=questions, capture_output=True, text=True, timeout=LIMIT, check=False
        )
        answers = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return f"{name} takes more than {LIMIT:g} seconds for all positions"
    except ValueError:
        return f"{name} cannot be called: {(done.stderr.splitlines() or ['no answer'])[-1]:.200}"
    for (board, cell, right), found in zip(of_one, answers, strict=True):
        if found != right or type(found) is not type(right):
            action = "" if cell is None else f", {divmod(cell, 3)}"
            return f"{name}({board or ''}{action}): {found}, but right is: {right}"
    return ""


def grade_minimax(path: str) -> tuple[float, str]:
    """Return the points of minimax, and why."""
    try:
        grade = solver.grade(f"{path}:minimax", deterministic=True, limit=MOVE, total=TOTAL)
    except (UnknownPlayerError, solver.InexactPlayerError) as error:
        return 0, str(error)
    if grade.never_loses and grade.method == "exact":
        return MINIMAX, "minimax never loses"
    line = ", ".join(f"{step.turn} {step.label}" for step in grade.losing_line or [])
    reason = f"minimax can lose: {line}" if line else grade.ended or "minimax gives no legal move"
    rates = grade.reachable or grade.all
    return round(rates.good_move_rate * MINIMAX / 2, 2) if rates else 0, reason


def main(path: str, results: str) -> None:
    """Grade a file, and write the results."""
    tests: list[dict[str, Any]] = []
    every = list(calls())
    for name in READ:
        wrong = compare(path, name, [call for function, call in every if function == name])
        points = 0 if wrong else POINTS
        tests.append({"name": name, "score": points, "max_score": POINTS, "output": wrong})
    score, output = grade_minimax(path)
    tests.append({"name": "minimax", "score": score, "max_score": MINIMAX, "output": output})
    for test in tests:
        print(f"{test['name']:13}  {test['score']}/{test['max_score']}  {test['output']}".rstrip())
    Path(results).write_text(json.dumps({"tests": tests}, indent=1))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--answer"]:
        answer(*sys.argv[2:])
    else:
        parser = argparse.ArgumentParser(description="Grade the tic-tac-toe project of CS50's AI.")
        parser.add_argument("file", metavar="FILE.py", help="the project")
        parser.add_argument(
            "results", metavar="RESULTS.json", help="write the results to this file"
        )
        chosen = parser.parse_args()
        main(chosen.file, chosen.results)
