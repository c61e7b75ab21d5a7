"""The program that runs a custom player in a process of its own.

The arguments of `run_player` are SPEC CONVENTION COLUMNS ROWS K MOVE SEED, four of them those of a
`Shape`. Its first line of output is `{"deterministic": true or false}`, or `{"fault": message}` if
the player cannot be loaded or called. Then it reads questions and answers them as any program does
(see `solver.players.external`). A question has a third field, JSON with the codes of the legal
moves by their labels.

The player has neither stream: it reads nothing, and what it prints goes to standard error, with the
traceback of its first exception.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import os
import random
import sys
import traceback
from collections.abc import Callable, Iterable
from contextlib import suppress
from json import dumps, loads  # bound here, so that a player cannot replace them
from operator import attrgetter
from types import ModuleType
from typing import Any

from solver.files import open_regular, working_directory
from solver.games.custom import PREFIX
from solver.players.asking import Asker, PlayerFunction, PlayerTypeError, describe
from solver.players.conventions import Shape
from solver.players.player import PlayerFault
from solver.rules.rule_files import MOST_SOURCE

USUAL = "move", "minimax", "best_move", "get_move", "agent"  # names of a player's function
STATED = "detail", "hint", "given"  # of a fault
TRACEBACK, TRACEBACK_LINE = 20, 1000  # calls, and characters of a call, in a traceback


def run_player() -> None:
    """Run one player until standard input ends."""
    spec, convention, columns, rows, k, move, number = sys.argv[1:]
    shape = Shape(int(columns), int(rows), int(k), move)
    questions, reply = _take_streams()
    try:
        player = load(spec)
        asker = Asker(player, convention, shape, spec)
        declared = is_deterministic(player)
    except PlayerTypeError as error:
        reply({"fault": str(error)})
        return
    except BaseException as error:
        _print_traceback(error)
        reply({"fault": f"the player {spec} cannot be loaded: {describe(error)}"})
        return
    reply({"deterministic": declared})
    seed(int(number))
    is_first = True
    for question in questions:
        try:
            reply(_move(asker, question))
        except PlayerFault as fault:
            if fault.__cause__ is not None and is_first:
                is_first = False
                _print_traceback(fault.__cause__)
            reply({name: getattr(fault, name) for name in STATED} | {"fault": fault.kind})


def _print_traceback(error: BaseException) -> None:
    """Print the end of an exception's traceback on standard error."""
    with suppress(BaseException):  # of its `__str__`
        lines = traceback.format_exception(error, limit=-TRACEBACK)
        print("".join(line[:TRACEBACK_LINE] for line in lines), file=sys.stderr, flush=True)


def is_deterministic(player: Any) -> bool:
    """Return whether a function, or the object it is a method of, is declared deterministic."""
    owner = getattr(player, "__self__", None)
    return any(getattr(thing, "deterministic", False) is True for thing in (player, owner))


def load(spec: str) -> PlayerFunction:
    """Return what a name for which `is_custom` is true stands for, such as FILE.py:bot.move.

    Of a file alone it is the function that has one of the USUAL names.
    """
    source, _, name = spec.removeprefix(PREFIX).rpartition(":")
    if spec.endswith(".py"):
        source, name = spec, ""
    module = load_module(source)
    functions = {n: getattr(module, n) for n in USUAL if callable(getattr(module, n, None))}
    first = {id(function): n for n, function in reversed(functions.items())}  # of one function
    names = [name] if name else [n for n, f in functions.items() if first[id(f)] == n]
    if len(names) != 1:
        which = f"several of them: {', '.join(names)}" if names else "none"
        if not names and (found := _find_method(module)):
            kind, method = found
            has = f"{spec} has no function {' or '.join(USUAL)}, but the class {kind.__name__} has"
            if made := [n for n, value in vars(module).items() if type(value) is kind]:
                raise PlayerTypeError(f"{has} {method}: name {spec}:{made[0]}.{method}")
            raise PlayerTypeError(
                f"{has} {method}: add the lines 'bot = {kind.__name__}()', 'def move(rows, side):'"
                f" and, indented, 'return bot.{method}({_taken(getattr(kind, method))})'; see"
                " perfectplay players"
            )
        raise PlayerTypeError(
            f"of the functions {', '.join(USUAL)}, {spec} has {which}; name one, as in"
            f" {spec}:{(*names, USUAL[0])[0]}, or a method of an object, as in {spec}:bot.move"
        )
    player: PlayerFunction = attrgetter(names[0])(module)
    return player


def _taken(method: Callable[..., Any]) -> str:
    """Return the arguments of a wrapper that a method takes besides the object."""
    takes_side = len(inspect.signature(method).parameters) > 2
    return "rows, side" if takes_side else "rows"


def _find_method(module: ModuleType) -> tuple[type, str] | None:
    """Return the class of a module that has a method of one of the USUAL names, and the method."""
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__:
            for method in USUAL:
                if callable(getattr(value, method, None)):
                    return value, method
    return None


def load_module(source: str) -> ModuleType:
    """Import a file or a module."""
    if source.endswith(".py"):
        if not os.path.exists(source):
            raise PlayerTypeError(f"there is no file {source}")
        open_regular(source, MOST_SOURCE).close()
        sys.path.insert(0, os.path.dirname(os.path.abspath(source)))
        full_name = f"player_{os.path.basename(source)[:-3]}"  # hides no other module
        file_spec = importlib.util.spec_from_file_location(full_name, source)
        if file_spec is None or file_spec.loader is None:
            raise ImportError(f"{source} is not a Python file")
        module = importlib.util.module_from_spec(file_spec)
        sys.modules[full_name] = module
        file_spec.loader.exec_module(module)
        return module
    sys.path.insert(0, working_directory())
    return importlib.import_module(source)


def _move(asker: Asker, question: str) -> dict[str, Any] | str:
    """Return the answer to a question; raises PlayerFault."""
    side, text, moves = question.rstrip("\n").split("\t", 2)
    labels = {code: label for label, code in loads(moves).items()}
    chosen = asker.ask(text, side, list(labels))
    if isinstance(chosen, dict):
        return {"probabilities": {labels[code]: share for code, share in chosen.items()}}
    label: str = labels[chosen]
    return label


def _take_streams() -> tuple[Iterable[str], Callable[[dict[str, Any] | str], None]]:
    """Return the lines of standard input, and what writes an answer to standard output.

    The player's are the null device and standard error. This package's modules are forgotten: a
    player may import a module of their name next to it.
    """
    questions = os.fdopen(os.dup(0), "r", encoding="utf-8", newline="\n")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8", errors="replace")
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    os.dup2(2, 1)
    sys.stdin = os.fdopen(0, "r", closefd=False)
    sys.stdout = os.fdopen(1, "w", buffering=1, closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
    for name in [name for name in sys.modules if name.partition(".")[0] == "solver"]:
        del sys.modules[name]

    def reply(answer: dict[str, Any] | str) -> None:
        replies.write((answer if isinstance(answer, str) else dumps(answer)) + "\n")
        replies.flush()

    return questions, reply


def seed(number: int) -> None:
    """Seed Python's random numbers, and numpy's if the player uses it."""
    random.seed(number)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(number % 2**32)
