"""Every way to write a board, and the errors for texts that are not boards."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Board, Game, IllegalPositionError, TableAgent, load_game
from solver.boards import from_numpad, from_rows, from_signs
from solver.games.mnk import Mnk
from tests.support import oracle

GAME = Mnk(3, 3, 3)
VALUED = "X   | 2 D | 3 L1\n----+\n4 D | O   | 6 D\n----+\n7 D | 8 D | 9 D"
POSITIONS = st.sampled_from(oracle.reachable())


@given(POSITIONS)
def test_conventions_agree_on_random_boards(board: str) -> None:
    letters = [None if mark == "." else mark for mark in board]
    signs = oracle.signs(board)
    pad = [7, 8, 9, 4, 5, 6, 1, 2, 3]
    numpad: list[Any] = [None] * 10
    for cell, key in enumerate(pad):
        numpad[key] = letters[cell]
    assert from_rows([letters[:3], letters[3:6], letters[6:]]) == board
    assert from_signs(signs) == board
    assert from_signs(np.array(signs).reshape(3, 3)) == board
    marks: Any = np.array([sign % 3 for sign in signs], np.uint16)
    assert GAME.text(GAME.parse(marks)) == GAME.text(GAME.parse(marks.reshape(3, 3))) == board
    assert from_numpad(numpad) == board


@given(POSITIONS, st.data())
def test_every_spelling_gives_the_same_position(board: str, data: st.DataObject) -> None:
    spelled = [
        data.draw(st.sampled_from([mark, mark.lower()]))
        if mark != "."
        else data.draw(st.sampled_from([".", "-", "_", " ", str(cell + 1)]))
        for cell, mark in enumerate(board)
    ]
    separators = data.draw(st.sampled_from(["", "/", "|", "\n", "\r\n"]))
    text = separators.join("".join(spelled[start : start + 3]) for start in (0, 3, 6))
    assert GAME.text(GAME.parse(text)) == board


@pytest.mark.parametrize(
    ("spec", "text", "board"),
    [
        ("tictactoe", "X O X E O E X E E", "XOX.O.X.."),
        ("tictactoe", "b x o b b b b b x", ".XO.....X"),
        ("tictactoe", "x,x,o,_,o,_,_,_,_\n", "XXO.O...."),
        ("tictactoe", "\r\nx..\r\n.o.\r\n...\r\n", "X...O...."),
        ("tictactoe", " X | 2 | 3\n---+---+---\n 4 | O | 6\n---+---+---\n 7 | 8 | 9", "X...O...."),
        ("tictactoe", "| X |   |   |\n|   | O |   |\n|   |   |   |", "X...O...."),
        ("tictactoe", "  1 2 3\n3 X . .\n2 . O .\n1 . . .", "X...O...."),
        ("tictactoe", "X2/1O1/3", "X...O...."),
        ("tictactoe", "X,O,X\r\n,,\r\nO,,\r\n", "XOX...O.."),
        ("tictactoe", "X\t\t\n\tO\t\n\t\t", "X...O...."),
        ("tictactoe", "X.. .O. ...", "X...O...."),
        ("tictactoe", "X.. / .O. / ...", "X...O...."),
        ("tictactoe", VALUED, "X...O...."),
        ("connect4:4x4", "4/4/1O2/XXO1\n", ".........O..XXO."),
        *(("nim:1,3,5,7", text, "1,5,7") for text in ("[7, 5, 1]", "1 5 7", "(1;5;7)", "5/1/7/0")),
        ("connect4:4x4", "....\n....\n.O..\nXXO.\n1 2 3 4\n W3 D . L18", ".........O..XXO."),
    ],
)
def test_boards_are_read_as_people_write_them(spec: str, text: str, board: str) -> None:
    game = load_game(spec)
    assert game.text(game.parse(text)) == board


FAMILIES = "tictactoe connect4:4x4 connect4 hexapawn:3x3 kingspawns nim:3,4,5 morris clobber:3x3"
FAMILIES += " domineering:4x4 dodgem:3x3 breakthrough:3x4 mutorere ponghauki wild notakto mnk:4,3,3"


@pytest.mark.parametrize("spec", FAMILIES.split())
@pytest.mark.parametrize("seed", range(3))
def test_a_board_that_was_printed_can_be_pasted(spec: str, seed: int) -> None:
    board, generator = Board[Any, Any](spec), random.Random(seed)
    while board.legal_moves and len(board.move_stack) < 20:
        pasted = Board[Any, Any](spec, f"{board}\n", board.turn)
        assert (pasted.position, pasted.turn) == (board.position, board.turn)
        board.push(generator.choice(list(board.legal_moves)))


@pytest.mark.parametrize("spec", FAMILIES.split())
@pytest.mark.thinned(4)
def test_hostile_texts_are_refused_at_once(spec: str) -> None:
    game = load_game(spec)
    for text in ("1 |  " * 700 + "x", "9" * 5000, "-" * 3000 + "x\n" * 9, "| " * 3000):
        with pytest.raises(IllegalPositionError):
            game.parse(text)


def test_arrays_of_any_size_are_boards(agent: TableAgent) -> None:
    kaggle = [0] * 35 + [1, 0, 0, 2, 1, 0, 0]
    signs = np.array([n - 3 * (n == 2) for n in kaggle]).reshape(6, 7)
    rows = [["X" if n == 1 else "O" if n == 2 else None for n in row] for row in signs % 3]
    game = load_game("connect4")
    boards: list[Any] = [from_signs(signs), from_rows(rows)]
    positions = {game.parse(board) for board in [*boards, kaggle, signs, rows, signs % 3]}
    assert [game.text(p) for p in positions] == ["." * 35 + "X..OX.."]
    assert agent.best_move([1, 0, 0, 0, 2, 0, 0, 0, 0]) == agent.best_move("X...O....")
    assert Board("tictactoe", [[1, 0, 0], [0, -1, 0], [0, 0, 0]]).text == "X...O...."
    assert Board("tictactoe", list("X...O....")).text == "X...O...."


@pytest.mark.parametrize("spec", ["tictactoe", "connect4", "mnk:4,3,3"])
def test_an_array_can_be_pasted_as_it_is_printed(spec: str) -> None:
    game: Any = load_game(spec)
    board = Board[Any, Any].from_moves(game, "2 1 3")
    signs = np.array([{"X": 1, "O": -1, ".": 0}[mark] for mark in board.text])
    for array in (signs, signs % 3, signs.reshape(game.board[::-1]), signs.astype(float)):
        for text in (str(array), str(array.tolist()), str(array).strip("[]")):
            assert game.parse(text) == board.position
    assert game.parse("".join(map(str, signs % 3))) == board.position
    marks, columns = [*board.text], game.board[0]
    rows = [board.text[i : i + columns] for i in range(0, len(marks), columns)]
    empty = [[None if mark == "." else mark for mark in row] for row in rows]
    numbered = [None if n == 0 else int(n) for n in signs]
    in_json = [json.dumps(listed) for listed in (marks, empty, numbered)]
    for listed in (marks, rows, empty, str(marks), str(rows), str(empty), numbered, *in_json):
        assert game.parse(listed) == board.position


@pytest.mark.parametrize(
    ("text", "turn", "reason"),
    [
        ("XX.......", None, "too many X: 2 X and 0 O"),
        ("O........", None, "too many O: 0 X and 1 O.* specify that it is X's turn"),
        ("OO.......", None, "too many O: 0 X and 2 O, but X moves first and has as many as O or"),
        (
            "OO.XXX..O",
            None,
            "X has 3 in a row, so .* O's last move; if O moved first, specify that it is O's",
        ),
        ("X........", "X", "cannot be X's turn with 1 X and 0 O"),
        ("XXXOOO...", None, "both X and O have 3 in a row"),
        ("XXXOO.O..", None, "X has 3 in a row, so the game was over before O's last move"),
        ("OOOXX.X..", "O", "O has 3 in a row, so the game was over before X's last move"),
        ("XO", None, "a board has 9 cells.*; it has 2 cells$"),
        ("X.O/X/...", None, "a board has 9 cells.*; row 2 has 1 cell, not 3$"),
        ("X../.O.X...", None, "a board has 9 cells"),  # no separator, but a stone
        ("X...O...Z", None, "cell 9 of 'X...O...Z' is 'Z'"),
        ("X...O..7.", None, "cell 8 .* is '7'; the number of an empty cell must be its own, 8"),
        ("X...O...٩", None, "cell 9"),
        ("X|O|X|O|X\n1|2|3\n4|5|6", None, "a board has 9 cells"),
        ("X ? O . . . . .", None, "a board has 9 cells.*; character 3 is '\\?'"),
        ("B . . . . . . . .", None, "is 'B'; it must be X or O"),  # perhaps a black stone
        ("." * 10_000, None, "'\\.{37}\\.\\.\\.' is not a board"),
        (".........", "Z", "the turn is 'Z'; it must be X or O"),
    ],
)
def test_errors_of_illegal_boards(text: str, turn: str | None, reason: str) -> None:
    with pytest.raises(IllegalPositionError, match=reason):
        GAME.parse(text, turn)


@pytest.mark.parametrize(
    ("call", "board", "reason"),
    [
        (from_rows, [["X", None], ["O"]], "these rows have 2, 1 cells"),
        (from_rows, ["X..", ".O.", "..."], "is not rows of cells"),
        (from_rows, [["X", "Y", None]] * 3, "cell 2 is 'Y'"),
        (from_rows, [[[], None, None]] * 3, r"cell 1 is \[\]"),
        (from_signs, [1, 0, 0, 0, 2, 0, 0, 0, 0], "cell 5 is 2; it must be one of 1, -1, 0"),
        (from_signs, 5, "is not a list of cells"),
        (GAME.parse, [1, -1, 2, 0, 0, 0, 0, 0, 0], "a board has -1 or 2 for O, not both"),
        (GAME.parse, [1, None, -1, *[0] * 6], "cell 2 is None and cell 4 is 0: write one"),
        (GAME.parse, [True, "", *[False] * 7], "cell 2 is '' and cell 3 is 0: write"),
        (GAME.parse, "[1,null,0,null,null,null,null,null,null]", "cell 2 is None and cell 3 is 0"),
        (GAME.parse, [3] * 9, "cell 1 is 3; it must be one of"),
        (GAME.parse, "[3,0,0,0,0,0,0,0,0]", "cell 1 is 3; it must be one of"),
        (GAME.parse, "[0,0,0,0,0,0,0,0]", "a board has 9 cells, .*; it has 8 numbers"),
        (GAME.parse, str([1, -1, 2, 0, 0, 0, 0, 0, 0]), "a board has -1 or 2 for O, not both"),
        (GAME.parse, np.zeros((1, 3, 3)), r"one dimension or two, and not the shape \(1, 3, 3\)"),
        (
            GAME.parse,
            np.zeros((3, 3, 2)),
            r"planes .* whose move .* write x\[..., 0\].astype\(int\)",
        ),
        (from_signs, np.zeros((2, 3, 3)).tolist(), r"planes of shape \(2, 3, 3\) .* write x\[0\]"),
        (
            load_game("connect4").parse,
            [[0] * 6] * 7,
            "a board has 42 .* has 7 rows of 6, so turn it",
        ),
        (from_signs, [float("nan")] * 9, "cell 1 is nan"),
        (from_numpad, [" "] * 9, "has 10 entries, this one has 9"),
        (from_numpad, "X" * 10, "is not a list of ten"),
    ],
)
def test_errors_of_other_conventions(call: Any, board: Any, reason: str) -> None:
    with pytest.raises(IllegalPositionError, match=reason):
        call(board)


@given(st.text("XOxo.-_/|\r\n 0123456789Zß²٩\ud800", max_size=14))
def test_any_text_is_a_position_or_an_illegal_position_error(text: str) -> None:
    try:
        p = GAME.parse(text)
    except IllegalPositionError:
        return
    assert GAME.parse(GAME.text(p)) == p


@pytest.mark.no_cover
def test_exactly_the_boards_that_games_reach_are_legal(tictactoe: Game[Any, Any]) -> None:
    """Of all 19,683 ways to fill the board."""
    legal = set(oracle.reachable())
    for number in range(3**9):
        board = "".join(".XO"[number // 3**cell % 3] for cell in range(9))
        try:
            tictactoe.parse(board)
        except IllegalPositionError:
            assert board not in legal
        else:
            assert board in legal
