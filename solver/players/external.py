"""Custom players: a function in this process, or one that runs in a process of its own.

Whatever a player does in its own process (print, read, change the board it is given, exit or hang),
this process continues and reports it as a PlayerFault.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from solver.errors import UnknownPlayerError
from solver.players.conventions import PlayerFunction, ask, describe, shape_for
from solver.players.external_host import is_deterministic
from solver.players.player import Player, PlayerFault, check_answer
from solver.tables.store import HERE

if TYPE_CHECKING:
    from solver.rules.game import Game

LOADING = 60.0  # seconds; importing a trained agent's libraries takes a while
LONGEST = 1 << 20  # bytes of a reply; a longer one is read in pieces, none of which is valid
LIMIT = 1.0  # seconds for a move by default
INVALID = "its process sent an invalid reply"
# run the host from this package, wherever it is installed, after all other importable packages
HOST = (
    f"import sys; sys.path.append({os.path.dirname(HERE)!r});"
    " from solver.players.external_host import main; main()"
)


def player_from_function(
    function: PlayerFunction,
    game: Game[Any, Any],
    convention: str = "rows",
    deterministic: bool = False,
    name: str | None = None,
) -> Player:
    """Return the player that a function in this process makes; see `solver.players.conventions`.

    Its exceptions become faults, and it has no time limit. It is deterministic if declared so, by
    this argument or by an attribute `deterministic = True`. Raises TypeError if it is not callable.
    """
    if not callable(function):
        raise TypeError(f"a player is a name or a function, not {function!r:.80}")
    shape = shape_for(game, convention)

    def choose(p: Any, seat: str) -> Any:
        moves = _moves_by_code(game, p)
        try:
            chosen = ask(function, convention, shape, game.text(p, seat), seat, list(moves))
        except SystemExit as error:
            raise PlayerFault("exception", describe(error)) from error
        return _decoded(moves, chosen)

    default = getattr(function, "__name__", type(function).__name__)
    return Player(name or default, choose, deterministic or is_deterministic(function))


class ExternalPlayer(Player):
    """A player in a process of its own, asked about one position at a time, with a time limit.

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
        shape = shape_for(game, convention)
        if not limit >= 0:
            raise ValueError(f"the limit is {limit!r}; it must be a number of seconds from 0")
        self.game, self.limit = game, min(limit, threading.TIMEOUT_MAX)
        self._replies: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._gone: PlayerFault | None = None
        self._closed = False
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", HOST, spec, convention, *map(str, shape)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is not for the player
        )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        try:
            loaded = self._receive(LOADING)
            if "deterministic" in loaded:
                self._send({"seed": seed})
        except PlayerFault as fault:
            loaded = {"detail": fault.detail}
        except BaseException:  # Ctrl-C during loading
            self.close()
            raise
        if "deterministic" not in loaded:
            self.close()
            reason = loaded.get("detail", INVALID)
            raise UnknownPlayerError(f"the player {spec} cannot be loaded: {reason}")
        super().__init__(spec, self._choose, deterministic or loaded["deterministic"] is True)

    def close(self) -> None:
        """End the process and those that it started; calling it again does nothing."""
        if self._closed:
            return
        self._closed = True
        self._kill()
        self._process.wait()
        self._listener.join(timeout=1)
        if not self._listener.is_alive():  # else a process that escaped still has the pipe open
            for stream in (self._process.stdin, self._process.stdout):
                if stream is not None:
                    with suppress(OSError):  # unsent data is lost
                        stream.close()

    def answers(self, game: Game[Any, Any], p: Any, seat: str, times: int) -> list[Any]:
        """Return `times` legal answers to the same question, sent as one request."""
        return [check_answer(game, p, answer) for answer in self._ask(p, seat, times)]

    def _choose(self, p: Any, seat: str) -> Any:
        return next(self._ask(p, seat, 1))

    def _ask(self, p: Any, seat: str, times: int) -> Iterator[Any]:
        """Ask about a position `times` times at once; yield the answers, or raise PlayerFault."""
        if self._gone is not None:
            raise self._gone
        moves = _moves_by_code(self.game, p)
        request = {"text": self.game.text(p, seat), "side": seat, "moves": list(moves)}
        self._send(request | {"times": times, "limit": self.limit})
        replies = self._receive(self.limit * times).get("several")
        if not isinstance(replies, list) or len(replies) != times:
            raise self._end("ended", INVALID)
        for reply in replies:
            try:
                if "fault" in reply:
                    kind, detail = str(reply["fault"]), str(reply["detail"])
                    raise (self._end if kind == "too slow" else PlayerFault)(kind, detail)
                chosen = dict(reply["shares"]) if "shares" in reply else reply["move"]
                answer = _decoded(moves, chosen)
            except (KeyError, TypeError, ValueError):
                raise self._end("ended", INVALID) from None
            yield answer

    def _send(self, request: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self._end("ended", "its process has ended") from error

    def _receive(self, limit: float) -> dict[str, Any]:
        """Return the next reply; raises PlayerFault if it is invalid or late."""
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
            raise self._end("ended", INVALID)
        return reply

    def _end(self, kind: str, detail: str) -> PlayerFault:
        """Kill the process; return the fault to raise from now on."""
        self._kill()
        self._gone = PlayerFault(kind, detail)
        return self._gone

    def _kill(self) -> None:
        """Kill the process and its process group."""
        if hasattr(os, "killpg"):
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()

    def _listen(self) -> None:
        """Queue the replies as they arrive, then an empty one at the end of the stream."""
        assert self._process.stdout is not None
        with suppress(ValueError, OSError):  # the stream was closed meanwhile
            while line := self._process.stdout.readline(LONGEST):
                self._replies.put(line)
        self._replies.put(b"")


def _moves_by_code(game: Game[Any, Any], p: Any) -> dict[int | str, Any]:
    """Return the legal moves by their codes."""
    return {game.code(m): m for m in game.moves(p)}


def _decoded(moves: dict[int | str, Any], chosen: Any) -> Any:
    """Return the move, or the distribution over moves, of a code or a distribution over codes."""
    if isinstance(chosen, dict):
        return {moves.get(code, code): share for code, share in chosen.items()}
    return moves.get(chosen, chosen)
