"""Games whose numbers grow without end are named before any work; games that end go on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from solver import Game, Outcome, load_game, solve
from solver.errors import SolveTooLargeError
from solver.solving.forecast import forecast
from solver.solving.growth import grown
from tests.conftest import Command

RULES = """
from math import isqrt
from solver import Game, Outcome


class Epstein(Game):
    def initial(self): return 29
    def moves(self, n): return ["take", "put"]
    def play(self, n, m): return n - isqrt(n) ** 2 if m == "take" else n + isqrt(n) ** 2
    def primitive(self, n): return Outcome.LOSS if n == 0 else None
"""


class Counter(Game[Any, int]):
    """Add to a number, up to an end, or go back to 0, where the game is over."""

    end, back = 1000, False

    def initial(self) -> Any:
        return ("count", 1)

    def moves(self, p: Any) -> list[int]:
        return [1, 0] if self.back else [1, 2]

    def play(self, p: Any, m: int) -> Any:
        return ("count", p[1] + m if m else 0)

    def primitive(self, p: Any) -> Outcome | None:
        return Outcome.LOSS if p[1] >= self.end or not p[1] else None


class Endless(Counter):
    end, back = 10**9, True


def test_numbers_that_double_stop_a_solve(command: Command) -> None:
    Path("epstein.py").write_text(RULES)
    said = "The largest number in the positions has grown in each of the last 50 plies, from 29 to"
    message = command.refuses("solve", "epstein.py:Epstein")
    assert said in message
    assert "--force solves it all the same" in message


@pytest.mark.slow
def test_check_and_estimate_say_so_and_go_on(command: Command) -> None:
    command.monkeypatch.setattr("solver.solving.forecast.BUDGET", 3.0)
    Path("squares.py").write_text(RULES)
    for words in ("check", "estimate"):
        assert command(words, "squares.py:Epstein") == 0
        assert "has grown in each of the last 50 plies, from" in command.out


def test_too_many_plies_stop_a_solve_unless_forced() -> None:
    with pytest.raises(SolveTooLargeError, match="from 16,336 to 16,386: the game may have no end"):
        solve(Endless())
    assert not grown(Counter()).is_hopeless
    assert solve(Counter()).counts["positions"] == 1001
    assert forecast(Counter()).growth == ""


def test_numbers_in_texts_are_not_looked_at() -> None:
    pytest.importorskip("pyspiel")
    assert grown(load_game("openspiel:tic_tac_toe+plies")).said == ""


@pytest.mark.slow
def test_a_hopeless_game_is_refused_before_its_laws_are_checked(command: Command) -> None:
    pytest.importorskip("pyspiel")
    command.monkeypatch.setattr("solver.cli.solve._load_repeatable", None)
    assert "more than 1e+18 positions" in command.refuses("solve", "openspiel:chess")
