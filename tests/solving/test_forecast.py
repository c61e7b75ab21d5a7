"""Forecasts of games that are not solved, against the numbers of positions that solves found."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import pytest

from solver import Game, Outcome, load_game
from solver.games.catalogue import GAMES
from solver.kernels import find_kernel
from solver.solving import forecast as module
from solver.solving.forecast import EXACT, GUESS, LEAST, cost, forecast, size_in_words
from tests.conftest import ROOT, Command

EXAMPLES = ROOT / "examples" / "games"
KNOWN = {  # canonical positions, by solves; those of the larger boards: all of them, halved
    "connect4:5x5": 34_888_367,
    "connect4:5x6": 522_172_218,
    "connect4:6x5": 1_409_486_321,
    "mnk:4,4,4": 307_639,
    "mnk:5,4,4": 168_720_724,
    "clobber:5x4": 13_396_258,
    "domineering:5x5": 114_134,
    "breakthrough:4x4": 1_606_370,
    "dodgem:4x4": 276_832,
    "kingspawns": 4_701_216,
    f"{EXAMPLES / 'kalah.py'}:Kalah": 25_604,
    f"{EXAMPLES / 'othello.py'}:Othello": 62_789,
}


def plain(game: Game[Any, Any]) -> tuple[None, str]:
    return None, "this test asks Python"


@pytest.mark.large
@pytest.mark.parametrize("find", [find_kernel, plain])
def test_ten_of_twelve_forecasts_are_right_within_a_factor_of_three(find: Any) -> None:
    right = 0
    for spec, known in KNOWN.items():
        found = forecast(load_game(spec), find=find)
        print(spec, found.certainty, len(found.plies), found.positions, found.positions / known)
        assert found.certainty == GUESS or found.positions == known
        right += known / 3 < found.positions < 3 * known
    assert right >= 10


def test_small_games_are_counted_without_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    def find(game: Game[Any, Any]) -> Any:
        raise AssertionError("a small game is compiled")

    for listing in GAMES:
        if listing.positions < 10_000 and listing.canonical is not None:
            found = forecast(load_game(listing.spec), find=find)
            assert (found.certainty, found.positions) == (EXACT, listing.canonical)
            assert sum(found.plies) == found.positions


def test_the_rest_is_guessed_when_time_is_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here after so many looks at the clock; in plain Python and with a kernel alike."""
    known = 80_541
    for find in (find_kernel, plain):
        monkeypatch.setattr(module, "thread_time", map((0.001).__mul__, count()).__next__)
        monkeypatch.setattr(module, "MOST", 10_000)
        monkeypatch.setattr(module, "PIECE", 100)
        found = forecast(load_game("connect4:4x4"), 8.0, find)
        monkeypatch.undo()
        assert found.certainty == GUESS
        assert known / 3 < found.positions < 3 * known
        assert found.plies[:5] == [1, 2, 8, 26, 82]
        assert "a guess after" in size_in_words(found)


class Tree(Game[str, str]):
    """Letters in a row: no two ways lead to the same ones."""

    def initial(self) -> str:
        return "_"

    def moves(self, p: str) -> str:
        return "ab"

    def play(self, p: str, m: str) -> str:
        return p + m

    def primitive(self, p: str) -> Outcome | None:
        return Outcome.LOSS if len(p) == 100 else None


def test_a_game_without_an_end_in_sight_is_larger_than_what_was_found() -> None:
    found = forecast(Tree(), 0.3, plain)
    assert found.certainty == LEAST
    assert "more than " in size_in_words(found)


def test_a_solve_takes_more_for_more_positions() -> None:
    game = load_game("connect4:4x4")
    few, many = (cost(game, n, None, 1e-6) for n in (10**6, 10**9))
    for field in ("seconds", "memory", "disk", "table"):
        assert getattr(many, field) == pytest.approx(1000 * getattr(few, field))


def test_the_command_says_how_large_a_game_is_and_what_a_solve_takes(command: Command) -> None:
    assert command("estimate", "tictactoe") == 0
    assert "tictactoe: exactly 765 positions up to symmetry." in command.out
    assert "Solving it takes roughly " in command.out
    assert command("estimate", "tictactoe", "--json") == 0
    found = json.loads(command.out)
    assert (found["positions"], found["certainty"], found["beyond"]) == (765, "exact", [])
    assert sum(found["plies"]) == 765
