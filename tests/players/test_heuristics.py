"""Rules of thumb against their sources, on every position of tic-tac-toe.

To test a new one, write it a second time in `tests/support/heuristics.py`.
"""

from __future__ import annotations

import math
from inspect import isfunction

import pytest

from solver import TableAgent, load_player
from solver.games.mnk import Mnk
from solver.players import PLAYERS, heuristics
from solver.players.heuristics import NStep
from tests.support import oracle
from tests.support.heuristics import EXPECTED


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.large] * (n == "nstep:9")) for n in EXPECTED]
)
def test_a_player_moves_as_its_source_says(agent: TableAgent, name: str) -> None:
    """On every position, with the same probabilities."""
    player = load_player(name, agent)
    for board in oracle.unfinished():
        p = agent.game.parse(board)
        shares = player.distribution(agent.game, p, oracle.turn(board))
        expected = EXPECTED[name](board)
        assert shares.keys() == expected.keys(), board
        assert all(math.isclose(shares[cell], expected[cell]) for cell in shares)


def test_every_rule_of_thumb_is_listed_and_names_its_source() -> None:
    functions = {thing for name, thing in vars(heuristics).items() if isfunction(thing)}
    written = {f for f in functions if f.__module__ == heuristics.__name__ and f.__name__[0] != "_"}
    assert written <= {listed.about for listed in heuristics.HEURISTICS}
    without = {p.name for p in PLAYERS if "Source: " not in (p.about.__doc__ or "")}
    assert without <= {"level:P"}


def stones(x: list[int], o: list[int]) -> int:
    """A position with X to move, cells from 1; the sources print some that no game reaches."""
    return sum(1 << cell - 1 for cell in x) << 9 | sum(1 << cell - 1 for cell in o)


@pytest.mark.parametrize(
    ("x", "o", "depth", "printed"),
    [
        ([1, 2], [5], 2, {3: 100, 4: 0, 6: 0, 7: 0, 8: 0, 9: 0}),
        ([2, 8], [1, 5], 4, {3: -100, 4: -100, 6: -100, 7: -100, 9: -100}),
        ([4, 7, 8], [1, 2, 5], 3, {3: -100, 6: -100, 9: 100}),
    ],
)
def test_the_scores_that_wesley_beckner_prints(
    x: list[int], o: list[int], depth: int, printed: dict[int, int]
) -> None:
    scores = NStep(Mnk(3, 3, 3), depth).scores(stones(x, o))
    assert {cell + 1: score for cell, score in scores.items()} == printed


def test_a_full_board_scores_zero() -> None:
    """The printed program did not notice that a board was full, and scored it infinity."""
    game = Mnk(3, 3, 3)
    assert NStep(game, 3).scores(game.parse("XOXXOOO.X")) == {7: 0}
