"""Rules compiled by the package give what the Python rules give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from solver import Game, verify
from solver.compiling.kernel import CompiledKernel
from solver.errors import OverflowedKeyError, UnpackedPositionError
from solver.games import load_game
from solver.rules.check_kernel import check_kernel
from solver.rules.default_keys import describe_keys, with_keys
from solver.rules.packing import Numbers
from solver.rules.positions import every_position
from solver.solving.solve import SolveOptions, solve_file
from solver.tables.mapped_table import MappedTable
from tests.compiling import own_games
from tests.conftest import Command, python

OWN = Path(own_games.__file__)


@pytest.mark.parametrize("kind", own_games.EACH, ids=lambda kind: kind.__name__)
@pytest.mark.thinned(3)
@pytest.mark.slow
def test_every_position_expands_as_the_rules_say(kind: type[Game[Any, Any]]) -> None:
    game = kind()

    def compare() -> None:
        kernel = CompiledKernel(game)
        assert check_kernel(game, kernel) > 10
        import numpy as np

        positions = [p for p, _ in zip(every_position(game), range(3000), strict=False)]
        keys = np.array([game.key(p) for p in positions])
        outcomes, children = kernel.successors(keys)
        for p, outcome, row in zip(positions, outcomes.tolist(), children.tolist(), strict=True):
            over = game.primitive(p)
            assert outcome == (2 if over is None else over)
            after = [] if over is not None else [game.play(p, m) for m in game.moves(p)]
            assert [key for key in row if key >= 0] == [game.key(q) for q in after]

    with_keys(game, compare)


@pytest.mark.large
def test_a_value_that_no_sampled_position_has_starts_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("solver.solving.in_memory.SMALL", 100)  # the game counts as a large one
    game = own_games.Rare()
    reports: list[str] = []
    path = tmp_path / "x.safetensors"
    solve_file(game, str(path), SolveOptions(report=reports.append))
    assert any("starting again: the position (" in text for text in reports)
    assert verify(path.read_bytes(), own_games.Rare()).positions == len([*every_position(game)])
    assert describe_keys(MappedTable.open(path, game).game)[1][2] == [0, 7]
    again = tmp_path / "y.safetensors"
    solve_file(own_games.Rare(), str(again), SolveOptions(plain=True))
    assert again.read_bytes() == path.read_bytes()


SCRIPT = """
import sys
from solver.games import load_game
from solver.compiling.kernel import CompiledKernel
kernel = CompiledKernel(load_game(sys.argv[1]))
stats = kernel.code.expand.stats
print(sum(stats.cache_hits.values()), sum(stats.cache_misses.values()))
"""


def compiled_in_a_process(spec: str, folder: Path) -> str:
    ended = python("-c", SCRIPT, spec, NUMBA_CACHE_DIR=str(folder))
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


@pytest.mark.large
def test_an_edited_helper_is_compiled_again(tmp_path: Path) -> None:
    rules, helper = tmp_path / "halving.py", tmp_path / "halves.py"
    helper.write_text("STEP = 2\n\n\ndef rest(n):\n    return n // STEP\n")
    rules.write_text(
        "import halves\nfrom solver import Game, Outcome\n\n\n"
        "class Halving(Game):\n"
        "    def initial(self):\n        return 100\n\n"
        "    def moves(self, n):\n        return [1, 2]\n\n"
        "    def play(self, n, m):\n        return halves.rest(n) if m == 2 else n - 1\n\n"
        "    def primitive(self, n):\n        return Outcome.LOSS if n == 0 else None\n"
    )
    spec, cache = f"{rules}:Halving", tmp_path / "cache"
    for step, files in ((2, 1), (2, 1), (3, 2)):  # which another process compiles
        helper.write_text(helper.read_text().replace("STEP = 2", f"STEP = {step}"))
        assert compiled_in_a_process(spec, cache) == "1 0"
        assert len([*(cache / "perfectplay").glob("rules_*.py")]) == files


@pytest.mark.large
def test_a_solve_with_wrong_compiled_rules_starts_again_in_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rules that are compiled wrongly, and not found out by check_kernel, leave nothing behind."""
    right = CompiledKernel.successors

    def wrong(self: CompiledKernel, keys: Any) -> Any:
        outcomes, children = right(self, keys)
        outcomes[outcomes == -1] = 0
        return outcomes, children

    monkeypatch.setattr(CompiledKernel, "successors", wrong)
    monkeypatch.setattr("solver.kernels.check_kernel", lambda game, kernel: 0)
    monkeypatch.setattr("solver.solving.in_memory.SMALL", 100)
    path, reports = tmp_path / "x.safetensors", list[str]()
    game = load_game(f"{OWN}:TicTacToe")
    solve_file(game, str(path), SolveOptions(name=f"{OWN}:TicTacToe", report=reports.append))
    assert any("starting again in plain Python: the rules of" in text for text in reports)
    assert verify(path.read_bytes(), game).by == f"the rules in Python of {game.spec}"


@pytest.mark.slow
def test_a_position_whose_key_is_too_wide_is_named() -> None:
    """A solve first takes keys that are not as narrow as in samples, and then plain Python."""
    game, wide = own_games.Growing(), np.array([1 << 62])
    with pytest.raises(UnpackedPositionError):
        CompiledKernel(game).successors(wide)
    game.keys = Numbers(is_narrow=False)
    with pytest.raises(OverflowedKeyError, match=r"a position whose key, .*, has more than"):
        CompiledKernel(game).successors(wide)


@pytest.mark.slow
def test_check_reports_how_a_game_will_be_solved(command: Command) -> None:
    assert command.json("check", f"{OWN}:Small")["kernel"] is False  # small games are not compiled
    command.monkeypatch.setattr("solver.cli.games.LARGE", 5)
    facts = command.json("check", f"{OWN}:Small")
    assert (facts["kept"], facts["kernel"], facts["remark"]) == (True, True, "")
    assert facts["bits"] == 5  # 17 at the start
    assert (facts["symmetries"], facts["tiers"]) == (1, 1)
    assert facts["speed"] > 0
