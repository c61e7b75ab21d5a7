"""What a table says about its game, in numbers and as a chart; and golden pictures.

`tests/pictures/golden/*.svg` are pictures as they were last looked at and found good. To accept new
ones after a deliberate change, run `python -m tests.pictures.test_statistics_chart`, and look at
them.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from solver import MappedTable, Table, TableAgent, load_game, solve
from solver.agent.tree import make_tree
from solver.pictures.statistics_chart import draw_statistics
from solver.pictures.strategy_map import draw_map
from solver.pictures.svg import svg
from solver.pictures.tree_picture import draw_tree
from solver.tables.statistics import Statistics, compute_statistics, format_statistics
from tests.conftest import ROOT, SHIPPED, Command, solved
from tests.support import oracle

SVG = "{http://www.w3.org/2000/svg}"
PICTURES = ROOT / "tests" / "pictures" / "golden"
BY_PLY = [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
BY_PLY_CANONICAL = [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
NAMES = ("mnk:3,3,3,misere", "notakto", "wild", "hexapawn:3x3", "nim:3,4,5", "ponghauki", "morris")


@pytest.fixture(scope="module")
def found(table: Table) -> Statistics:
    return compute_statistics(table)


def test_positions_by_ply_are_the_known_ones(found: Statistics) -> None:
    """Positions of tic-tac-toe by ply: OEIS A008907 and its sums over images."""
    assert (found.exact, found.by) == (True, "ply")
    assert [row.number for row in found.rows] == list(range(10))
    assert [row.positions for row in found.rows] == BY_PLY
    assert [row.canonical for row in found.rows] == BY_PLY_CANONICAL


def test_every_number_is_the_oracles(found: Statistics) -> None:
    boards: dict[int, list[str]] = {}
    for board in oracle.reachable():
        boards.setdefault(9 - board.count("."), []).append(board)
    for row in found.rows:
        here = boards[row.number]
        outcomes = Counter(oracle.solve(board)[0] for board in here)
        assert (row.win, row.draw, row.loss) == (outcomes[1], outcomes[0], outcomes[-1])
        assert row.over == sum(oracle.over(board) for board in here)
        moves = {board: oracle.moves(board) for board in here}
        assert row.moves == sum(map(len, moves.values()))
        assert row.most == max(map(len, moves.values()))
        choices = [board for board in here if len(moves[board]) > 1]
        assert row.choices == len(choices)
        kept = [
            [oracle.worth(board, c)[0] == oracle.solve(board)[0] for c in moves[board]]
            for board in choices
        ]
        assert row.single == sum(sum(keeps) == 1 for keeps in kept)
    for name, sign in (("win", 1), ("loss", -1)):
        values = [oracle.solve(board) for board in oracle.reachable()]
        plies = Counter(n for outcome, n in values if outcome == sign)
        assert found.distances[name] == plies
        assert found.longest[name] == max(n for n in plies if n is not None)


@pytest.mark.parametrize("name", NAMES)
def test_the_rows_add_up_to_the_table(name: str) -> None:
    table = solved(load_game(name))
    found = compute_statistics(table)
    total, counts = found.total, table.counts
    assert total.positions == counts["positions"]
    assert total.canonical == counts["canonical"]
    assert total.over == counts["terminal"]
    assert (total.win, total.draw, total.loss) == (counts["win"], counts["draw"], counts["loss"])
    assert sum(found.distances["win"].values()) == counts["win"]
    assert sum(found.distances["loss"].values()) == counts["loss"]


def test_a_mapped_table_says_the_same(table: Table, tmp_path: Path, command: Command) -> None:
    assert command("solve", "tictactoe", "-o", "t.safetensors") == 0
    assert compute_statistics(MappedTable.open(tmp_path / "t.safetensors")) == compute_statistics(
        table
    )


def canonical_shares(table: Table | MappedTable) -> dict[str, float]:
    """The shares of outcomes among the positions up to symmetry."""
    scores = [held for _, held in table.positions()]
    signs = Counter((held > 0) - (held < 0) for held in scores)
    return {
        name: signs[sign] / len(scores) for name, sign in (("win", 1), ("draw", 0), ("loss", -1))
    }


@pytest.mark.parametrize("mapped", [False, True])
def test_a_sample_comes_near(
    mapped: bool, tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sample of 400 is off by five hundredths at most: two standard errors."""
    monkeypatch.setattr("solver.tables.statistics.MOST_EXACT", 100)
    monkeypatch.setattr("solver.tables.statistics.SAMPLE", 400)
    name = "t.safetensors" if mapped else "t.json"
    command("solve", "tictactoe", "-o", name)
    table = TableAgent.open(tmp_path / name).table
    found = compute_statistics(table)
    assert (found.exact, found.looked_at, found.canonical, found.by) == (False, 400, 765, "ply")
    total = found.total
    assert total.positions == total.canonical == 765
    assert sum(row.positions for row in found.rows) == pytest.approx(765, abs=5)
    for outcome, share in canonical_shares(table).items():
        assert getattr(total, outcome) / total.positions == pytest.approx(share, abs=0.05)
    assert found.longest == {"win": 5, "loss": 4}
    assert compute_statistics(table) == found != compute_statistics(table, seed=1)
    assert "Estimated from 400 of 765 positions up to symmetry" in format_statistics(found)
    assert "Estimated from 400 of 765" in svg(draw_statistics(found))


def test_a_sample_of_all_is_exact(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.tables.statistics.MOST_EXACT", 764)
    monkeypatch.setattr("solver.tables.statistics.SAMPLE", 765)
    found = compute_statistics(table)
    assert [row.positions for row in found.rows] == BY_PLY_CANONICAL


@pytest.mark.parametrize("name", ["hexapawn:3x3", "morris", "nim:3,4,5"])
def test_a_sample_is_by_tier_where_tiers_are_not_plies(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.tables.statistics.MOST_EXACT", 10)
    monkeypatch.setattr("solver.tables.statistics.SAMPLE", 40)
    found = compute_statistics(solved(load_game(name)))
    assert found.by == "tier"
    assert "by_tier" in found.as_data()
    assert "by tier" in svg(draw_statistics(found))


def test_progress_is_told(table: Table) -> None:
    told: list[tuple[int, int]] = []
    compute_statistics(solved(load_game("wild")), lambda done, total: told.append((done, total)))
    assert told == [(1000, 1359)]


def test_the_chart_has_a_bar_for_every_number(found: Statistics) -> None:
    root = ET.fromstring(svg(draw_statistics(found)))
    charts = root.findall(f"{SVG}g")
    assert len(charts) == 6
    texts = [[text.text for text in chart.iter(f"{SVG}text")] for chart in charts]
    assert all(f"{n:,}" in texts[0] for n in BY_PLY)
    assert "50.8%" in texts[5]
    first = charts[0].findall(f"{SVG}rect")
    assert len(first) == sum((r.win > 0) + (r.draw > 0) + (r.loss > 0) for r in found.rows)
    heights = sum(float(rect.attrib["height"]) for rect in first)
    assert heights == pytest.approx(5478 * 170 / 2000, rel=0.001)
    for rect in root.iter(f"{SVG}rect"):
        assert float(rect.get("y", "0")) >= -0.01


def test_the_command(command: Command, tmp_path: Path) -> None:
    assert command("info", str(SHIPPED)) == 0
    plain = command.out
    assert "ply" not in plain.replace("plies", "").replace("perfectplay", "")
    assert command("info", str(SHIPPED), "--detail") == 0
    detail = command.out
    assert detail.startswith(plain)
    assert "  6      1,520  1,056    200     264   148   3.00  52.2% of 1,372" in detail
    assert command("info", str(SHIPPED), "-o", "chart.svg") == 0
    assert command.out == f"{detail}\nwrote chart.svg\n"
    ET.fromstring((tmp_path / "chart.svg").read_text())
    facts = command.json("info", str(SHIPPED))
    assert "detail" not in facts
    known = command.json("info", str(SHIPPED), "--detail")
    assert known.pop("detail")["by_ply"][6] == {
        "ply": 6,
        "positions": 1520,
        "canonical": 204,
        "win": 1056,
        "draw": 200,
        "loss": 264,
        "over": 148,
        "moves": 4116,
        "most": 3,
        "choices": 1372,
        "single": 716,
        "branching": 3.0,
        "single_share": 0.521866,
    }
    assert known == facts


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-o", "chart.png"], "must end in .svg"),
        (["-o", "missing/chart.svg"], "no file can be written there"),
    ],
)
def test_bad_input(command: Command, arguments: list[str], said: str) -> None:
    assert said in command.refuses("info", str(SHIPPED), *arguments)


def draw_a_map(name: str, seat: int) -> str:
    agent = TableAgent(solved(load_game(name)))
    return svg(draw_map(agent, agent.game.seats[seat])[0])


def draw_a_tree(name: str, text: str | None, depth: int | None) -> str:
    agent = TableAgent(solved(load_game(name)))
    game = agent.game
    p = game.initial() if text is None else game.parse(text)
    seat = game.turn(p)
    return svg(draw_tree(make_tree(agent, p, seat, seat, depth, 400), game))


def draw_a_chart(name: str) -> str:
    return svg(draw_statistics(compute_statistics(solve(load_game(name)))))


GOLDEN: dict[str, Callable[[], Any]] = {
    "map-tictactoe-x": partial(draw_a_map, "tictactoe", 0),
    "map-connect4-3x3-o": partial(draw_a_map, "connect4:3x3", 1),
    "tree-tictactoe": partial(draw_a_tree, "tictactoe", "XOXXO.O..", 9),
    "tree-cut": partial(draw_a_tree, "tictactoe", "XO.X..O..", 2),
    "tree-ponghauki": partial(draw_a_tree, "ponghauki", None, 7),
    "tree-nim": partial(draw_a_tree, "nim:1,2,2", None, 9),
    "chart-tictactoe": partial(draw_a_chart, "tictactoe"),
    "chart-morris": partial(draw_a_chart, "morris"),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_pictures(name: str) -> None:
    assert GOLDEN[name]() == (PICTURES / f"{name}.svg").read_text()


def test_there_are_no_other_golden_pictures() -> None:
    ours = {path.stem for path in PICTURES.glob("*.svg") if path.stem.startswith(KINDS)}
    assert ours == set(GOLDEN)


KINDS = ("map-", "tree-", "chart-")

if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    for name, draw in GOLDEN.items():
        (PICTURES / f"{name}.svg").write_text(draw())
