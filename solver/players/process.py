"""A process that answers one line for each line it is sent, within a limit and bounded memory.

Whatever the process does, this one continues: it never blocks on a pipe and reads no more than one
answer. Every breach is a PlayerFault, after which the process is of no use: close it.

The process leads a session of its own. Once it has ended or is closed, its group is killed: it and
what it has started, except for what has left the group. If this process dies, it sees the end of
its input. A limit is in seconds by the clock, and a deadline a time of `time.monotonic`.
"""

from __future__ import annotations

import math
import os
import select
import signal
import subprocess
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from solver.errors import UnknownPlayerError
from solver.players.player import LATE, PlayerFault

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST = 1 << 20  # bytes of an answer
PIECE = 1 << 16  # bytes read at once
GRACE = 0.5  # seconds to exit after the end of input
PATIENCE = 5.0  # seconds in which a killed process ends, unless it is another user's
LOOK = 0.2  # seconds between looks at whether the process has ended
FLUSH = " (does it flush its output and end its line?)"
AGAIN = "; a bot is asked many times, and must read lines until its input ends"
ONLY = "; a bot must print one move a line and nothing else"
NO_FORK = "custom players run on Linux and macOS only (on Windows: in WSL)"


class Process:
    """A command that runs as a process of its own.

    Its standard error is this process's if `show_output`, else it is discarded. If `advise`, the
    messages say what a program may have forgotten. Raises UnknownPlayerError if the command cannot
    be run, and where there is no `fork`.
    """

    def __init__(self, command: Sequence[str], show_output: bool, advise: bool = False) -> None:
        if not hasattr(os, "fork"):
            raise UnknownPlayerError(NO_FORK)
        try:
            self.popen = subprocess.Popen(
                command,
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=None if show_output else subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is not for the player
            )
        except OSError as error:
            raise UnknownPlayerError(f"{command[0]} cannot be run: {error.strerror}") from error
        assert self.popen.stdin is not None
        assert self.popen.stdout is not None
        with suppress(OSError):  # if memory runs out, Linux ends the bot first
            Path(f"/proc/{self.popen.pid}/oom_score_adj").write_text("1000")
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
        started = monotonic()
        seconds = max(0, min(limit, deadline - started))
        while True:
            left = started + seconds - monotonic()
            line = self._step(max(0, min(left, LOOK)))  # also when the time is up: it may be there
            if line is not None:
                return line
            if left <= 0:
                raise self._too_slow(seconds)

    def close(self) -> None:
        """End the process and those of its group; calling it again does nothing."""
        self._input.close()
        if not self._has_ended(GRACE):
            self._kill_group()
            self._has_ended(PATIENCE)
        self._output.close()

    def _has_ended(self, timeout: float = 0) -> bool:
        """Return whether the process ends within a timeout; what is left of its group is killed."""
        if self.popen.returncode is None:
            try:
                self.popen.wait(timeout)
            except subprocess.TimeoutExpired:
                return False
            self._kill_group()  # now, since the system may give its number to another one later
        return True

    def _kill_group(self) -> None:
        with suppress(OSError):  # there is none, or it is another user's
            os.killpg(self.popen.pid, signal.SIGKILL)

    def _step(self, timeout: float) -> bytes | None:
        """Send or read what is possible within a timeout; return a line once it is complete."""
        gone = self._has_ended()
        if self._unsent and not gone:
            self._unsent = self._unsent[self._write(self._unsent, timeout) :]
            return None
        piece = self._read(0 if gone else timeout)
        if piece is None:
            if gone:  # a process that has left the group holds the output open
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

    def _too_slow(self, seconds: float) -> PlayerFault:
        what, advice = "", ""
        if self._received:
            what = f"it wrote {_shown(self._received)} without the end of a line: "
        elif self._unsent:
            what = "it does not read its input: "
        elif self._advise:
            advice = FLUSH
        most = round(seconds, 2)
        return PlayerFault("too slow", f"{what}{LATE} {most:g} s{advice}")

    def _surplus(self, what: str) -> PlayerFault:
        only = ONLY if self._advise else ""
        return PlayerFault("surplus output", f"it wrote {what}{only}")

    def _ended(self) -> str:
        if not self._has_ended(1.0):
            return "it has closed its output"
        status = self.popen.returncode
        if status < 0:
            return f"its process was ended by signal {-status}, {signal.strsignal(-status)}"
        more = AGAIN if self._advise and status == 0 else ""
        return f"its process has ended with status {status}{more}"


def _shown(data: bytes) -> str:
    return ascii(data[:60].decode(errors="replace"))
