"""Games that were solved wrong, or not at all, because few of their positions are unusual.

The stories are told by `tests.support.soundness`. Each game is solved and proved by command, and
its table compared with brute force at every position.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from solver import Game, Outcome, load_game, verify
from solver.errors import TableProofError
from solver.rules.positions import every_position
from solver.solving.solve import SolveOptions, solve_file
from solver.tables.open import open_table
from solver.value import distance, outcome
from tests.conftest import ROOT, Command
from tests.solving.test_resume import Stopped, stop_after
from tests.support.brute import solve_by_force

FILE = ROOT / "tests" / "support" / "soundness.py"
TABLE = "t.safetensors"

# tests/compiling/test_meaning.py has the rules of Decorated, Total and Wrap
SOLVED = ["Sub", "Shift", "Flag", "Twin", "Almost", "Edge", "Odd"]
SMALL = ("Heap", "HeapAndText", "Negative", "FarApart")


def assert_right(path: str, game: Game[Any, Any]) -> None:
    """Compare a table with brute force at every position."""
    table, right = open_table(path, game), solve_by_force(game)
    assert table.counts["positions"] == len(right)
    scores = {p: table.probe(p) for p in right}
    found = {p: (int(outcome(held)), distance(held)) for p, held in scores.items()}
    assert {p: (found[p], worth) for p, worth in right.items() if found[p] != worth} == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", SOLVED)
@pytest.mark.thinned(10)
def test_rare_positions_are_solved_right(name: str, command: Command) -> None:
    spec = f"{FILE}:{name}"
    assert command("solve", spec, "-o", TABLE) == 0, command.err
    assert_right(TABLE, load_game(spec))
    assert command("verify", TABLE, "--game", spec) == 0, command.err
    assert f"proved {TABLE}: by the rules in Python of {spec} at " in command.out


@pytest.mark.no_cover
def test_a_built_in_class_with_a_replaced_rule_is_not_proved_by_the_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No random game gets to the replaced rule, and a table of the old ones was called proved."""
    game: Any = load_game("connect4:4x3")
    path = solve_file(load_game("connect4:4x3"), str(tmp_path / TABLE), SolveOptions())
    last = max(p for p in every_position(game) if game.primitive(p) is None)
    old = game.primitive
    rule = lambda *given: Outcome.WIN if given[-1] == last else old(given[-1])  # noqa: E731
    monkeypatch.setattr(type(game), "primitive", rule)
    with pytest.raises(TableProofError, match="it should be"):
        verify(Path(path).read_bytes(), game)


@pytest.mark.slow
@pytest.mark.parametrize("plain", [[], ["--plain"]], ids=["compiled", "plain"])
@pytest.mark.parametrize("name", SMALL)
@pytest.mark.thinned(8, 2)
def test_small_games_of_an_odd_shape_are_solved_as_large_ones(
    name: str, plain: list[str], command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.solving.in_memory.SMALL", 1)
    spec = f"{FILE}:{name}"
    assert command("solve", spec, "-o", TABLE, *plain) == 0, command.err
    assert_right(TABLE, load_game(spec))
    assert command("verify", TABLE, "--game", spec) == 0, command.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ListAtTheEnd", "a string or a tuple of those, not the list [24, 0]: write a tuple"),
        ("TwiceAtTheEnd", "moves are listed once"),
        ("KeyAtTheEnd", "breaks a law at (24, 0): key is a whole number from 0, not -1"),
        ("FloatKeyAtTheEnd", "breaks a law at (24, 0): key is a whole number from 0, not 0.5"),
        ("OrientAtTheEnd", "canonical leads from (24, 0) to (23, 1): declare symmetries, which"),
        ("ArrayAtTheEnd", "primitive((24, 0)) is array([-1]), not an Outcome or None: write int("),
        ("HalfCharacterAtTheEnd", "at (24, 0): text is one line of at most 10,000 printable"),
        ("LongTextAtTheEnd", " of 70,004: define text and parse, with fewer characters for what"),
        ("MarkAtTheEnd", "0 is of another type than its place has at the start"),
        ("OneWay", "symmetries lead from (29, 0) to (27, 0), but none leads back"),
        ("Doubled", "of the image's moves lead there"),
        ("TextWithoutTurn", "parse is the inverse of text, but not for '24'"),
    ],
)
@pytest.mark.parametrize("output", [[], ["-o", TABLE], ["-o", "t.json"]], ids=" ".join)
def test_a_law_broken_in_a_rare_position_is_one_line_and_no_file(
    name: str, message: str, output: list[str], command: Command, tmp_path: Path
) -> None:
    assert message in command.refuses("solve", f"{FILE}:{name}", *output)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.large
def test_compiled_rules_find_a_move_listed_twice(command: Command, tmp_path: Path) -> None:
    """Of a large table a sample was computed again, which seldom has the position."""
    command.monkeypatch.setattr("solver.solving.in_memory.SMALL", 1)
    command.monkeypatch.setattr("solver.solving.solve.check_entries", lambda *_: 0)
    assert command("solve", f"{FILE}:TwiceAtTheEnd", "-o", TABLE) == 2
    assert command.err.endswith(" at (23, 0): moves are listed once\n")
    assert "stopped" not in command.err  # there is nothing to resume
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


RULES = """
from solver import Outcome
from tests.support.soundness import Steps

from {helper} import LAST


class Stairs(Steps):
    def primitive(self, p):
        if p == (24, 0):
            return LAST
        return Outcome.WIN if p[1] else None

    def tier(self, p):
        return p[0]
"""


@pytest.mark.large
def test_a_solve_starts_anew_if_what_the_rules_import_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Random games do not get to the change, and the rest was solved by other rules."""
    monkeypatch.setattr("solver.solving.in_memory.SMALL", 1)
    rules, helper = tmp_path / "stairs.py", tmp_path / "stairs_helper.py"
    rules.write_text(RULES.format(helper=helper.stem))
    reports: list[str] = []
    path, spec = tmp_path / TABLE, f"{rules}:Stairs"
    for last in ("LOSS", "WIN"):
        helper.write_text(f"from solver import Outcome\nLAST = Outcome.{last}\n")
        for name in (rules.stem, helper.stem):
            sys.modules.pop(name, None)
        game = load_game(spec)
        options = SolveOptions(name=spec, report=reports.append)
        if last == "LOSS":
            with pytest.raises(Stopped):
                solve_file(game, str(path), options._replace(progress=stop_after(30)))
    solve_file(game, str(path), options)
    assert not any("resuming" in text for text in reports)
    assert_right(str(path), game)
