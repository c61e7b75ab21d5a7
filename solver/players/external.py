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
from solver.players.external_host import STATED, is_deterministic
from solver.players.player import ANSWERED, COMMAND, LIMIT, Player, PlayerFault
from solver.players.process import ONLY, Process
from solver.rules.notation import find_move
from solver.tables.store import HERE

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from solver.rules.game import Game

FIRST = 3  # how many times as long the first answer of a process may take
LOADING = 60.0  # seconds; importing a trained agent's libraries takes a while
MOST_SLOW = 3  # answers in a row that are too slow; then the player is not asked again
INVALID = "its process sent an invalid reply"
FROM_ZERO = "if it counts from 0, it must count from 1"
WHOLE_LINE = "if it counts in the whole line, the side and the tab are 2 too many"
SHIFTS = {FROM_ZERO: 1, WHOLE_LINE: -2} | {
    f"each answer must be {abs(n)} {'more' if n > 0 else 'less'}": n for n in (-1, 2, -3, 3)
}
# run the host from this package, wherever it is installed, after all other importable packages
HOST = f"import sys; sys.path.append({os.path.dirname(HERE)!r}); from solver.players."


def player_from_function(
    function: PlayerFunction,
    game: Game[Any, Any],
    convention: str = "rows",
    deterministic: bool = False,
    name: str | None = None,
) -> Player:
    """Return the player that a function in this process makes; see `solver.players.conventions`.

    Its exceptions become faults, and it has no time limit. It is deterministic if declared so, by
    this argument or by an attribute `deterministic = True`. In a game of OpenSpiel it may be a
    pyspiel.Bot or a policy, too. Raises TypeError if it cannot be called as the convention says.
    """
    default = getattr(function, "__name__", type(function).__name__)
    choice_of = getattr(game, "choice_of", None)
    if choice_of is not None and (choice := choice_of(function)) is not None:
        return Player(name or default, choice, deterministic or is_deterministic(function))
    if not callable(function):
        raise TypeError(f"a player is a name or a function, not {function!r:.80}")
    shape = shape_for(game, convention)
    asker = Asker(function, convention, shape, default)

    def choose(p: Any, seat: str) -> Any:
        moves = {game.code(m): m for m in game.moves(p)}
        chosen = asker.ask(game.text(p, seat), seat, list(moves))
        if isinstance(chosen, dict):
            return {moves[code]: share for code, share in chosen.items()}
        return moves[chosen]

    return Player(name or default, choose, deterministic or is_deterministic(function))


class ExternalPlayer(Player):
    """A player in a process of its own, asked about one position at a time, with a time limit.

    It reads a line `TURN<TAB>BOARD` and answers with a line: the move as people write it, or JSON,
    `{"probabilities": {MOVE: SHARE, ...}}`, or `{"fault": KIND, "detail": TEXT, "hint": TEXT}` with
    one of ANSWERED as the kind where it has no move.

    `limit` is in seconds by the clock; the first answer of a process may take FIRST times as long.
    Since the machine may have been busy, a late player is asked again, in a new process, before its
    answer counts as too slow. After a fault that ends the process it continues in a new one, too,
    until MOST_SLOW answers in a row are too slow. It must be loaded by the `deadline`. Raises
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
        self._mistakes = Mistakes({why: _shift(n) for why, n in SHIFTS.items()})
        self._slow = 0
        self._final: PlayerFault | None = None

    def start(self) -> Process:
        """Start the player's process; raises UnknownPlayerError."""
        raise NotImplementedError

    def question(self, p: Any, seat: str) -> str:
        """Return what the player is asked: the side to move, a tab and the position."""
        return f"{seat}\t{self.game.text(p, seat)}"

    def close(self) -> None:
        """End the process and those that it started; calling it again does nothing."""
        if self.process is not None:
            self.process.close()
        self.process = None

    def _choose(self, p: Any, seat: str) -> Any:
        if self._final is not None:
            raise self._final
        try:
            answer = self._ask_twice(p, seat)
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

    def _ask_twice(self, p: Any, seat: str) -> Any:
        """Ask a player that is late once more, if there is time; its first fault counts."""
        try:
            return self._ask(p, seat)
        except PlayerFault as fault:
            if fault.kind != "too slow" or monotonic() >= self.deadline:
                raise
            late = fault
        self.close()
        try:
            return self._ask(p, seat)
        except (PlayerFault, UnknownPlayerError) as fault:
            if monotonic() >= self.deadline or getattr(fault, "kind", "") == "too slow":
                raise late from fault
            raise

    def _ask(self, p: Any, seat: str) -> Any:
        if self.process is None:
            self.process = self.start()
        limit = self.limit * (1 if self.process.answered else FIRST)
        question = self.question(p, seat)
        reply = self.process.ask(f"{question}\n".encode(errors="replace"), limit, self.deadline)
        try:
            return self._read(p, reply)
        except PlayerFault as fault:
            answer = reply[:60].decode(errors="replace").strip()
            fault.given = fault.given or f"sent {question!r} and replied {answer!r}"
            raise

    def _read(self, p: Any, reply: bytes) -> Any:
        """Return the move, or the distribution over moves, that a line states."""
        try:
            text = reply.decode().strip()
        except UnicodeDecodeError as error:
            self.close()  # as after any answer that is not like a move: it may be out of step
            raise PlayerFault("wrong type", f"{reply[:60]!r} is not UTF-8") from error
        if not text.startswith("{"):
            return self._move(p, text)
        stated = parse_object(reply)
        kind, texts = stated.get("fault"), [stated.get(name, "") for name in STATED]
        if kind in ANSWERED and "detail" in stated and all(isinstance(t, str) for t in texts):
            detail, hint, given = texts
            raise PlayerFault(str(kind), detail, hint, given=given)
        shares = stated.get("probabilities")
        if not isinstance(shares, dict) or not all(
            isinstance(x, int | float) for x in shares.values()
        ):
            raise PlayerFault("ended", INVALID)
        return {self._move(p, label): share for label, share in shares.items()}

    def _move(self, p: Any, label: str) -> Any:
        hint = self._mistakes.hint(label, lambda meant: find_move(self.game, p, meant))
        try:
            return find_move(self.game, p, label)
        except IllegalMoveError as error:
            detail = f"{printable(label, 40)!r} is not a legal move"
            if not label.lstrip("-").isdecimal():  # perhaps a greeting, and the answer follows
                self.close()
                detail += ONLY
            raise PlayerFault("illegal move", detail, hint) from error


class PythonPlayer(ExternalPlayer):
    """A function or another callable in a Python file or module; its `settings` are as above."""

    def __init__(
        self, spec: str, game: Game[Any, Any], convention: str, seed: int, *settings: Any
    ) -> None:
        super().__init__(spec, game, *settings)
        arguments = (convention, *shape_for(game, convention), seed)
        self._arguments = (spec, *map(str, arguments))
        self.process = self.start()
        self.deterministic = self.deterministic or self.claims_deterministic

    def start(self) -> Process:
        process, self.claims_deterministic = start_host(
            self.name, self._arguments, self.show_output, self.deadline
        )
        return process

    def question(self, p: Any, seat: str) -> str:
        moves = {str(self.game.label(p, m)): self.game.code(m) for m in self.game.moves(p)}
        return f"{super().question(p, seat)}\t{json.dumps(moves)}"


class CommandPlayer(ExternalPlayer):
    """A program in any language, named as `command:PROGRAM ARGUMENTS`; no shell runs it."""

    def __init__(self, spec: str, game: Game[Any, Any], *settings: Any) -> None:
        super().__init__(spec, game, *settings)
        try:
            self._command = shlex.split(spec.removeprefix(COMMAND))
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
        return Process(self._command, self.show_output, advise=True)


def _shift(number: int) -> Callable[[Any], str]:
    """Return a function that adds a number to a label."""
    return lambda label: str(int(label) + number)


def start_host(
    name: str, arguments: Sequence[str], show_output: bool, deadline: float
) -> tuple[Process, bool]:
    """Run the program of `external_host`, which loads a player, in a process of its own.

    Return that, and whether the player says that it is deterministic. Raises UnknownPlayerError if
    it cannot be loaded.
    """
    code = f"{HOST}external_host import run_player; run_player()"
    process = Process([sys.executable, "-P", "-c", code, *arguments], show_output)
    try:
        loaded = parse_object(process.receive(LOADING, deadline))
        if "deterministic" not in loaded:
            fault = loaded.get("fault")
            raise UnknownPlayerError(printable(fault if isinstance(fault, str) else INVALID))
    except PlayerFault as fault:
        process.close()
        raise UnknownPlayerError(f"the player {name} cannot be loaded: {fault.detail}") from fault
    except BaseException:  # Ctrl-C during loading is one
        process.close()
        raise
    return process, loaded["deterministic"] is True


def parse_object(line: bytes) -> dict[str, Any]:
    """Return a JSON object; raises PlayerFault if the line is none."""
    try:
        reply = json.loads(line)
    except (ValueError, RecursionError):
        reply = None
    if not isinstance(reply, dict):
        raise PlayerFault("ended", INVALID)
    return reply
