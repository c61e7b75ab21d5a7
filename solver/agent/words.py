"""Values and reasons in words, for people.

Takes an agent and a position; returns phrases and sentences. Reasons come from the rules and the
table alone: what wins at once, what the opponent threatens, what a move threatens next. Sentences
count moves of the side to move; tables, JSON and the HTTP API count plies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solver.agent.agent import MoveScore, TableAgent
from solver.rules.game import Game
from solver.rules.threats import blocks, threats
from solver.value import Outcome, distance

KEEPS = {Outcome.WIN: "keeps the win", Outcome.DRAW: "holds the draw"}
ERRS = {Outcome.WIN: "let the win go", Outcome.DRAW: "lose"}  # what wrong replies do
RESULTS = {"win": "the first player wins", "loss": "the second player wins", "draw": "a draw"}
ONE_ERRS = {Outcome.WIN: "lets the win go", Outcome.DRAW: "loses"}


def moves_in(plies: int) -> int:
    """Return how many of the next `plies` plies are moves of the side to move.

    A ply is one move by one side. The sides take turns, so n plies contain (n + 1) // 2 moves of
    the side that starts: a win in 3 plies is a win in 2 moves, a loss in 4 plies a loss in 2.

    >>> [moves_in(plies) for plies in (1, 2, 3, 4, 5)]
    [1, 1, 2, 2, 3]
    """
    return (plies + 1) // 2


def moves_text(plies: int) -> str:
    """Return 'in 2 moves' and so on, counting the moves of the side to move."""
    count = moves_in(plies)
    return f"in {count} move{'s' if count > 1 else ''}"


def value_text(outcome: Outcome, distance: int | None) -> str:
    """Return the value of a move: 'draw', 'win now', 'win in 2 moves', 'loss now' and so on.

    `distance` counts plies, this move included.
    """
    if distance is None:
        return "draw"
    return f"{outcome} now" if distance == 1 else f"{outcome} {moves_text(distance)}"


def value_mark(outcome: int, distance: int | None) -> str:
    """Return W2, D, L1 and so on: a win in 2 moves, a draw, a loss in 1 move."""
    return "LDW"[outcome + 1] + ("" if distance is None else str(moves_in(distance)))


def trap_text(trap: float) -> str:
    """Return the share of replies that err as a percentage, or '-' if none does."""
    return f"{trap:.0%} of replies err" if trap else "-"


def result(game: Game[Any, Any], p: Any, turn: str) -> str | None:
    """Return how a finished game ended, or None if it is not over."""
    over = game.primitive(p)
    if over is None:
        return None
    if over is Outcome.DRAW:
        return "The game is over: a draw."
    winner = turn if over is Outcome.WIN else game.other(turn)
    return f"The game is over: {winner} has won."


def verdict(agent: TableAgent, p: Any, turn: str) -> str:
    """Return the value of the position for the side to move, as a sentence."""
    ended = result(agent.game, p, turn)
    if ended:
        return ended
    score = agent.table.probe(p)
    plies = distance(score)
    if plies is None:
        return f"{turn} to move: a draw with best play."
    count = moves_text(plies)
    when = "at once" if plies == 1 else f"{count} with best play"
    return f"{turn} to move: {turn} {'wins' if score > 0 else 'loses'} {when}."


def reasons(
    agent: TableAgent, p: Any, m: MoveScore, turn: str, label: Callable[[Any, Any], str]
) -> list[str]:
    """Return the reasons for a move's value, the strongest first.

    `label(position, move)` returns the name of a move.
    """
    game = agent.game
    child = game.play(p, m.move)
    opponent = game.other(turn)
    if m.distance == 1 and m.outcome is not Outcome.DRAW:
        return ["wins now" if m.outcome is Outcome.WIN else "loses now"]
    phrases = []
    if m.move in blocks(game, p):
        cells = {game.cell(p, t) for t in threats(game, p)}
        phrases.append(
            f"blocks one of {opponent}'s wins" if len(cells) > 1 else f"blocks {opponent}'s win"
        )
    next_wins = threats(game, child)
    named = all(game.label(child, t).isdecimal() for t in next_wins)
    where = f"{'at' if named else 'by'} {_and([label(child, t) for t in next_wins])}"
    if len({game.cell(child, t) for t in next_wins}) > 1:
        phrases.append(f"makes a fork: would win {where}")
    elif next_wins:
        phrases.append(f"threatens to win {where}")
    scores = agent.scores_at(p)
    alone = [s for s in scores if s.outcome >= m.outcome]
    if len(alone) == 1 and m.outcome in KEEPS and len(scores) > 1:
        phrases.append(f"the only move that {KEEPS[m.outcome]}")
    return phrases + _replies(agent, child, opponent, m, label)


def _replies(
    agent: TableAgent, child: Any, opponent: str, m: MoveScore, label: Callable[[Any, Any], str]
) -> list[str]:
    """Return a reason that names the opponent's good or wrong replies, if there are replies."""
    replies = agent.scores_at(child)
    if not replies:
        return []
    best, plies = replies[0].outcome, replies[0].distance
    answer = label(child, replies[0].move)
    if plies and best is Outcome.WIN and m.outcome is Outcome.LOSS:
        when = "at once" if plies == 1 else moves_text(plies)
        return [f"{opponent} answers {answer} and wins {when}"]
    outcomes = {r.move: r.outcome for r in replies}
    wrong = [reply for reply in agent.game.moves(child) if outcomes[reply] < best]
    if not wrong:
        return [f"every reply {'loses' if best is Outcome.LOSS else 'holds the draw'}"]
    if len(wrong) == len(replies) - 1:
        return [f"of {opponent}'s {len(replies)} replies only {answer} does not {ERRS[best]}"]
    labels = _and([label(child, reply) for reply in wrong])
    verb = ERRS[best] if len(wrong) > 1 else ONE_ERRS[best]
    return [f"{len(wrong)} of {opponent}'s {len(replies)} replies {verb}: {labels}"]


def _and(words: list[str]) -> str:
    """Return 'a', 'a and b' or 'a, b and c'."""
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
