"""Calls a player by a convention and reads its answer: a legal move, or a fault.

The player may do anything: what it is shown is made anew for each call, and an answer is taken only
as exact ints, texts and floats, so that no method of its own objects decides what is legal.
"""

from __future__ import annotations

import builtins
import inspect
import math
import operator
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from solver.errors import PerfectplayError, described
from solver.players.conventions import CONVENTIONS, Shape, text_move
from solver.players.player import PlayerFault

PlayerFunction = Callable[..., Any]
KINDS = {"cell": "an empty cell", "column": "an open column", "move": "a legal move"}
NO_MARK = object()
MARKS = {"X": "X", "O": "O", None: "EMPTY"}  # constants of files that have marks of their own
SHARED = (builtins, math, operator)  # modules that this package uses and a player may change
SEARCHING = {"alpha", "beta", "depth", "level", "max_depth", "ply"}  # parameters that are no side
SEE = "see perfectplay players"
A_DICT = "it returns a dict, which is read as {move: probability}; it must return the move alone"
NO_INPUT = "EOF when reading a line"  # what input() raises, since a bot has none
NAME = "name a function, or create an instance and name its method, as in FILE.py:bot.move"


class PlayerTypeError(PerfectplayError, TypeError):
    """A player cannot be called as its convention says."""


class Mistakes:
    """What a player may have in mind in place of its convention: mistakes that fit every answer.

    `meant` maps each mistake, in words, to a function from an answer to what it means then.
    """

    def __init__(self, meant: dict[str, Callable[[Any], Any]]) -> None:
        self._meant = dict(meant)

    def hint(self, answer: Any, move: Callable[[Any], Any]) -> str:
        """Return a mistake that fits all answers so far, or ""; `move` raises for illegal ones."""
        for mistake, meant in list(self._meant.items()):
            try:
                move(meant(answer))
            except Exception:  # of what the mistake makes of the answer
                del self._meant[mistake]
        return next(iter(self._meant), "")


class Asker:
    """A player and its convention.

    Raises TypeError if the player cannot be called as the convention calls it.
    """

    def __init__(self, player: PlayerFunction, convention: str, shape: Shape, name: str) -> None:
        self._player, self._shape = player, shape
        self._convention = CONVENTIONS[convention]
        self._mistakes = Mistakes(self._convention.mistakes)
        self._count = _count_arguments(player, self._convention.arguments, name)
        module = sys.modules.get(getattr(player, "__module__", None) or "")
        own = {mark: getattr(module, name, NO_MARK) for mark, name in MARKS.items()}
        is_own = convention == "rows" and NO_MARK not in own.values()
        self._marks: dict[str | None, Any] = own if is_own else {}

    def ask(self, text: str, side: str, moves: list[Any]) -> Any:
        """Return which of the legal moves a player chooses, or a dict of them to probabilities.

        Moves are codes, as tables write them. Raises PlayerFault, whatever the player raises.
        """
        arguments = self._convention.show(self._shape, text, side, list(moves))
        if self._marks:
            rows = [[self._marks[mark] for mark in row] for row in arguments[0]]
            arguments = rows, self._marks[side]
        before = [dict(vars(module)) for module in SHARED]
        try:
            answer = self._player(*arguments[: self._count])
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            given = self._given(text, side, moves)
            raise PlayerFault("exception", describe(error), given=given) from error
        finally:
            for module, names in zip(SHARED, before, strict=True):
                vars(module).update(names)
        try:
            return self._read(answer, text, moves)
        except PlayerFault as fault:
            fault.given = self._given(text, side, moves)
            raise
        except Exception as error:  # in a method of the answer
            raise PlayerFault("wrong type", f"{shown(answer)}: {describe(error)}") from error

    def _given(self, text: str, side: str, moves: list[Any]) -> str:
        """Return the call in words; the player may have changed what it was given."""
        arguments = self._convention.show(self._shape, text, side, moves)
        return f"called with ({', '.join(map(repr, arguments[: self._count]))})"

    def _read(self, answer: Any, text: str, moves: list[Any]) -> Any:
        if _is_board(answer, self._shape, text) and answer not in moves:
            raise PlayerFault("not a move", f"{shown(answer)} is a whole board; {SEE}")
        if not isinstance(answer, dict):
            return self._legal(moves, answer)
        shares: dict[Any, float] = {}
        for choice, weight in dict.items(answer):
            try:
                share = _share(weight)
                if share:
                    move = self._legal(moves, choice)
                    shares[move] = shares.get(move, 0.0) + share
            except PlayerFault as fault:
                if fault.kind == "wrong type" and isinstance(choice, str) and choice.isidentifier():
                    fault.hint = A_DICT
                raise
        return shares

    def _legal(self, moves: list[Any], answer: Any) -> Any:
        if answer is None:
            raise PlayerFault("wrong type", "None is not a move (does it return its move?)")
        if isinstance(answer, bool) or (
            isinstance(answer, str) and self._convention.move is not text_move
        ):
            raise PlayerFault("wrong type", f"{shown(answer)} is not a move", _meant(answer))
        try:
            move = self._move(answer)
        except (TypeError, ValueError) as error:
            detail = f"{shown(answer)} is not a move"
            hint = self._hint(moves, answer) or _meant(answer)
            raise PlayerFault("wrong type", detail, hint) from error
        hint = self._hint(moves, answer)
        if move not in moves:
            raise PlayerFault(
                "illegal move", f"{shown(answer)} is not {KINDS[self._shape.move]}", hint
            )
        return move

    def _hint(self, moves: list[Any], answer: Any) -> str:
        return self._mistakes.hint(answer, lambda meant: moves.index(self._move(meant)))

    def _move(self, answer: Any) -> int | str:
        move = self._convention.move(self._shape, answer)
        return move if isinstance(move, str) else int.__index__(move)


def _count_arguments(player: Any, arguments: str, name: str) -> int:
    """Return with how many arguments to call a player; raises TypeError if it takes others."""
    if isinstance(player, type):
        raise PlayerTypeError(f"{name} is a class: {NAME}; {SEE}")
    if not callable(player):
        raise PlayerTypeError(f"{name} is not a function: {NAME}; {SEE}")
    if inspect.iscoroutinefunction(player) or inspect.isgeneratorfunction(player):
        raise PlayerTypeError(f"{name} is a coroutine or a generator, which returns no move; {SEE}")
    count = arguments.count(",") + 1
    try:
        signature = inspect.signature(player)
    except ValueError:  # as of some functions in C
        return count
    if next(iter(signature.parameters), "") == "self":
        raise PlayerTypeError(f"{name} is a method of a class: {NAME}; {SEE}")
    for second in [*signature.parameters.values()][1:2] if count == 2 else ():
        if second.name in SEARCHING and second.default is second.empty:
            raise PlayerTypeError(
                f"{name} takes {second.name}, and is called with {arguments}: give it a default,"
                f" {SEE}"
            )
        if second.name in SEARCHING or isinstance(second.default, int | float):
            return 1  # the side is text
    try:
        signature.bind(*range(count))
    except TypeError as error:
        with suppress(TypeError):
            if count == 2:  # the side, or Kaggle's configuration, may be left out
                signature.bind(0)
                return 1
        raise PlayerTypeError(
            f"{name} is called with {arguments}, which it does not take ({error}): choose its"
            f" --convention, {SEE}"
        ) from error
    return count


def _is_board(answer: Any, shape: Shape, text: str) -> bool:
    """Return whether an answer is as large as the board, and not a move or probabilities."""
    if isinstance(answer, str):
        return len(answer) == len(text) > 2
    parts = list(dict.values(answer)) if isinstance(answer, dict) else answer
    if not isinstance(parts, list | tuple) or len(parts) < 3:
        return False
    if len(parts) == shape.rows and all(isinstance(part, list | tuple) for part in parts):
        return True
    cells = shape.columns * shape.rows
    is_marks = all(part is None or isinstance(part, int | str) for part in parts)
    return len(parts) in (cells, cells + 1) and is_marks and parts.count(1) != 1


def _share(share: Any) -> float:
    with suppress(TypeError, ValueError):
        if not isinstance(share, str | bytes | bytearray):
            return float(share)
    raise PlayerFault("wrong type", f"{shown(share)} is not a probability: return numbers")


def _meant(answer: Any) -> str:
    """Return what an answer of a wrong type may have meant, or "" if nobody knows."""
    parts = answer if isinstance(answer, list | tuple) else [answer]
    kinds = {str: "text", float: "fractions"}
    named = next(
        (kinds[kind] for kind in kinds if any(isinstance(part, kind) for part in parts)), ""
    )
    return f"it returns {named}, and must return whole numbers, such as int(...)" * bool(named)


def shown(value: Any) -> str:
    """Return a value's repr, or its type if `repr` fails on it."""
    try:
        return repr(value)[:100]
    except Exception:
        return f"an object of type {type(value).__name__:.100}"


def describe(error: BaseException) -> str:
    """Return an exception's type and message, with advice if it asked the user."""
    advice = "a bot that reads its input is named as 'command:python FILE.py'"
    return described(error).replace(NO_INPUT, f"{NO_INPUT} ({advice})")
