r"""Replies in free text, such as those of language models: which move one names, how good it is.

Text up to `</think>` is ignored. The final answer is the content of `\boxed{}` or `<answer>`, the
line after `Answer:`, or a line that has a move right after `answer is`; of several, the last one. A
final answer, or a reply without one, must name one move. Where moves are written as numbers, every
number in it counts as a move, but those right after a negation, as in "I won't play 5".
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from solver.agent.agent import TableAgent, agent_for
from solver.agent.words import value_text
from solver.errors import IllegalMoveError
from solver.rules.game import Game
from solver.rules.notation import find_move, move_names, plain
from solver.value import back, distance, outcome, regret

THOUGHTS = re.compile(r".*</think>|<think>.*", re.DOTALL)
MARKS = (
    r"\\boxed\s*\{([^\n]*?)\}|<answer>(.*?)(?:</answer>|\Z)"
    r"|(?<![^\W_])answer(?:\s+is)?[\"*_\s]*[:=][*_\s]*([^\n]*)"
    r"|(?<![^\W_])answer\s+is[\s*_$\"'`]*"
)
PART = re.compile(r"([0-9]+)|(\\\s)|([^\W\d_])(?![^\W\d_]{2})|[^\W\d_]+")  # of an escaped name
OTHERS = {1: "[0-9]+", 2: r"\s*", 3: r"[^\W\d_]"}
NUMBER = r"-?[0-9]+(?:\.[0-9]+)?"
NOT = r"(?:(?<![^\W_])(?:not|never|cannot)|n['’]t)\s+(?:[^\W\d_]+\s+){0,3}?"


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
    """The value of the move, or why there is none."""


def score_reply(
    game: TableAgent[Any, Any] | Game[Any, Any] | str, position: Any, reply: str
) -> ScoredReply:
    """Return how good the move is that a reply in free text names, such as "I play 5.".

    `game` is an agent, or a game or its name, whose table is then opened; `position` is a board as
    the agent's methods take it. A reply names moves as people write them: cells from 1. Raises
    IllegalPositionError for a board that cannot arise, and FileNotFoundError without a table.
    """
    agent = agent_for(game)
    rules, p = agent.game, agent.position(position)
    if rules.primitive(p) is not None:
        return ScoredReply(None, False, False, None, "the game is over")
    where, named = _named(move_names(rules, p), THOUGHTS.sub("", reply))
    if len(named) != 1:
        what = f"several moves: {', '.join(named)}" if named else "no move"
        return ScoredReply(None, None, False, None, f"{where} names {what}")
    try:
        move = find_move(rules, p, named[0])
    except IllegalMoveError as error:
        return ScoredReply(None, False, False, None, str(error))
    best, made = agent.table.probe(p), back(agent.table.probe(rules.play(p, move)))
    value = value_text(outcome(made), distance(made), agent.waits_of(p, move, made))
    right = value_text(outcome(best), distance(best), agent.waits_at(p))
    reason = f"{rules.label(p, move)}: {value}" + f"; the best is a {right}" * (made != best)
    return ScoredReply(rules.code(move), True, made == best, regret(best, made), reason)


def _named(legal: dict[str, Any], reply: str) -> tuple[str, list[str]]:
    """Return what names moves, the final answer or the reply, and the different moves it names."""
    whole = _pattern(legal)
    marks = [*re.finditer(rf"{MARKS}({whole}[^\n]*)", reply, re.IGNORECASE | re.DOTALL)]
    if marks:
        where, reply = "the final answer", next(filter(None, marks[-1].groups()), "")
    else:
        where = "the reply"
        whole = _pattern(n for n in legal if len(n) > 1 or n.isdecimal())  # "a" is a word, too
    names = {"".join(name.split()): name for name in legal}
    moves: dict[Any, str] = {}
    for match in re.finditer(f"(?P<negation>{NOT})?(?P<name>{whole})", reply, re.IGNORECASE):
        if match["negation"]:
            continue
        short = "".join(match["name"].split())
        name = names.get(short, names.get(plain(short), match["name"]))
        moves.setdefault((name in legal, legal.get(name, name)), name)
    return where, [*moves.values()]


def _pattern(names: Iterable[str]) -> str:
    """Return what matches names of moves and, where they have digits, others of their kind."""
    kinds = {_kind(name) for name in names}
    shapes = sorted(kinds, key=lambda kind: (-len(kind), kind))
    return rf"(?<![^\W_])(?:{'|'.join(shapes) or '(?!)'})(?![^\W_]|-[^\W\d_])"


def _kind(name: str) -> str:
    """Return what matches a name; where it has digits, these and single letters may be others."""
    if name.isdecimal():
        return NUMBER
    if not re.search("[0-9]", name):
        return re.escape(name)
    return PART.sub(lambda part: OTHERS.get(part.lastindex or 0, part[0]), re.escape(name))
