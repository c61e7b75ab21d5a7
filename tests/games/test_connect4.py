"""Connect 4 against an independent oracle: its rules on columns of marks, slow and simple.

The oracle shares no code with the package. A position is a tuple of strings, one for each column
from the left, each from the bottom up. X moves first, and values come from brute force.
"""

from __future__ import annotations

import random
import subprocess
import sys
from collections import Counter
from functools import cache
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from solver import IllegalPositionError, Outcome, solve
from solver.games.connect4 import Connect4
from solver.value import distance, outcome
from tests.conftest import ROOT
from tests.support.brute import brute
from tests.support.properties import examples

Columns = tuple[str, ...]

SIZES = [
    *((4, 4, 4), (5, 4, 4), (4, 5, 4), (7, 6, 4), (9, 7, 4), (3, 3, 3), (4, 3, 3), (4, 4, 2)),
    *((4, 3, 4), (1, 6, 4), (1, 1, 1), (6, 1, 3), (1, 5, 2), (2, 2, 1), (4, 4, 5), (6, 7, 5)),
    *((3, 4, 9), (8, 8, 4), (2, 9, 3), (7, 6, 6)),
]


class Oracle(NamedTuple):
    """The rules for one size."""

    columns: int
    rows: int
    k: int

    def start(self) -> Columns:
        return ("",) * self.columns

    def moves(self, board: Columns) -> list[int]:
        if self.winner(board):
            return []
        return [c for c, column in enumerate(board) if len(column) < self.rows]

    def play(self, board: Columns, c: int) -> Columns:
        return (*board[:c], board[c] + mover(board), *board[c + 1 :])

    def winner(self, board: Columns) -> str | None:
        return winner(board, self.k)

    def over(self, board: Columns) -> int | None:
        """Return the outcome for the side to move if the game is over."""
        if self.winner(board):
            return -1
        return None if self.moves(board) else 0

    def after(self, board: Columns) -> int | list[Columns]:
        over = self.over(board)
        return [self.play(board, c) for c in self.moves(board)] if over is None else over

    def parents(self, board: Columns) -> set[Columns]:
        """Return the boards from which a legal move leads to this one."""
        last = other(mover(board))
        tops = [c for c, column in enumerate(board) if column.endswith(last)]
        before = {(*board[:c], board[c][:-1], *board[c + 1 :]) for c in tops}
        return {b for b in before if not self.winner(b)}

    def threats(self, board: Columns) -> list[int]:
        """Return the columns where the opponent would win if it were its turn."""
        opponent = other(mover(board))
        after = {c: (*board[:c], board[c] + opponent, *board[c + 1 :]) for c in self.moves(board)}
        return [c for c, b in after.items() if self.winner(b) == opponent]

    def text(self, board: Columns, between: str = "", empty: str = ".") -> str:
        """Return the rows from the top."""
        filled = [column.ljust(self.rows, empty) for column in board]
        rows = ["".join(c[row] for c in filled) for row in reversed(range(self.rows))]
        return between.join(rows)

    def game(self, seed: int) -> tuple[list[Columns], list[int]]:
        """Return the boards of a random game, and its moves."""
        generator = random.Random(seed)
        boards, played = [self.start()], []
        while moves := self.moves(boards[-1]):
            played.append(generator.choice(moves))
            boards.append(self.play(boards[-1], played[-1]))
        return boards, played


@cache
def winner(board: Columns, k: int) -> str | None:
    """Return the seat with k in a row: vertically, horizontally or diagonally."""
    for seat in "XO":
        stones = {(c, r) for c, col in enumerate(board) for r, m in enumerate(col) if m == seat}
        for c, r in stones:
            for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                if all((c + i * right, r + i * up) in stones for i in range(k)):
                    return seat
    return None


def other(seat: str) -> str:
    return "O" if seat == "X" else "X"


def mover(board: Columns) -> str:
    stones = "".join(board)
    return "X" if stones.count("X") == stones.count("O") else "O"


def swapped(text: str) -> str:
    return text.translate(str.maketrans("XO", "OX"))


sizes = st.sampled_from(SIZES)
seeds = st.integers(0, 2**32)


def pairs(size: tuple[int, int, int], seed: int) -> tuple[Connect4, Oracle, list[tuple[Any, int]]]:
    """Return the game, the oracle, and the boards of a random game with their positions."""
    game, rules = Connect4(*size), Oracle(*size)
    boards, played = rules.game(seed)
    positions = [game.initial()]
    for m in played:
        positions.append(game.play(positions[-1], m))
    return game, rules, list(zip(boards, positions, strict=True))


@examples(60)
@given(sizes, seeds)
def test_the_rules_texts_and_labels_match_the_oracle(size: tuple[int, int, int], seed: int) -> None:
    game, rules, walk = pairs(size, seed)
    for ply, (board, p) in enumerate(walk):
        assert game.tier(p) == ply
        assert game.turn(p) == mover(board)
        assert game.primitive(p) == rules.over(board)
        assert game.position(game.key(p)) == p
        text = rules.text(board)
        assert game.text(p) == game.text(p, game.turn(p)) == text
        assert game.text(p, other(game.turn(p))) == swapped(text)
        if rules.over(board) is not None:
            continue
        assert game.moves(p) == rules.moves(board)
        assert game.threats(p) == rules.threats(board)
        for m in rules.moves(board):
            after = rules.text(rules.play(board, m))
            changed = [i for i, mark in enumerate(text) if mark != after[i]]
            assert [game.cell(p, m)] == changed
            assert game.label(p, m) == str(m + 1)
            assert game.code(m) == m


@examples(60)
@given(sizes, seeds)
def test_parse_reads_every_way_to_write_a_position(size: tuple[int, int, int], seed: int) -> None:
    game, rules, walk = pairs(size, seed)
    _, played = rules.game(seed)
    for ply, (board, p) in enumerate(walk):
        text = rules.text(board)
        turn = mover(board)
        assert game.parse(text) == game.parse(text, turn) == p
        assert game.parse(text.lower()) == game.parse(text.replace(".", "-")) == p
        assert game.parse(text.replace(".", " ")) == game.parse(text.replace(".", "_")) == p
        for between in ("/", "|", "\n", "\r\n"):
            assert game.parse(rules.text(board, between)) == p
        assert game.parse(swapped(text), other(turn)) == p  # O moved first
        digits = "".join(str(c + 1) for c in played[:ply])
        assert game.parse(digits) == game.parse(digits, "X") == game.parse(digits, "O") == p


@examples(60)
@given(sizes, seeds)
def test_a_stone_in_a_column_preserves_the_order_of_keys(
    size: tuple[int, int, int], seed: int
) -> None:
    """The kernel merges on this property."""
    game, _, walk = pairs(size, seed)
    _, _, second = pairs(size, seed + 1)
    for (_, p), (_, q) in zip(walk, second, strict=False):
        over = game.primitive(p) is not None or game.primitive(q) is not None
        for m in () if over else set(game.moves(p)) & set(game.moves(q)):
            assert game.play(p, m) > p
            assert (game.play(p, m) < game.play(q, m)) == (p < q)


@pytest.mark.parametrize(
    ("text", "turn", "reason"),
    [
        ("..../..../..../X.X.", None, "2 X and 0 O: X moves first and has as many as O or one"),
        ("..../..../..../O...", None, "one more; if O moved first, specify that it is X's turn$"),
        ("..../..../..../XOX.", "X", "it cannot be X's turn with 2 X and 1 O"),
        (".X../..../.O../....", None, "a stone of column 2 has nothing below it"),
        ("..../..../OOOO/XXXX", None, "both X and O have 4 in a row"),
        ("X.../XO../XO../XO.O", "X", "X has 4 in a row, so the game was over before O's last"),
        ("..../..../O.../X...", "O", "no last move of X leads to it: its stones are all covered"),
        ("..../O.../OOXO/XXXX", None, "no last move of X .* or it already had 4 in a row"),
        ("405", None, "'405' is not a game: the columns are 1 to 4"),
        ("12٣", None, "is not a game: the columns are 1 to 4"),
        ("11111", None, "'11111' drops more than 4 stones into a column"),
        ("12121212", None, "the game was over before the last move of '12121212'"),
        ("..../..../..../X4..", None, "cell 14 of .* is '4'; it must be X or O, or one of"),
    ],
)
def test_parse_reports_why_it_rejects_a_text(text: str, turn: str | None, reason: str) -> None:
    with pytest.raises(IllegalPositionError, match=reason):
        Connect4(4, 4).parse(text, turn)


@st.composite
def stacks(draw: st.DrawFn) -> tuple[tuple[int, int, int], Columns]:
    """Draw a size and columns of random stones."""
    size = draw(st.sampled_from([(3, 3, 3), (4, 3, 3), (3, 2, 2), (4, 4, 4)]))
    return size, tuple(draw(st.text("XO", max_size=size[1])) for _ in range(size[0]))


@examples(300)
@given(stacks())
@example(((4, 4, 4), ("XOO", "XO", "XX", "XO")))
def test_parse_accepts_a_board_if_and_only_if_a_last_move_leads_to_it(
    case: tuple[tuple[int, int, int], Columns],
) -> None:
    """X moves first, so it has as many stones as O or one more."""
    size, board = case
    game, rules = Connect4(*size), Oracle(*size)
    stones = "".join(board)
    surplus = stones.count("X") - stones.count("O")
    text = rules.text(board)
    if surplus in (0, 1) and (not stones or rules.parents(board)):
        p = game.parse(text)
        assert game.text(p) == text
    else:
        with pytest.raises(IllegalPositionError):
            game.parse(text)


@pytest.mark.parametrize("size", [(3, 3, 3), (4, 3, 4), (3, 4, 4)])
@pytest.mark.thinned(3)
@pytest.mark.slow
def test_values_of_all_positions_match_the_oracle(size: tuple[int, int, int]) -> None:
    game, rules = Connect4(*size), Oracle(*size)
    table: Any = solve(game)
    values = brute(rules.after, rules.start())
    outcomes = Counter(str(Outcome(found)) for found, _ in values.values())
    for board, right in values.items():
        score = table.probe(game.parse(rules.text(board)))
        assert (outcome(score), distance(score)) == right, rules.text(board, "/")
    assert table.counts == {
        "positions": len(values),
        "canonical": len({min(board, board[::-1]) for board in values}),
        "terminal": sum(rules.over(board) is not None for board in values),
        **{name: outcomes[name] for name in ("win", "draw", "loss")},
    }


@pytest.mark.campaign
def test_narrow_boards_take_little_memory() -> None:
    """Tables of all values of a column, or of two columns, once had 2**30 entries and more.

    And on 4x14 with 8 in a row the kernel took four stones for a line: it shifted 64 bits by 64,
    which some processors treat as a shift by 0.
    """
    resource = pytest.importorskip("resource")
    specs = [f"connect4:{size}" for size in ("1x64", "1x30", "2x20", "4x14,8")]
    code = f"from solver.cli import run\nfor spec in {specs}: assert run(['check', spec]) == 0"
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (3 << 29, 3 << 29)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr  # which has progress, too
    for spec in specs:
        assert f"{spec}: the rules obey every law in" in run.stdout
