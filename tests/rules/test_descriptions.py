"""What games are called, and how they are played."""

from __future__ import annotations

import json
import re

import pytest

from solver import Game, Outcome, load_game
from solver.games.catalogue import GAMES
from solver.rules.descriptions import about_of, title_of
from tests.conftest import Command


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


def test_titles_are_unique() -> None:
    titles = [title_of(load_game(listing.spec)) for listing in GAMES]
    assert len({*titles}) == len(titles)


@pytest.mark.parametrize(
    ("spec", "title"),
    [
        ("mnk:3,3,3", "Tic-tac-toe"),
        ("mnk:5,4,4,misere", "Four in a row on 5x4, misère"),
        ("connect4:7x6", "Connect 4"),
        ("connect4:4x4,3", "Connect 3 on 4x4"),
        ("nim:7", "Nim with 7"),
        ("hexapawn:3x3", "Hexapawn"),
    ],
)
def test_titles_name_the_sizes(spec: str, title: str) -> None:
    assert title_of(load_game(spec)) == title


def test_the_command_lists_names_and_rules(command: Command) -> None:
    assert command("games", "--json") == 0
    listed = {entry["spec"]: entry for entry in json.loads(command.out)}
    assert listed["ponghauki"]["title"] == "Pong hau k'i"
    assert command("games") == 0
    rules = command.out.partition("\nRules:\n")[2].splitlines()
    assert f"  Notakto: {listed['notakto']['about']}" in rules
    assert len({rule.partition(": ")[2] for rule in rules}) == len(rules)
