"""The built-in games obey the laws, and a broken law is named."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import (
    Game,
    GameLawError,
    IllegalPositionError,
    Outcome,
    Symmetry,
    UnknownGameError,
    check_game,
    load_game,
)
from solver.games.catalogue import GAMES
from solver.games.mnk import Mnk
from solver.rules.game import IDENTITY, fingerprint
from tests.support import graphs
from tests.support.small_games import Line

SIZES = [(1, 1, 1), (3, 3, 3), (4, 3, 3), (3, 5, 3), (4, 4, 4), (5, 5, 4)]


@pytest.mark.parametrize("spec", [listing.spec for listing in GAMES])
@pytest.mark.parametrize("walks", [20, pytest.param(100, marks=pytest.mark.large)])
def test_listed_games_obey_the_laws(spec: str, walks: int) -> None:
    assert check_game(load_game(spec), walks) >= 28  # all positions of pong hau k'i


@pytest.mark.parametrize("size", SIZES)
def test_boards_of_every_size_obey_the_laws(size: tuple[int, int, int]) -> None:
    assert check_game(Mnk(*size), walks=20) >= 2


def test_graphs_obey_the_laws() -> None:
    for game, values in graphs.ALL:
        assert check_game(game) <= len(values)


@given(st.sampled_from(SIZES), st.integers(0, 2**32))
def test_symmetries_form_a_group_that_preserves_the_rules(
    size: tuple[int, int, int], seed: int
) -> None:
    game, generator = Mnk(*size), random.Random(seed)
    p = game.initial()
    while game.primitive(p) is None and generator.random() < 0.9:
        p = game.play(p, generator.choice(game.moves(p)))
    images = {s.position(p) for s in game.symmetries}
    for symmetry in game.symmetries:
        image = symmetry.position(p)
        assert {s.position(image) for s in game.symmetries} == images
        assert game.canonical(image) == game.canonical(p) == min(images)
        assert game.text(image) == "".join(game.text(p)[cell] for cell in symmetry.cells or ())


def test_lines_of_tictactoe() -> None:
    lines = {tuple(i for i in range(9) if line >> i & 1) for line in Mnk(3, 3, 3).lines}
    rows = {(0, 1, 2), (3, 4, 5), (6, 7, 8)}
    columns = {(0, 3, 6), (1, 4, 7), (2, 5, 8)}
    assert lines == rows | columns | {(0, 4, 8), (2, 4, 6)}


class Broken(Line):
    """A line of which each subclass breaks one law."""


class NoMoves(Broken):
    def moves(self, p: int) -> tuple[int, ...]:
        return ()


class FallingTier(Broken):
    def tier(self, p: int) -> int:
        return p


class SameKeys(Broken):
    def key(self, p: int) -> int:
        return 0


class BadText(Broken):
    def text(self, p: int, turn: str | None = None) -> str:
        return "1"


class TwiceTheSameMove(Broken):
    def moves(self, p: int) -> tuple[int, ...]:
        return (-1, -1)


class OneSided(Broken):
    def primitive(self, p: int) -> Outcome | None:
        return {0: Outcome.LOSS, 3: Outcome.WIN}.get(p)


class WrongMoveMap(Broken):
    symmetries = (IDENTITY, Symmetry(lambda p: 3 - p, lambda m: m + 1, None))


class WrongPositionMap(Broken):
    symmetries = (IDENTITY, Symmetry(lambda p: 3 - p, lambda m: m, None))


class WrongCanonical(Broken):
    def canonical(self, p: int) -> int:
        return 3 - p


@pytest.mark.parametrize(
    ("game", "law"),
    [
        (NoMoves, "there is no move"),
        (FallingTier, "no move lowers the tier"),
        (SameKeys, "key is injective"),
        (BadText, "parse is the inverse of text"),
        (TwiceTheSameMove, "moves are listed once"),
        (OneSided, "primitive is the same"),
        (WrongMoveMap, "symmetries map legal moves to legal moves"),
        (WrongPositionMap, "symmetries commute with play"),
        (WrongCanonical, "canonical is"),
    ],
)
def test_a_broken_law_is_named(game: type[Game[Any, Any]], law: str) -> None:
    with pytest.raises(GameLawError, match=law):
        check_game(game())


def test_different_rules_have_different_fingerprints() -> None:
    prints = [fingerprint(Mnk(*size)) for size in SIZES]
    assert len(set(prints)) == len(SIZES)
    assert fingerprint(Mnk(3, 3, 3)) == fingerprint(load_game("tictactoe"))


@pytest.mark.parametrize("size", [(0, 3, 3), (3, 0, 3), (3, 3, 0), (-1, 3, 3)])
def test_a_board_without_cells_is_rejected(size: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="each must be 1 or more"):
        Mnk(*size)


def test_an_unknown_game_is_rejected() -> None:
    with pytest.raises(UnknownGameError, match="the games are tictactoe, mnk"):
        load_game("chess")


def test_texts_that_are_no_position_are_rejected_by_default() -> None:
    for text in ("here", "{[]}", "1 +", "(" * 1000):
        with pytest.raises(IllegalPositionError, match="is not a position of"):
            Line().parse(text)


def test_a_position_of_another_type_is_rejected_by_default() -> None:
    with pytest.raises(TypeError, match="written as text"):
        Line().parse(3)  # type: ignore[arg-type]
