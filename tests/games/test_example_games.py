"""The games in examples/games: their rules, values and counts, compared with independent oracles.

The L game is compared with published counts: see tests/docs/test_published_values.py.
Counts and plies without another source come from the oracles.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from examples.games.alpha_zero_general import Adapted
from examples.games.clobber import Numbers, Texts, Tuples
from examples.games.cram import Cram
from examples.games.dots_and_boxes import DotsAndBoxes
from examples.games.four_in_a_row import FourInARow
from examples.games.kalah import Kalah
from examples.games.konane import Konane
from examples.games.l_game import LGame
from examples.games.othello import Othello
from solver import Game, Outcome, TableAgent, check_game, load_game, solve
from solver.rules.positions import every_position
from solver.solving.solve import SolveOptions, solve_file
from solver.tables.mapped_table import MappedTable
from tests.support import example_games as oracles
from tests.support.brute import Rules, Value, brute
from tests.support.cases import campaign, large
from tests.support.plain_games import clobber

WIN, DRAW, LOSS = Outcome.WIN, Outcome.DRAW, Outcome.LOSS


def sized(name: str, kind: type[Game[Any, Any]], **sizes: int) -> type[Game[Any, Any]]:
    return type(name, (kind,), sizes)


Konane44 = sized("Konane44", Konane, columns=4, rows=4)
Cram34 = sized("Cram34", Cram, columns=3, rows=4)
Cram44 = sized("Cram44", Cram, columns=4, rows=4)
Boxes22 = sized("Boxes22", DotsAndBoxes, columns=2, rows=2)
Kalah23 = sized("Kalah23", Kalah, pits=2, seeds=3)
Kalah32 = sized("Kalah32", Kalah, pits=3, seeds=2)


def of_four(p: int) -> Hashable:
    return oracles.bits(p & 0xFFFF, 4), oracles.bits(p >> 16, 4)


CLOBBER = clobber(frozenset())
FIXED: dict[type[Game[Any, Any]], tuple[Rules, Callable[[Any], Hashable]]] = {
    Texts: (CLOBBER, lambda p: oracles.of_texts(p, 5)),
    Tuples: (CLOBBER, oracles.of_clobber_tuple),
    Numbers: (CLOBBER, oracles.of_clobber_number),
    Othello: (oracles.othello(4), lambda p: oracles.of_texts(p, 4)),
    FourInARow: (oracles.four_in_a_row(4), of_four),
}
"""An oracle's rules, and the map of the game's positions to its own, for games of one size."""


def oracle(game: Any) -> tuple[Rules, Callable[[Any], Hashable]]:
    """Return an oracle's rules, and the map of the game's positions to its own."""
    if type(game) in FIXED:
        return FIXED[type(game)]
    if isinstance(game, Kalah):
        return oracles.kalah(game.pits), lambda p: oracles.of_kalah(p, game.pits)
    columns, rows = game.columns, game.rows
    if isinstance(game, Cram):
        cells = oracles.board(columns, rows)
        return oracles.cram(columns, rows), lambda p: cells - oracles.bits(p, columns)
    if isinstance(game, DotsAndBoxes):
        return oracles.dots_and_boxes(columns, rows), lambda p: oracles.of_dots(p, columns, rows)
    return oracles.konane(columns, rows), lambda p: oracles.of_texts(p, columns)


SMALL = [Konane44, Cram34, Kalah23, Kalah32, Boxes22, Cram44]
EACH: dict[type[Game[Any, Any]], tuple[int, int, Value]] = {
    Texts: (206_805, 80_944, (WIN, 9)),
    Tuples: (206_805, 80_944, (WIN, 9)),
    Numbers: (206_805, 80_944, (WIN, 9)),
    Othello: (62_789, 27_624, (LOSS, 12)),
    Konane: (238_677, 99_162, (LOSS, 6)),
    FourInARow: (9_722_011, 960_556, (DRAW, None)),  # arXiv 1703.10678
    Cram: (1_125_703, 295_376, (LOSS, 12)),
    DotsAndBoxes: (229_307, 63_754, (LOSS, 22)),  # the winner: Berlekamp, 2000
    Kalah: (25_604, 10_246, (WIN, 22)),  # the winner: Irving and others, 2000
    LGame: (18_368, 8 * (15 + 14), (DRAW, None)),  # 8 * 2,296 positions: Wikipedia, L game
}
"""How many positions each game has, how many are lost, and the value of the start."""
SLOW = [kind for kind in EACH if kind is not Kalah]  # which take seconds or minutes each


@pytest.mark.every
@pytest.mark.parametrize("kind", [kind for kind in EACH if kind is not LGame])
@pytest.mark.no_cover
def test_rules_match_the_oracle_in_the_first_positions(kind: type[Game[Any, Any]]) -> None:
    game = kind()
    rules, image = oracle(game)
    assert check_game(game, walks=1) > 5
    for p in islice(every_position(game), 100):
        found, over = rules(image(p)), game.primitive(p)
        assert over == (found if isinstance(found, int) else None)
        if isinstance(found, list):
            assert {image(game.play(p, m)) for m in game.moves(p)} == set(found)


@pytest.mark.slow
@pytest.mark.parametrize("kind", SMALL)
@pytest.mark.thinned(6, 3)
def test_values_on_small_boards_match_the_oracle(kind: type[Game[Any, Any]]) -> None:
    game = kind()
    rules, image = oracle(game)
    values, table = brute(rules, image(game.initial())), solve(game)
    agent = TableAgent(table)
    assert table.counts["positions"] == len(values)
    for p in every_position(game):
        assert (agent.outcome(p), agent.distance(p)) == values[image(p)]


@pytest.mark.parametrize(
    ("pits", "results"),
    [(1, "DLWLWD"), (2, "WLLLW"), pytest.param(3, "DWW", marks=pytest.mark.campaign)],
)
def test_kalah_has_the_published_winners(pits: int, results: str) -> None:
    """Irving, Donkers and Uiterwijk, 2000: for 1, 2, ... seeds in each pit."""
    found = ""
    for seeds in range(1, len(results) + 1):
        game = sized("Sized", Kalah, pits=pits, seeds=seeds)()
        found += "LDW"[TableAgent(solve(game)).outcome(game.initial()) + 1]
    assert found == results


@pytest.mark.parametrize("kind", [*large(Kalah), *campaign(*SLOW)])
def test_each_game_has_its_positions_and_value(kind: type[Game[Any, Any]], tmp_path: Path) -> None:
    game, path = kind(), tmp_path / "x.safetensors"
    solve_file(game, str(path), SolveOptions())
    table = MappedTable.open(path, game)
    agent: TableAgent[Any, Any] = TableAgent(table)
    start = game.initial()
    value = agent.outcome(start), agent.distance(start)
    assert (table.counts["positions"], table.counts["loss"], value) == EACH[kind]


@pytest.mark.campaign
@pytest.mark.parametrize("kind", [Texts, Othello, Konane, DotsAndBoxes, Kalah, Cram])
def test_the_oracle_has_the_same_counts_and_value(kind: type[Game[Any, Any]]) -> None:
    rules, image = oracle(kind())
    start: Any = image(kind().initial())
    values = brute(rules, start)
    lost = sum(outcome == LOSS for outcome, _ in values.values())
    assert (len(values), lost, values[start]) == EACH[kind]


class ForAlphaZero:
    """Three in a row, on two rows, as people write it for alpha-zero-general."""

    def getInitBoard(self) -> Any:  # noqa: N802
        return np.zeros((2, 3), int)

    def getNextState(self, board: Any, player: int, action: int) -> tuple[Any, int]:  # noqa: N802
        after = board.copy()
        after[divmod(action, 3)] = player
        return after, -player

    def getValidMoves(self, board: Any, player: int) -> Any:  # noqa: N802
        return (board == 0).ravel()

    def getGameEnded(self, board: Any, player: int) -> float:  # noqa: N802
        if 3 in (sums := {int(line.sum()) * player for line in board}):
            return 1
        return -1 if -3 in sums else 0 if (board == 0).any() else 1e-4

    def getCanonicalForm(self, board: Any, player: int) -> Any:  # noqa: N802
        return board * player


@pytest.mark.slow
def test_a_class_for_alpha_zero_general() -> None:
    found, own = solve(Adapted(ForAlphaZero())), solve(load_game("mnk:3,2,3"))
    for field in ("positions", "terminal", "win", "draw", "loss", "outcome"):
        assert found.describe()[field] == own.describe()[field]
