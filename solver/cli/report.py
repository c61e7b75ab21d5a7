"""The command report: what a designer wants to know of a game, and conditions that it must meet."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any

from solver.agent.agent import TableAgent
from solver.agent.installed import open_installed
from solver.arena.report import BUDGET, OutOfTimeError, Report, make_report
from solver.arena.requirements import EXAMPLE, Condition, parse
from solver.cli import options, report_text
from solver.cli.output import CheckFailedError, echo, print_json
from solver.cli.positions import draw_values
from solver.cli.report_page import page
from solver.cli.strategy import enough_decisions
from solver.clock import thread_time
from solver.files import save

KNOWN = 10.0  # seconds of CPU at most to find what a player must know

Require = Annotated[
    str | None,
    options.option(
        "--require", "CONDITIONS", f"Fail (exit 1) unless these hold, such as '{EXAMPLE}'.", "none"
    ),
]
Output = Annotated[str | None, options.output("FILE.html", "Write a web page, too.", "none")]
Budget = Annotated[
    float, options.option("--budget", "SECONDS", "Sample what takes more CPU time.", min=0)
]


def report_command(
    game: options.GameArgument,
    require: Require = None,
    budget: Budget = BUDGET,
    output: Output = None,
    as_json: options.Json = False,
) -> None:
    """Report whether a game is fair, tense and of the right length.

    The report has the first moves and their values, how games between random, weak and perfect
    players end and how long they are, how often there is only one good move, and how much a player
    must know. Everything is exact, from every position of the game's table, but for what takes
    longer than the budget: that is sampled, and marked.
    """
    conditions = parse(require) if require is not None else []
    options.check_output(output, "a web page", ".html")
    rules = options.load_checked(game)
    agent = TableAgent(open_installed(rules, game, search=False))
    started = thread_time()
    report = make_report(agent, budget)
    known = _known(agent, min(KNOWN, budget - (thread_time() - started)))
    failures = [(c, why) for c in conditions if (why := c.failure(report))]
    parts = report_text.sections(report, known)
    if as_json:
        print_json(_data(report, known, conditions, failures))
    else:
        p, seat = rules.initial(), rules.seats[0]
        board = draw_values(rules, p, seat, report.moves) if rules.board is not None else ""
        echo(report_text.text(parts, board))
    if output is not None:
        save(output, page(report, parts, rules).encode())
        if not as_json:
            echo(f"\nwrote {output}")
    if failures:
        reasons = "; ".join(f"{condition.text}: {why}" for condition, why in failures)
        raise CheckFailedError(f"required, and not met: {reasons}")
    if conditions and not as_json:
        echo(f"\nrequired, and met: {'; '.join(condition.text for condition in conditions)}")


def _known(agent: TableAgent, seconds: float) -> tuple[str, int] | None:
    """Return a side that does not lose, and how many positions it has to know at most."""
    ended = thread_time() + seconds

    def watch(done: int, total: int) -> None:
        if thread_time() > ended:
            raise OutOfTimeError

    with suppress(OutOfTimeError, ValueError):  # there are too many positions to choose among
        return enough_decisions(agent.table, watch)
    return None


def _data(
    report: Report,
    known: tuple[str, int] | None,
    conditions: list[Condition],
    failures: list[tuple[Condition, str]],
) -> dict[str, Any]:
    """Return the report as JSON."""
    why = dict(failures)
    required = [{"condition": c.text, "met": c not in why, "why": why.get(c)} for c in conditions]
    side, number = known or (None, None)
    return report.as_dict() | {
        "must_know": known and {"side": side, "positions": number},
        "required": required,
    }
