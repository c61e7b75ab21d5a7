"""The process in which a player of one's own runs.

Its arguments are SPEC CONVENTION COLUMNS ROWS K MOVE, the last four those of a `Shape`. The first
line that it writes to standard output tells whether the player could be loaded: `{"deterministic":
true or false}`, or a fault. Then it reads a JSON object a line from standard input, `{"text": ...,
"side": ..., "moves": [code, ...], "times": n, "limit": seconds}`, and writes one a line:
`{"several": [...]}`, with n of `{"move": code}`, `{"shares": [[code, probability], ...]}` or
`{"fault": kind, "detail": ...}`. `{"seed": n}` seeds chance and gets no answer.

The player sees neither stream: it reads nothing, and what it prints goes nowhere.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import random
import sys
import threading
import time
from json import dumps, loads  # by name, so that a player cannot change them
from typing import IO, Any

from solver.players.conventions import Asked, IllegalAnswerError, Shape, WrongAnswerError, ask


def main() -> None:
    """Serve one player until standard input ends."""
    spec, convention, columns, rows, k, move = sys.argv[1:]
    shape = Shape(int(columns), int(rows), int(k), move)
    requests, replies = _take_streams()

    def reply(answer: dict[str, Any]) -> None:
        replies.write(dumps(answer) + "\n")
        replies.flush()

    threading.Thread(target=_follow, args=(os.getppid(),), daemon=True).start()
    for name in [name for name in sys.modules if name.partition(".")[0] == "solver"]:
        del sys.modules[name]  # the player may have a module of this name beside it
    try:
        player = load(spec)
    except BaseException as error:
        reply({"fault": "exception", "detail": describe(error)})
        return
    reply({"deterministic": declared(player)})
    for line in requests:
        request = loads(line)
        if "seed" in request:
            seed(request["seed"])
        else:
            reply({"several": answers(player, convention, shape, request)})


def _follow(parent: int) -> None:
    """End this process when the one that started it is gone."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def declared(player: Any) -> bool:
    """Return whether a function, or the object that it belongs to, says it is deterministic."""
    owner = getattr(player, "__self__", None)
    return any(getattr(thing, "deterministic", False) is True for thing in (player, owner))


def load(spec: str) -> Asked:
    """Return the function that `path/to/file.py:function` or `module:function` names."""
    place, _, name = spec.rpartition(":")
    if place.endswith(".py"):
        sys.path.insert(0, os.path.dirname(os.path.abspath(place)))
        name_of_module = f"player_{os.path.basename(place)[:-3]}"  # not to hide another module
        described = importlib.util.spec_from_file_location(name_of_module, place)
        if described is None or described.loader is None:
            raise ImportError(f"{place} is no Python file")
        module = importlib.util.module_from_spec(described)
        sys.modules[name_of_module] = module
        described.loader.exec_module(module)
    else:
        sys.path.insert(0, os.getcwd())
        module = importlib.import_module(place)
    player = getattr(module, name)
    if not callable(player):
        raise TypeError(f"{name} is no function")
    return player  # type: ignore[no-any-return]


def answers(
    player: Asked, convention: str, shape: Shape, request: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the replies to a question asked so many times; all are faults after a slow one."""
    replies: list[dict[str, Any]] = []
    for _ in range(request["times"]):
        begun = time.monotonic()
        replies.append(answer(player, convention, shape, request))
        if time.monotonic() - begun > request["limit"]:
            slow = {"fault": "too slow", "detail": f"no answer within {request['limit']:g} s"}
            return [slow] * request["times"]
    return replies


def answer(player: Asked, convention: str, shape: Shape, request: dict[str, Any]) -> dict[str, Any]:
    """Return the reply to one request."""
    try:
        chosen = ask(player, convention, shape, request["text"], request["side"], request["moves"])
    except WrongAnswerError as error:
        return {"fault": "wrong type", "detail": str(error)}
    except IllegalAnswerError as error:
        return {"fault": "illegal move", "detail": str(error)}
    except Exception as error:
        return {"fault": "exception", "detail": describe(error)}
    if isinstance(chosen, dict):
        return {"shares": list(chosen.items())}
    return {"move": chosen}


def _take_streams() -> tuple[IO[str], IO[str]]:
    """Return the two streams, and leave the player with none that lead anywhere."""
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nowhere, stream)
    sys.stdin = os.fdopen(0, "r", closefd=False)
    sys.stdout = os.fdopen(1, "w", closefd=False)
    sys.stderr = os.fdopen(2, "w", closefd=False)
    return requests, replies


def seed(number: int) -> None:
    """Seed Python's chance, and numpy's if the player uses it."""
    random.seed(number)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(number % 2**32)


def describe(error: BaseException) -> str:
    """Return what an exception says, whatever its class makes of that."""
    try:
        return f"{type(error).__name__}: {error}"[:300]
    except Exception:
        return type(error).__name__
