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
import queue
import select
import subprocess
import sys
import threading
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

from solver.players import keeper
from solver.players.player import PlayerFault

if TYPE_CHECKING:
    from collections.abc import Sequence

BACKSTOP = 10
LONGEST = 1 << 20  # bytes of an answer
CHUNK = 1 << 16  # bytes read at once
PATIENCE = 10.0  # seconds in which the keeper ends everything
LOOK = 0.2  # seconds between looks at whether the keeper is there
FLUSH = " (does it flush its output and end its line?)"
ONLY = "; a bot must print its answers and nothing else"
ONCE = "; write command-once: in place of command: for a program that answers one question"


class Process:
    """A command that runs as a process of its own, below a keeper where there is `fork`.

    Its standard error is this process's if `show_output`, else it is discarded. If `once`, the
    process answers one question, which is all of its input, by all of its output. If `advise`, the
    messages say what a program may have forgotten.
    """

    def __init__(
        self, command: Sequence[str], show_output: bool, once: bool = False, advise: bool = False
    ) -> None:
        kept = hasattr(os, "fork")
        keeping = [sys.executable, "-I", "-S", keeper.__file__] if kept else []
        self._mark = os.urandom(16).hex() if kept else ""
        self.popen = subprocess.Popen(
            [*keeping, *command],
            bufsize=0,
            env=os.environ | {keeper.MARK: self._mark},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if show_output else subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is not for the player
        )
        self._pipes = (Pipes if kept else ThreadedPipes)(self.popen)
        self._once, self._advise = once, advise
        self.answered = 0
        self._unsent = self._received = b""

    def ask(self, question: bytes, limit: float, deadline: float = math.inf) -> bytes:
        """Send a line and return the line that answers it; raises PlayerFault."""
        early = self._pipes.read(0)
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
            cpu = self._cpu_time()
            before = cpu if before is None else before
            used = None if cpu is None or before is None else cpu - before
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
        self._pipes.input.close()
        self.popen.terminate()
        try:
            self.popen.wait(PATIENCE)
        except subprocess.TimeoutExpired:  # the player has stopped its keeper
            self.popen.kill()
            self.popen.wait()
        self._pipes.close()
        if self._mark and self.popen.returncode < 0:
            keeper.kill_orphans(self.popen.pid, self._mark)

    def _step(self, timeout: float) -> bytes | None:
        """Send or read what is possible within a timeout; return a line once it is complete."""
        gone = self._mark and self.popen.poll() is not None  # a bot may kill its keeper
        if self._unsent and not gone:
            self._unsent = self._unsent[self._pipes.write(self._unsent, timeout) :]
            if self._once and not self._unsent:
                self._pipes.input.close()
            return None
        chunk = self._pipes.read(0 if gone else timeout)
        if chunk is None:
            if gone:  # another process holds its output open
                raise PlayerFault("ended", self._ended())
            return None
        self._received += chunk
        line, end, rest = self._received.partition(b"\n")
        if rest or len(self._received) > LONGEST:
            raise self._surplus(f"more than a line: {_shown(self._received)}")
        if not chunk and not (self._once and self._received):
            raise PlayerFault("ended", self._ended())
        if chunk and (self._once or not end):
            return None
        self._received = b""
        return line

    def _cpu_time(self) -> float | None:
        """Return the seconds that the process and all below it have used, or None if unknown."""
        found = keeper.descendants(self.popen.pid).values()
        return sum(found) if found else None

    def _too_slow(self, most: str, idle: bool = False) -> PlayerFault:
        what = "it does not read its input: " if self._unsent else ""
        if self._received:
            end = "and does not end" if self._once else "without the end of a line"
            what = f"it wrote {_shown(self._received)} {end}: "
        advice = FLUSH if idle and self._advise and not what else ""
        return PlayerFault("too slow", f"{what}no answer within {most}{advice}")

    def _surplus(self, what: str) -> PlayerFault:
        return PlayerFault("surplus output", f"it wrote {what}{ONLY * self._advise}")

    def _ended(self) -> str:
        advice = ONCE if self._advise and self.answered == 1 else ""
        try:
            return f"its process has ended with status {self.popen.wait(1.0)}{advice}"
        except subprocess.TimeoutExpired:
            return "it has closed its output"


def _shown(data: bytes) -> str:
    return ascii(data[:60].decode(errors="replace"))


class Pipes:
    """The standard streams of a process, never waited for longer than a timeout in seconds."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.input, self.output = process.stdin, process.stdout
        self._start()

    def _start(self) -> None:
        self._writable, self._readable = select.poll(), select.poll()
        os.set_blocking(self.input.fileno(), False)
        self._writable.register(self.input, select.POLLOUT)
        self._readable.register(self.output, select.POLLIN)

    def write(self, data: bytes, timeout: float) -> int:
        """Write what is possible; return how many bytes that is, all if nobody reads any more."""
        if not self._writable.poll(min(timeout * 1000, 1e9)):
            return 0
        try:
            return os.write(self.input.fileno(), data)
        except OSError as error:
            return 0 if isinstance(error, BlockingIOError) else len(data)

    def read(self, timeout: float) -> bytes | None:
        """Return what has arrived, b"" at the end of the output, or None if nothing has."""
        ready = self._readable.poll(min(timeout * 1000, 1e9))
        return os.read(self.output.fileno(), CHUNK) if ready else None

    def close(self) -> None:
        self.output.close()


class ThreadedPipes(Pipes):
    """The same where pipes cannot be polled, as on Windows: two threads do the waiting."""

    def _start(self) -> None:
        self._chunks: queue.Queue[bytes] = queue.Queue(1)
        self._writer: threading.Thread | None = None
        self._closed = False
        threading.Thread(target=self._read_all, daemon=True).start()

    def _read_all(self) -> None:
        """Read to the end, then close the output: while this reads, its number stays taken."""
        with self.output, suppress(OSError):
            while not self._closed and (chunk := os.read(self.output.fileno(), CHUNK)):
                self._chunks.put(chunk)
        if not self._closed:
            self._chunks.put(b"")

    def _write_all(self, data: bytes) -> None:
        with suppress(OSError, ValueError):
            self.input.write(data)

    def write(self, data: bytes, timeout: float) -> int:
        if self._writer is None:
            self._writer = threading.Thread(target=self._write_all, args=(data,), daemon=True)
            self._writer.start()
        self._writer.join(timeout)
        if self._writer.is_alive():
            return 0
        self._writer = None
        return len(data)

    def read(self, timeout: float) -> bytes | None:
        try:
            chunk = self._chunks.get(timeout > 0, timeout)
        except queue.Empty:
            return None
        if not chunk:
            self._chunks.put(chunk)  # the end stays the end
        return chunk

    def close(self) -> None:
        self._closed = True
        with suppress(queue.Empty):
            self._chunks.get_nowait()  # lets the reader end
