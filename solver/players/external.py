"""A player of one's own: as a rule in a process of its own, or as a function in this one.

Whatever it does in its process, print, read, change the board that it is handed, exit or hang,
the process here goes on and hears of it as a PlayerFault.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from solver.errors import UnknownPlayerError
from solver.players.conventions import (
    CONVENTIONS,
    Asked,
    IllegalAnswerError,
    Shape,
    WrongAnswerError,
    ask,
)
from solver.players.external_host import declared, describe
from solver.players.player import Player, PlayerFault
from solver.rules.game import walk
from solver.tables.store import HERE

if TYPE_CHECKING:
    from solver.rules.game import Game

LOADING = 60.0  # seconds; importing a trained agent's libraries takes a while
LONGEST = 1 << 20  # bytes of a reply; of a longer one every piece is no answer
LIMIT = 1.0  # seconds for a move, unless told otherwise
# runs the host from this package, wherever it lies, after everything else that can be imported
HOST = (
    f"import sys; sys.path.append({os.path.dirname(HERE)!r});"
    " from solver.players.external_host import main; main()"
)


def player_from_function(
    function: Asked,
    game: Game[Any, Any],
    convention: str = "rows",
    deterministic: bool = False,
    name: str | None = None,
) -> Player:
    """Return the player that a function in this process makes; see `solver.players.conventions`.

    Its exceptions become faults. It has as long for a move as it likes. It is deterministic if it
    is declared so, here or by an attribute `deterministic = True`. Raises TypeError if it cannot be
    called.
    """
    if not callable(function):
        raise TypeError(f"a player is a name or a function, not {function!r:.80}")
    shape = _shape(game, convention)

    def choose(p: Any, seat: str) -> Any:
        try:
            moves = _codes(game, p)
            chosen = ask(function, convention, shape, game.text(p, seat), seat, list(moves))
            return _decoded(moves, chosen)
        except WrongAnswerError as error:
            raise PlayerFault("wrong type", str(error)) from error
        except IllegalAnswerError as error:
            raise PlayerFault("illegal move", str(error)) from error
        except (Exception, SystemExit) as error:
            raise PlayerFault("exception", describe(error)) from error

    called = getattr(function, "__name__", type(function).__name__)
    return Player(name or called, choose, deterministic or declared(function))


class Outside(Player):
    """Asks a process about positions, one at a time, and gives it so long for each.

    Raises UnknownPlayerError if the player cannot be loaded or does not fit the game.
    """

    def __init__(
        self,
        spec: str,
        game: Game[Any, Any],
        convention: str = "rows",
        deterministic: bool = False,
        limit: float = LIMIT,
        seed: int = 0,
    ) -> None:
        shape = _shape(game, convention)
        if not limit >= 0:
            raise ValueError(f"the limit is {limit!r}; it must be a number of seconds from 0")
        self.game, self.limit = game, min(limit, threading.TIMEOUT_MAX)
        self._replies: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._gone: PlayerFault | None = None
        self._closed = False
        size = [str(number) for number in shape]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", HOST, spec, convention, *size],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for us alone
        )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        try:
            loaded = self._receive(LOADING)
            if "deterministic" in loaded:
                self._send({"seed": seed})
        except PlayerFault as fault:
            loaded = {"detail": fault.detail}
        except BaseException:  # Ctrl-C, while it is loading
            self.close()
            raise
        if "deterministic" not in loaded:
            self.close()
            reason = loaded.get("detail", "its process sent something else than was asked")
            raise UnknownPlayerError(f"the player {spec} cannot be loaded: {reason}")
        super().__init__(spec, self._ask, deterministic or loaded["deterministic"] is True)

    def close(self) -> None:
        """End the process, and those that it started; a second time does nothing."""
        if self._closed:
            return
        self._closed = True
        self._kill()
        self._process.wait()
        self._listener.join(timeout=1)
        if not self._listener.is_alive():  # else a process that got away still holds the pipe
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    with suppress(OSError):  # what it was not told yet can be told no more
                        stream.close()

    def answers(self, game: Game[Any, Any], p: Any, seat: str, times: int) -> list[Any]:
        """Return `times` legal answers to the same question, asked for all at once."""
        reply = self._exchange(p, seat, times, self.limit * times)
        return [self._checked(game, p, self._read(p, one)) for one in reply["several"]]

    def _ask(self, p: Any, seat: str) -> Any:
        return self._read(p, self._exchange(p, seat, 1, self.limit)["several"][0])

    def _exchange(self, p: Any, seat: str, times: int, limit: float) -> dict[str, Any]:
        """Return the reply to a question asked so many times."""
        if self._gone is not None:
            raise self._gone
        text, moves = self.game.text(p, seat), list(_codes(self.game, p))
        asked = {"text": text, "side": seat, "moves": moves, "times": times, "limit": self.limit}
        self._send(asked)
        reply = self._receive(limit)
        if not isinstance(reply.get("several"), list) or len(reply["several"]) != times:
            raise self._end("ended", "its process sent something that is no answer")
        return reply

    def _read(self, p: Any, one: Any) -> Any:
        """Return the move or the distribution in an answer; raises PlayerFault if it is neither."""
        try:
            if "fault" in one:
                if one["fault"] == "too slow":
                    raise self._end("too slow", str(one["detail"]))
                raise PlayerFault(str(one["fault"]), str(one["detail"]))
            chosen = dict(one["shares"]) if "shares" in one else one["move"]
            return _decoded(_codes(self.game, p), chosen)
        except (KeyError, TypeError, ValueError):
            raise self._end("ended", "its process sent something that is no answer") from None

    def _send(self, request: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self._end("ended", "its process has ended") from error

    def _receive(self, limit: float) -> dict[str, Any]:
        """Return the next reply; raises PlayerFault if it is none, or does not come in time."""
        try:
            line = self._replies.get(timeout=min(limit, threading.TIMEOUT_MAX))
        except queue.Empty:
            raise self._end("too slow", f"no answer within {limit:g} s") from None
        if not line:
            raise self._end("ended", "its process has ended")
        try:
            reply = json.loads(line)
        except (ValueError, RecursionError):
            reply = None
        if not isinstance(reply, dict):
            raise self._end("ended", "its process sent something that is no answer")
        return reply

    def _end(self, kind: str, detail: str) -> PlayerFault:
        """Remember, and return, that the player is gone."""
        self._kill()
        self._gone = PlayerFault(kind, detail)
        return self._gone

    def _kill(self) -> None:
        """Kill the process with all of its group."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def _listen(self) -> None:
        """Pass the replies on as they come; an empty line tells that there are no more."""
        assert self._process.stdout is not None
        with suppress(ValueError, OSError):  # the stream is closed under it
            while line := self._process.stdout.readline(LONGEST):
                self._replies.put(line)
        self._replies.put(b"")


def _codes(game: Game[Any, Any], p: Any) -> dict[int | str, Any]:
    """Return the legal moves by their codes."""
    return {game.code(m): m for m in game.moves(p)}


def _decoded(moves: dict[int | str, Any], chosen: Any) -> Any:
    """Return the moves, or the distribution over moves, that codes stand for."""
    if isinstance(chosen, dict):
        return {moves.get(code, code): share for code, share in chosen.items()}
    return moves.get(chosen, chosen)


def _shape(game: Game[Any, Any], convention: str) -> Shape:
    """Return what players of one's own see of the game, if they can see it in this convention."""
    if convention not in CONVENTIONS:
        known = ", ".join(CONVENTIONS)
        raise ValueError(f"the convention is {convention!r}; it must be one of {known}")
    shape = shape_of(game)
    if not CONVENTIONS[convention].fits(shape):
        fitting = ", ".join(name for name, how in CONVENTIONS.items() if how.fits(shape))
        raise UnknownPlayerError(
            f"a player that sees {convention} does not fit {game.spec}; one that sees {fitting}"
            " does"
        )
    return shape


def shape_of(game: Game[Any, Any]) -> Shape:
    """Return the size of a game's board and what its moves name."""
    if game.board is None:
        return Shape()
    columns, rows = game.board
    codes: set[Any] = set()
    cells = True  # whether every move names the cell that it is shown on
    for p in walk(game, 200):
        for m in game.moves(p) if game.primitive(p) is None else ():
            codes.add(game.code(m))
            cells = cells and game.code(m) == game.cell(p, m)
    kind = "move"
    if cells and codes == set(range(columns * rows)):
        kind = "cell"
    elif codes == set(range(columns)):
        kind = "column"
    return Shape(columns, rows, getattr(game, "k", 0), kind)
