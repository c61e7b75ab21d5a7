"""A player of one's own: as a rule in a process of its own, or as a function in this one.

Whatever it does in its process, print, read, change the board that it is handed, exit or hang,
the process here goes on and hears of it as a PlayerFault.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from typing import TYPE_CHECKING, Any

from ..errors import UnknownPlayerError
from ..games.mnk import Mnk
from ..store import HERE
from .conventions import CONVENTIONS, Asked, Shape, WrongAnswerError, ask
from .player import Player, PlayerFault

if TYPE_CHECKING:
    from ..game import Game

LOADING = 60.0  # seconds; importing a trained agent's libraries takes a while
LIMIT = 1.0  # seconds for a move, unless told otherwise
# runs the host from this package, wherever it lies, after everything else that can be imported
HOST = (
    f"import sys; sys.path.append({os.path.dirname(HERE)!r});"
    " from solver.players.host import main; main()"
)


def from_function(
    function: Asked, game: Game[Any, Any], convention: str = "rows", deterministic: bool = False
) -> Player:
    """Return the player that a function in this process makes; see `solver.players.conventions`.

    Its exceptions become faults. It has as long for a move as it likes. It is deterministic if it
    is declared so, here or by an attribute `deterministic`.
    """
    shape = _shape(game, convention)

    def choose(p: Any, seat: str) -> Any:
        try:
            return ask(function, convention, shape, game.text(p, seat), seat)
        except WrongAnswerError as error:
            raise PlayerFault("wrong type", str(error)) from error
        except Exception as error:
            raise PlayerFault("exception", f"{type(error).__name__}: {error}") from error

    name = getattr(function, "__name__", type(function).__name__)
    declared = deterministic or bool(getattr(function, "deterministic", False))
    return Player(name, choose, declared)


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
        self.game, self.limit = game, limit
        self._replies: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._gone: PlayerFault | None = None
        size = [str(number) for number in shape]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-c", HOST, spec, convention, *size],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # Ctrl-C is for us alone
        )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        try:
            loaded = self._receive(LOADING)
        except PlayerFault as fault:
            self.close()
            raise UnknownPlayerError(
                f"the player {spec} cannot be loaded: {fault.detail}"
            ) from fault
        super().__init__(spec, self._ask, deterministic or loaded["deterministic"])
        self._send({"seed": seed})

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        self._listener.join()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()

    def _ask(self, p: Any, seat: str) -> Any:
        if self._gone is not None:
            raise self._gone
        self._send({"text": self.game.text(p, seat), "side": seat})
        reply = self._receive(self.limit)
        if "shares" in reply:
            return dict(reply["shares"])
        return reply["move"]

    def _send(self, request: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self._end("ended", "its process has ended") from error

    def _receive(self, limit: float) -> dict[str, Any]:
        """Return the next reply; raises PlayerFault if it is none, or does not come in time."""
        try:
            line = self._replies.get(timeout=limit)
        except queue.Empty:
            raise self._end("too slow", f"no answer within {limit:g} s") from None
        if not line:
            raise self._end("ended", "its process has ended")
        reply: dict[str, Any] = json.loads(line)
        if "fault" in reply:
            raise PlayerFault(reply["fault"], reply["detail"])
        return reply

    def _end(self, kind: str, detail: str) -> PlayerFault:
        """Remember, and return, that the player is gone."""
        self._process.kill()
        self._gone = PlayerFault(kind, detail)
        return self._gone

    def _listen(self) -> None:
        """Pass the replies on as they come; an empty line tells that there are no more."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._replies.put(line)
        self._replies.put("")


def _shape(game: Game[Any, Any], convention: str) -> Shape:
    """Return the size of the board, if players of one's own can see it in this convention."""
    if convention not in CONVENTIONS:
        known = ", ".join(CONVENTIONS)
        raise ValueError(f"the convention is {convention!r}; it must be one of {known}")
    if not isinstance(game, Mnk) or (convention == "numpad" and game.cells != 9):
        raise UnknownPlayerError(f"a player that sees {convention} does not fit {game.spec}")
    return Shape(game.columns, game.rows, game.k)
