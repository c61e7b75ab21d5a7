"""What games are called, and how they are played."""

from __future__ import annotations

import re

import pytest

from solver import Game, Outcome, load_game
from solver.games.catalogue import GAMES
from solver.rules.descriptions import about_of, title_of


class LastStone(Game[int, int]):
    """Take one or two stones; whoever takes
    the last one wins.

    A position is the number of stones.
    """

    def initial(self) -> int:
        return 7

    def moves(self, p: int) -> list[int]:
        return [m for m in (1, 2) if m <= p]

    def play(self, p: int, m: int) -> int:
        return p - m

    def primitive(self, p: int) -> Outcome | None:
        return None if p else Outcome.LOSS


def test_a_custom_game_is_described_by_its_class() -> None:
    game = LastStone()
    assert title_of(game) == "Last stone"
    assert about_of(game) == "Take one or two stones; whoever takes the last one wins."
    undocumented = type("Bare", (LastStone,), {})()
    assert (title_of(undocumented), about_of(undocumented)) == ("Bare", "")
    game.title, game.about = "Seven", "Take stones."
    assert (title_of(game), about_of(game)) == ("Seven", "Take stones.")


@pytest.mark.parametrize("spec", [listing.spec for listing in GAMES])
def test_every_listed_game_says_how_it_is_won(spec: str) -> None:
    game = load_game(spec)
    assert re.search(r"\b(win|wins|loses)\b", about_of(game))
    assert 1 <= len(re.findall(r"[.](?: |$)", about_of(game))) <= 3
    assert title_of(game) != spec
