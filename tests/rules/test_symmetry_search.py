"""The symmetries that are proposed: groups of the right order, the same each time."""

from __future__ import annotations

from typing import Any

import pytest

from examples.games.clobber import COLUMNS, Texts
from examples.games.othello import Othello
from solver import Game, load_game, symmetry_group
from solver.rules.symmetry_search import find_symmetries
from tests.compiling import own_games
from tests.conftest import python
from tests.support.cases import campaign, large
from tests.support.user_games import Digits, Row

ORDERS = {  # all symmetries, and those that leave the start as it is
    "tictactoe": (8, 8),  # of the square
    "mnk:4,4,4": (32, 32),  # of the ten lines: those that fix the two diagonals as a set; Gardner
    "hexapawn:3x3": (4, 2),  # mirror; colours with the board upside down
    "wild": (16, 16),  # of the square, and X with O: either side may place either mark
    "notakto": (8, 8),
    "morris": (8, 8),  # sides see the board as their own, so colours are no exchange
    "connect4:4x4": (2, 2),  # mirror; bits are not numbered like cells
    "ponghauki": (2, 2),  # five points at `cell_places`
    # From here with the side to move in the position, so that colours may be exchanged
    "domineering:4x4": (8, 4),  # quarter turns exchange the sides
    "mutorere": (32, 2),  # of the ring, 16, times colours
    "clobber:4x3": (8, 2),
    "breakthrough:3x4": (4, 2),
    "dodgem:3x3": (2, 1),  # sides with the diagonal along which neither drives
    "Othello": (16, 4),  # of the square, times colours
    "TicTacToe": (8, 8),  # texts without a board
}
SLOW = ("mnk:4,4,4", "wild", "clobber:4x3")
SLOWEST = ("connect4:4x4", "Othello")  # in make campaigns


class BrokenClobber(Texts):
    """No stone goes from the first cell to the one below: no turn or reflection is left."""

    def moves(self, p: Any) -> Any:
        return [m for m in super().moves(p) if m != (0, COLUMNS)]


def game_of(name: str) -> Game[Any, Any]:
    for kind in (Othello, own_games.TicTacToe):
        if kind.__name__ == name:
            return kind()
    return load_game(name)


@pytest.mark.parametrize(
    "name", [*(n for n in ORDERS if n not in SLOW + SLOWEST), *large(*SLOW), *campaign(*SLOWEST)]
)
@pytest.mark.thinned(6)
@pytest.mark.no_cover
def test_the_whole_group_is_found(name: str) -> None:
    game = game_of(name)
    found = find_symmetries(game)
    assert (found.order, found.fixed) == ORDERS[name]
    generators = [*found.fixing, *found.moving]
    assert len(symmetry_group(*generators)) == found.order >= 2 ** len(generators)
    assert len(symmetry_group(*found.fixing) if found.fixing else [0]) == found.fixed
    assert all(s.position(game.initial()) == game.initial() for s in found.fixing)
    for s in symmetry_group(*generators):
        assert not found.sample.failure(s.position, found.sample.tested)


@pytest.mark.campaign
def test_a_rule_that_breaks_symmetries_leaves_those_that_hold() -> None:
    """The forbidden move lets no reflection of the board hold; colours still are exchanged."""
    found = find_symmetries(BrokenClobber())
    assert found.order == 2
    origins, changes = found.moving[0].place_map or ((), ())
    assert origins == tuple(range(16))
    assert changes[0] == (("o", "x"), ("x", "o"))


class Tiered(Digits):
    """Mark one of three cells, and the tier says which were marked."""

    board, play = None, Row.play  # type: ignore[assignment]


class TieredLeft(Tiered):
    def tier(self, p: str) -> int:
        return (p[0] == "X") + (p[1] == "X")


def test_a_tier_is_kept() -> None:
    """All orders of the three cells; those that keep the tier leave the last cell where it is."""
    assert find_symmetries(Tiered()).order == 6
    assert find_symmetries(TieredLeft()).order == 2


def maps() -> list[Any]:
    """Return what is found of two games."""
    found = map(find_symmetries, (own_games.TicTacToe(), load_game("hexapawn:3x3")))
    return [[s.place_map for s in (*one.fixing, *one.moving)] for one in found]


@pytest.mark.large
def test_the_result_depends_on_the_rules_alone() -> None:
    """It is the same in every process, whatever the order of texts in sets."""
    code = "from tests.rules.test_symmetry_search import maps; print(maps())"
    assert python("-c", code, PYTHONHASHSEED="1").stdout == f"{maps()}\n"  # here it is another
