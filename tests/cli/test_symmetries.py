"""The command symmetries."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tests.conftest import Command

WRONG = """
from solver import Game, Outcome, Symmetry

class Row(Game):
    board = 5, 1
    symmetries = (
        Symmetry(lambda p: p, lambda m: m, None),
        Symmetry(lambda p: p[1:] + p[:1], lambda m: (m - 1) % 5, None),
    )

    def initial(self):
        return "....."

    def moves(self, p):
        return [i for i, mark in enumerate(p) if mark == "."]

    def play(self, p, m):
        return p[:m] + "X" + p[m + 1 :]

    def primitive(self, p):
        return Outcome.LOSS if "XX" in p else None
"""

PAIRS = """
from solver import Game, Outcome

class Pairs(Game):
    board = 5, 1

    def initial(self):
        return "..... X"

    def moves(self, p):
        return [i for i in range(5) if p[i] == "."]

    def play(self, p, m):
        return p[:m] + p[-1] + p[m + 1 : 6] + ("O" if p[-1] == "X" else "X")

    def primitive(self, p):
        return Outcome.LOSS if "XX" in p or "OO" in p or "." not in p else None

    def turn(self, p):
        return p[-1]

    def marks(self, text):
        return text[:5]
"""


def test_symmetries_prints_the_generators(command: Command) -> None:
    assert command("symmetries", "notakto") == 0
    first, *grids = command.out.split("\n\n")
    assert first == "notakto: 8 symmetries, all made from these 2"
    assert [grid.splitlines()[0] for grid in grids] == ["the cells move:"] * 2
    assert sorted(grids[0].split()[3:]) == [*"123456789"]
    assert command.err == ""


def test_symmetries_of_a_game_without_any(command: Command) -> None:
    Path("matchless.py").write_text(
        "from solver import Game, Outcome\n\nclass Heap(Game):\n"
        "    def initial(self): return 7\n"
        "    def moves(self, p): return [m for m in (1, 2) if m <= p]\n"
        "    def play(self, p, m): return p - m\n"
        "    def primitive(self, p): return Outcome.LOSS if p == 0 else None\n"
    )
    assert command("symmetries", "matchless.py:Heap", "-o", "none.svg") == 0
    assert command.out.splitlines()[0] == (
        "matchless:Heap: no symmetry was found except the identity"
    )
    ElementTree.parse("none.svg")


@pytest.mark.slow
def test_symmetries_as_json(command: Command) -> None:
    assert command("symmetries", "hexapawn:3x3", "--json") == 0
    data: dict[str, Any] = json.loads(command.out)
    assert data["order"] == len(data["maps"]) == 4
    assert (data["reading"], data["declared"], data["wrong"]) == ("bits", 4, [])
    assert {tuple(one["cells"]) for one in data["generators"]} == {
        (2, 1, 0, 5, 4, 3, 8, 7, 6),
        (6, 7, 8, 3, 4, 5, 0, 1, 2),
    }
    for one in data["maps"]:
        assert sorted(row[:2] for row in one) == sorted(row[2:] for row in one)


def test_sides_and_their_marks_are_exchanged_in_one_phrase(command: Command) -> None:
    """Seats and marks have the same names; a solve uses only the reflection."""
    Path("pairs.py").write_text(PAIRS)
    assert command("symmetries", "pairs.py:Pairs") == 0
    assert "the cells stay, the sides are exchanged:" in command.out.splitlines()
    assert command.err.endswith("uses those that leave the start as it is: 2 of the 4\n")
    shown: dict[str, Any] = command.json("symmetries", "pairs.py:Pairs")
    exchanged = [one["exchanged"] for one in shown["generators"]]
    assert sorted(exchanged) == [[], [["O", "X"], ["X", "O"]]]


@pytest.mark.slow
def test_symmetries_draws_numbered_boards(command: Command) -> None:
    assert command("symmetries", "wild", "-o", "wild.svg") == 0
    assert command.out.endswith("wrote wild.svg\n")
    words = ["".join(e.itertext()) for e in ElementTree.parse("wild.svg").iter() if "text" in e.tag]
    assert words[0] == "wild: 16 symmetries"
    assert "the cells stay, O and X are exchanged" in words
    assert [words.count(str(cell)) for cell in range(1, 10)] == [3] * 9


def test_a_wrong_symmetry_is_reported_with_a_position(command: Command) -> None:
    Path("wrong_row.py").write_text(WRONG)
    assert command("symmetries", "wrong_row.py:Row") == 0
    assert command.out.startswith("wrong_row:Row: 2 symmetries, all made from this one")
    assert "warning: symmetry 2 of those that the game declares breaks its rules at" in command.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["go"], "no game 'go'"),
        (["nim:3,4"], "symmetries are only found if"),
        (["wild", "-o", "wild.png"], "the name of the picture must end in .svg"),
        ([], "Missing argument 'GAME'"),
    ],
)
def test_bad_input_gets_one_line(command: Command, arguments: list[str], message: str) -> None:
    assert message in command.refuses("symmetries", *arguments)


def test_symmetries_that_the_search_misses_are_mentioned(command: Command) -> None:
    """Pong hau k'i has only 28 positions, too few to see where stones usually go."""
    assert command("symmetries", "ponghauki") == 0
    assert "the game declares 2 symmetries, of which the search missed some" in command.err


@pytest.mark.parametrize(
    ("declared", "message"),
    [
        ("", "the game declares no symmetries; a solve of more than 10,000 positions finds"),
        ("    symmetries = ()\n", "warning: the game declares only 1 of 2 symmetries"),
    ],
)
def test_a_game_may_leave_its_symmetries_to_the_solve(
    command: Command, declared: str, message: str
) -> None:
    """A warning is only for games that declare too few."""
    name = f"row{len(declared)}"
    rules = re.sub(r"    symmetries = .*?\n    \)\n", declared, WRONG, flags=re.DOTALL)
    Path(f"{name}.py").write_text(rules)
    assert command("symmetries", f"{name}.py:Row") == 0
    assert "2 symmetries" in command.out
    assert command.err.startswith(f"perfectplay: {message}")
    assert command.err.count("\n") == 1
