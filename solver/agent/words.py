"""What positions and moves are worth, in words.

Takes an agent and a position; returns sentences. Reasons come from the rules and the table alone:
what wins at once, what the other side threatens, what a move threatens next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from solver.rules.threats import blocks, threats
from solver.value import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from solver.agent.agent import MoveScore, TableAgent
    from solver.rules.game import Game

KEEPS = {Outcome.WIN: "keeps the win", Outcome.DRAW: "holds the draw"}
ERRS = {Outcome.WIN: "let the win go", Outcome.DRAW: "lose"}  # what wrong replies do
ONE_ERRS = {Outcome.WIN: "lets the win go", Outcome.DRAW: "loses"}


def worth(outcome: Outcome, distance: int | None) -> str:
    """Return 'draw', 'win now', 'win in 3 plies', 'loss now' and so on."""
    if distance is None:
        return "draw"
    return f"{outcome} now" if distance == 1 else f"{outcome} in {distance} plies"


def trap_words(trap: float) -> str:
    """Return the share of wrong replies as a percentage, or '-' where none is wrong."""
    return f"{trap:.0%} of replies err" if trap else "-"


def result(game: Game[Any, Any], p: Any, turn: str) -> str | None:
    """Return how a finished game ended, or None if it goes on."""
    over = game.primitive(p)
    if over is None:
        return None
    if over is Outcome.DRAW:
        return "The game is over: a draw."
    winner = turn if over is Outcome.WIN else game.other(turn)
    return f"The game is over: {winner} has won."


def verdict(agent: TableAgent, p: Any, turn: str) -> str:
    """Return one sentence about what the position is worth to the side to move."""
    ended = result(agent.game, p, turn)
    if ended:
        return ended
    outcome, distance = agent.outcome(p), agent.distance(p)
    if distance is None:
        return f"{turn} to move: a draw with best play."
    if distance == 1:
        return f"{turn} to move: {turn} {'wins' if outcome is Outcome.WIN else 'loses'} at once."
    winner = turn if outcome is Outcome.WIN else agent.game.other(turn)
    return f"{turn} to move: {winner} wins in {distance} plies with best play."


def reasons(
    agent: TableAgent, p: Any, m: MoveScore, turn: str, label: Callable[[Any, Any], str]
) -> list[str]:
    """Return why a move is worth what it is, the strongest reason first.

    `label(position, move)` tells what to call a move.
    """
    game = agent.game
    child = game.play(p, m.move)
    opponent = game.other(turn)
    if m.distance == 1 and m.outcome is not Outcome.DRAW:
        return ["wins now" if m.outcome is Outcome.WIN else "loses now"]
    said = []
    if m.move in blocks(game, p):
        places = {game.cell(p, t) for t in threats(game, p)}
        said.append(
            "blocks " + (f"one of {opponent}'s wins" if len(places) > 1 else f"{opponent}'s win")
        )
    next_wins = threats(game, child)
    labels = [label(child, t) for t in next_wins]
    where = f"{'at' if all(map(str.isdecimal, labels)) else 'by'} {_and(labels)}" if labels else ""
    if len({game.cell(child, t) for t in next_wins}) > 1:
        said.append(f"makes a fork: would win {where}")
    elif next_wins:
        said.append(f"threatens to win {where}")
    scores = agent.scores_at(p)
    alone = [s for s in scores if s.outcome >= m.outcome]
    if len(alone) == 1 and m.outcome in KEEPS and len(scores) > 1:
        said.append(f"the only move that {KEEPS[m.outcome]}")
    return said + _replies(agent, child, opponent, m, label)


def _replies(
    agent: TableAgent, child: Any, opponent: str, m: MoveScore, label: Callable[[Any, Any], str]
) -> list[str]:
    """Return what the opponent's replies do: which hold and which do not."""
    replies = agent.scores_at(child)
    if not replies:
        return []
    order = list(agent.game.moves(child))
    best = replies[0].outcome
    good = [r for r in replies if r.outcome == best]
    wrong = [r for r in replies if r.outcome < best]
    if best is Outcome.WIN and m.outcome is Outcome.LOSS:
        reply = replies[0]
        wins = "wins at once" if reply.distance == 1 else f"wins in {reply.distance} plies"
        return [f"{opponent} answers {label(child, reply.move)} and {wins}"]
    if not wrong:
        return [f"every reply {'loses' if best is Outcome.LOSS else 'holds the draw'}"]
    if len(good) == 1:
        saving = label(child, good[0].move)
        return [f"of {opponent}'s {len(replies)} replies all but {saving} {ERRS[best]}"]
    labels = _and([label(child, r.move) for r in sorted(wrong, key=lambda r: order.index(r.move))])
    verb = ERRS[best] if len(wrong) > 1 else ONE_ERRS[best]
    return [f"{len(wrong)} of {opponent}'s {len(replies)} replies {verb}: {labels}"]


def _and(words: list[str]) -> str:
    """Return 'a', 'a and b' or 'a, b and c'."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
