"""Tiers that are found: no move lowers them, and a solve that meets one that does starts again."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from solver import Game, Outcome, load_game, verify
from solver.compiling import kernel as compiled
from solver.compiling.kernel import CompiledKernel, CompiledLayers, compile_kernel
from solver.rules import found
from solver.rules.found_tiers import FoundTier, find_tier, use_tier
from solver.rules.positions import every_position, successors
from solver.solving.solve import SolveOptions, solve_file
from tests.conftest import ROOT, Command

FOUND = {  # game: whether all moves raise it by one
    "clobber:4x3": True,  # a stone is taken
    "domineering:4x4": True,  # two cells are covered
    "breakthrough:3x4": False,  # pieces advance, and some are captured
    "dodgem:3x3": False,  # cars leave the board
}


def with_tier(game: Game[Any, Any], symmetries: bool) -> Game[Any, Any]:
    game = copy.copy(game)
    found.find(game, symmetries)
    return game


@pytest.mark.parametrize("spec", FOUND)
@pytest.mark.parametrize("symmetries", [True, pytest.param(False, marks=pytest.mark.large)])
def test_no_move_lowers_a_tier_that_is_found(spec: str, symmetries: bool) -> None:
    game = with_tier(load_game(spec), symmetries)
    steps = {game.tier(q) - game.tier(p) for p in every_position(game) for q in successors(game, p)}
    assert min(steps) >= 0 < max(steps)
    assert (steps == {1}) == FOUND[spec]
    for p in every_position(game):
        assert {game.tier(s.position(p)) for s in game.symmetries} == {game.tier(p)}


def test_games_without_ends_of_their_own_have_no_tier() -> None:
    assert find_tier(load_game("mutorere")) is None  # its positions repeat, and nothing is counted
    assert find_tier(load_game("tictactoe")) is None  # it defines its tier
    assert find_tier(load_game("nim:3,4")) is None  # it defines its keys


@pytest.mark.slow
def test_only_games_in_layers_are_solved_in_layers() -> None:
    assert isinstance(compile_kernel(with_tier(load_game("clobber:4x3"), True)), CompiledLayers)
    assert isinstance(compile_kernel(with_tier(load_game("dodgem:3x3"), True)), CompiledKernel)
    assert isinstance(compile_kernel(load_game("clobber:4x3")), CompiledKernel)  # no tier


def solved(game: Game[Any, Any], path: Path, told: list[str], plain: bool = False) -> bytes:
    solve_file(game, str(path), SolveOptions(plain=plain, report=told.append))
    return path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("plain", [False, pytest.param(True, marks=pytest.mark.large)])
def test_a_move_that_lowers_a_found_tier_starts_the_solve_again(
    plain: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_game("clobber:4x3")
    told: list[str] = []
    right = solved(game, tmp_path / "right.safetensors", told, plain)
    assert not any("starting again" in text for text in told)

    def upside_down(game: Game[Any, Any]) -> FoundTier:
        tier = find_tier(game)
        assert tier is not None
        weights = tuple(tuple(-weight for weight in some) for some in tier.weights)
        return FoundTier(-sum(map(min, weights)), tier.divisor, weights)

    monkeypatch.setattr(found, "find_tier", upside_down)
    assert solved(game, tmp_path / "again.safetensors", told, plain) == right
    assert any("starting again" in text and "tier" in text for text in told)
    assert not any("resume" in text and "stopped" in text for text in told)


@pytest.mark.slow
def test_a_move_that_skips_a_tier_starts_the_solve_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rules say only in positions that samples seldom have that moves skip tiers."""
    game = load_game("breakthrough:3x4")
    told: list[str] = []
    right = solved(game, tmp_path / "right.safetensors", told)
    monkeypatch.setattr(compiled, "has_layers", lambda game: True)
    monkeypatch.setattr("solver.rules.check_kernel.has_layers", lambda game: True)
    assert solved(game, tmp_path / "again.safetensors", told) == right
    assert any("does not lead to the next tier" in text for text in told)
    assert verify(right, game).canonical


class Squares(Game[int, int]):
    """Keys get wider than 32 bits only at the end of the one game that always adds most."""

    def initial(self) -> int:
        return 1

    def moves(self, p: int) -> list[int]:
        return [1, 2, 3] if p < 19_990 else [1, p]

    def play(self, p: int, m: int) -> int:
        return p + m if m < 4 else p * p * p

    def primitive(self, p: int) -> Outcome | None:
        return Outcome.LOSS if p > 20_000 else None


@pytest.mark.slow
def test_wider_keys_than_sampled_start_the_solve_again(tmp_path: Path) -> None:
    """Games end after 1,000 plies of a sample, long before keys are wide."""
    game = Squares()
    told: list[str] = []
    plain = solved(game, tmp_path / "plain.safetensors", told, plain=True)
    assert not any("starting again" in text for text in told)
    assert solved(game, tmp_path / "compiled.safetensors", told) == plain
    assert any(text.startswith("starting again: the position") for text in told)


def test_a_tier_is_given_and_taken_away() -> None:
    game = load_game("domineering:4x4")
    use_tier(game, find_tier(game))
    assert game.tier(game.initial()) < game.tier(next(iter(successors(game, game.initial()))))
    use_tier(game, None)
    assert game.tier(game.initial()) == 0
    assert game.found_tier is None


@pytest.mark.slow
def test_check_starts_again_with_values_that_samples_did_not_have(command: Command) -> None:
    """Kalah has more seeds in a store only late in a game."""
    assert command("check", str(ROOT / "examples" / "games" / "kalah.py") + ":Kalah") == 0
    assert "25,604 positions, counted exactly" in command.out
