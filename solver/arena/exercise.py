"""The rules of tic-tac-toe as a class exercise has them, compared with ours at every position.

The exercise is that of CS50's Introduction to Artificial Intelligence: seven functions on rows of
X, O and EMPTY. Takes a file; returns where each function first differs. The file runs in a process
of its own, with the limits of custom players.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from solver.errors import printable
from solver.games import load_game
from solver.players.external import INVALID, LIMIT, parse_object, start_host
from solver.players.external_host import MISSING, READ
from solver.players.player import PlayerFault
from solver.value import Outcome


class Call(NamedTuple):
    """A call of a function, in the terms of the host, and its value.

    `value` is None where it has to raise an exception, since the cell is taken.
    """

    function: str
    board: str | None
    cell: int | None
    value: Any


class Compared(NamedTuple):
    """How a function of the exercise compares with the rules."""

    function: str
    right: int
    """How many calls were right, up to the first that was not."""
    wrong: str | None
    """What the first wrong call does, in words; None if all are right."""
    board: str | None
    """The board that it is given, such as X...O....; None for the function without arguments."""


def compare_rules(path: str, limit: float = LIMIT, show_output: bool = False) -> list[Compared]:
    """Compare the seven functions of a file with the rules at all 5,478 positions.

    Positions come in the order of their plies, and a function is asked until it is wrong. What the
    exercise leaves open is not asked, such as whose turn it is at the end. A call may take `limit`
    seconds of CPU time. Raises UnknownPlayerError if the file cannot be loaded.
    """
    if not path.endswith(".py"):
        raise ValueError(f"{path!r}: the name of a file of rules ends in .py")
    host = _Host(path, limit, show_output)
    compared = {name: Compared(name, 0, None, None) for name in READ}
    try:
        for every in _calls():
            calls = [call for call in every if compared[call.function].wrong is None]
            for call, wrong in zip(calls, host.ask(calls), strict=True):
                before = compared[call.function]
                if wrong == MISSING:
                    compared[call.function] = before._replace(wrong=f"{call.function} {wrong}")
                elif wrong and before.wrong is None:
                    sentence = f"{_shown(call)} {wrong}"
                    compared[call.function] = before._replace(wrong=sentence, board=call.board)
                elif before.wrong is None:
                    compared[call.function] = before._replace(right=before.right + 1)
    finally:
        host.process.close()
    return [*compared.values()]


def _calls() -> Iterator[list[Call]]:
    """Yield the calls at each position with the values that the rules give, by plies."""
    game = load_game("tictactoe")
    yield [Call("initial_state", None, None, game.text(game.initial()))]
    level = [game.initial()]
    while level:
        for p in level:
            text, seat, over = game.text(p), game.turn(p), game.primitive(p)
            winner = "." if not over else seat if over is Outcome.WIN else game.other(seat)
            calls = [Call("winner", text, None, winner)]
            calls.append(Call("terminal", text, None, over is not None))
            if over is not None:
                yield [*calls, Call("utility", text, None, {"X": 1, "O": -1, ".": 0}[winner])]
                continue
            moves = game.moves(p)
            calls += [Call("player", text, None, seat), Call("actions", text, None, [*moves])]
            calls += [Call("result", text, m, game.text(game.play(p, m))) for m in moves]
            taken = sorted({*range(9)} - {*moves})
            yield calls + [Call("result", text, cell, None) for cell in taken[:1]]
        going = (p for p in level if game.primitive(p) is None)
        level = sorted({game.play(p, m) for p in going for m in game.moves(p)})


class _Host:
    """The process that runs the functions, started again after a call that ends it."""

    def __init__(self, path: str, limit: float, show_output: bool) -> None:
        self.path, self.limit, self.show_output = path, limit, show_output
        self.start()

    def start(self) -> None:
        name = f"the file {self.path}"
        self.process, _ = start_host("run_exercise", [self.path], name, self.show_output)

    def ask(self, calls: list[Call]) -> list[str]:
        """Return for each call what is wrong with it, or an empty text."""
        if not calls:
            return []
        question = json.dumps([call[:3] for call in calls]).encode() + b"\n"
        try:
            reply = self.process.ask(question, self.limit * len(calls))
            answers = parse_object(reply).get("answers")
            if not isinstance(answers, list) or len(answers) != len(calls):
                raise PlayerFault("ended", INVALID)
            return [_compare(*pair) for pair in zip(calls, answers, strict=True)]
        except PlayerFault as fault:
            self.process.close()
            self.start()
            if len(calls) == 1:
                return [f"fails: {fault.detail}"]
            return [wrong for call in calls for wrong in self.ask([call])]


def _compare(call: Call, answer: Any) -> str:
    """Return what is wrong with the answer to a call, or an empty text."""
    if not isinstance(answer, dict) or len(answer) != 1:
        raise PlayerFault("ended", INVALID)
    wrong = answer.get("wrong")
    if call.value is None:
        raised = str(wrong).startswith("raises ")
        return "" if raised else str(wrong or "raises no exception, though the cell is taken")
    right = f"not {_value(call.function, call.value)}"
    if wrong is not None:
        text = printable(str(wrong))
        return f"{text}, {right}" if text.startswith("returns ") else text
    same = answer.get("is") == call.value
    return "" if same else f"returns {_value(call.function, answer.get('is'))}, {right}"


def _shown(call: Call) -> str:
    """Return a call as Python writes it."""
    action = "" if call.cell is None else f", {divmod(call.cell, 3)}"
    return f"{call.function}({'board' if call.board else ''}{action})"


def _value(function: str, value: Any) -> str:
    """Return a value in the terms of the host as the exercise writes it, or nearly so."""
    if function == "actions" and isinstance(value, list):
        return ", ".join(str(divmod(cell, 3)) if cell != -1 else "one outside" for cell in value)
    return "None" if function == "winner" and value == "." else printable(str(value))
