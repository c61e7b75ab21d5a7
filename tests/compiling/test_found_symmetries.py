"""Symmetries that a solve finds: proved for every position, stored in the table, proved again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from solver import Game, TableAgent, load_game, verify
from solver.compiling.kernel import CompiledRules
from solver.errors import BrokenSymmetryError, TableFormatError, TableProofError
from solver.games.mnk import Mnk
from solver.rules.found import with_keys
from solver.rules.found_symmetries import check_generators, find_generators, use_generators
from solver.rules.positions import every_position
from solver.solving.solve import SolveOptions, solve_file
from solver.tables.mapped_table import MappedTable
from tests.compiling import own_games

OWN = Path(own_games.__file__)


@pytest.fixture(autouse=True)
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take every game for a large one."""
    monkeypatch.setattr("solver.solving.solve.SMALL", 100)


def found(game: Game[Any, Any]) -> Game[Any, Any]:
    use_generators(game, with_keys(game, lambda: find_generators(game)))
    return game


@pytest.mark.parametrize(
    ("kind", "order"),
    [
        (own_games.Clobber, 8),  # a chessboard of 3x3 has all symmetries of the square
        # upside down; the other images exchange the colours
        pytest.param(own_games.LargeClobber, 2, marks=pytest.mark.slow),
        pytest.param(own_games.Rare, 1, marks=pytest.mark.slow),
    ],
)
def test_the_symmetries_that_leave_the_start_as_it_is(
    kind: type[Game[Any, Any]], order: int
) -> None:
    game = found(kind())
    assert len(game.symmetries) == order
    for p in every_position(game):
        over = game.primitive(p)
        check_generators(
            game, p, over, [game.play(p, m) for m in game.moves(p)] if over is None else []
        )


@pytest.mark.slow
def test_tables_have_the_symmetries_and_are_proved(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    spec = f"{OWN}:LargeClobber"
    game = load_game(spec)
    solve_file(game, str(path), SolveOptions(workers=2, name=spec))
    data = path.read_bytes()
    assert not game.generators  # the caller's game stays as it is
    proof = verify(data, game)
    turned = {min(p, (p[0][8:] + p[0][4:8] + p[0][:4], p[1])) for p in every_position(game)}
    assert (proof.positions, proof.canonical) == (13_343, len(turned))
    agent: TableAgent[Any, Any] = TableAgent.open(path, game)
    start = agent.game.initial()
    values = {agent.outcome(agent.game.play(start, m)) for m in agent.game.moves(start)}
    assert -agent.outcome(start) in values
    other = tmp_path / "y.safetensors"
    solve_file(load_game(spec), str(other), SolveOptions(plain=True))
    assert other.read_bytes() == data


@pytest.mark.slow
@pytest.mark.parametrize("plain", [False, pytest.param(True, marks=pytest.mark.large)])
def test_a_symmetry_that_fails_in_one_position_is_dropped(tmp_path: Path, plain: bool) -> None:
    game = own_games.Uneven()
    assert len(found(own_games.Uneven()).symmetries) == 2  # no sample shows it
    told: list[str] = []
    path = tmp_path / "x.safetensors"
    solve_file(game, str(path), SolveOptions(plain=plain, report=told.append))
    assert any("and its image under a map that was found in samples behave" in t for t in told)
    assert (
        MappedTable.open(path, game).counts["canonical"]
        == verify(path.read_bytes(), game).positions
    )


@pytest.mark.slow
def test_a_wrong_symmetry_in_a_table_is_found_by_the_proof(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.safetensors"
    with monkeypatch.context() as patch:
        patch.setattr(CompiledRules, "check_symmetries", lambda self, keys, expanded=None: None)
        solve_file(own_games.Uneven(), str(path), SolveOptions())
    with pytest.raises(TableProofError, match="a symmetry of the table is wrong: "):
        verify(path.read_bytes(), own_games.Uneven())


def test_no_symmetries_are_looked_for_where_a_game_says_that_it_has_none() -> None:
    assert find_generators(own_games.Plain()) == []
    assert len(own_games.Plain().symmetries) == 1


def test_declared_symmetries_are_kept() -> None:
    assert find_generators(own_games.TicTacToe()) == []
    assert find_generators(Mnk(3, 3, 3)) == []


WRONG: list[Any] = [
    [[[0, [0, 1]]]],
    [[[0, [0, 0]], [1, [0, 1]]]],
    [[3]],
    [["ab"]],
    [None],
    7,
]


@pytest.mark.slow
def test_impossible_symmetries_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    game = own_games.LargeClobber()
    solve_file(game, str(path), SolveOptions())
    data = path.read_bytes()
    head = json.loads(data[8 : 8 + int.from_bytes(data[:8], "little")])
    stated = json.dumps(head["__metadata__"]["symmetries"])[1:-1].encode()
    for wrong in WRONG:
        with pytest.raises((ValueError, TypeError)):
            use_generators(game, wrong)
        changed = json.dumps(json.dumps(wrong))[1:-1].encode().ljust(len(stated))
        with pytest.raises(TableFormatError, match="keys or symmetries are impossible"):
            MappedTable(data.replace(stated, changed), own_games.LargeClobber())


def test_the_error_names_the_position() -> None:
    error = BrokenSymmetryError(0, ("xo", "x"))
    assert error.number == 0
    assert "('xo', 'x') and its image" in str(error)
