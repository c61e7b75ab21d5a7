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
from solver.rules.laws import repeats
from tests.support import graphs
from tests.support.small_games import Line

SIZES = [(1, 1, 1), (3, 3, 3), (4, 3, 3), (3, 5, 3), (4, 4, 4), (5, 5, 4)]


@pytest.mark.parametrize("spec", [listing.spec for listing in GAMES])
@pytest.mark.parametrize("walks", [20, pytest.param(100, marks=pytest.mark.large)])
@pytest.mark.thinned(6)
def test_listed_games_obey_the_laws(spec: str, walks: int) -> None:
    assert check_game(load_game(spec), walks) >= 28  # all positions of pong hau k'i


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.thinned(2)
@pytest.mark.slow
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


class ManyToOne(Broken):
    """The moves lead to one position, so that only the set of moves shows what is wrong."""

    symmetries = (IDENTITY, Symmetry(lambda p: p, lambda m: -1, None))

    def initial(self) -> int:
        return 1

    def play(self, p: int, m: int) -> int:
        return 0


class WrongPositionMap(Broken):
    symmetries = (IDENTITY, Symmetry(lambda p: 3 - p, lambda m: m, None))


class WrongCanonical(Broken):
    def canonical(self, p: int) -> int:
        return 3 - p


class Endless(Broken):
    """It misses 0 half of the time, and then goes down forever."""

    def initial(self) -> int:
        return 10

    def moves(self, p: int) -> tuple[int, ...]:
        return (-1, -2, -3)

    def primitive(self, p: int) -> Outcome | None:
        return Outcome.LOSS if p == 0 else None


class MixedTypes(Broken):
    def play(self, p: int, m: int) -> Any:
        return str(p + m)

    def primitive(self, p: Any) -> Outcome | None:
        return Outcome.LOSS if isinstance(p, str) else None


class ForgottenReturn(Broken):
    def play(self, p: int, m: int) -> Any:
        pass


class InnerLists(Broken):
    symmetries: Any = (IDENTITY,)

    def initial(self) -> Any:
        return 0, ()

    def moves(self, p: Any) -> Any:
        return [1]

    def play(self, p: Any, m: int) -> Any:
        return 1, [m]

    def primitive(self, p: Any) -> Outcome | None:
        return Outcome.LOSS if p[0] else None


class SameTurn(Broken):
    """Its seat to move depends on the position, but not on the moves."""

    def turn(self, p: int) -> str:
        return self.seats[p == 0]


class RandomEnd(Broken):
    asked = 0

    def primitive(self, p: int) -> Outcome | None:
        self.asked += 1
        return (Outcome.LOSS, Outcome.WIN)[self.asked % 2] if p == 0 else super().primitive(p)


class NoTier(Broken):
    def tier(self, p: int) -> Any:
        return None


class NoTierAtTheEnd(Broken):
    def tier(self, p: int) -> Any:
        return 0 if self.primitive(p) is None else None


class FloatTier(Broken):
    def tier(self, p: int) -> Any:
        return 0.5


class TrueTier(Broken):
    def tier(self, p: int) -> Any:
        return True


class TextTier(Broken):
    def tier(self, p: int) -> Any:
        return "a"


class TwoLines(Broken):
    def text(self, p: int, turn: str | None = None) -> str:
        return f"{p}\n"


class NoTurn(Broken):
    def text(self, p: int) -> str:  # type: ignore[override]
        return str(p)


class ForgetsTheSeat(Broken):
    def text(self, p: int, turn: str | None = None) -> str:
        return f"{p}{turn or 'X'}"

    def parse(self, text: str, turn: str | None = None) -> int:
        if turn not in (None, text[-1]):
            raise IllegalPositionError(text)
        return int(text[:-1]) + (turn == "X")


class NoDrawing(Broken):
    def render(self, p: int, turn: str | None = None) -> Any:
        return None


class NoSeat(Broken):
    def turn(self, p: int) -> str:
        return "white"


class OneName(Broken):
    seats = ("Left", "left")


class NoRows(Broken):
    board = (3, 0)


class FewMarks(Broken):
    board = (2, 1)


class OffTheBoard(Broken):
    board = (1, 1)

    def cell(self, p: int, m: int) -> int:
        return 1


class WrongCells(Broken):
    board = (4, 1)
    symmetries = (IDENTITY, Symmetry(lambda p: p, lambda m: m, (0, 1, 3, 2)))

    def marks(self, text: str) -> str:
        return "XO.X"


class Generated(Broken):
    def moves(self, p: int) -> Any:
        return (m for m in (-1, 1))


class Lists(Broken):
    def moves(self, p: int) -> Any:
        return [[1]]


class OneLabel(Broken):
    def label(self, p: int, m: int) -> str:
        return "go"


class NoLabel(Broken):
    def label(self, p: int, m: int) -> str:
        return " "


class TrueCodes(Broken):
    def code(self, m: int) -> Any:
        return m > 0


class HugeCodes(Broken):
    def code(self, m: int) -> int:
        return m << 60


def part(game: type[Game[Any, Any]], **attributes: Any) -> type[Game[Any, Any]]:
    """Return a game that differs in some attributes."""
    return type("Part", (game,), attributes)


DECLARED: list[tuple[str, Any]] = [  # what once broke pictures, pages or the terminal
    *(("seats", value) for value in (("X\x1b[2J", "O"), ("X\ud800", "O"), (1, 2), 5, ("", "O"))),
    *(("seats", value) for value in (("X", "x"), ("X ", "O"), ("X", None), ["X"])),
    *(("title", value) for value in ("T\ud800", "T\n", "\x07", 5, ["x"])),
    *(("about", value) for value in ("T\ud800", "\x1b[31m", 5, ["x"])),
    *(("board", value) for value in (5, (3,), (3, 0), (3, 2.0), "33", (True, 1))),
    *(("cell_places", value) for value in (5, ((0.5, 0),), ("ab",), ((0, 0, 0),), ((-1, 0),))),
    *(("cell_places", value) for value in (((10**9, 0),), ((None, 0),))),
]
GIVEN: list[tuple[str, Any, str]] = [
    ("code", "0\ud800", "codes can be written in UTF-8"),
    *(("code", value, "codes are strings or integers") for value in (None, [0], 1.5, (1,))),
    *(
        ("render", value, "render is lines of printable")
        for value in ("\x1b[31m", "\ud800", "a\rb")
    ),
    ("render", 5, "render is a string"),
    *(("key", value, "key is a whole number from 0") for value in (None, "a", -1, [1], 1.5)),
]


def test_texts_of_several_lines_are_allowed() -> None:
    class Wordy(Broken):
        about = """Take one or two.

        The last one wins."""

        def render(self, p: int, turn: str | None = None) -> str:
            return f"{p}\n{'|' * p}\n"

    assert check_game(Wordy())


@pytest.mark.parametrize("mark", ["\x00", "\x1b", "\ud800", "\n"])
def test_marks_are_printable(mark: str) -> None:
    with pytest.raises(GameLawError, match="marks are printable characters, not"):
        check_game(part(FewMarks, marks=lambda self, text: mark * 2)())


def test_a_game_that_repeats_a_position_may_go_on() -> None:
    assert repeats(load_game("ponghauki"))
    assert not repeats(load_game("tictactoe"))


@pytest.mark.parametrize(
    ("game", "law"),
    [
        (Endless, "a game ends or repeats a position, but one of 16,384 moves did neither"),
        (MixedTypes, r"play\([1-9], -?1\) returned '.', but positions are of type int"),
        (ForgottenReturn, r"play\([1-9], -?1\) returned None, but positions are of type int"),
        (
            InnerLists,
            r"a position is a number, a string or a tuple .*, not the tuple \(1, \[",
        ),
        (TwoLines, "text is one line of printable characters"),
        (NoTurn, r"text takes the arguments \(p, turn\)"),
        (ForgetsTheSeat, "parse is the inverse of text, but not for '1X' with X to move"),
        (NoDrawing, "render is a string, not None"),
        (NoSeat, "turn returns one of X, O, not 'white'"),
        (OneName, "seats are two different names"),
        (NoRows, r"board is None or \(columns, rows\), not \(3, 0\)"),
        (FewMarks, "marks has a character for each of 2 cells, not '1'"),
        *((part(Broken, **{name: value}), f"breaks a law: {name} ") for name, value in DECLARED),
        *(
            (part(Broken, **{name: lambda *_, value=value: value}), law)
            for name, value, law in GIVEN
        ),
        (OffTheBoard, "cell is None or a cell from 0 to 0, not 1"),
        (WrongCells, r"cell i of an image is cell cells\[i\] of the original"),
        (Generated, "moves is a list, a tuple or a range"),
        (Lists, r"a move is a number, a string or a tuple of those, not the list \[1\]"),
        (SameTurn, "breaks a law at [1-9]: turn is 'X' before and after the move -?1$"),
        (RandomEnd, "primitive gives two answers for one position"),
        (NoTier, "tier is a whole number, not None"),
        (NoTierAtTheEnd, "tier is a whole number, not None"),
        (FloatTier, "tier is a whole number, not 0.5"),
        (TrueTier, "tier is a whole number, not True"),
        (TextTier, "tier is a whole number, not 'a'"),
        (OneLabel, "moves have different labels, but two are 'go'"),
        (NoLabel, "labels are words that can be typed, not ' '"),
        (TrueCodes, "codes are strings or integers below 2"),
        (HugeCodes, "codes are strings or integers below 2"),
        (NoMoves, "there is no move"),
        (FallingTier, "no move lowers the tier"),
        (SameKeys, "key is injective"),
        (BadText, "parse is the inverse of text"),
        (TwiceTheSameMove, "moves are listed once"),
        (OneSided, "primitive is the same"),
        (WrongMoveMap, "symmetry 2 maps the legal move -?1 to [02], which is not legal in [12]"),
        (ManyToOne, "symmetry 2 maps no legal move to 1, which is legal in 1"),
        (WrongPositionMap, "symmetry 2 commutes with play, but not for the move"),
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
