"""Prints results on standard output; reports progress and remarks on standard error.

rich is imported only for a terminal, because importing it takes longer than most commands.
"""

from __future__ import annotations

import math
import os
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import TYPE_CHECKING, Any

import typer

from solver.agent.text import align
from solver.errors import PerfectplayError, RulesChangedWarning, one_line
from solver.rules.game import Game, is_packaged
from solver.value import Outcome

if TYPE_CHECKING:
    from types import FrameType

    from rich.progress import Progress

WARNED: ContextVar[Sequence[str]] = ContextVar("WARNED", default=())  # what changed rules caused
PATIENCE = 5  # seconds
SOON, OFTEN = 2, 10  # seconds until it is said what is being done, and then until it is again
SLOW = 5  # seconds of one call of rules
PACKAGE = os.path.dirname(os.path.dirname(__file__)) + os.sep
STYLES = {Outcome.WIN: "bold blue", Outcome.DRAW: "", Outcome.LOSS: "red"}


class CheckFailedError(PerfectplayError):
    """A check failed: the command reports the message and ends with status 1."""


def echo(text: str = "", *, nl: bool = True, err: bool = False) -> None:
    """Print lines of printable characters: others, which may come from rules or bots, escaped."""
    typer.echo(plain_lines(text), nl=nl, err=err)


def plain_lines(text: str) -> str:
    """Return a text with every character escaped that is neither printable nor a line end."""
    return "\n".join(map(one_line, text.split("\n")))


def print_json(value: Any) -> None:
    """Print a value as one line of JSON; an object says so if rules have changed."""
    import json

    if isinstance(value, dict) and WARNED.get():
        value = {**value, "rules_changed": True}
    typer.echo(json.dumps(value))


def print_rows(rows: Sequence[Sequence[str]], outcomes: Sequence[Outcome | None] = ()) -> None:
    """Print rows as aligned columns, each row in the colour of its outcome, if it has one."""
    for line, outcome in zip(align(rows), outcomes or [None] * len(rows), strict=True):
        print_styled(line, outcome)


def print_styled(text: str, outcome: Outcome | None) -> None:
    """Print a line, in the outcome's colour if the terminal shows colours."""
    style = STYLES[outcome] if outcome is not None else ""
    if not style or not (sys.stdout.isatty() or "FORCE_COLOR" in os.environ):
        echo(text)
        return
    from rich.console import Console
    from rich.text import Text

    Console(soft_wrap=True).print(Text(plain_lines(text), style=style))


def report(text: str) -> None:
    """Print a remark for the user on standard error."""
    echo(f"perfectplay: {text}", err=True)


def report_doubts(game: Game[Any, Any]) -> None:
    """Report what the author of a custom game may have meant otherwise."""
    from solver.advice.doubts import doubts

    for text in () if is_packaged(game) else doubts(game):
        report(text)


@contextmanager
def changed_rules_reported() -> Iterator[None]:
    """Report once that rules have changed since their table was made."""
    show, reported = warnings.showwarning, list[str]()

    def report_change(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        *rest: Any,
        **more: Any,
    ) -> None:
        if category is not RulesChangedWarning:
            show(message, category, filename, lineno, *rest, **more)
        elif str(message) not in reported:
            reported.append(str(message))
            report(str(message))

    before = WARNED.set(reported)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", RulesChangedWarning)
            warnings.showwarning = report_change
            yield
    finally:
        WARNED.reset(before)


def still_searching() -> Callable[[int], None]:
    """Return a function that, called as a search goes on, reports once that it takes long."""
    due = 0.0  # counted from when a search first paused: rules may be compiled before

    def watch(nodes: int) -> None:
        nonlocal due
        due = due or time.monotonic() + PATIENCE
        if time.monotonic() > due:
            due = math.inf
            report(
                "still searching; a board with few stones may take minutes, and hours if it has"
                " more than 42 squares (Ctrl-C stops)"
            )

    return watch


@contextmanager
def slow_rules_reported() -> Iterator[None]:
    """Report each call of custom rules, in this thread, that runs for long."""
    ended, thread = threading.Event(), threading.get_ident()

    def look() -> None:
        before = said = None
        while not ended.wait(SLOW):
            call = _call_of_rules(sys._current_frames().get(thread))
            if call is not None and call is before and call is not said:
                code, values, said = call.f_code, call.f_locals, call
                game, *given = (values.get(name) for name in code.co_varnames[: code.co_argcount])
                with suppress(Exception):  # of a repr, which may be the rules' own
                    report(
                        f"{type(game).__name__}.{code.co_name}({', '.join(map(repr, given)):.200})"
                        f" has run for {SLOW} seconds; press Ctrl-C to stop"
                    )
            before = call

    with _beside(look, ended):
        yield


@contextmanager
def _beside(look: Callable[[], None], ended: threading.Event) -> Iterator[None]:
    """Run a function in a thread of its own, and set the event when the block ends."""
    threading.Thread(target=look, daemon=True).start()
    try:
        yield
    finally:
        ended.set()


def _call_of_rules(frame: FrameType | None) -> FrameType | None:
    """Return the outermost call of a method of a game outside this package; None if none runs."""
    call = None
    while frame is not None:
        code = frame.f_code
        if code.co_argcount and not code.co_filename.startswith(PACKAGE):
            game = frame.f_locals.get(code.co_varnames[0])
            call = frame if isinstance(game, Game) else call
        frame = frame.f_back
    return call


@contextmanager
def working(text: str | Callable[[], str]) -> Iterator[None]:
    """Report what is being done, in a line after two seconds and then every ten.

    `text` is that, or returns it with a number.
    """
    ended, started = threading.Event(), time.monotonic()

    def look() -> None:
        wait = SOON
        while not ended.wait(wait):
            seconds = round(time.monotonic() - started)
            report(f"{text if isinstance(text, str) else text()}, after {seconds} s")
            wait = OFTEN

    with _beside(look, ended):
        yield


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show the progress of one thing; the function that it gives is called with done and total."""
    with solve_progress(what, unit="") as show:
        yield lambda done, total: show(f"{one_line(what)}:", done, total)


@contextmanager
def solve_progress(
    first: str = "", unit: str = " positions"
) -> Iterator[Callable[[str, int, int | None], None]]:
    """Show the progress of a solve, stage by stage, and its speed; `first` is done before.

    The function that it gives is called with the name of the stage, the positions done and their
    total, if known. Without a terminal, lines are printed.
    """

    def amount(done: int, total: int | None) -> str:
        return f"{done:,}" + (f" of {total:,}" if total is not None else "") + unit

    if not sys.stderr.isatty():
        reached = [first]

        def note(stage: str, done: int, total: int | None) -> None:
            reached[0] = f"{stage} {amount(done, total)}"

        with working(lambda: reached[0]):
            yield note
        return
    with _bar() as bar:
        task = bar.add_task(one_line(first), total=None, amount="", rate="")
        started: dict[str, tuple[float, int]] = {}

        def show(stage: str, done: int, total: int | None) -> None:
            if stage not in started:
                bar.reset(task, total=total, description=stage)
                started[stage] = time.perf_counter(), done
            since, before = started[stage]
            rate = (done - before) / max(time.perf_counter() - since, 1e-9)
            speed = f"{rate:,.0f}/s" if done > before else ""
            bar.update(task, completed=done, total=total, amount=amount(done, total), rate=speed)

        yield show


def _bar() -> Progress:
    """Return a bar beside what is done, how much of it, and how fast."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[amount]}"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
