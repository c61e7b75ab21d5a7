"""Statistics of whole tables: exact numbers, and estimates from samples."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from solver import Table, load_game
from solver.arena.report import Statistics, compute_statistics
from solver.tables import count
from tests.conftest import SHIPPED, Command, solved
from tests.support import oracle

NAMES = ("mnk:3,3,3,misere", "notakto", "wild", "hexapawn:3x3", "nim:3,4,5", "ponghauki", "morris")


@pytest.fixture(scope="module")
def found(table: Table) -> Statistics:
    return compute_statistics(table)


def test_positions_by_ply_are_the_known_ones(found: Statistics, known: dict[str, Any]) -> None:
    assert [row.number for row in found.rows] == list(range(10))
    assert [row.positions for row in found.rows] == known["tictactoe"]["positions_by_ply"]
    assert [row.canonical for row in found.rows] == known["tictactoe"]["canonical_by_ply"]


def test_every_number_agrees_with_the_oracle(found: Statistics) -> None:
    boards: dict[int, list[str]] = {}
    for board in oracle.reachable():
        boards.setdefault(9 - board.count("."), []).append(board)
    for row in found.rows:
        level = boards[row.number]
        outcomes = Counter(oracle.solve(board)[0] for board in level)
        assert (row.win, row.draw, row.loss) == (outcomes[1], outcomes[0], outcomes[-1])
        assert row.over == sum(oracle.over(board) for board in level)
        moves = {board: oracle.moves(board) for board in level}
        assert row.moves == sum(map(len, moves.values()))
        assert row.most == max(map(len, moves.values()))
        choices = [board for board in level if len(moves[board]) > 1]
        assert row.choices == len(choices)
        good = [
            sum(oracle.move_value(board, c)[0] == oracle.solve(board)[0] for c in moves[board])
            for board in choices
        ]
        assert row.single == good.count(1)
    for name, sign in (("win", 1), ("loss", -1)):
        values = [oracle.solve(board) for board in oracle.reachable()]
        plies = Counter(n for outcome, n in values if outcome == sign)
        assert found.distances[name] == plies


def test_info_with_detail_counts_games(command: Command) -> None:
    facts = command.json("info", str(SHIPPED))
    assert "detail" not in facts
    detailed = command.json("info", str(SHIPPED), "--detail")
    assert detailed.pop("detail") == {"games": 255_168, "tree": 549_946}
    assert detailed == facts
    assert command("info", str(SHIPPED), "--detail") == 0
    assert command.out.endswith("\n255,168 games; the game tree has 549,946 nodes.\n")


@pytest.mark.parametrize("name", ["tictactoe", *NAMES])
@pytest.mark.thinned(3)
def test_rows_add_up_to_the_table_and_games_are_counted_where_none_is_endless(name: str) -> None:
    """Tic-tac-toe has 255,168 games and 549,946 nodes (Heaton; Schaefer, MathRec)."""
    game = load_game(name)

    @cache
    def walked(p: object) -> tuple[int, int]:
        below = (
            []
            if game.primitive(p) is not None
            else [walked(game.play(p, m)) for m in game.moves(p)]
        )
        return sum(n for n, _ in below) or 1, 1 + sum(n for _, n in below)

    table = solved(game)
    found, counts = compute_statistics(table), table.counts
    total = found.total
    assert (total.positions, total.canonical) == (counts["positions"], counts["canonical"])
    assert (total.over, total.draw) == (counts["terminal"], counts["draw"])
    for name_of, side in (("win", total.win), ("loss", total.loss)):
        assert side == counts[name_of] == sum(found.distances[name_of].values())
    endless = name in ("ponghauki", "morris")
    assert (found.games, found.tree) == ((None, None) if endless else walked(game.initial()))
    if name == "tictactoe":
        assert (found.games, found.tree) == (255_168, 549_946)


def test_statistics_are_of_so_many_positions_and_no_more(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(count, "MOST", 765)
    compute_statistics(table)
    monkeypatch.setattr(count, "MOST", 764)
    for function in (compute_statistics, count.count_games):
        with pytest.raises(ValueError, match="games are counted of 764 at most"):
            function(table)
