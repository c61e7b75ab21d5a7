"""The command report: what a designer wants to know of a game, and conditions that it must meet."""

from __future__ import annotations

from typing import Annotated

from solver.agent.agent import TableAgent
from solver.agent.installed import open_installed
from solver.agent.text import draw_values
from solver.arena.report import BUDGET, make_report
from solver.arena.requirements import EXAMPLE, parse
from solver.cli import options
from solver.cli.output import CheckFailedError, echo, print_json
from solver.files import save
from solver.reports.game_page import page
from solver.reports.game_words import data_of, sections, text

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
    why = {condition.text: condition.failure(report) for condition in conditions}
    parts, scores = sections(report), agent.scores_at(rules.initial())
    if output is not None:
        save(output, page(report, parts, rules, scores).encode())
    if as_json:
        print_json(data_of(report) | {"required": why})
    else:
        first = rules.initial(), rules.seats[0]
        board = draw_values(rules, *first, scores)
        if board == rules.render(*first):  # which has no values
            board = ""
        echo(text(parts, board))
        echo(f"\nwrote {output}" if output is not None else "", nl=output is not None)
    if unmet := [f"{text}: {reason}" for text, reason in why.items() if reason]:
        raise CheckFailedError(f"required, and not met: {'; '.join(unmet)}")
    if why and not as_json:
        echo(f"\nrequired, and met: {'; '.join(why)}")
