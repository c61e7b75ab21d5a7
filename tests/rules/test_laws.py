"""The built-in games obey the laws, and a broken law is named."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver import (
    Game,
    GameLawError,
    IllegalPositionError,
    Outcome,
    Symmetry,
    check_game,
    load_game,
)
from solver.games.catalogue import GAMES
from solver.games.mnk import Mnk
from solver.rules.game import IDENTITY, fingerprint
from solver.rules.laws import random_length
from tests.support import graphs
from tests.support.small_games import Line

SIZES = [(1, 1, 1), (3, 3, 3), (4, 3, 3), (3, 5, 3), (4, 4, 4), (5, 5, 4)]


@pytest.mark.parametrize("spec", [listing.spec for listing in GAMES])
@pytest.mark.thinned(8)
def test_listed_games_obey_the_laws(spec: str) -> None:
    assert check_game(load_game(spec), walks=20) >= 28  # all positions of pong hau k'i


def test_graphs_obey_the_laws() -> None:
    for game, values in graphs.ALL:
        assert check_game(game) <= len(values)


def broken(**attributes: Any) -> Game[Any, Any]:
    """Return a line that breaks a law since some attributes differ."""
    for name, value in attributes.items():
        if callable(value):
            value.__name__ = name
    game: Game[Any, Any] = type("Broken", (Line,), attributes)()
    return game


def always(value: Any) -> Any:
    """Return a method that gives one value, whatever it is asked."""
    return lambda *_: value


def ends(*at: int) -> Any:
    return lambda self, p: Outcome.LOSS if p in at else None


def parse_with_seat(self: Any, text: str, turn: str | None = None) -> int:
    if turn not in (None, text[-1]):
        raise IllegalPositionError(text)
    return int(text[:-1]) + (turn == "X")


ASKED: list[int] = []  # by the game whose end is random


def random_end(self: Any, p: int) -> Outcome | None:
    ASKED.append(p)
    return (Outcome.LOSS, Outcome.WIN)[len(ASKED) % 2] if p == 0 else Line.primitive(self, p)


LAWS: list[tuple[dict[str, Any], str]] = [
    (
        {"initial": always(10), "moves": always((-1, -2, -3)), "primitive": ends(0)},
        "a game ends or repeats a position, but one of 16,384 moves did neither",
    ),
    (
        {
            "play": lambda s, p, m: str(p + m),
            "primitive": lambda s, p: Outcome.LOSS if isinstance(p, str) else None,
        },
        r"play\([1-9], -?1\) returned '.', but positions are of type int",
    ),
    ({"play": always(None)}, r"play\([1-9], -?1\) returned None, but positions are of type int"),
    (
        {
            "symmetries": (IDENTITY,),
            "initial": always((0, ())),
            "play": lambda s, p, m: (1, [m]),
            "primitive": lambda s, p: Outcome.LOSS if p[0] else None,
        },
        r"a position is a number, a string or a tuple .*, not the tuple \(1, \[",
    ),
    ({"text": lambda s, p, turn=None: f"{p}\n"}, "text is one line of at most 10,000 printable"),
    ({"text": lambda self, p: str(p)}, r"write text\(self, p, turn\)"),
    (
        {"text": lambda s, p, turn=None: f"{p}{turn or 'X'}", "parse": parse_with_seat},
        "parse is the inverse of text, but not for '1X' with X to move",
    ),
    ({"text": always("1")}, "parse is the inverse of text"),
    ({"render": always(None)}, "render is a string, not None"),
    ({"render": always("\x1b[31m")}, "render is lines of printable"),
    ({"render": always("a\rb")}, "render is lines of printable"),
    ({"turn": always("white")}, "turn returns one of X, O, not 'white'"),
    (
        {"turn": lambda s, p: s.seats[p == 0]},
        "turn is 'X' before and after the move -?1: if a side moves again, the other one has a",
    ),
    ({"turn": always("O")}, "turn is 'O' at the start, but seats name 'X' as the side that moves"),
    ({"seats": ("Left", "left")}, "seats are two different names"),
    ({"board": (3, 0)}, r"board is None or \(columns, rows\), not \(3, 0\)"),
    ({"board": (2, 1)}, "marks has .* each of 2 cells, not '1': define marks"),
    ({"board": (2, 1), "marks": always("\x1b" * 2)}, "marks are printable characters, not"),
    ({"board": (2, 1), "marks": always("\ud800" * 2)}, "marks are printable characters, not"),
    ({"board": (1, 1), "cell": always(1)}, "cell is None or a cell from 0 to 0, not 1"),
    (
        {
            "board": (4, 1),
            "symmetries": (IDENTITY, Symmetry(lambda p: p, lambda m: m, (0, 1, 3, 2))),
            "marks": always("XO.X"),
        },
        r"cell i of an image is cell cells\[i\] of the original",
    ),
    ({"moves": lambda s, p: {-1, 1}}, "moves is a list, a tuple or a range"),
    ({"moves": always([[1]])}, r"a move is a number, a string or a tuple of those, not the list"),
    ({"moves": always((-1, -1))}, "moves are listed once"),
    ({"moves": always(())}, "there is no move"),
    ({"primitive": random_end}, "primitive gives two answers for one position"),
    ({"primitive": lambda s, p: {0: Outcome.LOSS, 3: Outcome.WIN}.get(p)}, "primitive is the same"),
    *(
        ({"tier": always(value)}, f"tier is a whole number, not {value!r}")
        for value in (None, 0.5, True, "a")
    ),
    ({"tier": lambda s, p: None if p in (0, 3) else 0}, "tier is a whole number, not None"),
    ({"tier": lambda s, p: p}, "no move lowers the tier"),
    ({"label": always("go")}, "moves have different labels, but two are 'go'"),
    ({"label": always(" ")}, "labels are words that can be typed, not ' '"),
    ({"code": lambda s, m: m > 0}, "codes are strings or integers below 2"),
    ({"code": lambda s, m: m << 60}, "codes are strings or integers below 2"),
    ({"code": always("0\ud800")}, "codes can be written in UTF-8"),
    *(({"code": always(value)}, "codes are strings or integers") for value in (None, 1.5, (1,))),
    ({"key": always(0)}, "key and position are each other's inverse: define both or neither"),
    *(
        ({"key": always(value), "position": always(0)}, "key is a whole number from 0")
        for value in (None, "a", -1, 1.5, True, np.int64(1))
    ),
    ({"key": always(0), "position": always(0)}, "key is injective"),
    ({"canonical": lambda s, p: 3 - p}, "canonical is"),
    ({"orient": lambda s, p: (3 - p, IDENTITY)}, "canonical is"),
    *(({"primitive": always(np.array(v))}, "write int") for v in ([], [-1], [1, 1], [[0]])),
    ({"text": always("x" * 70_000)}, "at most 10,000 .* of 70,000: define text and parse"),
    ({"text": always("\ud800")}, "half of one; write the whole character"),
    (
        {"symmetries": (IDENTITY, Symmetry(lambda p: 3 - p, lambda m: m + 1, None))},
        "symmetry 2 maps the legal move -?1 to [02], which is not legal in [12]",
    ),
    (  # the moves lead to one position, so that only the set of moves shows what is wrong
        {"symmetries": (IDENTITY, Symmetry(lambda p: p, lambda m: -1, None)), "play": always(0)},
        "symmetry 2 maps no legal move to 1, which is legal in 1",
    ),
    (
        {"symmetries": (IDENTITY, Symmetry(lambda p: 3 - p, lambda m: m, None))},
        "symmetry 2 commutes with play, but not for the move",
    ),
    *(  # what once broke pictures, pages or the terminal
        ({name: value}, f"breaks a law: {name} ")
        for name, values in {
            "seats": [
                *(("X\x1b[2J", "O"), ("X\ud800", "O"), (1, 2), 5, ("", "O"), ("X ", "O"), ["X"]),
            ],
            "title": ["T\ud800", "T\n", "\x07", 5],
            "about": ["T\ud800", "\x1b[31m", 5],
            "board": [5, (3,), (3, 2.0), "33", (True, 1)],
            "cell_places": [5, ((0.5, 0),), ("ab",), ((0, 0, 0),), ((-1, 0),), ((10**9, 0),)],
        }.items()
        for value in values
    ),
]


@pytest.mark.parametrize(("attributes", "law"), LAWS, ids=range(len(LAWS)))
def test_a_broken_law_is_named(attributes: dict[str, Any], law: str) -> None:
    with pytest.raises(GameLawError, match=law):
        check_game(broken(**attributes))


def test_outcomes_may_be_plain_numbers() -> None:
    for number in (-1, 0, 1):
        game = broken(primitive=lambda s, p, n=number: None if p else n)
        assert (game.primitive(0), type(game.primitive(0))) == (number, Outcome)


def test_rules_may_fill_one_list_again() -> None:
    found: list[int] = []

    def moves(self: Any, p: int) -> list[int]:
        found[:] = range(1, min(p, 2) + 1)
        return found

    game = broken(moves=moves)
    before = game.moves(4)
    assert (game.moves(1), before) == ([1], [1, 2])


def test_the_name_of_a_class_is_one_line() -> None:
    kind = type("A\nproved \x1b[31m", (Line,), {})
    assert kind().spec.endswith(r":A\nproved \x1b[31m")


def test_texts_of_several_lines_are_allowed() -> None:
    lines = "Take one or two.\n\nThe last one wins."
    assert check_game(broken(about=lines, render=lambda s, p, turn=None: f"{p}\n{'|' * p}\n"))


def test_a_game_that_repeats_a_position_may_go_on() -> None:
    assert random_length(load_game("ponghauki")) is None
    assert 5 <= (random_length(load_game("tictactoe")) or 0) <= 9


def test_different_rules_have_different_fingerprints() -> None:
    prints = [fingerprint(Mnk(*size)) for size in SIZES]
    assert len(set(prints)) == len(SIZES)
    assert fingerprint(Mnk(3, 3, 3)) == fingerprint(load_game("tictactoe"))


def test_texts_that_are_no_position_are_rejected_by_default() -> None:
    for text in ("here", "{[]}", "1 +", "(" * 1000):
        with pytest.raises(IllegalPositionError, match="is not a position of .*; one is '1'$"):
            Line().parse(text)


def test_a_position_of_another_type_is_rejected_by_default() -> None:
    with pytest.raises(TypeError, match="is written as text, such as '1', not as int"):
        Line().parse(3)  # type: ignore[arg-type]
