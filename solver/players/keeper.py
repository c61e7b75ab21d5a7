"""Runs a bot as its child and kills whatever the bot has left behind before it exits.

    python keeper.py COMMAND [ARGUMENT ...]

On SIGTERM, or when its parent is gone, it gives the child GRACE seconds to exit. On Linux it kills
every descendant, even one that called `setsid`; elsewhere the child's process group. If the bot
kills it, its parent calls `kill_orphans`. It imports only what every Python has, so that it starts
fast.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

GRACE = 0.5  # seconds to exit after the end of input
PATIENCE = 5.0  # seconds of killing processes that keep starting others
LOOK = 0.5  # seconds between looks at whether the parent is there
SET_PDEATHSIG, SET_CHILD_SUBREAPER = 1, 36  # of Linux's prctl
MARK = "PERFECTPLAY_KEEPER"  # a variable of the environment, by which a keeper's orphans are known


def processes() -> Iterator[tuple[int, list[bytes]]]:
    """Yield every process and the fields of its `stat` from the state on; none without /proc."""
    for name in os.listdir("/proc") if os.path.exists("/proc/self/stat") else ():
        if name.isdigit():
            with suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
                yield int(name), file.read().rpartition(b")")[2].split()


def descendants(pid: int) -> dict[int, float]:
    """Return a process and all below it, with the CPU seconds of each and its ended children.

    Where there is no /proc, nothing is returned.
    """
    tick = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 1
    alive = {
        child: (int(fields[1]), sum(map(int, fields[11:15])) / tick)
        for child, fields in processes()
    }
    below, size = {pid} & alive.keys(), 0
    while size < len(below):
        size = len(below)
        below |= {child for child, (parent, _) in alive.items() if parent in below}
    return {child: alive[child][1] for child in below}


def main(command: list[str]) -> None:
    """Run the command, then exit with its status as shells write it."""
    parent, status, ending = os.getppid(), 0, False

    def end(number: int, _: object) -> None:
        """Interrupt the wait, once, if the parent wants this program to end, or is gone."""
        nonlocal ending
        if not ending and (number == signal.SIGTERM or os.getppid() != parent):
            ending = True
            raise InterruptedError

    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})  # until `child` is known
    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGALRM, end)
    _prctl(SET_CHILD_SUBREAPER, 1)
    child = os.fork()
    if child == 0:
        _run(command)
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        signal.setitimer(signal.ITIMER_REAL, LOOK, LOOK)
        for stream in (0, 1):  # so that the child's are the only ends of the pipes
            os.dup2(os.open(os.devnull, os.O_RDWR), stream)
        ended = 0
        while ended != child:  # or an orphan
            ended, status = os.waitpid(-1, 0)
        status = os.waitstatus_to_exitcode(status)
        ending = True
    except InterruptedError:
        deadline = time.monotonic() + GRACE
        with suppress(ChildProcessError):
            while time.monotonic() < deadline and os.waitpid(child, os.WNOHANG)[0] != child:
                time.sleep(0.01)
    for kill in (os.killpg, os.kill):
        with suppress(OSError):
            kill(child, signal.SIGKILL)
    _kill(lambda: descendants(os.getpid()).keys() - {os.getpid()})
    os._exit(status if status >= 0 else 128 - status)


def _run(command: list[str]) -> None:
    """Become the command, which dies with this program, and first if memory runs out."""
    os.setpgid(0, 0)  # a signal to its own group does not reach this program
    _prctl(SET_PDEATHSIG, signal.SIGKILL)
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # which Python ignores
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    with suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
    with suppress(OSError):
        os.execvp(command[0], command)
    os._exit(127)  # as shells do


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def kill_orphans(keeper: int, mark: str) -> None:
    """Kill what a keeper that was killed has left: its session, and all with its mark."""
    name = f"{MARK}={mark}".encode()

    def left() -> set[int]:
        alive = [(pid, int(fields[3])) for pid, fields in processes() if fields[0] != b"Z"]
        return {pid for pid, session in alive if session == keeper or name in _environment(pid)}

    _kill(left)


def _environment(pid: int) -> list[bytes]:
    with suppress(OSError), open(f"/proc/{pid}/environ", "rb") as file:
        return file.read().split(b"\0")
    return []


def _kill(left: Callable[[], set[int]]) -> None:
    """Kill processes until none is left, and reap those that are children of this one."""
    deadline = time.monotonic() + PATIENCE
    while (pids := left()) and time.monotonic() < deadline:
        for pid in pids:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(pid, os.WNOHANG)


if __name__ == "__main__":
    main(sys.argv[1:])
