"""Replies of language models: the protocol of docs/reference/replies.md, and nothing beyond it."""

from __future__ import annotations

import re

import pytest

from solver import TableAgent, optimality, prompt, score_reply
from solver.games.mnk import Mnk
from solver.rules.positions import every_position
from tests.conftest import ROOT, solved
from tests.support.solved import solved_agent

PAGE = (ROOT / "docs" / "reference" / "replies.md").read_text()
TABLE = re.findall(r"^(.*?) {2,}(\d|illegal|no move)$", PAGE, re.MULTILINE)
READ_AS = {"illegal": (None, False), "no move": (None, None), "5": (4, True)}


def test_the_table_of_the_docs() -> None:
    """Every reply is read as the page says; what has no move says which line asks for one."""
    assert len(TABLE) >= 60
    assert all(f"{reply}  " in PAGE for reply, _ in TABLE)
    wrong = []
    for reply, read_as in TABLE:
        found = score_reply("tictactoe", "X........", reply.replace("⏎", "\n"))
        asks = found.reason.endswith(prompt("tictactoe", "X........").splitlines()[-1])
        if found[:2] != READ_AS[read_as] or asks != (found.legal is None):
            wrong.append((reply, read_as, found))
    assert wrong == []


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("5", "5: draw"),
        ("9", "9: loss in 3 moves; the best is a draw"),
        ("1", "'1' is not a legal move; the legal moves are 2, 3, 4, 5, 6, 7, 8, 9"),
        ("I play 5", "no move is marked; add to the prompt: End your reply with <answer>MOVE"),
        ("Answer: 5 or 9", "Answer: has '5 or 9', not the label of one move; add to the prompt: "),
        ("Answer: (5) or 9", "Answer: has '(5) or 9', not the label of one move; add to the "),
        ("Answer: cell **1**", "'cell **1**' is not a legal move; the legal"),
        ('{"move": null}', "the JSON object has nothing, not the label of one move; add to"),
    ],
)
def test_the_reason(reply: str, reason: str) -> None:
    assert score_reply("tictactoe", "X........", reply).reason.startswith(reason)


def test_a_prompt_needs_no_table_and_a_reply_is_a_text() -> None:
    assert "The legal moves are: a3, Kc1, " in prompt("kingspawns", "k.../.ppp/PPP./...K w")
    with pytest.raises(TypeError, match="a reply is a text, not NoneType: pass what the model"):
        score_reply("tictactoe", ".........", None)  # type: ignore[arg-type]


def test_no_move_is_asked_for_or_legal_after_the_end() -> None:
    found = score_reply("tictactoe", "XXXOO....", "6")
    assert found == (None, False, False, None, "the game is over")
    with pytest.raises(ValueError, match="the game is over at XXXOO"):
        prompt("tictactoe", "XXXOO....")


@pytest.mark.parametrize("name", ["hexapawn:3x3", "nim:1,2,3", "morris", "domineering:2x3"])
def test_every_label_of_a_prompt_is_read(name: str) -> None:
    """With what people put around it, and judged as `optimality` does; others are illegal."""
    agent = solved_agent(name)
    game = agent.game
    for p in list(every_position(game))[:200:5]:
        if game.primitive(p) is not None:
            continue
        labels = {game.label(p, m): game.code(m) for m in game.moves(p)}
        listed = prompt(agent, p).split("The legal moves are: ")[1].split("\n")[0]
        assert {*listed.split(", ")} == {*labels}
        judged = optimality(agent, [p] * len(labels), [*labels.values()])
        for label, *right in zip(labels, judged.distance_kept, judged.regret, strict=True):
            shown = label.upper().replace(" ", "  ")
            for reply in (label, f"Answer: **{shown}**.", f"<answer>{label}</answer>"):
                found = score_reply(agent, p, reply)
                assert (found.move, found.legal) == (labels[label], True)
                assert [found.optimal, found.regret] == right
            assert score_reply(agent, p, f"I choose {label}!").legal is None
        other = re.sub(r"\d+", "99", next(iter(labels)))
        assert score_reply(agent, p, f"\\boxed{{{other}}}").legal is False


def test_labels_may_be_letters_and_brackets() -> None:
    class Lettered(Mnk):
        def label(self, p: int, m: int) -> str:
            return ["a", "(b)", "c.", "d*", "[e]", "f", "g", "h", "i"][m]

    agent = TableAgent(solved(Lettered(3, 3, 3)))
    assert score_reply(agent, ".........", "I take a corner").legal is None
    for m, reply in enumerate(["A", "(b)", "c", "d*", "[e]"]):
        assert score_reply(agent, ".........", f"Answer: {reply}").move == m


def test_a_long_reply_takes_no_time() -> None:
    """Patterns and JSON that would have to be tried again at each character."""
    for piece in ("{", '{"a":', "\n", "<answer>", "\\boxed{", "<think>", "Answer:", "final "):
        assert score_reply("tictactoe", ".........", piece * 20_000 + "x").legal is not True
