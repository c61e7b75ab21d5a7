r"""Replies in free text, such as those of language models: which move one names, how good it is.

Text up to `</think>` and its like is ignored. The final answer is the content of `\boxed{}` or
`<answer>`, the line after `Answer:`, or a line that has a move right after `answer is`; of several,
the last one. A final answer, or a reply without one, must name one move. Where moves are written as
numbers, every number in it counts as a move, unless it is a number of points or the like. What is
said in a question, or in a clause with a negation, such as "I won't play 5", names no move, and so
do a row and a column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple
from unicodedata import normalize

from solver.agent.agent import TableAgent, agent_for
from solver.agent.words import value_text
from solver.errors import IllegalMoveError
from solver.rules.game import Game
from solver.rules.notation import find_move, folded, move_names
from solver.value import back, distance, outcome, regret

THINK = r"think(?:ing)?|thoughts?|reasoning|analysis"
THOUGHT = rf"</(?:{THINK})>|\[/THINK\]|◁/think▷|<\|channel\|>final<\|message\|>"  # its end
BEGUN = rf"<(?:{THINK})>|\[THINK\]|◁think▷|<\|channel\|>analysis"  # a thought without an end
MARKS = (
    r"\\boxed\s*\{([^\n]*?)\}|<answer>(.*?)(?:</answer>|\Z)"
    r"|(?<![^\W_])answer(?:\s+is)?[\"*_\s]*[:=][*_\s]*([^\n]*)"
    r"|(?<![^\W_])(?<!bad )(?<!wrong )answer\s+is[\s*_$\"'`]*"
)
PART = re.compile(r"([0-9]+)|(\\\s)|([^\W\d_])(?![^\W\d_]{2})|[^\W\d_]+")  # of an escaped name
OTHERS = {1: "[0-9]+", 2: r"\s*", 3: r"[^\W\d_]"}
UNITS = "percent|points?|moves?|turns?|steps?|seconds?"  # of numbers that are no moves
NUMBER = rf"-?[0-9]+(?:\.[0-9]+)?(?!\s*(?:%|(?:{UNITS})\b))"
DOUBT = re.compile(  # in a clause that rejects what it names
    r"n['’]t\b|(?<![^\W_])(?:not?|never|cannot|(?:do|does|did|is|ca|wo|would|should|could|must)nt"
    r"|n?either|nor|avoid(?:ing)?|except|exclud\w*|(?:any|every)\w* but|all but|instead of|without"
    r"|rather than|refus\w*|bad|wrong|worse|worst|mistake|blunder\w*|impossible|illegal|doubt\w*"
    r"|out of the question|nicht|keine?[snrm]?|nie|pas|jamais|non|ne|ni|nunca|não|не|нет)(?![^\W_])"
    r"|不|没|別|别|ない|ません|≠|!=|¬|~~|</?(?:del|s|strike)>",
    re.IGNORECASE,
)
UNSURE = re.compile(r"\?|\beither\b", re.IGNORECASE)
CLAUSE = r"[;:\n()]|[.!?]+(?=[^\w=]|\Z)|,(?=\s)|\Z"  # how one ends
GOES_ON = re.compile(r"\b(?:I|we|so|but|rather|therefore|thus|hence|then)\b", re.IGNORECASE)
PLACES = re.compile(  # of a number that is no move
    r"(?<!-)(?<!in a )\b(?:rows?|ranks?|index|[01]-?indexed)\b|\w\[\d+\]"
    r"|[([]\s*\d+\s*[,;]\s*\d+\s*[])]",
    re.IGNORECASE,
)
COLUMN = re.compile(r"\bcol(?:umn)?s?\b", re.IGNORECASE)


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
    answer = re.split(THOUGHT, reply, flags=re.IGNORECASE)[-1]
    reply = normalize("NFKC", re.split(BEGUN, answer, maxsplit=1, flags=re.IGNORECASE)[0])
    names = move_names(rules, p)
    where, named, text = _named(names, reply)
    if not named:  # a question or "either" may name several moves, of which none is chosen
        unsure = _named(names, UNSURE.sub(" ", reply))[1]
        named = unsure if len(names.keys() & {*unsure}) > 1 else []
    if any(map(str.isdecimal, named)) and _tells_places(rules, text):
        reason = f"{where} names a row or a column: write the number of one move"
        return ScoredReply(None, None, False, None, reason)
    if len(named) != 1:
        what = f"several moves: {', '.join(named)}" if named else "no move"
        return ScoredReply(None, None, False, None, f"{where} names {what}")
    try:
        move = find_move(rules, p, named[0])
    except IllegalMoveError as error:
        return ScoredReply(None, False, False, None, str(error))
    best, made = agent.table.probe(p), back(agent.table.probe(rules.play(p, move)))
    value = value_text(outcome(made), distance(made))
    right = value_text(outcome(best), distance(best))
    reason = f"{rules.label(p, move)}: {value}" + f"; the best is a {right}" * (made != best)
    return ScoredReply(rules.code(move), True, made == best, regret(best, made), reason)


def _tells_places(rules: Game[Any, Any], text: str) -> bool:
    """Return whether the numbers in a text are those of rows, or of columns that are no moves."""
    columns = (rules.board or (0, 0))[0]
    are_moves = len(rules.moves(rules.initial())) == columns
    return bool(PLACES.search(text) or (COLUMN.search(text) and not are_moves))


def _named(legal: dict[str, Any], reply: str) -> tuple[str, list[str], str]:
    """Return what names moves, the final answer or the reply, the different moves, and its text."""
    whole = _pattern(legal)
    marks = [*re.finditer(rf"{MARKS}({whole}[^\n]*)", reply, re.IGNORECASE | re.DOTALL)]
    if marks:
        where, reply = "the final answer", next(filter(None, marks[-1].groups()), "")
    else:
        where = "the reply"
        whole = _pattern(n for n in legal if len(n) > 1 or n.isdecimal())  # "a" is a word, too
    names = {"".join(name.split()): name for name in legal}
    moves: dict[Any, str] = {}
    for match in _chosen(whole, reply):
        short = "".join(match[0].split())
        name = names.get(short, names.get(folded(short), match[0]))
        moves.setdefault((name in legal, legal.get(name, name)), name)
    return where, [*moves.values()], reply


def _chosen(names: str, reply: str) -> Iterator[re.Match[str]]:
    """Yield the names that are in no question and in no clause that rejects what it names.

    A rejection goes on, as in "not 2, 3 or 4", unless the next clause has a subject.
    """
    start, rejected, before, named = 0, False, "", list[re.Match[str]]()
    for match in re.finditer(f"(?P<name>{names})|{CLAUSE}", reply, re.IGNORECASE):
        if match["name"]:
            named.append(match)
            continue
        clause, end = reply[start : match.start()], match[0]
        goes_on = rejected and before in ",:(" and not GOES_ON.search(clause)
        rejected = goes_on or "?" in end or DOUBT.search(clause) is not None
        if not rejected:
            yield from named
        start, before, named = match.end(), end, []


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
