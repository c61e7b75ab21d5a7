"""What games are called, and how they are played."""

from __future__ import annotations

import re

import pytest

from solver import load_game
from solver.games.catalogue import GAMES
from solver.rules.descriptions import about_of, title_of
from tests.support.user_games import Heap, Row


class LastStone(Heap):
    """Take one or two stones; whoever takes
    the last one wins.

    A position is the number of stones.
    """


def test_a_custom_game_is_described_by_its_class() -> None:
    game = LastStone()
    assert title_of(game) == "Last stone"
    assert about_of(game) == "Take one or two stones; whoever takes the last one wins."
    undocumented = type("Bare", (LastStone,), {})()
    assert (title_of(undocumented), about_of(undocumented)) == ("Bare", "")
    game.title, game.about = "Seven", "Take stones."
    assert (title_of(game), about_of(game)) == ("Seven", "Take stones.")


def test_a_board_is_drawn_in_rows() -> None:
    game = Row()
    assert game.render(".X.X") == ". X . X"
    game.board = 2, 2
    assert game.render(".X.X") == ". X\n. X"


@pytest.mark.parametrize("spec", [listing.spec for listing in GAMES])
def test_every_listed_game_says_how_it_is_won(spec: str) -> None:
    game = load_game(spec)
    assert re.search(r"\b(win|wins|loses)\b", about_of(game))
    assert 1 <= len(re.findall(r"[.](?: |$)", about_of(game))) <= 3
    assert title_of(game) != spec
