"""The agent on every position, in every game and on arrays of boards."""

from __future__ import annotations

import copy
import pickle
import sys
from functools import reduce
from itertools import islice

import numpy as np
import pytest

from solver import (
    Game,
    IllegalPositionError,
    Outcome,
    TableAgent,
    UnknownPositionError,
    open_agent,
    solve,
)
from solver.agent.board_arrays import Batch
from solver.agent.facts import read_position
from solver.games.mnk import Mnk
from solver.rules.positions import every_position
from tests.conftest import python
from tests.support import oracle, user_games
from tests.support.oracle import signs
from tests.support.small_games import Line
from tests.support.solved import solved_agent


@pytest.mark.slow
def test_every_answer_on_every_position(agent: TableAgent) -> None:
    """Scores, ranking and choice on a fifth of all boards, against the independent oracle."""
    for board in oracle.reachable()[::5]:
        outcome, plies = oracle.solve(board)
        assert (agent.outcome(board), agent.distance(board)) == (outcome, plies)
        scores = agent.scores(board)
        ranked = sorted(
            oracle.moves(board),
            key=lambda cell: (
                -oracle.move_value(board, cell)[0],
                oracle.move_value(board, cell)[0] * (oracle.move_value(board, cell)[1] or 0),
                -oracle.trap(board, cell),
                cell,
            ),
        )
        assert [s.move for s in scores] == ranked
        assert agent.best_move(board) == (ranked[0] if ranked else None)
        for s in scores:
            assert (s.outcome, s.distance) == oracle.move_value(board, s.move)
            assert s.trap == oracle.trap(board, s.move)
            assert s.label == str(s.move + 1)


@pytest.mark.parametrize("seat", ["X", "O"])
def test_the_agent_never_drops_value_in_any_game(agent: TableAgent, seat: str) -> None:
    """Every game against it: it never loses, and from a win in n it wins within n plies."""
    finished = 0
    waiting: list[tuple[str, int | None]] = [(oracle.START, None)]  # a board, plies to a win
    while waiting:
        board, promise = waiting.pop()
        if oracle.over(board):
            finished += 1
            assert oracle.winner(board) in (seat, None)
            assert promise is None or (promise == 0 and oracle.winner(board) == seat)
            continue
        if promise is not None:
            assert promise > 0
        if oracle.turn(board) == seat:
            outcome, plies = oracle.solve(board)
            if outcome == 1:
                assert promise is None or (plies is not None and plies <= promise)
                promise = plies
            move = agent.best_move(board)
            assert move is not None
            waiting.append((oracle.play(board, move), None if promise is None else promise - 1))
        else:
            after = [oracle.play(board, cell) for cell in oracle.moves(board)]
            waiting += [(child, None if promise is None else promise - 1) for child in after]
    assert finished > 50


def test_a_move_for_another_turn_is_not_remembered(agent: TableAgent) -> None:
    assert agent.best_move("O........", turn="X") == agent.best_move("X........")
    with pytest.raises(IllegalPositionError, match="specify that it is X's turn"):
        agent.best_move("O........")


def test_finished_games_have_no_move(agent: TableAgent) -> None:
    for _ in range(2):  # the second answer is cached
        assert agent.best_move("XXXOO....") is None
    assert agent.scores("XXXOO....") == []
    assert agent.outcome("XXXOO....") == Outcome.LOSS
    assert agent.distance("XXXOO....") == 0
    assert agent.line("XXXOO....") == []
    assert agent.outcome("XOXXOOOXX") == Outcome.DRAW


def test_line_is_perfect_play_to_the_end(agent: TableAgent) -> None:
    for board in oracle.reachable()[::37]:
        outcome, plies = oracle.solve(board)
        moves = agent.line(board)
        last = reduce(oracle.play, moves, board)
        assert oracle.over(last)
        assert plies is None or len(moves) == plies
        assert (oracle.winner(last) is None) == (outcome == 0)


def test_positions_of_the_rules_are_accepted(agent: TableAgent) -> None:
    p = agent.game.parse("X...O....")
    assert agent.scores(p) == agent.scores("X...O....")
    assert agent.best_move(p) == 1
    with pytest.raises(IllegalPositionError, match="too many O"):
        agent.outcome(p | 15)
    for strange in (1 << 40, -1, 513):  # 513 has both stones on one cell
        with pytest.raises(IllegalPositionError):
            agent.best_move(strange)
    with pytest.raises(ValueError, match="turn is for a text"):
        agent.best_move(p, turn="X")


def test_agents_can_be_pickled_and_shared(agent: TableAgent) -> None:
    fresh = TableAgent()
    fresh.best_move("X...O....")
    fresh.batch.best_moves(np.zeros((1, 9), np.int8))
    copied = pickle.loads(pickle.dumps(fresh))
    assert copied.scores("X...O....") == agent.scores("X...O....")
    assert copy.deepcopy(fresh).best_move("X...O....") == 1


@pytest.mark.no_cover
def test_arrays_of_every_position(agent: TableAgent) -> None:
    array = np.array([signs(board) for board in oracle.reachable()], np.int8)
    expected = [agent.best_move(board) for board in oracle.reachable()]
    answers = agent.best_moves(array)
    assert answers.dtype == np.int8
    assert answers.tolist() == [-1 if move is None else move for move in expected]
    assert agent.best_moves(array.astype(np.int64)).tolist() == answers.tolist()
    assert agent.best_moves(array[::-1])[::-1].tolist() == answers.tolist()


def test_arrays_that_are_no_boards_are_refused(agent: TableAgent) -> None:
    both, shape = signs("XXXOOO..."), r"shape \(n, 9\)"
    for array, message in (
        (np.array([signs("........."), both], np.int8), r"row 1 .*: XXXOOO...: both"),
        (np.array([both[1:], [0, 0, 0, 2, 0, 0, 0, 0]]), shape),
        (np.array([[0] * 9, [0, 0, 0, 0, 2, 0, 0, 0, 0]]), "row 1, column 4 .* is 2; it must"),
        (np.zeros(9, np.int8), shape),
        (np.zeros((2, 9)), shape),
        (np.zeros((3, 3, 2), np.int8), r"planes of shape \(3, 3, 2\) do not say whose move it is"),
        (np.zeros((5, 3, 3, 2), np.int8), r"planes of shape \(3, 3, 2\)"),
        (np.array([["X"] * 9]), shape),
    ):
        with pytest.raises(IllegalPositionError, match=message):
            agent.best_moves(array)


def test_arrays_are_for_small_boards() -> None:
    with pytest.raises(ValueError, match="up to 9 cells"):
        Batch(Line(), solve(Line(), "retrograde"))
    small = TableAgent(solve(Mnk(2, 3, 2)))
    assert small.best_moves(np.zeros((1, 6), np.int8)).tolist() == [small.best_move("......")]
    assert (
        small.best_moves(np.zeros((2, 3, 2), np.int8)).tolist() == [small.best_move("......")] * 2
    )
    with pytest.raises(
        IllegalPositionError, match=r"have 2 rows of 3 and are turned: write boards"
    ):
        small.best_moves(np.zeros((1, 2, 3), np.int8))


def test_a_game_of_pieces_names_its_texts_in_place_of_arrays() -> None:
    pawns = open_agent("hexapawn:3x3")
    with pytest.raises(
        ValueError, match=r"pass its positions as texts, such as 'ppp/\.\.\./PPP w'$"
    ):
        pawns.best_moves(np.full((1, 3, 3), 257))
    with pytest.raises(
        TypeError, match=r"written as text, such as 'ppp/\.\.\./PPP w', not as list"
    ):
        pawns.best_move([[1, 0, 2]] * 3)


@pytest.mark.parametrize("name", ["mnk:3,2,3", "connect4:3x3,3", "hexapawn:3x3", "nim:1,2,3"])
def test_best_moves_of_every_game_are_those_of_single_positions(name: str) -> None:
    """Whether boards are arrays, texts or positions; -1 or an empty text after the end."""
    agent = solved_agent(name)
    game, positions = agent.game, list(islice(every_position(agent.game), 400))
    over = "" if name.startswith("nim") else -1
    best = [agent.best_move(p) for p in positions]
    expected = [over if m is None else game.code(m) for m in best]
    texts = [game.text(p) for p in positions]
    assert agent.best_moves(positions).tolist() == expected
    assert agent.best_moves(np.array(texts)).tolist() == expected
    with pytest.raises(IllegalPositionError, match=r"row 1 \(counted from 0\)"):
        agent.best_moves([texts[0], "?"])
    if name in ("mnk:3,2,3", "connect4:3x3,3"):
        array = np.array([signs(text.replace("/", "")) for text in texts], np.int8)
        assert agent.best_moves(array).tolist() == expected
        rows = array.reshape(len(array), *reversed(game.board or ()))
        assert agent.best_moves(rows).tolist() == expected
        with pytest.raises(IllegalPositionError, match=rf"shape \(n, {array.shape[1]}\)"):
            agent.best_moves(array[0])


@pytest.mark.slow
def test_the_agent_imports_the_standard_library_only() -> None:
    code = (
        "import sys; before = set(sys.modules)\n"
        "from solver import TableAgent; TableAgent().best_move('.........')\n"
        "print(*{name.split('.')[0] for name in set(sys.modules) - before})"
    )
    names = set(python("-c", code).stdout.split())
    assert names - {"solver"} <= sys.stdlib_module_names
    assert not names & {"typing", "dataclasses", "inspect", "orjson"}


def test_a_text_of_a_wrong_length_is_refused_if_there_is_one_length() -> None:
    """A symmetry or `turn` of the rules might raise an error at such a text."""
    row, word = user_games.Row(), user_games.Word()
    message = r"^'X\.' has 2 characters; a position of .*:Row has 4, as in '\.\.\.\.'$"
    with pytest.raises(IllegalPositionError, match=message):
        read_position(row, "X.", None)
    assert read_position(row, ".X.X", None) == (".X.X", "X")
    assert read_position(row, "1 3", None) == (".X.X", "X")  # the record of a game
    assert read_position(word, "uq", None) == ("uq", "X")
    with pytest.raises(UnknownPositionError, match="leads to this position or an image of it$"):
        TableAgent(solve(word)).distance("'u'")


def test_moves_with_commas_are_a_game_where_a_tuple_of_another_length_is_none() -> None:
    class Marks(Game[tuple[int, ...], int]):
        spec = "marks"

        def initial(self) -> tuple[int, ...]:
            return (0, 0, 0, 0)

        def moves(self, p: tuple[int, ...]) -> list[int]:
            return [m for m in range(4) if not p[m]]

        def play(self, p: tuple[int, ...], m: int) -> tuple[int, ...]:
            return (*p[:m], 1, *p[m + 1 :])

        def primitive(self, p: tuple[int, ...]) -> Outcome | None:
            return Outcome.LOSS if all(p) else None

    assert read_position(Marks(), "3, 0, 1", None) == ((1, 1, 0, 1), "O")
    assert read_position(Marks(), "1, 1, 0, 1", None) == ((1, 1, 0, 1), "X")
    with pytest.raises(IllegalPositionError, match="has 3 items; a position of marks has 4"):
        read_position(Marks(), "(1, 1, 1)", None)
