"""Replies in free text: which move they name, and that what cannot be read is never guessed."""

from __future__ import annotations

import pytest

from solver import TableAgent, optimality, score_reply
from solver.games.mnk import Mnk
from solver.rules.positions import every_position
from tests.conftest import solved
from tests.support.solved import solved_agent


@pytest.mark.parametrize(
    ("cell", "reply"),
    [
        (5, "I play 5."),
        (5, "5"),
        (5, "Cell **5**; on a 3x3 board, that is the centre."),
        (5, "5 blocks, so 5 it is: no 3-in-a-row"),
        (9, "I looked at 2, 3 and 5.\nFinal answer: 9"),
        (9, "**Final Answer:** 9\nIt beats 2."),
        (9, "Answer:\n\n`9`"),
        (9, '2 or 3? {"answer": 9}'),
        (9, r"2 or 3? The answer is $\boxed{\text{9}}$."),
        (9, "2? <answer>9</answer> 3?"),
        (9, "2? <answer>9"),
        (9, "Answer: 2\nNo, wait. The answer is 9"),
        (5, "The answer is not easy.\nI play 5."),
        (5, "<think>2 or 3?\nAnswer: 2</think>5"),
        (5, "<THINK>2</THINK>5"),
        (5, "<|channel|>analysis<|message|>2<|end|><|channel|>final<|message|>5"),
        (5, "Move 5 (not 2, 3 or 4)"),
        (5, "I can't win yet, so I take 5. It does not lose."),
        (5, "５"),
    ],
)
def test_the_move_that_a_reply_names(cell: int, reply: str) -> None:
    found = score_reply("tictactoe", "X........", reply)
    right = cell == 5
    assert found[:4] == (cell - 1, True, right, 1 - right)
    assert found.reason == ("5: draw" if right else "9: loss in 3 moves; the best is a draw")


REJECTED = [
    *("I cannot play 5", "not 5 or 9", "I can't decide between 5 and 9", "can't play 1, 2", "no 5"),
    *("not **5**", "_not_ 5", "not (5)", "not: 5", "!=5", "~~5~~", "isnt 5", "Anything but 5."),
    *("I won’t ever, under any circumstances, play 5", "5 is not good.", "Avoid 2!", "Nicht 5"),
    *("I resign, 3x.", "The answer is not 5.", "I won't play 5", "", "<think>5"),
    *("Is it 2? I doubt it.", "Je ne joue pas 5", "Win rate 5%", "5 points", "A bad answer is 5."),
]
TELLS = "the reply names a row or a column: write the number of one move"
PLACES = ["(2,2)", "row 2, column 2", '{"row": 2, "col": 2}', "board[4]='O'"]


@pytest.mark.parametrize(
    ("legal", "reply", "reason"),
    [
        (None, "5 or 9", "the reply names several moves: 5, 9"),
        (None, "5. Answer: 3 or 9", "the final answer names several moves: 3, 9"),
        (None, "The answer is 5 or 9.", "the final answer names several moves: 5, 9"),
        (None, "5 or 6?", "the reply names several moves: 5, 6"),
        (None, "Either 4 or 5.", "the reply names several moves: 4, 5"),
        *((None, reply, "the reply names no move") for reply in REJECTED),
        *((None, reply, TELLS) for reply in PLACES),
        (None, "5? Answer: the centre", "the final answer names no move"),
        (False, "1", "'1' is not a legal move; the legal moves are 2, 3, 4, 5, 6, 7, 8, 9"),
        (False, "-2", "'-2' is not a legal move; the legal moves are 2, 3, 4, 5, 6, 7, 8, 9"),
        (False, "2.5", "'2.5' is not a legal move; the legal moves are 2, 3, 4, 5, 6, 7, 8, 9"),
    ],
)
def test_no_move_is_guessed(legal: bool | None, reply: str, reason: str) -> None:
    assert score_reply("tictactoe", "X........", reply) == (None, legal, False, None, reason)


def test_no_reply_is_legal_after_the_end() -> None:
    found = score_reply("tictactoe", "XXXOO....", "6")
    assert found == (None, False, False, None, "the game is over")


@pytest.mark.parametrize("name", ["hexapawn:3x3", "nim:1,2,3", "morris", "domineering:2x3"])
def test_every_move_of_every_position_is_read_by_its_label(name: str) -> None:
    """In any case and with other spaces, judged as `optimality` does."""
    agent = solved_agent(name)
    game = agent.game
    for p in list(every_position(game))[:200:5]:
        labels = {game.label(p, m): game.code(m) for m in game.moves(p)}
        if game.primitive(p) is not None:
            continue
        judged = optimality(agent, [p] * len(labels), [*labels.values()])
        for label, *right in zip(labels, judged.distance_kept, judged.regret, strict=True):
            shown = label.upper().replace(" ", "  ")
            for reply in (f"I choose {shown}!", f"Answer: {label}"):
                found = score_reply(agent, p, reply)
                assert (found.move, found.legal) == (labels[label], True)
                assert [found.optimal, found.regret] == right
        if len(labels) > 1:
            first, second, *_ = labels
            assert score_reply(agent, p, f"{first}, or {second}").legal is None


def test_words_are_no_moves() -> None:
    """A move called "a" counts in a final answer only."""

    class Lettered(Mnk):
        def label(self, p: int, m: int) -> str:
            return "abcdefghi"[m]

    agent = TableAgent(solved(Lettered(3, 3, 3)))
    assert score_reply(agent, ".........", "I take a corner").legal is None
    assert score_reply(agent, ".........", "Answer: E").move == 4
