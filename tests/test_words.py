"""Reasons in words: they say what is so, and nothing else."""

from __future__ import annotations

from solver import TableAgent
from solver.tactics import threats, wins
from solver.words import reasons, verdict
from tests import oracle


def why(agent: TableAgent, board: str, cell: int) -> str:
    p = agent.game.parse(board)
    (move,) = [m for m in agent.scores(p) if m.move == cell]
    return "; ".join(reasons(agent, p, move, oracle.turn(board), agent.game.label))


def test_each_kind_of_reason(agent: TableAgent) -> None:
    assert why(agent, "XX.OO....", 2) == "wins now"
    assert "blocks O's win;" in why(agent, "XX.OO....", 5)
    assert "the only move that holds the draw" in why(agent, "XX..O....", 2)


def test_a_fork(agent: TableAgent) -> None:
    """The example of 'Chapter 2: Rule-Based AI': two threats at once, of which one stays."""
    board = "XO.X..O.."
    assert "makes a fork: would win at 6 and 9" in why(agent, board, 4)
    assert "threatens to win at" in why(agent, "X...O....", 1)


def test_what_replies_do(agent: TableAgent) -> None:
    assert "of O's 8 replies all but 5 lose" in why(agent, ".........", 0)
    assert "4 of O's 8 replies lose: 2, 4, 6 and 8" in why(agent, ".........", 4)
    assert why(agent, "X........", 1) == "X answers 4 and wins in 5 plies"


def test_every_reason_is_true_on_every_position(agent: TableAgent) -> None:
    """Blocks, forks and threats as brute force sees them."""
    game = agent.game
    for board in oracle.reachable():
        if oracle.over(board):
            assert verdict(agent, game.parse(board), oracle.turn(board)).startswith(
                "The game is over"
            )
            continue
        seat = oracle.turn(board)
        other = "O" if seat == "X" else "X"

        def wins(b: str, mark: str) -> list[int]:
            return [
                i
                for i, m in enumerate(b)
                if m == "." and oracle.winner(b[:i] + mark + b[i + 1 :]) == mark
            ]

        danger = wins(board, other)
        for cell in oracle.moves(board):
            said = why(agent, board, cell)
            after = oracle.play(board, cell)
            if oracle.winner(after):
                assert said == "wins now"
                continue
            assert ("blocks" in said) == (cell in danger)
            threats = wins(after, seat)
            assert ("fork" in said) == (len(threats) > 1)
            assert ("threatens" in said) == (len(threats) == 1)
            outcomes = [oracle.worth(board, c)[0] for c in oracle.moves(board)]
            value = oracle.worth(board, cell)[0]
            alone = value >= 0 and sum(o >= value for o in outcomes) == 1 and len(outcomes) > 1
            assert ("the only move" in said) == alone
            assert ("answers" in said) == (value == -1)


def test_verdicts(agent: TableAgent) -> None:
    def say(board: str) -> str:
        return verdict(agent, agent.game.parse(board), oracle.turn(board))

    assert say(".........") == "X to move: a draw with best play."
    assert say("XX.OO....") == "X to move: X wins at once."
    assert say("XX.O.....") == "O to move: X wins in 4 plies with best play."
    assert say("XXXOO....") == "The game is over: X has won."
    assert say("XOXXOOOXX") == "The game is over: a draw."


def test_what_wins_at_once(agent: TableAgent) -> None:
    game = agent.game
    assert wins(game, game.parse("XXXOO....")) == []
    assert wins(game, game.parse("XX.OO....")) == [2]
    assert threats(game, game.parse("XX.OO....")) == [5]
