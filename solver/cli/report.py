"""The command report: what a designer wants to know of a game, and conditions that it must meet."""

from __future__ import annotations

from contextlib import suppress
from typing import Annotated, Any

from solver.agent.agent import TableAgent
from solver.agent.installed import open_installed
from solver.arena.grade import plain_data
from solver.arena.report import BUDGET, LARGEST, OutOfTimeError, in_digits, make_report
from solver.arena.requirements import EXAMPLE, parse
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
    report = make_report(agent, budget)
    known = _known(agent, min(KNOWN, budget - report.seconds))
    why = {condition.text: condition.failure(report) for condition in conditions}
    parts, scores = report_text.sections(report, known), agent.scores_at(rules.initial())
    if output is not None:
        save(output, page(report, parts, rules, scores).encode())
    if as_json:
        found: dict[str, Any] = plain_data(report)
        more = {"fair": report.fair, "must_know": known, "required": why}
        print_json(_large_as_text(found | more))
    else:
        board = draw_values(rules, rules.initial(), rules.seats[0], scores) if rules.board else ""
        echo(report_text.text(parts, board))
        echo(f"\nwrote {output}" if output is not None else "", nl=output is not None)
    if unmet := [f"{text}: {reason}" for text, reason in why.items() if reason]:
        raise CheckFailedError(f"required, and not met: {'; '.join(unmet)}")
    if why and not as_json:
        echo(f"\nrequired, and met: {'; '.join(why)}")


def _known(agent: TableAgent, seconds: float) -> tuple[str, int] | None:
    """Return a side that does not lose, and how many positions it has to know at most."""
    ended = thread_time() + seconds

    def watch(done: int, total: int) -> None:
        if thread_time() > ended:
            raise OutOfTimeError

    with suppress(OutOfTimeError, ValueError):  # there are too many positions to choose among
        return enough_decisions(agent.table, watch)
    return None


def _large_as_text(value: Any) -> Any:
    """Return a value with the integers as text that are too large for JSON."""
    if isinstance(value, dict):
        return {name: _large_as_text(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [*map(_large_as_text, value)]
    is_large = isinstance(value, int) and value >= LARGEST
    return in_digits(value).replace(",", "") if is_large else value
