"""The table of ten games in docs/reports.md.

python -m tests.docs.test_reports     write it into the page; takes a minute
"""

from __future__ import annotations

import pytest

from examples.balance.drop_three import DropThree, Narrow
from examples.games.kalah import Kalah
from scripts.sections import ROOT
from solver import TableAgent, load_game, solve
from solver.agent.words import moves_in
from solver.arena.report import make_report
from solver.reports.game_words import percent
from tests.support.tables import mapped_table

PAGE = ROOT / "docs/reports.md"
BEGIN, END = "<!-- ten -->\n", "<!-- /ten -->\n"
GAMES = (
    *("tictactoe", "notakto", "connect4:4x4", "hexapawn:4x4", "domineering:4x4", "clobber:4x3"),
    *("dodgem:3x3", "morris", DropThree, Narrow, Kalah),
)
HEADING = (
    *("game", "best play", "fair first moves", "random: first, draws, second", "mean length"),
    *("longest", "one good move", "wins given away", "decided after"),
)


def row(game: object) -> tuple[str, ...]:
    """Return the row of a game."""
    name, where = str(game), f"`{game}`"
    if isinstance(game, type):
        name, where = game.__name__, f"`{game.__name__}` of examples"
        table = solve(game())
    else:
        table = mapped_table(name) if name == "connect4:4x4" else solve(load_game(name))
    report = make_report(TableAgent(table), 600)
    match, total, plies = report.matches["random"], report.total, report.distance
    assert total is not None
    assert total.share is not None
    assert report.slips is not None
    sides = {"win": "first", "draw": "draw", "loss": "second"}
    best = sides[report.outcome] + (f" in {moves_in(plies)}" if plies else "")
    return (
        where,
        best,
        f"{len(report.fair)} of {len(report.first_moves)}",
        ", ".join(map(percent, (match.result.win, match.result.draw, match.result.loss))),
        f"{match.mean:.2f}",
        "no bound" if match.longest is None else str(match.longest),
        percent(total.share),
        percent(report.slips),
        str(report.decided),
    )


def table() -> str:
    """Return the table."""
    rows = [HEADING, ("---",) * len(HEADING), *map(row, GAMES)]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in rows)


@pytest.mark.large
def test_the_table_of_games_is_what_reports_say() -> None:
    assert PAGE.read_text().partition(BEGIN)[2].partition(END)[0] == table()


if __name__ == "__main__":
    before, _, rest = PAGE.read_text().partition(BEGIN)
    PAGE.write_text(before + BEGIN + table() + END + rest.partition(END)[2])
