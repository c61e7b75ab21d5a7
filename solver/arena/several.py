"""Grades of several players at once, in processes that share the time.

Takes the names of players and of a game and its table; yields the grades so far.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from time import monotonic
from typing import Any, NamedTuple

from solver.agent.agent import TableAgent, open_agent
from solver.arena.answers import Progress
from solver.arena.audit import TOTAL, grade
from solver.arena.grade import Grade, ungraded
from solver.errors import InexactPlayerError, UnknownPlayerError
from solver.players.player import LATE
from solver.proof.repeat import processors
from solver.solving.executors import start_workers
from solver.units import counted, format_duration

TOGETHER = 160.0  # seconds that several players have together by default
AT_ONCE = 4  # players for each processor, so that one that waits or hangs stops no other
AGAIN, MARGIN = 1.25, 1.5  # asking again takes a quarter more, and all else some seconds

opened = cache(open_agent)  # in each process that grades some of the players


def grade_several(
    names: Sequence[str],
    source: tuple[str, str | None],
    total: float | None,
    workers: int | None,
    settings: dict[str, Any],
    progress: Progress,
    report: Callable[[str], None],
    said: Callable[[str, Grade], None],
) -> Iterator[list[Grade]]:
    """Yield the grades of players so far, in the order of their names, whenever there is another.

    Several are graded at once, in processes that open an agent of their own from `source`, the
    names of the game and the table. Without a `total`, they share TOGETHER seconds, and those that
    need more than their share are graded again in what is left. A player that cannot be loaded has
    a grade that says so. `progress` is called as by `grade` for one player, else with the numbers
    of players, and `said` with each grade and which it is. Raises OSError if a process is killed.
    """
    if len(names) == 1:
        alone: dict[str, Any] = {"progress": progress, "report": report}
        alone |= {"total": TOTAL if total is None else total}
        yield [_grade(names[0], opened(*source), settings | alone)]
        return
    workers = min(workers or AT_ONCE * processors(), len(names))
    report(_announcement(len(names), workers, total))
    found: dict[int, Grade] = {}
    had: dict[int, float] = {}  # the seconds of each
    late: list[int] = []
    end = monotonic() + TOGETHER

    def call(number: int, left: int) -> tuple[Any, ...]:
        time = Share(end, left, workers) if total is None else total
        return names[number], source, settings, time

    with start_workers(workers) as pool:
        progress(0, len(names))
        calls = [call(number, len(names) - number) for number in range(len(names))]
        for number, (one, note, seconds) in pool.run(_grade_apart, calls):
            found[number], had[number] = one, seconds
            if note:
                report(note)
            if total is None and _needs_time(one):
                late.append(number)
            said(f"{len(found)} of {len(names)}", one)
            progress(len(found), len(names))
            yield [found[n] for n in sorted(found)]
        late = [n for n in late if had[n] < Share(end, len(late), workers).seconds()]
        if late:
            report(f"asking {counted(len(late), 'player')} again, with more time")
            for index, (one, *_) in pool.run(_grade_apart, [call(n, len(late)) for n in late]):
                said("again", one)
                if _answered(one) > _answered(found[late[index]]):
                    found[late[index]] = one
    yield [found[n] for n in sorted(found)]


def _announcement(count: int, workers: int, total: float | None) -> str:
    """Return how long the grades of several players take at most."""
    most = max(TOGETHER, count * MARGIN / workers)
    more = "; --total gives each of them more time"
    if total is not None:
        most, more = count * (total * AGAIN + MARGIN) / workers, ""
    return f"grading {count} players, {workers} at once: at most {format_duration(most)}{more}"


class Share(NamedTuple):
    """The time of a player that shares what there is until `end` with `left` players."""

    end: float
    left: int
    workers: int

    def seconds(self) -> float:
        """Return the seconds that it has for all answers, if it starts now."""
        each = (self.end - monotonic()) * min(1.0, self.workers / self.left)
        return max(1.0, (each - MARGIN) / AGAIN)


def _needs_time(one: Grade) -> bool:
    """Return whether more time might change a grade; one that hangs has had enough."""
    is_late = one.is_unloaded and LATE in one.faults[0].detail
    return is_late or (one.needs_time and one.is_graded and not one.hangs)


def _answered(one: Grade) -> int:
    """Return how many answers a grade rests on."""
    return one.all.positions if one.all else 0


def _grade_apart(
    name: str, source: tuple[str, str | None], settings: dict[str, Any], total: float | Share
) -> tuple[Grade, str, float]:
    """Return the grade of one of several players, in whichever process this is, and a note.

    The last part is how many seconds the player had. One that is not deterministic although it is
    declared so is asked again, as the note says.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that what it has started is ended

    def once(note: str, **changed: bool) -> tuple[Grade, str, float]:
        seconds = total.seconds() if isinstance(total, Share) else total
        one = _grade(name, opened(*source), settings | {"total": seconds} | changed)
        return one, note, seconds

    try:
        return once("")
    except InexactPlayerError as error:
        note = f"{error}. It was asked again without --deterministic"
        return once(note, deterministic=False, claims=False)


def _grade(name: str, agent: TableAgent[Any, Any], settings: dict[str, Any]) -> Grade:
    """Return the grade of a player, or one that says why it cannot be loaded."""
    try:
        return grade(name, agent, **settings)
    except UnknownPlayerError as error:  # which does not stop the others
        return ungraded(name, agent.game.spec, settings["seats"], str(error))
