"""Drawings of boards, one of each kind, for the tests of pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solver import MoveScore, Outcome, load_game
from solver.pictures.position import draw_position
from solver.pictures.shapes import Drawing
from tests.support.solved import solved_agent


def drawn(spec: str, text: str, **shown: Any) -> Drawing:
    """Return the drawing of a position."""
    game = load_game(spec)
    return draw_position(game, game.parse(text), **shown)


def valued(spec: str, text: str, **shown: Any) -> Drawing:
    """Return the drawing of a position with the values of its moves."""
    agent = solved_agent(spec)
    p = agent.game.parse(text)
    return draw_position(agent.game, p, scores=agent.scores_at(p), **shown)


def chess_values() -> Drawing:
    """Return a chess board with made-up values: two moves to one square, one to an empty one."""
    game = load_game("kingspawns")
    p = game.initial()
    values = zip(
        ["c2b3", "a2b3", "d1c1"],
        ((Outcome.WIN, 15), (Outcome.DRAW, None), (Outcome.LOSS, 16)),
        strict=True,
    )
    scores = [MoveScore(m, game.label(p, m), *value, 0.0) for m, value in values]
    return draw_position(game, p, scores=scores, last=(1, 5))


PICTURES: dict[str, Callable[[], Drawing]] = {
    "tictactoe-values": lambda: valued("tictactoe", "XO.X..O..", last=(6,)),
    "tictactoe-won": lambda: drawn("tictactoe", "XXXOO....", last=(2,)),
    "connect4-values": lambda: valued("connect4:3x3,3", "11", last=(3,)),
    "connect4-won": lambda: drawn("connect4:5x4", "1213141"),
    "mnk": lambda: drawn("mnk:5,5,4", "X...O......X............."),
    "morris-values": lambda: valued("morris", "XO.XO.OX."),
    "hexapawn-values": lambda: valued("hexapawn:3x3", "ppp/.../PPP w"),
    "kingspawns-values": chess_values,
    "ponghauki-values": lambda: valued("ponghauki", "XX.OO"),
    "nim-values": lambda: valued("nim:3,4,5", "1,3,3"),
}
