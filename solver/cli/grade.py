"""The command grade: an audit of players."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from time import monotonic
from typing import Annotated, Any, NamedTuple

import typer

from solver.agent.agent import TableAgent, open_agent
from solver.arena.audit import TOTAL, grade
from solver.arena.grade import REQUIREMENTS, Grade, ungraded
from solver.cli import options, player_options
from solver.cli.output import CheckFailedError, echo, print_json, print_rows, progress, report
from solver.errors import InexactPlayerError, UnknownPlayerError
from solver.files import save
from solver.players import load_player
from solver.players.player import LATE, LIMIT
from solver.proof.repeat import processors
from solver.reports import grade_text
from solver.solving.executors import start_workers
from solver.units import counted, format_duration

TOGETHER = 160.0  # seconds that several players have together by default
AT_ONCE = 4  # players for each processor, so that one that waits or hangs stops no other
AGAIN, MARGIN = 1.25, 1.5  # asking again takes a quarter more, and all else some seconds

Seats = Annotated[
    str, options.choice("--as", ("first", "second", "both"), "Choose the sides to grade.")
]
Require = Annotated[
    str | None,
    options.choice("--require", REQUIREMENTS, "Exit with status 1 unless all players qualify."),
]
Outputs = Annotated[
    list[str] | None,
    options.output(
        "FILE",
        "Write the grades as a page, FILE.html, or as a table, FILE.csv; or both, with two -o.",
    ),
]
Total = Annotated[
    float | None,
    options.option(
        "--total",
        "SECONDS",
        "Allow each player this long for everything.",
        f"{TOTAL:g}, or for several players a share of {TOGETHER:g}",
        min=0,
    ),
]
Workers = Annotated[
    int | None,
    options.option(
        "--workers", "N", "Grade N players at once.", f"{AT_ONCE} for each processor", min=1
    ),
]
ShowOutput = Annotated[
    bool,
    typer.Option(
        "--show-output",
        help="Show what custom players print, and the traceback of their first exception.",
    ),
]
Sample = Annotated[
    int | None,
    options.option("--sample", "N", "Ask about N random positions only.", "all", min=1),
]


def grade_command(
    players: player_options.Players,
    game: options.Game = "tictactoe",
    table: options.Table = None,
    seats: Seats = "both",
    require: Require = None,
    output: Outputs = None,
    convention: player_options.Convention = None,
    deterministic: player_options.Deterministic = False,
    limit: player_options.Limit = LIMIT,
    total: Total = None,
    workers: Workers = None,
    show_output: ShowOutput = False,
    sample: Sample = None,
    as_json: options.Json = False,
) -> None:
    """Grade players on every position that they can reach."""
    if require is not None and sample is not None:
        raise ValueError(f"--sample cannot show {require}: leave out --require or --sample")
    for path in output or ():
        options.check_output(path, "the file", ".html", ".csv")
        import solver.reports.grade_files  # noqa: F401 -- a missing part is named before the work
    agent = _opened(game, table)
    names = player_options.expand_players(players)
    for name in names:  # reports a mistyped name before the work starts
        if ":" not in name and not name.endswith(".py"):
            load_player(name, agent)
    settings: dict[str, Any] = {"seats": seats, "sample": sample}
    settings["convention"] = convention or player_options.usual_convention(agent.game)
    settings["deterministic"] = deterministic
    settings |= {"limit": limit, "show_output": show_output}
    settings["claims"] = require is None  # a bot that must qualify cannot vouch for itself
    source = grade_text.game_options(game, table)
    grades: list[Grade] = []
    for grades in _grades(names, (game, table), total, workers, settings):
        if len(grades) < len(names):
            _write(grades, [path for path in output or () if _is_csv(path)], agent, source)
    if len(grades) == 1 and grades[0].is_unloaded:
        raise UnknownPlayerError(grades[0].faults[0].detail)
    _write(grades, output or (), agent, source)
    for path in output or ():
        report(f"wrote {path}")
    _print(grades, source, as_json)
    kinds = {fault.kind for one in grades for fault in one.faults}
    if kinds & {"exception", "ended"} and not show_output:
        report("add --show-output to see what the players print, and their first exceptions")
    _judge(grades, require)


_opened = cache(open_agent)  # in each process that grades some of the players


def _grades(
    names: Sequence[str],
    source: tuple[str, str | None],
    total: float | None,
    workers: int | None,
    settings: dict[str, Any],
) -> Iterator[list[Grade]]:
    """Yield the grades of players so far, in the order of their names, whenever there is another.

    Several are graded at once, in processes that open an agent of their own from `source`, the
    names of the game and the table. Without a `total`, they share TOGETHER seconds, and those that
    need more than their share are graded again in what is left. A player that cannot be loaded has
    a grade that says so. Raises OSError if a process is killed.
    """
    if len(names) == 1:
        with progress(names[0]) as show:
            alone: dict[str, Any] = {"progress": show, "report": report}
            alone |= {"total": TOTAL if total is None else total}
            yield [_grade(names[0], _opened(*source), settings | alone)]
        return
    workers = min(workers or AT_ONCE * processors(), len(names))
    _announce(len(names), workers, total)
    found: dict[int, Grade] = {}
    had: dict[int, float] = {}  # the seconds of each
    late: list[int] = []
    end = monotonic() + TOGETHER

    def call(number: int, left: int) -> tuple[Any, ...]:
        time = Share(end, left, workers) if total is None else total
        return names[number], source, settings, time

    with progress("players") as show, start_workers(workers) as pool:
        show(0, len(names))
        calls = [call(number, len(names) - number) for number in range(len(names))]
        for number, (one, note, seconds) in pool.run(_grade_apart, calls):
            found[number], had[number] = one, seconds
            if note:
                report(note)
            if total is None and _needs_time(one):
                late.append(number)
            report(f"{len(found)} of {len(names)}: {grade_text.verdict(one)}")
            show(len(found), len(names))
            yield [found[n] for n in sorted(found)]
        late = [n for n in late if had[n] < Share(end, len(late), workers).seconds()]
        if late:
            report(f"asking {counted(len(late), 'player')} again, with more time")
            for index, (one, *_) in pool.run(_grade_apart, [call(n, len(late)) for n in late]):
                report(f"again: {grade_text.verdict(one)}")
                if _answered(one) > _answered(found[late[index]]):
                    found[late[index]] = one
    yield [found[n] for n in sorted(found)]


def _announce(count: int, workers: int, total: float | None) -> None:
    """Report how long the grades of several players take at most."""
    most = max(TOGETHER, count * MARGIN / workers)
    more = "; --total gives each of them more time"
    if total is not None:
        most, more = count * (total * AGAIN + MARGIN) / workers, ""
    report(f"grading {count} players, {workers} at once: at most {format_duration(most)}{more}")


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
        one = _grade(name, _opened(*source), settings | {"total": seconds} | changed)
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


def _is_csv(path: str) -> bool:
    return path.lower().endswith(".csv")


def _write(
    grades: list[Grade], paths: Sequence[str], agent: TableAgent[Any, Any], source: str
) -> None:
    """Write the grades to files."""
    from solver.reports.grade_files import csv_text, page

    for path in paths:
        text = csv_text(grades) if _is_csv(path) else page(grades, agent.game, source)
        save(path, text.encode())


def _judge(grades: list[Grade], require: str | None) -> None:
    """Raise CheckFailedError if a player does not meet what is required."""
    if require is None:
        return
    unmet = [one for one in grades if not one.meets(require)]
    if not unmet:
        return
    reason = f"required: {require}; not met by {', '.join(one.player for one in unmet)}"
    sampled = [one.player for one in unmet if one.method == "sampled"]
    if sampled:
        reason += (
            f"; a sample of the moves of {', '.join(sampled)} does not show it: declare"
            " --deterministic, or return probabilities that do not change"
        )
    raise CheckFailedError(reason)


def _print(grades: list[Grade], source: str, as_json: bool) -> None:
    """Print a report on one player, or a line for each of several."""
    if as_json:
        data = [one.as_dict() for one in grades]
        print_json(data[0] if len(data) == 1 else data)
        return
    if len(grades) == 1:
        echo(grade_text.text(grades[0], source))
        return
    print_rows(grade_text.summary(grades))
    for remark in grade_text.summary_remarks(grades):
        echo(remark)
