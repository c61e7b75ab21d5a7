"""Custom players: a function in this process, or a program that runs in a process of its own.

Whatever a player does in its own process (print, read, change the board it is given, exit or hang),
this process continues and reports it as a PlayerFault.
"""

from __future__ import annotations

import json
import math
import os
import shlex
import shutil
import sys
from time import monotonic
from typing import TYPE_CHECKING, Any

from solver.errors import IllegalMoveError, UnknownPlayerError, printable
from solver.players.asking import Asker, Mistakes, PlayerFunction
from solver.players.conventions import shape_for
from solver.players.external_host import is_deterministic
from solver.players.player import ANSWERED, Player, PlayerFault
from solver.players.process import ONLY, Process
from solver.rules.notation import find_move
from solver.tables.store import HERE

if TYPE_CHECKING:
    from solver.rules.game import Game

LIMIT = 10.0  # seconds for an answer by default
FIRST = 6  # how many times as long the first answer of a process may take
LOADING = 60.0  # seconds of CPU time; importing a trained agent's libraries takes a while
MOST_SLOW = 3  # answers in a row that are too slow; then the player is not asked again
INVALID = "its process sent an invalid reply"
FROM_ZERO = "if it counts from 0, it must count from 1"
COMMANDS = COMMAND, ONCE = "command:", "command-once:"
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
    this argument or by an attribute `deterministic = True`. Raises TypeError if it cannot be called
    as the convention says.
    """
    if not callable(function):
        raise TypeError(f"a player is a name or a function, not {function!r:.80}")
    shape = shape_for(game, convention)
    default = getattr(function, "__name__", type(function).__name__)
    asker = Asker(function, convention, shape, default)

    def choose(p: Any, seat: str) -> Any:
        moves = _moves_by_code(game, p)
        return _decoded(moves, asker.ask(game.text(p, seat), seat, list(moves)))

    return Player(name or default, choose, deterministic or is_deterministic(function))


class ExternalPlayer(Player):
    """A player in a process of its own, asked about one position at a time, with a time limit.

    `limit` is in seconds of CPU time (see `solver.players.process`); the first answer of a process
    may take FIRST times as long. After a fault that ends the process the player continues in a new
    one, until MOST_SLOW answers in a row are too slow. It must be loaded by the `deadline`. Raises
    UnknownPlayerError if the player cannot be loaded or does not fit the game.
    """

    def __init__(
        self,
        spec: str,
        game: Game[Any, Any],
        deterministic: bool = False,
        limit: float = LIMIT,
        show_output: bool = False,
        deadline: float = math.inf,
    ) -> None:
        if not limit > 0:
            raise ValueError(f"the limit is {limit:g}; it must be a number of seconds above 0")
        super().__init__(spec, self._choose, deterministic)
        self.game, self.limit, self.show_output = game, limit, show_output
        self.deadline = deadline
        self.process: Process | None = None
        self._slow = 0
        self._final: PlayerFault | None = None

    def start(self) -> Process:
        """Start the player's process; raises UnknownPlayerError."""
        raise NotImplementedError

    def exchange(self, process: Process, p: Any, seat: str, limit: float) -> Any:
        """Return the player's move in a position, or a distribution; raises PlayerFault."""
        raise NotImplementedError

    def close(self) -> None:
        """End the process and those that it started; calling it again does nothing."""
        if self.process is not None:
            self.process.close()
        self.process = None

    def _choose(self, p: Any, seat: str) -> Any:
        if self._final is not None:
            raise self._final
        try:
            if self.process is None:
                self.process = self.start()
            limit = self.limit * (1 if self.process.answered else FIRST)
            answer = self.exchange(self.process, p, seat, limit)
        except UnknownPlayerError as error:
            if monotonic() >= self.deadline:
                raise PlayerFault("too slow", str(error)) from error
            self._final = PlayerFault("ended", str(error), final=True)  # its file is gone
            raise self._final from error
        except PlayerFault as fault:
            if fault.fatal:
                self.close()
            self._slow = self._slow + 1 if fault.kind == "too slow" else 0
            if self._slow == MOST_SLOW:
                fault.final = True
                self._final = fault
            raise
        self._slow = 0
        return answer


class PythonPlayer(ExternalPlayer):
    """A function or another callable in a Python file or module; its `settings` are as above."""

    def __init__(
        self, spec: str, game: Game[Any, Any], convention: str, seed: int, *settings: Any
    ) -> None:
        super().__init__(spec, game, *settings)
        arguments = (convention, *shape_for(game, convention), seed)
        self._command = [sys.executable, "-P", "-c", HOST, spec, *map(str, arguments)]
        self.process = self.start()
        self.deterministic = self.deterministic or self.claims_deterministic

    def start(self) -> Process:
        process = Process(self._command, self.show_output)
        try:
            loaded = _parse(process.receive(LOADING, self.deadline))
            if "deterministic" not in loaded:
                fault = loaded.get("fault")
                raise UnknownPlayerError(printable(fault if isinstance(fault, str) else INVALID))
        except PlayerFault as fault:
            process.close()
            message = f"the player {self.name} cannot be loaded: {fault.detail}"
            raise UnknownPlayerError(message) from fault
        except BaseException:  # Ctrl-C during loading is one
            process.close()
            raise
        self.claims_deterministic = loaded["deterministic"] is True
        return process

    def exchange(self, process: Process, p: Any, seat: str, limit: float) -> Any:
        moves = _moves_by_code(self.game, p)
        question = {"text": self.game.text(p, seat), "side": seat, "moves": list(moves)}
        reply = _parse(process.ask(json.dumps(question).encode() + b"\n", limit, self.deadline))
        kind, detail, hint = (reply.get(name) for name in ("fault", "detail", "hint"))
        if kind in ANSWERED and isinstance(detail, str) and isinstance(hint, str):
            raise PlayerFault(str(kind), detail, hint)
        try:
            chosen = dict(reply["shares"]) if "shares" in reply else reply["move"]
            shares = chosen.values() if isinstance(chosen, dict) else ()
            if all(isinstance(share, int | float) for share in shares):
                return _decoded(moves, chosen)
        except (KeyError, TypeError, ValueError):
            pass
        raise PlayerFault("ended", INVALID)


class CommandPlayer(ExternalPlayer):
    """A program in any language, named as `command:PROGRAM ARGUMENTS`; no shell runs it.

    It reads lines `TURN<TAB>BOARD` and answers each with a line, the move as people write it. As
    `command-once:PROGRAM ARGUMENTS` it is started anew for each line.
    """

    def __init__(self, spec: str, game: Game[Any, Any], *settings: Any) -> None:
        super().__init__(spec, game, *settings)
        self._once = spec.startswith(ONCE)
        self._mistakes = Mistakes({FROM_ZERO: lambda reply: str(int(reply) + 1)})
        try:
            self._command = shlex.split(spec.partition(":")[2])
        except ValueError as error:
            raise UnknownPlayerError(f"{spec!r} is not a player: {error}") from error
        if not self._command:
            raise UnknownPlayerError(
                f"{spec} names no program; write it as in {COMMAND}node bot.js"
            )
        self.process = self.start()

    def start(self) -> Process:
        if shutil.which(self._command[0]) is None:
            raise UnknownPlayerError(
                f"the player {self.name} cannot be started: there is no program"
                f" {self._command[0]!r} that may be executed"
            )
        return Process(self._command, self.show_output, self._once, advise=True)

    def exchange(self, process: Process, p: Any, seat: str, limit: float) -> Any:
        question = f"{seat}\t{self.game.text(p, seat)}\n".encode()
        reply = process.ask(question, limit, self.deadline)
        if self._once:
            self.close()
        try:
            return self._move(p, reply.decode().strip())
        except UnicodeDecodeError as error:
            self.close()  # as after any answer that is not like a move: it may be out of step
            raise PlayerFault("wrong type", f"{reply[:60]!r} is not UTF-8") from error

    def _move(self, p: Any, reply: str) -> Any:
        hint = self._mistakes.hint(reply, lambda meant: find_move(self.game, p, meant))
        try:
            return find_move(self.game, p, reply)
        except IllegalMoveError as error:
            detail = f"{printable(reply, 40)!r} is not a legal move"
            if not reply.lstrip("-").isdecimal():  # perhaps a greeting, and the answer follows
                self.close()
                detail += ONLY
            raise PlayerFault("illegal move", detail, hint) from error


def _parse(line: bytes) -> dict[str, Any]:
    """Return the host's reply; raises PlayerFault if it is not a JSON object."""
    try:
        reply = json.loads(line)
    except (ValueError, RecursionError):
        reply = None
    if not isinstance(reply, dict):
        raise PlayerFault("ended", INVALID)
    return reply


def _moves_by_code(game: Game[Any, Any], p: Any) -> dict[int | str, Any]:
    """Return the legal moves by their codes."""
    return {game.code(m): m for m in game.moves(p)}


def _decoded(moves: dict[int | str, Any], chosen: Any) -> Any:
    """Return the move, or the distribution over moves, of a code or a distribution over codes."""
    if isinstance(chosen, dict):
        return {moves.get(code, code): share for code, share in chosen.items()}
    return moves.get(chosen, chosen)
