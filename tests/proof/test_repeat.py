"""Rules that depend on the order of sets are found by processes that have other orders."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver import GameLawError, encode, load_game, solve, verify
from tests.conftest import Command

ORDERED = """
from solver import Game, Outcome

RED, BLUE = {"red": 1}, {"blue": 2}

class First(Game):
    def initial(self):
        return 7, "red"

    def moves(self, p):
        return [(n, c) for n in (1, 2) if n <= p[0] for c in ("red", "blue")]

    def play(self, p, m):
        return p[0] - m[0], m[1]

    def primitive(self, p):
        if p[0]:
            return None
        return Outcome.WIN if p[1] == FIRST else Outcome.DRAW

class Last(First):
    def primitive(self, p):
        return None if p[0] else Outcome.LOSS
"""


@pytest.mark.parametrize("first", ["next(iter({*RED, *BLUE}))", "[*(RED.keys() | BLUE.keys())][0]"])
def test_the_order_of_a_set_of_two_texts_is_found_every_time(first: str, command: Command) -> None:
    """It is one bit, on which one other process agrees half of the time."""
    file = f"ordered{len(first)}.py"
    Path(file).write_text(ORDERED.replace("FIRST", first))
    data = encode(solve(load_game(f"{file}:First")))
    with pytest.raises(GameLawError, match="its rules depend on the order of a set"):
        verify(data, f"{file}:First")
    Path("last.json").write_bytes(encode(solve(load_game(f"{file}:Last"))))
    assert command("verify", "last.json", "--game", f"{file}:Last") == 0
    assert "order of sets: compared at 15 positions in 8 processes\n" in command.out
