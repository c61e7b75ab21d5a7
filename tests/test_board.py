"""Boards: games in progress, over the rules of any game."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import Board, IllegalMoveError, Outcome, grade, load_game, open_agent, prompt, review
from solver.games.mnk import Mnk
from tests.support.graphs import DRAW_BY_CYCLE
from tests.support.properties import examples
from tests.support.solved import solved_agent

SOLVED = (
    *("tictactoe", "connect4:3x3,3", "nim:3,4", "ponghauki", "notakto", "hexapawn:3x3"),
    *("domineering:3x3", "dodgem:3x3", "mutorere"),
)
SPECS = (*SOLVED, "kingspawns", "morris", "wild")
GAMES = {spec: load_game(spec) for spec in SPECS}
WALKS = st.tuples(st.sampled_from(SPECS), st.integers(0, 10_000), st.integers(0, 30))


def walked(spec: str, seed: int, plies: int) -> Board:
    board, generator = Board(GAMES[spec]), random.Random(seed)
    while not board.is_over and len(board.move_stack) < plies:
        board.push(generator.choice(board.legal_moves))
    return board


@given(WALKS)
@examples(150)
def test_boards_agree_with_the_rules(walk: tuple[str, int, int]) -> None:
    board, game = walked(*walk), GAMES[walk[0]]
    p, seat = game.initial(), game.seats[0]
    for move in board.move_stack:
        assert game.primitive(p) is None
        assert move in game.moves(p)
        p, seat = game.play(p, move), game.other(seat)
    assert (board.position, board.turn, board.text) == (p, seat, game.text(p, seat))
    over = game.primitive(p)
    if over is not None:
        assert board.is_over
        winner = {Outcome.WIN: seat, Outcome.LOSS: game.other(seat)}.get(over)
        assert board.winner == winner
        score = {None: "1/2-1/2", game.seats[0]: "1-0", game.seats[1]: "0-1"}
        assert board.result == score[winner]
    elif not board.is_over:
        assert board.legal_moves == [*game.moves(p)]
    assert (board.result is None) == (not board.is_over)
    assert hash(board.position) == hash(p)


@given(WALKS)
@examples(100)
def test_pop_is_the_inverse_of_push(walk: tuple[str, int, int]) -> None:
    """Moves are pushed as moves, codes or labels."""
    board, game = walked(*walk), GAMES[walk[0]]
    before, p = board.copy(), board.position
    for move in before.legal_moves:
        for written in (move, game.code(move), game.label(p, move)):
            board.push(written)
            assert board != before
            assert board.move_stack == [*before.move_stack, move]
            assert board.position == game.play(p, move)
            assert board.pop() == move
            assert board == before
            assert board.legal_moves == before.legal_moves
    while board.move_stack:
        board.pop()
    assert board == Board(board.game)


@given(WALKS)
@examples(100)
def test_a_board_can_be_written_and_read(walk: tuple[str, int, int]) -> None:
    board = walked(*walk)
    assert eval(repr(board), {"Board": Board}) == board
    assert Board(board.game, board.text, board.turn) == board
    assert Board(board.game, board.position, board.turn) == board
    assert Board.from_moves(walk[0], board.move_stack) == board
    assert pickle.loads(pickle.dumps(board)) == board


@given(WALKS)
@examples(50)
def test_copies_go_their_own_ways(walk: tuple[str, int, int]) -> None:
    board = walked(*walk)
    moves, text = board.move_stack, board.text
    for other in (board.copy(), copy.copy(board), copy.deepcopy(board)):
        assert (other, other.move_stack, other.is_over) == (board, moves, board.is_over)
        for move in other.legal_moves[:1]:
            other.push(move)
        while other.move_stack:
            other.pop()
        assert (board.text, board.move_stack) == (text, moves)


@given(st.sampled_from(SOLVED), st.integers(0, 10_000))
@examples(100)
def test_the_agent_takes_a_board_in_place_of_a_text(spec: str, seed: int) -> None:
    agent, board = solved_agent(spec), walked(spec, seed, seed % 9)
    p = board.position
    for ask in (agent.best_move, agent.scores, agent.outcome, agent.distance, agent.line):
        assert ask(board) == ask(p)
    assert agent.position(board) == p
    assert board.scores(agent) == agent.scores(p)
    if not board.is_over:
        board.push(agent.best_move(board))


def test_boards_are_equal_by_game_position_and_turn() -> None:
    one, other = Board.from_moves("tictactoe", "1 2 3"), Board.from_moves("tictactoe", "3 2 1")
    assert one == other
    assert one != Board("mnk:3,3,2", "XOX......")
    assert Board("tictactoe") != Board("tictactoe", turn="O")
    assert one != "XOX......"
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)
    assert {one.position: "seen"}[other.position] == "seen"


def test_a_third_occurrence_is_a_draw() -> None:
    game, _ = DRAW_BY_CYCLE
    board = Board.from_moves(game, [*"baba"])
    assert (board.is_over, board.result, board.winner) == (True, "1/2-1/2", None)
    assert board.legal_moves == []
    with pytest.raises(IllegalMoveError, match="the game is over"):
        board.push("b")
    assert board.copy().is_over
    board.pop()
    assert not board.is_over


@pytest.mark.parametrize(
    "move", [9, "10", -1, None, 1.5, 1.0, True, np.bool_(1), [0], np.zeros(2), (0, 1)]
)
def test_illegal_moves_are_refused_with_the_legal_ones(move: Any) -> None:
    board = Board("tictactoe", "X...O....")
    with pytest.raises(IllegalMoveError, match=r"is not a legal move; the legal moves are"):
        board.push(move)
    assert (board.text, board.move_stack) == ("X...O....", [])


def test_a_class_is_no_game_and_a_name_is_graded() -> None:
    """The slip of naming the class raised AttributeError in most functions."""
    doors: Any = (Board, open_agent, lambda game: prompt(game, "."), lambda game: review(game, "1"))
    for door in doors:
        with pytest.raises(
            TypeError, match=r"a Game or a TableAgent, got <class .*>: write Mnk\(\)"
        ):
            door(Mnk)
    assert grade("random", "nim:1,2", sample=3).game == "nim:1,2"
