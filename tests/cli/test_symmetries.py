"""check --symmetries: what it proposes, as lines to paste."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Command

pytestmark = pytest.mark.usefixtures("uncompiled")

PAIRS = """
from solver import Game, Outcome

class Pairs(Game):
    board = CELLS, 1

    def initial(self):
        return "." * CELLS + " X"

    def moves(self, p):
        return [i for i in range(CELLS) if p[i] == "."]

    def play(self, p, m):
        return p[:m] + p[-1] + p[m + 1 : CELLS + 1] + ("O" if p[-1] == "X" else "X")

    def primitive(self, p):
        if p == "ODD":
            return Outcome.WIN
        return Outcome.LOSS if "XX" in p or "OO" in p or "." not in p else None

    def turn(self, p):
        return p[-1]

    def marks(self, text):
        return text[:CELLS]
"""


def pairs(cells: int, odd: str = "") -> str:
    """Return rules in which two equal marks side by side, or a full row, lose."""
    return PAIRS.replace("CELLS", str(cells)).replace("ODD", odd)


def pasted(rules: str, printed: str) -> str:
    """Return a file of rules with the lines that the command prints to be pasted."""
    _, lines = printed.split("the other lines to the class:\n\n")
    imported, declared = lines.split("\n\n", 1)
    return f"{imported}\n{rules.rstrip()}\n\n{declared}"


@pytest.mark.slow
def test_lines_to_paste_declare_the_symmetries(command: Command) -> None:
    """The table of Pairs, whose reflection leaves the start as it is, is about half as large."""
    Path("pairs.py").write_text(pairs(5))
    assert command("check", "pairs.py:Pairs", "--symmetries") == 0
    assert (
        "\nat least 4 symmetries found, of which 2 leave the start as it is; others may exist\n"
        in command.out
    )
    assert "        # rearrange((0, 1, 2, 3, 4, 5, 6), " in command.out
    Path("paired.py").write_text(pasted(pairs(5), command.out))
    counts = []
    for name in "pairs", "paired":
        assert command("solve", f"{name}.py:Pairs", "-o", f"{name}.json") == 0
        counts.append(json.loads(Path(f"{name}.json").read_text()))
        assert command("verify", f"{name}.json", "--game", f"{name}.py:Pairs") == 0
    before, after = counts
    assert before["positions"] == after["positions"] == before["canonical"]
    assert before["canonical"] / 2 <= after["canonical"] < 0.6 * before["canonical"]


@pytest.mark.slow
def test_a_pasted_symmetry_that_a_rare_position_breaks_is_an_error_of_solve(
    command: Command,
) -> None:
    """Random games never get to the position; what is proposed then holds in the sample only."""
    rare = pairs(9, "OX...XO.. X")
    Path("rare.py").write_text(rare)
    assert command("check", "rare.py:Pairs", "--symmetries") == 0
    assert "\nat least 4 symmetries found" in command.out
    Path("rarer.py").write_text(pasted(rare, command.out))
    for output in "rare.json", "rare.safetensors":
        message = command.refuses("solve", "rarer.py:Pairs", "-o", output)
        assert "symmetry 2 is wrong at" in message
        assert "primitive returns" in message
        assert not Path(output).exists()


@pytest.mark.slow
def test_symmetries_as_json(command: Command) -> None:
    data: dict[str, Any] = command.json("check", "hexapawn:3x3", "--symmetries")
    assert (data["order"], data["fixing_start"], data["symmetries"]) == (4, 2, 4)
    assert data["generators"][0].startswith("rearrange((2, 1, 0, 5, 4, 3, 8, 7, 6, ")
    assert data["generators"][1].endswith(", 18), (0, 1, [18]))")


@pytest.mark.large
def test_check_mentions_symmetries_that_would_pay(command: Command) -> None:
    Path("large.py").write_text(pairs(13))
    assert command("check", "large.py:Pairs") == 0
    assert command.out.splitlines()[-1] == (
        "2 symmetries found: tables would be about half as large; see 'perfectplay check"
        " large.py:Pairs --symmetries'"
    )
