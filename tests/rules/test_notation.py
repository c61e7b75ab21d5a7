"""Moves and records of games as people type them."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from solver import Game, Outcome, load_game
from solver.errors import IllegalMoveError
from solver.rules.notation import find_move, replay
from tests.support.user_games import Heaps


def test_moves_are_found_by_label_and_code() -> None:
    chess = load_game("kingspawns")
    p = chess.initial()
    for typed in ("cxb3+", "cxb3", "CXB3", "c2b3"):
        assert find_move(chess, p, typed) == "c2b3"
    rack = load_game("connect4:5x4")
    assert find_move(rack, rack.initial(), "5") == 4
    for typed in ("0", "6", "", "five"):
        with pytest.raises(IllegalMoveError, match="the legal moves are 1, 2, 3, 4, 5"):
            find_move(rack, rack.initial(), typed)


def test_a_name_that_stands_for_two_moves_is_not_one_of_them() -> None:
    chess = load_game("kingspawns")
    p = chess.initial()
    first, second = chess.moves(p)[:2]
    labels = {first: "Up", second: "up+"}
    assert find_move(chess, p, "up+", lambda _, m: labels.get(m, m)) == second
    with pytest.raises(IllegalMoveError, match="'up' is not a legal move"):
        find_move(chess, p, "up", lambda _, m: labels.get(m, m))


@pytest.mark.parametrize("spec", ["tictactoe", "morris", "hexapawn:4x4", "kingspawns", "wild"])
def test_a_record_of_labels_replays_the_moves(spec: str) -> None:
    game: Game[Any, Any] = load_game(spec)
    p, labels = game.initial(), []
    moves: list[tuple[Any, Any]] = []
    for step in itertools.cycle((3, 0, 5, 1)):
        if game.primitive(p) is not None or len(moves) == 20:
            break
        legal = game.moves(p)
        moves.append((p, legal[step % len(legal)]))
        labels.append(game.label(*moves[-1]))
        p = game.play(*moves[-1])
    assert replay(game, game.initial(), " ".join(labels)) == moves


def test_a_record_takes_labels_with_spaces_and_commas() -> None:
    game = Heaps()
    for record in ("(1, 1) (0, 1)  (1, 1)", "(1, 1),(0, 1),(1, 1)"):
        assert [m for _, m in replay(game, (1, 2), record)] == [(1, 1), (0, 1), (1, 1)]
    with pytest.raises(IllegalMoveError, match=r"move 2 of the record: '\(1, 1\)' is not a legal"):
        replay(game, (1, 2), "(1, 2) (1, 1)")


@pytest.mark.parametrize(
    ("spec", "records"),
    [
        ("tictactoe", ["5 1 9 3", "5,1,9,3", "5193", "5\u00a01 9\u3000 3\u00a0", "[5, 1, 9, 3]"]),
        ("tictactoe", ["5 1 9 3", "1. 5 1 2. 9 3", "1.5 1 2.9 3", "1. 5 1... 1 2. 9 3"]),
        (
            "tictactoe",
            ["5 1 9 3", "5 1 9 3.", "5 1 {bad} 9 3 # drawn", "1) 5 1 2) 9 3", "x5 o1! X9 O3?"],
        ),
        (
            "tictactoe",
            ["5 1 9", "5-1-9", "5 -> 1 -> 9", "5/1/9", "moves: 5 1 9", "Game 7: 5, 1, 9"],
        ),
        (
            "tictactoe",
            ["5 1 9", "X: 5, O: 1, X: 9", "[[1, 1], [0, 0], [2,2]]", "(2,2) (1,1) (3,3)"],
        ),
        ("domineering:2x3", ["1-3 5-6 ", "1-3, 5-6"]),
        ("tictactoe", ["1 4 2 5 3", "14253 1-0", "1 4 2 5 3 *", "1 4 2 5 3."]),
        ("tictactoe", ["4 0 8 2", "[4, 0, 8, 2]", "4082", "(4, 0, 8, 2)"]),
        ("connect4", ["4 4 1 3 1", "44131", "{4, 4, 1, 3, 1}", "d d a c a", "ddaca", "DDACA"]),
        ("connect4", ["4 4 1", "1. X 4\n2. O 4\n3. X 1\n", "X4 O4 X1", "X 4, O 4, X 1", "D,D,A"]),
        ("connect4", ["3 3 0 2 0", "[3,3,0,2,0]", "33020"]),
        ("hexapawn:3x3", ["b1b2 a3xb2 a1xb2", "b1b2,a3xb2,a1xb2", "1. b1b2 a3xb2 2. a1xb2"]),
        ("mnk:4,4,3", ["10 3 1", "1. 10 3 2. 1", "10, 3, 1\n"]),
    ],
)
def test_a_record_is_read_as_people_write_it(spec: str, records: list[str]) -> None:
    game: Game[Any, Any] = load_game(spec)
    found = [replay(game, game.initial(), record) for record in records]
    assert all(reading == found[0] for reading in found)


def test_rows_and_columns_are_for_moves_that_are_cells() -> None:
    game: Game[Any, Any] = load_game("connect4")
    with pytest.raises(IllegalMoveError, match="is not a row and a column: write its label, such"):
        replay(game, game.initial(), "[[5, 3], [4, 3]]")


@pytest.mark.parametrize("record", ["[3, 3, 4]", "3,3,4"])
def test_a_list_that_counts_from_0_or_from_1_names_both_readings(record: str) -> None:
    game: Game[Any, Any] = load_game("connect4")
    with pytest.raises(IllegalMoveError, match="from 0 and from 1: write 4 4 5 or 3 3 4 without"):
        replay(game, game.initial(), record)
    for same in ("3 3 4", record, "334"):
        assert [m for _, m in replay(game, game.initial(), same, from_zero=True)] == [3, 3, 4]
    assert [m for _, m in replay(game, game.initial(), "3 3 4")] == [2, 2, 3]


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("1 4 2 5 3 6", "move 6 of the record: '6' is not a legal move: the game is over"),
        ("0 1 2 2", "move 4 of the record: '2' is not a legal move; the legal moves are 3, 4"),
        ("[1, 2, 0, 2]", "move 4 of the record: '2' is not a legal move; the legal moves are 3"),
        ("1. 5 1 2. 5", "move 3 of the record: '5' is not a legal move; the legal moves are 2, 3"),
        ("5 1 9 0", "move 4 of the record: '0' is not a legal move; the legal moves are 2, 3"),
        (
            "[[0, 3], [4, 6]]",
            r"move 1 of the record: '\(0,3\)' is not a legal move; the legal moves are \(0,0\)",
        ),
        ("[[1, 1], [2, 2]]", "from 0 and from 1: write 5 9 or 1 5; with --from-zero or from_zero"),
        ("[[4, 4], [1, 1]]", r"move 1 of the record: '\(4,4\)' is not a legal move; the legal"),
        (
            "[519]",
            r"move 1 of the record: '\[519\]' is not a legal move; the legal moves are 1, 2, 3",
        ),
        (
            "[[1, 1], [1, 1], [0, 0]]",
            r"move 2 of the record: '\(1,1\)' is not a legal move; the le",
        ),
        ("[[1, 2], [3, 4]]", r"move 2 of the record: '\(3,4\)' is not a legal move"),
        ("5 -1", "move 2 of the record: '-1' is not a legal move"),
        ("5593", "move 2 of the record: '5' is not a legal move; the legal moves are 1, 2, 3, 4"),
        ("O5 X1", "move 1 of the record is said to be O's: the sides take turns, X first"),
        ("X 5 1 O 9", "names a side 2 times for 3 moves: name it before each move or before none"),
        ("5 1 9. 3 7", "are not numbered from 1 on, as in 1. 5 1 2. 9"),
        *((record, "are not numbered from 1 on") for record in ("2. 9 3", "1... 5")),
        ("(0,1)", "can be two moves, or a row and a column: write moves without parentheses"),
        ("[]", r"move 1 of the record: '\[\]' is not a legal move"),
        ("[1, 2, 2]", "move 3 of the record: '2' is not a legal move; the legal moves are 3, 4"),
    ],
)
def test_a_wrong_record_is_not_read_in_another_way(record: str, message: str) -> None:
    """Counted from 0, the first one would be a legal game, but no move of it is 0."""
    game: Game[Any, Any] = load_game("tictactoe")
    with pytest.raises(IllegalMoveError, match=message):
        replay(game, game.initial(), record)


class Labelled(Game[tuple[int, ...], int]):
    """Name one of the labels that are left; three end the game."""

    def __init__(self, *labels: str) -> None:
        self.labels = labels

    def initial(self) -> tuple[int, ...]:
        return ()

    def moves(self, p: tuple[int, ...]) -> list[int]:
        return [m for m in range(len(self.labels)) if m not in p]

    def play(self, p: tuple[int, ...], m: int) -> tuple[int, ...]:
        return (*p, m)

    def primitive(self, p: tuple[int, ...]) -> Outcome | None:
        return Outcome.LOSS if len(p) == 3 else None

    def label(self, p: tuple[int, ...], m: int) -> str:
        return self.labels[m]


@pytest.mark.parametrize(
    ("labels", "record", "moves"),
    [
        ("a a! b", "a! b", [1, 2]),
        ("a a! b", "a! a b", [1, 0, 2]),
        ("2-0 1-0 0-1", "2-0, 1-0", [0, 1]),
        ("2-0 1-0 0-1", "2-0 1-0 *", [0, 1]),
        ("1 2 1-2", "1 1-2", [0, 2]),
        ("1 2 1-2", "1. 1 1-2", [0, 2]),
        ("a b *", "a b * 1-0", [0, 1, 2]),
        ("a b #c", "a #c", [0, 2]),
        ("{abc} {def} x", "{abc} x", [0, 2]),
        ("go:1 go:2 1", "go:1", [0]),
    ],
)
def test_labels_that_look_like_something_else_are_read(
    labels: str, record: str, moves: list[int]
) -> None:
    game = Labelled(*labels.split())
    assert [m for _, m in replay(game, (), record)] == moves


@pytest.mark.parametrize("record", ["a 0-1", "a b 0-1", "moves: a 0-1", "a 0-1 # over"])
def test_a_last_word_that_can_be_a_move_or_a_result_is_refused(record: str) -> None:
    with pytest.raises(
        IllegalMoveError, match="'0-1' at the end of 'a.* 0-1' can be a move or the"
    ):
        replay(Labelled("a", "b", "0-1"), (), record)


@pytest.mark.parametrize(
    ("game", "record", "count"),
    [
        ("morris", "5 1 6 4 7 3 5-8 1-2 6-9", 9),
        ("morris", "1. 5 1 2. 6 4 3. 7 3 4. 5-8 1-2", 8),
        ("achi", "5 1 2 8 4 6 9 3 4-7 1-4", 10),
        ("nim:3,4,5", "3-2, 1-1", 2),
    ],
)
def test_labels_with_a_sign_are_kept(game: str, record: str, count: int) -> None:
    rules = load_game(game)
    assert len(replay(rules, rules.initial(), record)) == count
