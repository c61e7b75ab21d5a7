"""The smallest strategies: their sizes, and what happens to people who follow them."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from solver.strategy.file import Strategy, read_strategy
from tests.conftest import ROOT, Command
from tests.support import oracle
from tests.support.cases import campaign, large
from tests.support.heuristics import winning_cells
from tests.support.tables import table_path

pytestmark = pytest.mark.slow
CARDS = ROOT / "examples" / "check-strategy" / "never-lose.txt"
TURN, MIRROR = (6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 1, 0, 5, 4, 3, 8, 7, 6)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("tictactoe", "41 positions, the fewest"),
        *large(
            ("tictactoe --side second", "120 positions, the fewest"),
            ("tictactoe --side second --fewest decisions", "71 decisions, the fewest"),
            ("tictactoe --side second --fewest cards", "13 cards, the fewest"),
        ),
    ],
)
def test_the_smallest_strategies_of_tic_tac_toe(line: str, expected: str, command: Command) -> None:
    assert command("strategy", *line.split()) == 0
    assert f"\n{expected} possible\n" in command.out


def test_no_bound_is_computed_among_many_positions(command: Command) -> None:
    command.monkeypatch.setattr("solver.strategy.smallest.MOST_PROVED", 20)
    assert command("strategy", "tictactoe") == 0
    assert re.search(r"4\d positions found; among \d+ positions, no bound is computed", command.out)


@pytest.mark.large
@pytest.mark.parametrize(
    ("line", "expected"),
    [
        *campaign(("mnk:4,3,3", "86 positions, the fewest possible")),
        ("hexapawn:4x4", "116 positions, the fewest possible"),
        ("domineering:4x4", "31 positions, the fewest possible"),
        ("breakthrough:3x4", "167 positions, the fewest possible"),
        ("mnk:3,3,3,misere", "43 positions, the fewest possible"),
        *campaign(("mnk:3,3,3,misere --side second", "84 positions, the fewest possible")),
        ("dodgem:3x3", "256 positions found, at least 157 needed"),
        *campaign(("connect4:4x4", "698 positions found; among 53,364 positions, no bound is")),
        *campaign(("connect4:4x4 --side second", "836 positions found; among 59,167")),
    ],
)
def test_small_strategies_of_other_games(line: str, expected: str, command: Command) -> None:
    command.monkeypatch.setattr("solver.strategy.smallest.PATIENCE", 600.0)  # by the clock
    assert command("solve", line.split(maxsplit=1)[0]) == 0
    assert command("strategy", *line.split(), "-o", "s.txt") == 0
    assert expected in command.out
    assert command("verify", "s.txt") == 0


def images(board: str) -> set[str]:
    found = {board}
    for _ in range(3):
        found |= {"".join(b[i] for i in order) for b in found for order in (TURN, MIRROR)}
    return found


def play_all(strategy: Strategy, moves: dict[str, str], board: str = oracle.START) -> int:
    """Return how many games X plays by the cards, or by winning and blocking; none is lost."""
    free = oracle.moves(board)
    winning, danger = (winning_cells(board, mark) for mark in "XO")
    if winning and strategy.cards < strategy.decisions:
        return 1
    after = next((moves[image] for image in images(board) if image in moves), "")
    if not after:
        assert strategy.cards < strategy.decisions
        assert len(danger) == 1 or len(free) == 1, board
        after = oracle.play(board, (danger or free)[0])
    if oracle.over(after):
        return 1
    assert not winning_cells(after, "O"), after
    return sum(play_all(strategy, moves, oracle.play(after, c)) for c in oracle.moves(after))


def cards_of(strategy: Strategy) -> dict[str, str]:
    """Return the boards of the cards, each with the board after the move."""
    moves = {}
    for _, node in strategy.numbered():
        if node.kind == "m":
            assert int(node.move) - 1 in oracle.moves(node.position)
            moves[node.position] = oracle.play(node.position, int(node.move) - 1)
    return moves


def test_three_cards_never_lose(command: Command) -> None:
    """They are played against all answers, and no two of them are enough."""
    strategy = read_strategy(CARDS)
    assert strategy.cards == 3
    moves = cards_of(strategy)
    assert play_all(strategy, moves) > 20
    for two in combinations(moves, 2):
        with pytest.raises(AssertionError):
            play_all(strategy, {board: moves[board] for board in two})
    assert command("strategy", "tictactoe", "--fewest", "cards", "-o", "s.txt") == 0
    assert Path("s.txt").read_bytes() == CARDS.read_bytes()
    page = (ROOT / "solver" / "web" / "page" / "learn.js").read_text()
    taught = re.findall(r'position: "(.{9})",\s*cells: \[(.*?)\]', page)
    assert [board for board, _ in taught] == [*moves]
    for board, cells in taught:
        for cell in cells.split(","):
            assert play_all(strategy, moves | {board: oracle.play(board, int(cell))}) > 20


def test_twenty_two_cards_never_lose(command: Command) -> None:
    made, sheet = "s.txt", "s.svg"
    assert command("strategy", "tictactoe", "--fewest", "decisions", "-o", made) == 0
    strategy = read_strategy(made)
    moves = cards_of(strategy)
    assert len(moves) == strategy.cards == 22
    assert play_all(strategy, moves) > 20
    assert command("render", made, "-o", sheet) == 0
    assert command.out == f"wrote {sheet}: 22 cards\n"
    drawn = Path(sheet).read_text()
    assert all(f">{number}</text>" in drawn for number in range(1, 23))
    assert 'width="794"' in drawn
    assert command("render", made, "-o", sheet, "--values") == 2


def test_a_side_that_loses_has_no_strategy(command: Command, monkeypatch: Any) -> None:
    monkeypatch.setenv("PERFECTPLAY_TABLES", str(table_path("hexapawn:4x4").parent))
    assert command("strategy", "hexapawn:4x4", "--side", "second") == 2
    assert "the second player of hexapawn:4x4 loses; --side first wins" in command.err
