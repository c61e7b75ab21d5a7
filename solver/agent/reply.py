r"""Replies of language models: which move one names, by a protocol, and how good it is.

`prompt` asks for a move; `score_reply` judges the reply. A marker says where the move is, the
strongest kind that occurs, and the last of that kind: `<answer>`, `\boxed{}`, a JSON object with
`move`, a line or sentence that begins with `Answer:`. Without one, the reply is nothing but a move.
What stands there is one label of a legal move; nothing is searched for, and nothing is guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from solver.agent.agent import TableAgent, agent_for, rules_for
from solver.agent.installed import LazyTable
from solver.agent.words import value_text
from solver.errors import quoted
from solver.rules.descriptions import about_of
from solver.rules.game import Game
from solver.rules.notation import folded, sort_labels
from solver.value import back, distance, outcome, regret

FORMAT = "End your reply with <answer>MOVE</answer>, where MOVE is one of the legal moves."
THINK = r"(?:think(?:ing)?|thoughts?|reasoning|analysis)"
END_OF_THOUGHT = rf"(?i)</{THINK}>|\[/{THINK}\]|<\|channel\|>final<\|message\|>"
BEGUN_THOUGHT = rf"(?i)<{THINK}>|\[{THINK}\]|<\|channel\|>analysis"  # without an end
START = r"(?im)(?:^|[.?!;:,] )\W{0,9}"  # of a line or a sentence
MARKERS = {
    "<answer>": r"(?is)<answer>((?:(?!<answer>).)*?)(?:</answer>|\Z)",
    r"\boxed{}": r"\\boxed\s*\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}",
    "the JSON object": "",
    "Answer:": START + r"(?:(?:my|the|final|best)[*_ ]+)*answer[*_ ]*:[*_ ]*\s*([^\n]*)",
}
AROUND = "*_`\"'$()[]{}<> "  # what may be around a label


class ScoredReply(NamedTuple):
    """The move that a reply names, and how good it is."""

    move: int | str | None
    """The move as tables write it; None if none is legal or named."""
    legal: bool | None
    """Whether the move is legal; None if the reply names no move, or several."""
    optimal: bool
    """Whether the move is legal and keeps outcome and distance."""
    regret: int | None
    """The drop in outcome, 0 to 2; None without a legal move."""
    reason: str
    """The value of the move, or why there is none and which line of a prompt asks for one."""


def prompt(game: TableAgent[Any, Any] | Game[Any, Any] | str, position: Any) -> str:
    """Return the question for a move: the rules, the board, the legal moves and the format.

    `game` and `position` are as `score_reply` takes them, but no table is needed. Raises ValueError
    if the game is over, and IllegalPositionError for a board that cannot arise.
    """
    rules = rules_for(game)
    unopened: Any = LazyTable(rules, rules.spec)
    p: Any = TableAgent(unopened).position(position)
    if rules.primitive(p) is not None:
        raise ValueError(f"the game is over at {rules.text(p)}: there is no move to ask for")
    seat = rules.turn(p)
    moves = ", ".join(sort_labels(rules.label(p, m) for m in rules.moves(p)))
    parts = (
        about_of(rules),
        f"You are {seat}, and it is your turn. The position is:",
        rules.render(p, seat),
        f"The legal moves are: {moves}",
        FORMAT,
    )
    return "\n\n".join(filter(None, parts))


def score_reply(
    game: TableAgent[Any, Any] | Game[Any, Any] | str, position: Any, reply: str
) -> ScoredReply:
    """Return how good the move is that a reply to `prompt` names, such as "<answer>5</answer>".

    `game` is an agent, or a game or its name, whose table is then opened; `position` is a board as
    the agent's methods take it. The reply names a move by its label, as `prompt` lists them, in the
    format that `prompt` asks for or in one that docs/reference/replies.md lists. Raises
    IllegalPositionError for a board that cannot arise, TypeError for a reply that is no text, and
    FileNotFoundError without a table.
    """
    if not isinstance(reply, str):
        raise TypeError(f"a reply is a text, not {type(reply).__name__}: pass what the model wrote")
    agent = agent_for(game)
    rules, p = agent.game, agent.position(position)
    if rules.primitive(p) is not None:
        return ScoredReply(None, False, False, None, "the game is over")
    where, content = _marked(_without_thoughts(reply))
    legal = {rules.label(p, m): m for m in rules.moves(p)}
    label = _label(legal, content)
    if label is None:
        given = quoted(" ".join(content.split())) if content.strip() else "nothing"
        if _is_move(legal, _bare(content), where != ""):
            right = ", ".join(sort_labels(legal))
            reason = f"{given} is not a legal move; the legal moves are {right}"
            return ScoredReply(None, False, False, None, reason)
        what = f"{where} has {given}, not the label of one move" if where else "no move is marked"
        return ScoredReply(None, None, False, None, f"{what}; add to the prompt: {FORMAT}")
    best, made = agent.table.probe(p), back(agent.table.probe(rules.play(p, legal[label])))
    reason = f"{label}: {value_text(outcome(made), distance(made))}"
    if made != best:
        reason += f"; the best is a {value_text(outcome(best), distance(best))}"
    return ScoredReply(rules.code(legal[label]), True, made == best, regret(best, made), reason)


def _without_thoughts(reply: str) -> str:
    """Return what follows the last thought; a thought without an end goes on to the end."""
    return re.split(BEGUN_THOUGHT, re.split(END_OF_THOUGHT, reply)[-1], maxsplit=1)[0]


def _marked(reply: str) -> tuple[str, str]:
    """Return the strongest marker and what the last of its kind marks; or "" and the reply."""
    for marker, pattern in MARKERS.items():
        found = re.findall(pattern, reply) if pattern else _moves_in_objects(reply)
        if found:
            return marker, found[-1]
    return "", reply


def _moves_in_objects(reply: str) -> list[str]:
    """Return the `move` of each JSON object that has one, as text."""
    moves, start, decoder = list[str](), reply.find("{"), json.JSONDecoder()
    while start >= 0:
        end = start + 1
        try:
            found, after = decoder.raw_decode(reply, start)
        except RecursionError:
            break
        except ValueError:
            found = {}
        if "move" in found:
            move, end = "" if found["move"] is None else found["move"], after
            moves.append(move if isinstance(move, str) else json.dumps(move))
        start = reply.find("{", end)
    return moves


def _bare(text: str) -> str:
    """Return a text without what people put around a label."""
    text = " ".join(text.split()).lstrip(AROUND).rstrip(f"{AROUND}.")
    return re.sub(r"(?i)^(?:cell|column|square)\b[*_ ]*", "", text)


def _label(legal: Iterable[str], content: str) -> str | None:
    """Return the label that a content is, as it is or as `folded` has both, or None."""
    for form in (str, folded):
        named = [label for label in legal if form(_bare(label)) == form(_bare(content))]
        if len(named) == 1:
            return named[0]
    return None


def _is_move(legal: Iterable[str], text: str, is_marked: bool) -> bool:
    """Return whether a text that is no label names a move: as labels do, but with other numbers.

    Where it is marked, so does any word or number.
    """
    if re.sub(r"\d+", "0", text) in {re.sub(r"\d+", "0", label) for label in legal}:
        return True
    signs = re.escape("".join(re.findall(r"[^\w\s]", "".join(legal))))
    return is_marked and re.fullmatch(rf"-?[\w{signs}]+|-?\d+\.\d+", text) is not None
