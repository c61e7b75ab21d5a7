"""Games in progress: turns, taking back moves, and draws by repetition."""

from __future__ import annotations

import pytest

from solver import Outcome, load_game
from solver.games.mnk import Mnk
from solver.rules.playing import Playing
from tests.support.graphs import DRAW_BY_CYCLE, SELF_LOOP


def test_positions_and_seats_of_a_game() -> None:
    game = Mnk(3, 3, 3)
    playing = Playing(game)
    for ply, cell in enumerate((0, 3, 1, 4)):
        assert playing.turn == "XO"[ply % 2]
        playing.play(cell)
        assert playing.outcome() is None
    playing.play(2)
    assert game.text(playing.position) == "XXXOO...."
    assert playing.turn == "O"
    assert playing.outcome() is Outcome.LOSS
    assert [seat for _, seat in playing.history] == [*"XOXOXO"]
    assert [game.text(p, seat).count(".") for p, seat in playing.history] == [9, 8, 7, 6, 5, 4]


def test_the_second_seat_can_move_first() -> None:
    playing = Playing(Mnk(3, 3, 3), first="O")
    playing.play(4)
    assert [seat for _, seat in playing.history] == ["O", "X"]


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    game, _ = DRAW_BY_CYCLE
    playing = Playing(game)
    for move in "baba":
        assert (playing.repeated, playing.outcome()) == (False, None)
        playing.play(move)
    assert (playing.repeated, playing.outcome()) == (True, Outcome.DRAW)


def test_a_position_with_the_other_seat_to_move_is_another_one() -> None:
    game, _ = SELF_LOOP
    playing = Playing(game)
    for _ in range(4):
        assert playing.outcome() is None
        playing.play("a")
    assert playing.outcome() is Outcome.DRAW


@pytest.mark.parametrize("plies", [1, 2, 3])
def test_moves_taken_back_are_forgotten(plies: int) -> None:
    game = load_game("ponghauki")
    playing, known = Playing(game), []
    while not playing.repeated:
        known.append((playing.position, playing.turn))
        playing.play(game.moves(playing.position)[-1])
    known.append((playing.position, playing.turn))
    playing.take_back(plies)
    assert playing.history == known[:-plies]
    assert (playing.position, playing.turn) == known[-1 - plies]
    assert not playing.repeated
    for _ in range(plies):
        assert playing.outcome() is None
        playing.play(game.moves(playing.position)[-1])
    assert playing.repeated
