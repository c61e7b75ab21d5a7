"""Boards with the values of moves, as the terminal shows them."""

from __future__ import annotations

from solver import MoveScore, Outcome, load_game
from solver.cli.value_board import draw_values
from tests.conftest import Command
from tests.support.solved import solved_agent


def test_the_board_shows_values() -> None:
    agent = solved_agent("connect4:3x3,3")
    p = agent.game.parse("11")
    scores = agent.scores_at(p)
    moves = {s.label: "" if s.distance is None else str((s.distance + 1) // 2) for s in scores}
    by_column = {s.label: "LDW"[s.outcome + 1] + moves[s.label] for s in scores}
    lines = draw_values(agent.game, p, "X", scores).splitlines()
    assert lines[:-1] == agent.game.render(p).splitlines()
    assert lines[-1].split() == [by_column[n] for n in "123"]
    morris = solved_agent("morris")
    p = morris.game.parse("XO.XO.OX.")
    assert draw_values(morris.game, p, "X", morris.scores_at(p)) == morris.game.render(p)


def test_a_board_too_wide_for_values_has_none() -> None:
    game = load_game("mnk:9,7,9")
    scores = [MoveScore(m, str(m + 1), Outcome.WIN, 5, 0.0, 0) for m in game.moves(0)]
    lines = draw_values(game, 0, "X", scores).splitlines()
    assert max(map(len, lines)) <= 79
    assert " 63 W3" in lines[-1]
    far = [s._replace(distance=55) for s in scores]
    assert draw_values(game, 0, "X", far) == game.render(0)


def test_a_hint_shows_the_values(command: Command) -> None:
    command.type("1", "h", "q")
    assert command("play", "--x", "human", "--o", "human") == 0
    assert " X    | 2 L3 | 3 L3\n------+" in command.out
    assert "Hint: 5, draw" in command.out
