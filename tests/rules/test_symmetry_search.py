"""The search for symmetries: groups of the right order, none that fails, the same each time."""

from __future__ import annotations

import os
import subprocess
import sys
from functools import partial
from typing import Any

import pytest

from solver import Game, load_game
from solver.rules.automorphisms import Graph, Search
from solver.rules.symmetry_search import failure, find_symmetries
from tests.conftest import ROOT
from tests.rules import games_with_symmetries as games
from tests.support.cases import cases

ORDERS = {
    "tictactoe": 8,  # of the square
    "mnk:4,4,4": 32,  # of the ten lines: those that fix the two diagonals as a set; Gardner
    "hexapawn:4x4": 4,  # mirror; colours with the board upside down
    "wild": 16,  # of the square, and X with O: either side may place either mark
    "notakto": 8,  # of the square
    "morris": 8,  # of the square; sides see the board as their own, so colours are no exchange
    "connect4:4x4": 2,  # mirror
    "kingspawns": 4,  # mirror; colours with the board upside down
    # From here with the side to move in the position, so that colours may be exchanged
    "domineering:4x4": 8,  # of the square; quarter turns exchange the sides
    "domineering:3x4": 4,  # of the rectangle
    "mutorere": 32,  # of the ring, 16, times colours
    "clobber:3x3": 16,  # of the square, times colours
    "breakthrough:4x4": 4,  # mirror; colours with the board upside down
    "dodgem:3x3": 2,  # sides with the diagonal along which neither drives
    "Othello": 16,  # of the square, times colours
    "MuTorere": 32,  # texts instead of numbers
    "Clobber": 16,
    # A corner box has two edges of its own, which play alike: 2 ** 4 swaps times 8 of the square
    "DotsAndBoxes": 128,
}
LARGE = ("mnk:4,4,4", "wild", "morris", "kingspawns", "breakthrough:4x4", "mutorere")  # seconds


def game_of(name: str) -> Game[Any, Any]:
    found: Any = getattr(games, name, None)
    return found() if found else load_game(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", cases(ORDERS, {*LARGE, "DotsAndBoxes"}))
def test_the_whole_group_is_found(name: str) -> None:
    game = game_of(name)
    group = find_symmetries(game)
    assert group.order == len(group.maps) == ORDERS[name]
    assert 2 ** len(group.generators) <= group.order
    assert all(a == b for a, b in group.maps[0].items())
    for one in group.generators:
        assert not failure(group.sample, partial(group.image, one), group.sample.tested)
    keys = {tuple(m.items()) for m in group.maps}
    for one in group.maps[:: max(1, len(group.maps) // 8)]:
        assert not failure(group.sample, partial(group.image, one), group.sample.tested)
        for generator in group.generators:
            assert tuple((a, generator[b]) for a, b in one.items()) in keys


def test_one_wrong_index_in_a_ring_leaves_few_symmetries() -> None:
    """Point 0 hangs from point 1 of a ring of seven: one reflection is left, and the colours."""
    assert find_symmetries(games.WrongRing()).order == 4


@pytest.mark.slow
def test_a_rule_that_breaks_symmetries_leaves_those_that_hold() -> None:
    """The forbidden move lets no reflection of the square hold; colours still are exchanged."""
    group = find_symmetries(games.BrokenClobber())
    assert group.order == 2
    seats = group.rearrangement(group.generators[0])
    assert seats.cells == tuple(range(17))
    assert ("o", "x") in seats.exchanged


@pytest.mark.slow
def test_a_rare_rule_shows_in_the_whole_sample() -> None:
    """No map keeps these corners; few positions have them, and generators are tested on all."""
    assert find_symmetries(games.CornersEnd()).order == 1


@pytest.mark.slow
def test_the_result_depends_on_the_rules_and_the_seed_alone() -> None:
    """It is the same in every process, whatever the order of texts in sets."""
    code = (
        "from solver import load_game; from solver.rules.symmetry_search import find_symmetries\n"
        "from tests.rules.games_with_symmetries import MuTorere\n"
        "for game in MuTorere(), load_game('hexapawn:3x3'):\n"
        "    print(find_symmetries(game).maps, find_symmetries(game, 1).generators)"
    )
    printed = [
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    assert printed[0] == printed[1]
    assert printed[0].count(b"\n") == 2


@pytest.mark.slow
def test_maps_of_cells_follow_from_boards() -> None:
    group = find_symmetries(load_game("hexapawn:3x3"))
    shown = {one.cells: one.exchanged for one in map(group.rearrangement, group.maps)}
    upside_down = [("P", "p"), ("White", "Black")]
    assert shown == {
        (0, 1, 2, 3, 4, 5, 6, 7, 8): [],
        (2, 1, 0, 5, 4, 3, 8, 7, 6): [],
        (6, 7, 8, 3, 4, 5, 0, 1, 2): upside_down,
        (8, 7, 6, 5, 4, 3, 2, 1, 0): upside_down,
    }


def test_positions_without_places_are_refused() -> None:
    with pytest.raises(ValueError, match="nim:3,4: symmetries are only found if"):
        find_symmetries(load_game("nim:3,4"))


def cube() -> Graph:
    graph = Graph()
    for _ in range(8):
        graph.vertex(0)
    for a in range(8):
        for bit in (1, 2, 4):
            if a & bit:
                graph.join(a, a ^ bit, 1)
    return graph


def closure(generators: list[list[int]]) -> set[tuple[int, ...]]:
    found = {tuple(range(8))}
    waiting = [*found]
    while waiting:
        one = waiting.pop()
        new = {tuple(g[i] for i in one) for g in generators} - found
        found |= new
        waiting += new
    return found


def test_automorphisms_of_a_graph() -> None:
    """Edges have a direction, from the vertex with more bits: only the axes can be exchanged."""
    assert len(closure(Search(cube(), lambda _: True).generators())) == 6
    undirected = cube()
    undirected.edges = [[(1, b) for _, b in some] for some in undirected.edges]
    assert len(closure(Search(undirected, lambda _: True).generators())) == 48


def test_automorphisms_that_are_accepted_form_the_group() -> None:
    graph = cube()
    graph.edges = [[(1, b) for _, b in some] for some in graph.edges]
    search = Search(graph, lambda image: image[0] in (0, 7))  # a diagonal of the cube stays
    assert len(closure(search.generators())) == 12
    assert search.rejected > 0
