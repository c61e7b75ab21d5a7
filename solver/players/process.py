"""A process that answers one line for each line it is sent, within a limit and bounded memory.

Whatever the process does, this one continues: it never blocks on a pipe and reads no more than one
answer. Every breach is a PlayerFault, after which the process is of no use: close it.

A limit counts CPU time, of the process and all below it, where the system reports it (Linux), and
BACKSTOP times as much by the clock; elsewhere it counts the clock. The first tenth of a limit, at
most a second, is free, so that fast answers need no look at the CPU time. A deadline is a time of
`time.monotonic`.
"""

from __future__ import annotations

import math
import os
import select
import subprocess
import sys
from time import monotonic
from typing import TYPE_CHECKING

from solver.errors import UnknownPlayerError
from solver.players import keeper
from solver.players.player import PlayerFault

if TYPE_CHECKING:
    from collections.abc import Sequence

BACKSTOP = 10
LONGEST = 1 << 20  # bytes of an answer
PIECE = 1 << 16  # bytes read at once
PATIENCE = 10.0  # seconds in which the keeper ends everything
LOOK = 0.2  # seconds between looks at whether the keeper is there
FLUSH = " (does it flush its output and end its line?)"
ONLY = "; a bot must print its answers and nothing else"
NO_FORK = "custom players run on Linux and macOS only (on Windows: in WSL)"


class Process:
    """A command that runs as a process of its own, below a keeper.

    Its standard error is this process's if `show_output`, else it is discarded. If `advise`, the
    messages say what a program may have forgotten. Raises UnknownPlayerError where there is no
    `fork`.
    """

    def __init__(self, command: Sequence[str], show_output: bool, advise: bool = False) -> None:
        if not hasattr(os, "fork"):
            raise UnknownPlayerError(NO_FORK)
        self._mark = os.urandom(16).hex()
        self.popen = subprocess.Popen(
            [sys.executable, "-I", "-S", keeper.__file__, *command],
            bufsize=0,
            env=os.environ | {keeper.MARK: self._mark},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if show_output else subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is not for the player
        )
        assert self.popen.stdin is not None
        assert self.popen.stdout is not None
        self._input, self._output = self.popen.stdin, self.popen.stdout
        self._writable, self._readable = select.poll(), select.poll()
        os.set_blocking(self._input.fileno(), False)
        self._writable.register(self._input, select.POLLOUT)
        self._readable.register(self._output, select.POLLIN)
        self._advise = advise
        self.answered = 0
        self._unsent = self._received = b""

    def ask(self, question: bytes, limit: float, deadline: float = math.inf) -> bytes:
        """Send a line and return the line that answers it; raises PlayerFault."""
        early = self._read(0)
        if early:
            raise self._surplus(f"{_shown(early)} before it was asked")
        self._unsent = question
        line = self.receive(limit, deadline)
        self.answered += 1
        return line

    def receive(self, limit: float, deadline: float = math.inf) -> bytes:
        """Return the next line; raises PlayerFault if it is late, invalid or does not come."""
        started, before, elapsed = monotonic(), None, 0.0
        left = free = min(limit / 10, 1.0)
        end = max(deadline - started, 0)
        while True:
            line = self._step(max(0, min(left, end - elapsed, LOOK)))
            if line is not None:
                return line
            elapsed = monotonic() - started
            left = free - elapsed
            if left > 0 and elapsed < end:
                continue
            seconds = keeper.descendants(self.popen.pid).values()  # none if they are unknown
            before = sum(seconds) if before is None else before
            used = sum(seconds) - before if seconds else None
            most = BACKSTOP * limit if used is not None else limit
            if elapsed >= min(most, end):
                idle = used is None or used < elapsed / 10
                raise self._too_slow(f"{round(min(most, end), 2):g} s", idle)
            if used is not None and used >= limit:
                raise self._too_slow(f"{limit:g} s of CPU time")
            left = min(limit - (used or 0), most - elapsed)
            left = max(left / 4, 0.02)  # several processors may use it up together

    def close(self) -> None:
        """End the process and those that it started; calling it again does nothing."""
        self._input.close()
        self.popen.terminate()
        try:
            self.popen.wait(PATIENCE)
        except subprocess.TimeoutExpired:  # the player has stopped its keeper
            self.popen.kill()
            self.popen.wait()
        self._output.close()
        if self.popen.returncode < 0:
            keeper.kill_orphans(self.popen.pid, self._mark)

    def _step(self, timeout: float) -> bytes | None:
        """Send or read what is possible within a timeout; return a line once it is complete."""
        gone = self.popen.poll() is not None  # a bot may kill its keeper
        if self._unsent and not gone:
            self._unsent = self._unsent[self._write(self._unsent, timeout) :]
            return None
        piece = self._read(0 if gone else timeout)
        if piece is None:
            if gone:  # another process holds its output open
                raise PlayerFault("ended", self._ended())
            return None
        self._received += piece
        line, end, rest = self._received.partition(b"\n")
        if rest or len(self._received) > LONGEST:
            raise self._surplus(f"more than a line: {_shown(self._received)}")
        if not piece:
            raise PlayerFault("ended", self._ended())
        if not end:
            return None
        self._received = b""
        return line

    def _write(self, data: bytes, timeout: float) -> int:
        """Write what is possible; return how many bytes that is, all if nobody reads any more."""
        if not self._writable.poll(min(timeout * 1000, 1e9)):
            return 0
        try:
            return os.write(self._input.fileno(), data)
        except OSError as error:
            return 0 if isinstance(error, BlockingIOError) else len(data)

    def _read(self, timeout: float) -> bytes | None:
        """Return what has arrived, b"" at the end of the output, or None if nothing has."""
        ready = self._readable.poll(min(timeout * 1000, 1e9))
        return os.read(self._output.fileno(), PIECE) if ready else None

    def _too_slow(self, most: str, idle: bool = False) -> PlayerFault:
        what = "it does not read its input: " if self._unsent else ""
        if self._received:
            what = f"it wrote {_shown(self._received)} without the end of a line: "
        advice = FLUSH if idle and self._advise and not what else ""
        return PlayerFault("too slow", f"{what}no answer within {most}{advice}")

    def _surplus(self, what: str) -> PlayerFault:
        return PlayerFault("surplus output", f"it wrote {what}{ONLY * self._advise}")

    def _ended(self) -> str:
        try:
            return f"its process has ended with status {self.popen.wait(1.0)}"
        except subprocess.TimeoutExpired:
            return "it has closed its output"


def _shown(data: bytes) -> str:
    return ascii(data[:60].decode(errors="replace"))
