"""Published values, computed again. The rows are those of docs/published-values.md."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache, partial
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np
import pytest

from examples.games.cram import Cram
from examples.games.dots_and_boxes import DotsAndBoxes
from examples.games.kalah import Kalah
from examples.games.l_game import LGame
from scripts.data_set import differences
from scripts.sections import ROOT
from solver import load_game, load_player, open_agent, solve
from solver.arena.report import make_report
from solver.kernels import find_kernel
from solver.rules.positions import explore, one_move_on
from solver.rules.threats import threats, wins
from solver.value import OPEN, Outcome, distance
from tests.support.numerical import Numerical
from tests.support.piles import Splits, Takes, Wythoff, lost, practical, unequal, without_pair
from tests.support.rook import RookEnding
from tests.support.solved import solved_agent
from tests.support.tables import mapped_table

PAGE = ROOT / "docs/published-values.md"
BEGIN, END = "<!-- published -->\n", "<!-- /published -->\n"


class Row(NamedTuple):
    """A published value, and how it is computed here."""

    claim: Any
    compute: Callable[[], Any]
    found: Any = None
    """What is found in place of the claim; None if they are equal."""
    mark: str = ""
    """The tests that are slow or large."""


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


def rook_depths() -> dict[str, int]:
    """Return how many positions with Black to move are drawn, or lost in so many moves of White."""
    game = RookEnding()
    table = solve(game)
    plies = Counter(distance(table.probe(p)) for p in game.after(game.initial()))
    return {"draw": plies[None]} | {f"in {n}": plies[2 * n] for n in range(len(DEPTHS))}


LINES = [*combinations(range(6), 2)]  # of Sim, between six points
TRIANGLES = [
    sum(1 << LINES.index(e) for e in combinations(t, 2)) for t in combinations(range(6), 3)
]


@cache
def is_lost(lines: int) -> bool:
    """Return whether a player of Sim has drawn a triangle."""
    return any(lines & triangle == triangle for triangle in TRIANGLES)


def draws(mine: int, other: int) -> list[int]:
    """Return what the player to move has after each move."""
    return [mine | 1 << n for n in range(len(LINES)) if not (mine | other) >> n & 1]


def sim_games() -> list[int]:
    """Return how many games of Sim end with each number of lines; no game ends before the 5th."""
    level, found = Counter({(0, 1): len(LINES)}), list[int]()  # by symmetry, of the first line
    while level:
        after = Counter[tuple[int, int]]()
        for (mine, other), ways in level.items():
            for drawn in draws(mine, other):
                after[other, drawn] += ways
        found.append(sum(ways for p, ways in after.items() if is_lost(p[1])))
        level = Counter({p: ways for p, ways in after.items() if not is_lost(p[1])})
    return found[3:]


def sim_value() -> str:
    """Return the value of Sim for the first player, as a search finds it."""

    @cache
    def wins(mine: int, other: int) -> bool:
        return any(not is_lost(d) and not wins(other, d) for d in draws(mine, other))

    return "loss" if wins(0, 1) else "win"  # the second player moves after the first line


def sized(kind: Any, **sizes: int) -> Any:
    return type(kind.__name__, (kind,), sizes)()


def mapped_value(name: str) -> str:
    table = mapped_table(name)
    return str(Outcome(np.sign(table.probe(table.game.initial()))))


DEPTHS = (
    *(27, 78, 246, 81, 198, 471, 592, 683, 1_433, 1_712, 1_985, 2_854, 3_597, 4_194, 4_553),
    *(2_166, 390),
)
SIM_GAMES = (
    *(15_840, 151_200, 4_082_400, 27_993_600, 348_364_800, 1_488_067_200, 9_068_112_000),
    *(19_719_936_000, 45_816_192_000, 28_086_912_000, 4_572_288_000),
)
SQUARES = (
    "0 1 2 3 1 2 3 4 5 1 4 3 6 7 3 4 1 8 3 5 6 3 8 5 5 1 5 3 7 7 3 5 5 9 10 5 1 7 3 6 5 3 9 5 8"
    " 7 5 9 7 1 11 3 8 9 3 7 5 10 9 5 9 7 10 11 1 8 3 12 9 3 11 5 12 11 5 7 7 9 11 5 9 1 11 3"
    " 7 10"
)
ROWS = {
    "ttt-positions": Row([1, 3, 12, 38, 108, 174, 204, 153, 57, 15], partial(tictactoe, "all")),
    "ttt-states": Row(5_478, lambda: solved_agent("tictactoe").table.counts["positions"]),
    "ttt-games": Row(
        [1, 24, 255_168], lambda: [count_games(f"mnk:{n},{n},{n}") for n in (1, 2, 3)]
    ),
    "ttt-won-by-x": Row([0, 0, 7, 9, 85, 67, 139, 70, 23, 12], partial(tictactoe, "first")),
    "ttt-won-by-o": Row([0, 0, 0, 8, 5, 72, 38, 56, 23, 0], partial(tictactoe, "second")),
    "ttt-over": Row([0, 0, 0, 0, 0, 21, 21, 58, 23, 15], partial(tictactoe, "over")),
    "ttt-uci": Row({"positive": 626, "negative": 958 - 626}, boards_at_the_end),
    "ttt-nstep-4": Row(dict.fromkeys((3, 4, 6, 7, 9), -100), partial(n_step, "OX..O..X.", 4)),
    "ttt-nstep-3": Row({3: -100, 6: -100, 9: 100}, partial(n_step, "OO.XO.XX.", 3)),
    "notakto": Row(
        {4}, lambda: {m.move for m in solved_agent("notakto").scores("." * 9) if m.outcome > 0}
    ),
    "mnk-4-4-4": Row(
        (9_722_011, "draw"),
        lambda: (mapped_table("mnk:4,4,4").counts["positions"], mapped_value("mnk:4,4,4")),
        mark="large",
    ),
    "c4-4x4": Row(
        (161_029, "draw"),
        lambda: (mapped_table("connect4:4x4").counts["positions"], mapped_value("connect4:4x4")),
        mark="slow",
    ),
    "c4-4x5": Row(
        (1_706_255, "draw"),
        lambda: (mapped_table("connect4:4x5").counts["positions"], mapped_value("connect4:4x5")),
        mark="large",
    ),
    "c4-5x4": Row(
        (3_945_711, "draw"),
        lambda: (mapped_table("connect4:5x4").counts["positions"], mapped_value("connect4:5x4")),
        mark="large",
    ),
    "c4-plies": Row(
        [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275],
        lambda: [len(level) for level in connect4_levels(8)],
        mark="slow",
    ),
    "c4-games": Row(
        [2, 90, 356_232],
        lambda: [count_games(f"connect4:{n + 1}x{n}") for n in (1, 2, 3)],
        mark="slow",
    ),
    "c4-uci": Row({"win": 44_473, "loss": 16_635, "draw": 6_449}, connect4_dataset, mark="large"),
    "nim-lost": Row([1, 1, 2, 4, 6, 10], partial(nim_partitions, 10)),
    "nim-four": Row([1, 6, 7, 36, 13, 42], partial(nim_of_four, 10)),
    "wythoff": Row(
        [(0, 0), (1, 2), (3, 5), (4, 7), (6, 10), (8, 13), (9, 15), (11, 18), (12, 20)],
        lambda: [(a, b) for a, b in lost(Wythoff(20)) if a <= b],
    ),
    "squares": Row([*map(int, SQUARES.split())], partial(lengths_of_squares, 85)),
    "practical": Row(
        [0, 3, 10, 13, 44, 47, 102, 105, 146, 149, 232, 235],
        lambda: lost(Takes(250, practical(250))),
    ),
    "grundy": Row([1, 2, 4, 7, 10], partial(lost_heaps, 16, unequal)),
    "dawson": Row([1, 5, 9, 15], partial(lost_heaps, 16, without_pair)),
    "rook": Row(
        {"draw": 2_796} | {f"in {n}": count for n, count in enumerate(DEPTHS)},
        rook_depths,
        mark="large",
    ),
    "sim-games": Row([*SIM_GAMES], sim_games, mark="large"),
    "sim": Row("loss", sim_value),
    "numerical": Row("win", lambda: winner(Numerical()), mark="large"),
    "hexapawn": Row("loss", partial(value, "hexapawn:3x3")),
    "cram": Row(
        {"4x4": "loss", "3x4": "win", "2x4": "loss", "2x3": "win"},
        lambda: {
            f"{columns}x{rows}": winner(sized(Cram, columns=columns, rows=rows))
            for columns, rows in ((4, 4), (3, 4), (2, 4), (2, 3))
        },
    ),
    "pong-hau-ki": Row("draw", partial(value, "ponghauki")),
    "mu-torere": Row("draw", partial(value, "mutorere")),
    "domineering-4x4": Row("win", partial(value, "domineering:4x4")),
    "domineering-5x5": Row("loss", lambda: mapped_value("domineering:5x5"), mark="large"),
    "dodgem-3x3": Row("win", partial(value, "dodgem:3x3")),
    "dodgem-4x4": Row("draw", lambda: mapped_value("dodgem:4x4"), mark="large"),
    "dodgem-counts": Row(
        {"positions": 56, "win": 8, "loss": 4, "draw": 44},
        dodgem_positions,
        found={"positions": 1_963, "win": 1_123, "loss": 840, "draw": 0},
    ),
    "dots-2x2": Row("win", lambda: winner(sized(DotsAndBoxes, columns=2, rows=2))),
    "kalah-3-3": Row("win", lambda: winner(Kalah()), mark="slow"),
    "l-game-positions": Row(
        {"positions": 18_368, "up to symmetry": 2_296}, l_positions, mark="slow"
    ),
    "l-game-crafters": Row(
        {"positions": 18_268, "up to symmetry": 2_296},
        l_positions,
        found={"positions": 18_368, "up to symmetry": 2_296},
        mark="slow",
    ),
    "l-game-lost": Row({"lost": 15, "lost later": 14}, l_game, mark="large"),
}


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


def test_a_script_compares_whole_files() -> None:
    """With a wrong class, a board that is not at its end, and a line twice among right ones."""
    a, b = "x,o,x,o,b,b,", "o,x,o,x,b,b,"
    lines = [
        *("x,x,x,x,o,o,x,o,o,positive", "x,o,x,x,o,o,o,x,x,negative"),
        *("o,o,o,x,x,b,x,b,b,positive", "x,b,b,b,b,b,b,b,b,negative", "x,x,x,x,o,o,x,o,o,positive"),
        *(f"{a}{b}{'b,' * 30}win", f"{'b,' * 18}{a}{b}{'b,' * 12}draw"),
    ]
    assert [found.partition(": ")[::2] for found in differences(lines)] == [
        ("line 3", "OOOXX.X.. is 'positive' there, and 'negative' here"),
        ("line 4", "X........ is 'negative' there, and 'not over' here"),
        ("line 5", "XXXXOOXOO stands in line 1, too"),
        ("line 7", f"{'.' * 18}XOXO..OXOX{'.' * 14} is 'draw' there, and 'win' here"),
    ]


def test_the_page_has_these_rows() -> None:
    """What is claimed where is on the page; it has the numbers of the rows."""
    text = PAGE.read_text()
    lines = text.partition(BEGIN)[2].partition(END)[0].splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    assert [row[-1] for row in cells] == [f"`{name}`" for name in ROWS]
    for (_, _, claimed, _, result, _), row in zip(cells, ROWS.values(), strict=True):
        assert claimed == shown(row.claim)
        assert result == ("**equal**" if row.found is None else f"**differs**: {shown(row.found)}")
    whole = [row for row in cells if row[3].startswith("all")]
    assert f"{len(cells)} rows, {len(whole)} of them in full" in text
