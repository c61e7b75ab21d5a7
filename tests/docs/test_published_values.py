"""Published values, computed again. The rows are those of docs/published-values.md.

python -m tests.docs.test_published_values     write the table into the page
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
import pytest

from examples.games.cram import Cram
from examples.games.dots_and_boxes import DotsAndBoxes
from examples.games.kalah import Kalah
from examples.games.l_game import LGame
from scripts.sections import ROOT
from solver import load_game, load_player, open_agent, solve
from solver.arena.report import make_report
from solver.kernels import find_kernel
from solver.rules.positions import explore, one_move_on
from solver.rules.threats import threats, wins
from solver.value import OPEN, Outcome, distance
from tests.support.piles import Splits, Takes, Wythoff, lost, practical, unequal, without_pair
from tests.support.solved import solved_agent
from tests.support.tables import mapped_table

PAGE = ROOT / "docs/published-values.md"
BEGIN, END = "<!-- published -->\n", "<!-- /published -->\n"


class Row(NamedTuple):
    """A published value: what is claimed where, how much of it is computed, and how."""

    about: str
    source: str
    claim: Any
    compute: Callable[[], Any]
    part: str = "all"
    found: Any = None
    """What is found in place of the claim; None if they are equal."""
    mark: str = ""
    """The tests that are slow or large."""


ROWS: dict[str, Row] = {}
OEIS = "[OEIS {0}](https://oeis.org/{0})"


def oeis(number: str, version: str) -> str:
    return f"{OEIS.format(number)}, {version}"


def winner(game: Any) -> str:
    """Return who wins a game that is solved here."""
    return str(Outcome(np.sign(solve(game).probe(game.initial()))))


def value(name: str) -> str:
    return str(solved_agent(name).outcome(load_game(name).initial()))


@cache
def canonical_by_ply(name: str) -> list[Counter[str]]:
    """Return how many positions up to symmetry are won by each side, drawn and over, ply by ply."""
    agent, rows = solved_agent(name), list[Counter[str]]()
    game = agent.game
    for ply, level in enumerate(
        explore([game.initial()], lambda p: map(game.canonical, one_move_on(game, p)))
    ):
        row: Counter[str] = Counter(all=len(level))
        for p in level:
            outcome = agent.table.probe(p) * (-1) ** ply
            row["first" if outcome > 0 else "second" if outcome < 0 else "draw"] += 1
            row["over"] += game.primitive(p) is not None
        rows.append(row)
    return rows


def tictactoe(column: str) -> list[int]:
    return [row[column] for row in canonical_by_ply("tictactoe")]


def count_games(name: str) -> int:
    """Return the number of different games."""
    game = load_game(name)
    games = make_report(open_agent(game)).games
    assert games is not None
    return sum(games)


def boards_at_the_end() -> dict[str, int]:
    """Return how many final boards of tic-tac-toe X has won, and how many it has not."""
    game, found = load_game("tictactoe"), Counter[str]()
    for level in explore([game.initial()], partial(one_move_on, game)):
        for p in level:
            if (over := game.primitive(p)) is not None:
                x_won = over is Outcome.LOSS and game.turn(p) == "O"
                found["positive" if x_won else "negative"] += 1
    return dict(found)


def connect4_levels(plies: int) -> list[np.ndarray]:
    """Return the keys of the positions of Connect 4 on 7x6, ply by ply."""
    game = load_game("connect4:7x6")
    kernel: Any = find_kernel(game)[0]
    levels = [np.array([game.key(game.initial())], kernel.dtype)]
    for _ in range(plies):
        over, children = kernel.successors(levels[-1])
        children = children[over == OPEN]
        levels.append(np.unique(children[children >= 0]).astype(kernel.dtype))
    return levels


def connect4_dataset() -> dict[str, int]:
    """Return the values of all quiet positions after 8 plies, of two mirror images one."""
    game = load_game("connect4:7x6")
    kernel: Any = find_kernel(game)[0]
    table = open_agent("connect4:7x6").table
    level = connect4_levels(8)[-1]
    keys = np.unique(kernel.canonical(level[kernel.outcomes(level) == OPEN]))
    found = Counter[str]()
    for p in map(game.position, keys.tolist()):
        if not wins(game, p) and not threats(game, p):
            found[str(Outcome(np.sign(table.probe(p))))] += 1
    return dict(found)


def lost_heaps(most: int, after: Any) -> list[int]:
    """Return the single heaps with which the side to move loses."""
    games = {n: Splits(n, after) for n in range(1, most + 1)}
    return [n for n, game in games.items() if solve(game).probe(game.initial()) < 0]


def nim_partitions(most: int) -> list[int]:
    """Return how many ways there are to put 0, 2, ... objects on heaps that are lost."""
    heaps = ",".join(str(most // n) for n in range(1, most + 1))
    sums = Counter(sum(p) for p in lost(load_game(f"nim:{heaps}")))
    return [sums[n] for n in range(0, most + 1, 2)]


def nim_of_four(most: int) -> list[int]:
    """Return the same for four heaps in a row, which may be empty."""
    game, sums = load_game("nim:" + ",".join([str(most)] * 4)), Counter[int]()
    for p in lost(game):
        sums[sum(p)] += len({*permutations((*p, 0, 0, 0, 0)[:4])})
    return [sums[n] for n in range(0, most + 1, 2)]


def lengths_of_squares(most: int) -> list[int | None]:
    game = Takes(most, [n * n for n in range(1, most + 1)])
    table = solve(game)
    return [distance(table.probe(n)) for n in range(most + 1)]


def l_game() -> dict[str, int]:
    """Return how many positions of the L game there are, and how many are lost at once or later."""
    game = LGame()
    plies = Counter(distance(s) for p, s in solve(game).positions() if s < 0)
    at_once = plies.pop(0)
    return {"lost": at_once // 8, "lost later": plies.total() // 8}


def l_positions() -> dict[str, int]:
    """Return the number of positions of the L game."""
    levels = explore([LGame().initial()], partial(one_move_on, LGame()))
    return {"positions": (total := sum(map(len, levels))), "up to symmetry": total // 8}


def dodgem_positions() -> dict[str, int]:
    """Return how many positions dodgem on 3x3 has, won, lost and drawn for the side to move."""
    counts = solved_agent("dodgem:3x3").table.counts
    return {name: counts[name] for name in ("positions", "win", "loss", "draw")}


def n_step(board: str, depth: int) -> dict[int, float]:
    """Return the scores of a player that looks some plies ahead, by cells from 1."""
    agent = solved_agent("tictactoe")
    scores = load_player(f"nstep:{depth}", agent).scores(agent.game.parse(board))
    assert scores is not None
    return {cell + 1: score for cell, score in scores.items()}


def sized(kind: Any, **sizes: int) -> Any:
    return type(kind.__name__, (kind,), sizes)()


def add(name: str, *parts: Any, **more: Any) -> None:
    ROWS[name] = Row(*parts, **more)


READ = "read in November 2026"
WIKIPEDIA = "[Wikipedia](https://en.wikipedia.org/wiki/{0}), " + READ
TROMP = (
    "[J. Tromp](https://tromp.github.io/c4/c4.html); M. Böck,"
    " [arXiv 2507.05267](https://arxiv.org/abs/2507.05267), 2025, table 1"
)
SCHOOL = "M. Gardner, Scientific American, "
UCI = "[UCI](https://archive.ics.uci.edu/dataset/{0}), donated in {1}"

add(
    "ttt-positions",
    "positions of tic-tac-toe up to symmetry, by plies",
    oeis("A008907", "revision 16 of 2012"),
    [1, 3, 12, 38, 108, 174, 204, 153, 57, 15],
    partial(tictactoe, "all"),
)
add(
    "ttt-states",
    "positions of tic-tac-toe",
    "OpenSpiel, its test of get_all_states",
    5_478,
    lambda: solved_agent("tictactoe").table.counts["positions"],
)
add(
    "ttt-games",
    "games of tic-tac-toe on n x n",
    oeis("A061526", "revision 9 of 2023"),
    [1, 24, 255_168],
    lambda: [count_games(f"mnk:{n},{n},{n}") for n in (1, 2, 3)],
    part="n from 1 to 3, of 7 terms",
)
add(
    "ttt-won-by-x",
    "positions of tic-tac-toe up to symmetry that X wins, by plies",
    oeis("A317573", "as of 2018"),
    [0, 0, 7, 9, 85, 67, 139, 70, 23, 12],
    partial(tictactoe, "first"),
    part="its third row, of four",
)
add(
    "ttt-won-by-o",
    "the same for O",
    oeis("A317574", "revision 12 of 2018"),
    [0, 0, 0, 8, 5, 72, 38, 56, 23, 0],
    partial(tictactoe, "second"),
    part="its third row, of four",
)
add(
    "ttt-over",
    "positions of tic-tac-toe up to symmetry that end a game, by plies",
    oeis("A317576", "as of 2018"),
    [0, 0, 0, 0, 0, 21, 21, 58, 23, 15],
    partial(tictactoe, "over"),
    part="its third row, of four",
)
add(
    "ttt-uci",
    "boards at the end of tic-tac-toe, positive if X has won; 65.3 % are",
    UCI.format("101/tic+tac+toe+endgame", "1991"),
    {"positive": 626, "negative": 958 - 626},
    boards_at_the_end,
    part="all, by counts; not its file",
)
add(
    "ttt-nstep-4",
    "scores of a look-ahead of 4 plies at O X . / . O . / . X .",
    "W. Beckner, Data Science Foundations, Project Part 4",
    dict.fromkeys((3, 4, 6, 7, 9), -100),
    partial(n_step, "OX..O..X.", 4),
)
add(
    "ttt-nstep-3",
    "scores of a look-ahead of 3 plies at O O . / X O . / X X .",
    "W. Beckner, Data Science Foundations, Project Part 4",
    {3: -100, 6: -100, 9: 100},
    partial(n_step, "OO.XO.XX.", 3),
)
add(
    "notakto",
    "notakto on one board: the first player wins, by the centre only",
    "T. Plambeck and G. Whitehead, [arXiv 1301.1672](https://arxiv.org/abs/1301.1672), 2013",
    {4},
    lambda: {m.move for m in solved_agent("notakto").scores("." * 9) if m.outcome > 0},
)
add(
    "mnk-4-4-4",
    "four in a row on 4x4: positions, and a draw",
    "[arXiv 1703.10678](https://arxiv.org/abs/1703.10678), 2017",
    (9_722_011, "draw"),
    lambda: (mapped_table("mnk:4,4,4").counts["positions"], mapped_value("mnk:4,4,4")),
    mark="large",
)
add(
    "c4-4x4",
    "positions of Connect 4 on 4x4, and its value",
    TROMP,
    (161_029, "draw"),
    lambda: (mapped_table("connect4:4x4").counts["positions"], mapped_value("connect4:4x4")),
    mark="slow",
)
add(
    "c4-4x5",
    "positions of Connect 4 on 4 columns and 5 rows, and its value",
    TROMP,
    (1_706_255, "draw"),
    lambda: (mapped_table("connect4:4x5").counts["positions"], mapped_value("connect4:4x5")),
    mark="large",
)
add(
    "c4-5x4",
    "positions of Connect 4 on 5 columns and 4 rows, and its value",
    TROMP,
    (3_945_711, "draw"),
    lambda: (mapped_table("connect4:5x4").counts["positions"], mapped_value("connect4:5x4")),
    mark="large",
)
add(
    "c4-plies",
    "positions of Connect 4 on 7x6, by plies",
    oeis("A212693", "revision 56 of 2025"),
    [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275],
    lambda: [len(level) for level in connect4_levels(8)],
    part="8 plies, of 42",
    mark="slow",
)
add(
    "c4-games",
    "games of Connect 4 on n + 1 columns and n rows",
    oeis("A342329", "revision 20 of 2021"),
    [2, 90, 356_232],
    lambda: [count_games(f"connect4:{n + 1}x{n}") for n in (1, 2, 3)],
    part="n from 1 to 3, of 5 terms",
    mark="slow",
)
add(
    "c4-uci",
    "quiet positions of Connect 4 after 8 plies, by their values for the first player",
    UCI.format("26/connect+4", "1995") + "; its connect-4.names",
    {"win": 44_473, "loss": 16_635, "draw": 6_449},
    connect4_dataset,
    part="all 67,557, by counts; not its file",
    mark="large",
)
add(
    "nim-lost",
    "lost positions of nim with 2n objects",
    oeis("A048833", "as of 2024"),
    [1, 1, 2, 4, 6, 10],
    partial(nim_partitions, 10),
    part="n from 0 to 5, of 43 terms",
)
add(
    "nim-four",
    "the same on four heaps in a row, which may be empty",
    oeis("A237711", "revision 22 of 2021"),
    [1, 6, 7, 36, 13, 42],
    partial(nim_of_four, 10),
    part="n from 0 to 5, of 49 terms",
)
add(
    "wythoff",
    "pairs of heaps that are lost in Wythoff's game",
    oeis("A002251", "revision 81 of 2023"),
    [(0, 0), (1, 2), (3, 5), (4, 7), (6, 10), (8, 13), (9, 15), (11, 18), (12, 20)],
    lambda: [(a, b) for a, b in lost(Wythoff(20)) if a <= b],
    part="heaps up to 20, of 68 terms",
)
add(
    "squares",
    "plies of subtract-a-square with perfect play",
    oeis("A338027", READ),
    [
        *(0, 1, 2, 3, 1, 2, 3, 4, 5, 1, 4, 3, 6, 7, 3, 4, 1, 8, 3, 5, 6, 3, 8, 5, 5, 1, 5, 3, 7, 7),
        *(3, 5, 5, 9, 10, 5, 1, 7, 3, 6, 5, 3, 9, 5, 8, 7, 5, 9, 7, 1, 11, 3, 8, 9, 3, 7, 5, 10),
        *(9, 5, 9, 7, 10, 11, 1, 8, 3, 12, 9, 3, 11, 5, 12, 11, 5, 7, 7, 9, 11, 5, 9, 1, 11, 3),
        *(7, 10),
    ],
    partial(lengths_of_squares, 85),
    part="all 86 terms that are printed",
)
add(
    "practical",
    "lost heaps if a practical number is taken",
    oeis("A275432", READ),
    [0, 3, 10, 13, 44, 47, 102, 105, 146, 149, 232, 235],
    lambda: lost(Takes(250, practical(250))),
    part="heaps up to 250",
)
add(
    "grundy",
    "lost heaps of Grundy's game",
    oeis("A002188", "revision 56 of 2020"),
    [1, 2, 4, 7, 10],
    partial(lost_heaps, 16, unequal),
    part="heaps up to 16",
)
add(
    "dawson",
    "lost rows of Dawson's Kayles, from the values of Dawson's chess",
    oeis("A002187", READ),
    [1, 5, 9, 15],
    partial(lost_heaps, 16, without_pair),
    part="rows up to 16",
)
add(
    "hexapawn",
    "hexapawn on 3x3: the second player wins",
    SCHOOL + "March 1962",
    "loss",
    partial(value, "hexapawn:3x3"),
)
add(
    "cram",
    "cram: boards with two even sides are lost, and those with one are won",
    SCHOOL + "February 1974",
    {"4x4": "loss", "3x4": "win", "2x4": "loss", "2x3": "win"},
    lambda: {
        f"{columns}x{rows}": winner(sized(Cram, columns=columns, rows=rows))
        for columns, rows in ((4, 4), (3, 4), (2, 4), (2, 3))
    },
    part="four boards",
)
add(
    "pong-hau-ki",
    "pong hau k'i is a draw",
    "P. Straffin, Mathematics Magazine 68, 1995",
    "draw",
    partial(value, "ponghauki"),
)
add(
    "mu-torere",
    "mu torere is a draw",
    "P. Straffin, Mathematics Magazine 68, 1995",
    "draw",
    partial(value, "mutorere"),
)
add(
    "domineering-4x4",
    "domineering on 4x4: the first player wins",
    "D. Breuker, J. Uiterwijk and H. van den Herik, Theoretical Computer Science 230, 2000",
    "win",
    partial(value, "domineering:4x4"),
)
add(
    "domineering-5x5",
    "domineering on 5x5: the second player wins",
    "D. Breuker, J. Uiterwijk and H. van den Herik, Theoretical Computer Science 230, 2000",
    "loss",
    lambda: mapped_value("domineering:5x5"),
    mark="large",
)
add(
    "dodgem-3x3",
    "dodgem on 3x3: the first player wins",
    f"E. Berlekamp, J. Conway and R. Guy, Winning Ways, 1982; {WIKIPEDIA.format('Dodgem')}",
    "win",
    partial(value, "dodgem:3x3"),
)
add(
    "dodgem-4x4",
    "dodgem on 4x4 never ends with perfect play",
    f"D. desJardins, 1996, as cited by {WIKIPEDIA.format('Dodgem')}",
    "draw",
    lambda: mapped_value("dodgem:4x4"),
    mark="large",
)
add(
    "dodgem-counts",
    "dodgem on 3x3 has so many positions, won, lost and drawn",
    "[a copy of Wikipedia](https://encyclopedia.thefreedictionary.com/Dodgem) that cites"
    f" GamesCrafters, {READ}",
    {"positions": 56, "win": 8, "loss": 4, "draw": 44},
    dodgem_positions,
    found={"positions": 1_963, "win": 1_123, "loss": 840, "draw": 0},
)
add(
    "dots-2x2",
    "dots and boxes with 2 by 2 boxes: the first player wins",
    "E. Berlekamp, The Dots-and-Boxes Game, 2000",
    "win",
    lambda: winner(sized(DotsAndBoxes, columns=2, rows=2)),
)
add(
    "kalah-3-3",
    "Kalah with 3 pits a side and 3 seeds in each: the first player wins",
    "G. Irving, J. Donkers and J. Uiterwijk, Solving Kalah, ICGA Journal 23(3), 2000",
    "win",
    lambda: winner(Kalah()),
    mark="slow",
)
add(
    "l-game-positions",
    "positions of the L game, and those up to symmetry",
    f"[German Wikipedia](https://de.wikipedia.org/wiki/L-Spiel), {READ}",
    {"positions": 18_368, "up to symmetry": 2_296},
    l_positions,
    mark="slow",
)
add(
    "l-game-crafters",
    "the same",
    f"[GamesCrafters](https://gamescrafters.berkeley.edu/games.php?game=lgame), {READ}",
    {"positions": 18_268, "up to symmetry": 2_296},
    l_positions,
    found={"positions": 18_368, "up to symmetry": 2_296},
    mark="slow",
)
add(
    "l-game-lost",
    "positions of the L game in which the side to move has lost, or will lose",
    WIKIPEDIA.format("L_game"),
    {"lost": 15, "lost later": 14},
    l_game,
    mark="large",
)


def mapped_value(name: str) -> str:
    table = mapped_table(name)
    return str(Outcome(np.sign(table.probe(table.game.initial()))))


@pytest.mark.every
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(n, marks=[getattr(pytest.mark, r.mark)] if r.mark else [])
        for n, r in ROWS.items()
    ],
)
def test_published_value(name: str) -> None:
    row = ROWS[name]
    assert row.compute() == (row.claim if row.found is None else row.found)
    assert row.found != row.claim


def shown(claim: Any) -> str:
    """Return a claim as people write it."""
    if isinstance(claim, dict):
        return ", ".join(f"{name} {shown(number)}" for name, number in claim.items())
    if isinstance(claim, list | tuple | set):
        parts = [f"({shown(c)})" if isinstance(c, tuple) else shown(c) for c in claim]
        return ", ".join(parts[:12]) + (", ..." if len(parts) > 12 else "")
    return f"{claim:,}" if isinstance(claim, int) else str(claim)


def table() -> str:
    """Return the rows of the page."""
    lines = ["| what | source | claimed | computed | result | row |", "|---|---|---|---|---|---|"]
    for name, row in ROWS.items():
        result = "**equal**" if row.found is None else f"**differs**: {shown(row.found)}"
        cells = (row.about, row.source, shown(row.claim), row.part, result, f"`{name}`")
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def test_the_page_has_these_rows() -> None:
    text = PAGE.read_text()
    assert text.partition(BEGIN)[2].partition(END)[0] == table()
    whole = [row for row in ROWS.values() if row.part.startswith("all")]
    assert len(ROWS) >= 25
    assert len(whole) >= 15
    stated = re.search(r"(\d+) rows, (\d+) of them in full", text)
    assert stated is not None
    assert [int(n) for n in stated.groups()] == [len(ROWS), len(whole)]


if __name__ == "__main__":
    before, _, rest = PAGE.read_text().partition(BEGIN)
    PAGE.write_text(before + BEGIN + table() + END + rest.partition(END)[2])
    sys.exit()
