"""Reviews: the value of every move of a game, and who gave it away.

Takes an agent and the record of a game; returns a `Review`. A search goes backwards from the end of
the game, so that what it remembers helps: first for the values, then for the best moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from solver.agent import words
from solver.agent.agent import TableAgent, open_agent
from solver.agent.facts import value_of
from solver.agent.records import read_record
from solver.errors import SearchLimitError
from solver.rules.game import Game
from solver.rules.notation import sort_labels
from solver.value import Outcome, ahead, back, outcome, regret

if TYPE_CHECKING:
    from solver.agent import answers


def review(
    agent: TableAgent[Any, Any] | Game[Any, Any] | str,
    record: str | Iterable[object] | Mapping[str, Any],
    from_zero: bool = False,
) -> answers.Review:
    """Return the values of the moves of a game from its start.

    `agent` is an agent, or a game or its name. `record` is a game as people write it, whose moves
    count from 1 unless `from_zero`; or moves as tables write them, or pairs of row and column; or
    an episode of Kaggle, as `env.toJSON()` returns it or as JSON, up to the failure of an agent.
    Values that a search has not proved when it meets its limit are None. Raises IllegalMoveError,
    which names the first illegal move, or says which forms are read.
    """
    agent = agent if isinstance(agent, TableAgent) else open_agent(agent)
    game, table = agent.game, agent.table
    played, failure = read_record(game, record, from_zero)
    end, turn = game.play(*played[-1]), game.seats[len(played) % 2]
    before = [p for p, _ in played]
    scores = _backwards(table.probe, [*before, end])
    best = _backwards(lambda p: _best(table, p), before)
    moves: list[answers.ReviewedMove] = []
    for ply, (p, m) in enumerate(played):
        score, after = scores[ply : ply + 2]
        made = None if after is None else back(after)
        seat = game.seats[ply % 2]
        moves.append(
            {
                "move": game.code(m),
                "label": game.label(p, m),
                "ply": ply + 1,
                "turn": seat,
                "position": game.text(p, seat),
                "before": None if score is None else value_of(score),
                "after": None if made is None else value_of(made),
                "regret": None if score is None else regret(score, made),
                "best": best[ply],
            }
        )
    changes = [move for move in moves if move["regret"]]
    return {
        "game": game.spec,
        "position": game.text(end, turn),
        "turn": turn,
        "value": None if scores[-1] is None else value_of(scores[-1]),
        "result": failure or words.result(game, end, turn),
        "moves": moves,
        "decisive": changes[-1]["ply"] if changes else None,
        "verdict": _verdict(changes, scores[:-1].count(None)),
    }


def _backwards(find: Callable[[Any], Any], positions: list[Any]) -> list[Any]:
    """Return what is found for each position, the last first; None before a search's limit."""
    results = [None] * len(positions)
    with suppress(SearchLimitError):
        for i in reversed(range(len(positions))):
            results[i] = find(positions[i])
    return results


def _best(table: Any, p: Any) -> list[answers.Named]:
    """Return the best moves.

    No move is better, so most are ruled out by their outcome, which a search finds faster.
    """
    game, score, codes = table.game, table.probe(p), dict[str, Any]()
    for m in game.moves(p):
        child = game.play(p, m)
        if score >= 0 and table.exceeds(child, Outcome(-outcome(score))):
            continue
        if score == 0 or table.probe(child) == ahead(score):
            codes[game.label(p, m)] = game.code(m)
    return [{"move": codes[label], "label": label} for label in sort_labels(codes)]


def _verdict(changes: list[answers.ReviewedMove], unproved: int) -> str:
    """Return who gave the game away where, and what is not proved."""
    text = f"Moves 1 to {unproved} are not proved. " * bool(unproved)
    other = "other " * bool(unproved)
    if not changes:
        return f"{text}No {other}move changed the outcome."
    last, count = changes[-1], len(changes)
    assert last["before"] is not None
    best = ", ".join(move["label"] for move in last["best"] or ())
    text += f"{last['turn']} threw a {last['before']['outcome']} away at move {last['ply']}:"
    text += f" played {last['label']}{best and f', best {best}'}."
    if count > 1:
        text += f" It was the last of {count} {other}moves that changed the outcome."
    return text
