"""Games in progress: turns, taking back moves, and draws by repetition."""

from __future__ import annotations

import pytest

from solver import Outcome, load_game
from solver.rules.playing import Playing
from tests.support.graphs import SELF_LOOP


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
