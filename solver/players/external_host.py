"""The program that runs a custom player in a process of its own.

Its arguments are SPEC CONVENTION COLUMNS ROWS K MOVE, the last four those of a `Shape`. Its first
line of output is `{"deterministic": true or false}`, or a fault if the player cannot be loaded. It
then reads JSON requests from standard input, one per line, `{"text": ..., "side": ..., "moves":
[code, ...], "times": n, "limit": seconds}`, and writes a reply to each, `{"several": [...]}`, with
n of `{"move": code}`, `{"shares": [[code, probability], ...]}` or `{"fault": kind, "detail": ...}`.
`{"seed": n}` seeds the random numbers and gets no reply.

The player has neither stream: it reads nothing, and its output is discarded.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import random
import sys
import threading
import time
from json import dumps, loads  # bound here, so that a player cannot replace them
from typing import IO, Any

from solver.files import open_regular, working_directory
from solver.games.custom import MOST_SOURCE, PREFIX
from solver.players.conventions import PlayerFunction, Shape, ask, describe
from solver.players.player import PlayerFault


def main() -> None:
    """Run one player until standard input ends."""
    spec, convention, columns, rows, k, move = sys.argv[1:]
    shape = Shape(int(columns), int(rows), int(k), move)
    requests, replies = _take_streams()

    def reply(answer: dict[str, Any]) -> None:
        replies.write(dumps(answer) + "\n")
        replies.flush()

    threading.Thread(target=_exit_with, args=(os.getppid(),), daemon=True).start()
    for name in [name for name in sys.modules if name.partition(".")[0] == "solver"]:
        del sys.modules[name]  # the player may import a module of this name next to it
    try:
        player = load(spec)
    except BaseException as error:
        reply({"fault": "exception", "detail": describe(error)})
        return
    reply({"deterministic": is_deterministic(player)})
    for line in requests:
        request = loads(line)
        if "seed" in request:
            seed(request["seed"])
        else:
            reply({"several": answers(player, convention, shape, request)})


def _exit_with(parent: int) -> None:
    """Exit when the process that started this one has exited."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def is_deterministic(player: Any) -> bool:
    """Return whether a function, or the object it is a method of, is declared deterministic."""
    owner = getattr(player, "__self__", None)
    return any(getattr(thing, "deterministic", False) is True for thing in (player, owner))


def load(spec: str) -> PlayerFunction:
    """Return the function that a name for which `is_custom` is true stands for."""
    place, _, name = spec.removeprefix(PREFIX).rpartition(":")
    if place.endswith(".py"):
        open_regular(place, MOST_SOURCE).close()
        sys.path.insert(0, os.path.dirname(os.path.abspath(place)))
        full_name = f"player_{os.path.basename(place)[:-3]}"  # hides no other module
        file_spec = importlib.util.spec_from_file_location(full_name, place)
        if file_spec is None or file_spec.loader is None:
            raise ImportError(f"{place} is not a Python file")
        module = importlib.util.module_from_spec(file_spec)
        sys.modules[full_name] = module
        file_spec.loader.exec_module(module)
    else:
        sys.path.insert(0, working_directory())
        module = importlib.import_module(place)
    player = getattr(module, name)
    if not callable(player):
        raise TypeError(f"{name} is not a function")
    return player  # type: ignore[no-any-return]


def answers(
    player: PlayerFunction, convention: str, shape: Shape, request: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return as many replies as the request asks for; if one is too slow, all are faults."""
    replies: list[dict[str, Any]] = []
    for _ in range(request["times"]):
        started = time.monotonic()
        replies.append(answer(player, convention, shape, request))
        if time.monotonic() - started > request["limit"]:
            slow = {"fault": "too slow", "detail": f"no answer within {request['limit']:g} s"}
            return [slow] * request["times"]
    return replies


def answer(
    player: PlayerFunction, convention: str, shape: Shape, request: dict[str, Any]
) -> dict[str, Any]:
    """Return one reply to a request."""
    try:
        chosen = ask(player, convention, shape, request["text"], request["side"], request["moves"])
    except PlayerFault as fault:
        return {"fault": fault.kind, "detail": fault.detail}
    if isinstance(chosen, dict):
        return {"shares": list(chosen.items())}
    return {"move": chosen}


def _take_streams() -> tuple[IO[str], IO[str]]:
    """Return standard input and output, and redirect the player's to the null device."""
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    null = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(null, stream)
    sys.stdin = os.fdopen(0, "r", closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", closefd=False)
    return requests, replies


def seed(number: int) -> None:
    """Seed Python's random numbers, and numpy's if the player uses it."""
    random.seed(number)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(number % 2**32)
