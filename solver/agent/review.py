"""Reviews: the value of every move of a game, and which of them gave something away.

Takes an agent and the record of a game; returns a `Review`. A search goes backwards from the end of
the game, so that what it remembers helps: first for the values, then for the best moves.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeVar

from solver.agent import words
from solver.agent.agent import TableAgent, open_agent
from solver.agent.facts import value_of
from solver.errors import IllegalMoveError, SearchLimitError
from solver.rules.game import Game
from solver.rules.notation import replay, sort_labels
from solver.value import Outcome, ahead, back, outcome, regret

if TYPE_CHECKING:
    from solver.agent import answers

EPISODE = '"steps"'  # what only records in Kaggle's JSON have
Item, Found = TypeVar("Item"), TypeVar("Found")


def review(
    agent: TableAgent[Any, Any] | Game[Any, Any] | str,
    record: str | Iterable[object],
    from_zero: bool = False,
) -> answers.Review:
    """Return the values of the moves of a game from its start.

    `agent` is an agent, or a game or its name. `record` is a game as people write it, whose moves
    count from 1 unless `from_zero`; or moves as tables write them; or an episode of Kaggle as
    JSON. Values that a search has not proved when it meets its limit are None.

    Raises IllegalMoveError, which names the first illegal move.
    """
    if not isinstance(agent, TableAgent):
        agent = open_agent(agent)
    game, table = agent.game, agent.table
    played = read_record(game, record, from_zero)
    seats = [game.seats[ply % 2] for ply in range(len(played) + 1)]
    positions = [*(p for p, _ in played), game.play(*played[-1])]
    scores = _backwards(table.probe, positions)
    best = _backwards(lambda p: _best(game, table, p), positions[:-1])
    moves: list[answers.ReviewedMove] = []
    for ply, (p, m) in enumerate(played):
        before, after = scores[ply], scores[ply + 1]
        made = None if after is None else back(after)
        moves.append(
            {
                "move": game.code(m),
                "label": game.label(p, m),
                "ply": ply + 1,
                "turn": seats[ply],
                "position": game.text(p, seats[ply]),
                "before": None if before is None else value_of(before),
                "after": None if made is None else value_of(made),
                "regret": None if None in (before, made) else regret(before, made),
                "best": best[ply],
            }
        )
    decisive = _decisive(moves)
    return {
        "game": game.spec,
        "position": game.text(positions[-1], seats[-1]),
        "turn": seats[-1],
        "value": None if scores[-1] is None else value_of(scores[-1]),
        "result": words.result(game, positions[-1], seats[-1]),
        "moves": moves,
        "decisive": decisive,
        "verdict": _verdict(moves, decisive),
    }


def read_record(
    game: Game[Any, Any], record: str | Iterable[object], from_zero: bool = False
) -> list[tuple[Any, Any]]:
    """Return the position and the move for each move of a record, as `review` takes it."""
    if not isinstance(record, str):
        return replay(game, game.initial(), ",".join(map(str, record)), from_zero=True)
    if EPISODE not in record:
        return replay(game, game.initial(), record, from_zero)
    try:
        steps = json.loads(record)["steps"]
        actions = [
            next(now["action"] for was, now in zip(*both, strict=True) if was["status"] == "ACTIVE")
            for both in pairwise(steps)
        ]
        board = steps[-1][0].get("observation", {}).get("board", [])
        marks = "".join(".XO"[mark] for mark in board)
    except (LookupError, TypeError, ValueError, AttributeError, StopIteration, RecursionError) as e:
        message = 'not an episode of Kaggle: a JSON object with "steps", two agents in each'
        raise IllegalMoveError(message) from e
    played = replay(game, game.initial(), ",".join(map(str, actions)), from_zero=True)
    end = game.text(game.play(*played[-1]))
    if marks and not (game.has_cells and marks == game.marks(end)):
        message = f"the episode does not end with the board of {game.spec} after its moves"
        raise IllegalMoveError(message, len(played))
    return played


def _backwards(find: Callable[[Item], Found], items: list[Item]) -> list[Found | None]:
    """Return what is found for each item, the last first; None from where a search ends early."""
    found: list[Found | None] = [None] * len(items)
    with suppress(SearchLimitError):
        for i in reversed(range(len(items))):
            found[i] = find(items[i])
    return found


def _best(game: Game[Any, Any], table: Any, p: Any) -> list[answers.Named]:
    """Return the best moves.

    No move is better, so most are ruled out by their outcome, which a search finds faster.
    """
    score, found = table.probe(p), dict[str, Any]()
    for m in game.moves(p):
        child = game.play(p, m)
        if score >= 0 and table.exceeds(child, Outcome(-outcome(score))):
            continue
        if score == 0 or table.probe(child) == ahead(score):
            found[game.label(p, m)] = game.code(m)
    return [{"move": found[label], "label": label} for label in sort_labels(found)]


def _decisive(moves: list[answers.ReviewedMove]) -> int | None:
    """Return the ply of the last move that changed the outcome; None if there is none, proved."""
    last = next((move for move in reversed(moves) if move["regret"] != 0), None)
    return None if last is None or last["regret"] is None else last["ply"]


def _verdict(moves: list[answers.ReviewedMove], decisive: int | None) -> str:
    """Return in a sentence or two who gave the game away, and how much is proved."""
    changes = sum(bool(move["regret"]) for move in moves)
    unproved = sum(move["regret"] is None for move in moves)
    since = f" from move {unproved + 1} on" * bool(unproved)
    said = [f"No move{since} changed the outcome."] * (unproved < len(moves))
    if decisive is not None:
        move = moves[decisive - 1]
        assert move["before"] is not None
        best = ", ".join(each["label"] for each in move["best"] or ())
        said = [f"{move['turn']} threw a {move['before']['outcome']} away at move {decisive}:"]
        said += [f"played {move['label']}{best and f', best {best}'}."]
    if changes > 1:
        said.append(f"It was the last of {changes} moves{since} that changed the outcome.")
    if unproved:
        said.append(f"Not proved: moves 1 to {unproved}.")
    return " ".join(said)
