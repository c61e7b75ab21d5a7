"""Facts about a position as JSON objects: what `--json` prints and the HTTP API sends.

Takes an agent, a position of its rules and the seat to move there. Moves are written as in tables;
values are for the side to move.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from solver.agent import words
from solver.agent.agent import TableAgent, ties
from solver.errors import IllegalPositionError, quoted
from solver.games import family_of, is_shipped
from solver.rules.game import Game
from solver.rules.grid import won_lines
from solver.rules.packing import Packing
from solver.value import Outcome, distance, outcome


def read_position(rules: Game[Any, Any], position: str | None, turn: str | None) -> tuple[Any, str]:
    """Parse a position, by default the start; return it and the seat to move."""
    if position is not None and type(rules).parse is Game.parse:
        _check_length(rules, position)
    turn = None if turn is None else seat_named(rules, turn)
    p = rules.parse(rules.text(rules.initial()) if position is None else position, turn)
    return p, turn or rules.turn(p)


def _check_length(rules: Game[Any, Any], text: str) -> None:
    """Raise IllegalPositionError if positions are texts of one length, and `text` has another."""
    start = rules.initial()
    if isinstance(start, str) and len(text) != len(start) and isinstance(rules.keys, Packing):
        raise IllegalPositionError(
            f"{quoted(text)} has {len(text)} characters; a position of {rules.spec} has"
            f" {len(start)}, as in {start!r}"
        )


def seat_named(rules: Game[Any, Any], name: str) -> str:
    """Return the seat of a name in upper or lower case; the name itself if there is none."""
    return next((seat for seat in rules.seats if seat.lower() == name.lower()), name)


def best(agent: TableAgent, p: Any, seat: str) -> dict[str, Any]:
    """Return the value of a position and of its moves, best first."""
    game, scores = agent.game, agent.scores_at(p)
    return _value(agent, p, seat) | {
        "move": game.code(scores[0].move) if scores else None,
        "best": sorted(game.code(s.move) for s in ties(scores)),
        "moves": [
            s._asdict() | {"move": game.code(s.move), "outcome": str(s.outcome)} for s in scores
        ],
    }


def _value(agent: TableAgent, p: Any, seat: str) -> dict[str, Any]:
    """Return the fields that every answer starts with."""
    score = agent.table.probe(p)
    return {
        "game": agent.game.spec,
        "position": agent.game.text(p, seat),
        "turn": seat,
        "outcome": str(outcome(score)),
        "distance": distance(score),
    }


def line(agent: TableAgent, p: Any, seat: str) -> dict[str, Any]:
    """Return the moves to the end of the game if both sides play their best moves.

    If a position repeats, the line ends there, in a draw.
    """
    rules, value, moves = agent.game, _value(agent, p, seat), []
    for m in agent.line_at(p):
        move = {"turn": seat, "move": rules.code(m), "label": rules.label(p, m)}
        p, seat = rules.play(p, m), rules.other(seat)
        moves.append(move | {"position": rules.text(p, seat)})
    return value | {"line": moves}


def explain(agent: TableAgent, p: Any, seat: str) -> dict[str, Any]:
    """Return the result of `best` with a reason for each move and a verdict on the position."""
    known = best(agent, p, seat)
    for entry, score in zip(known["moves"], agent.scores_at(p), strict=True):
        entry["reasons"] = words.reasons(agent, p, score, seat, agent.game.label)
    return known | {"verdict": words.verdict(agent, p, seat)}


def show(agent: TableAgent, p: Any, seat: str) -> dict[str, Any]:
    """Return the result of `explain` with what a page needs to draw it.

    For each move, the cell where it is shown, the cell that it leaves, the position after it, its
    marks and how many moves it has; for the position, its marks and how the game ended: the
    result, the winner and the cells of the lines that won it.
    """
    return _placed(agent.game, p, seat, explain(agent, p, seat))


def outline(rules: Game[Any, Any], p: Any, seat: str) -> dict[str, Any]:
    """Return what `show` returns as far as the rules alone tell; other values are None."""
    over = rules.primitive(p)
    return _placed(
        rules,
        p,
        seat,
        {
            "game": rules.spec,
            "position": rules.text(p, seat),
            "turn": seat,
            "outcome": None if over is None else str(over),
            "distance": None if over in (None, Outcome.DRAW) else 0,
            "move": None,
            "best": [],
            "moves": [
                {
                    "move": rules.code(m),
                    "label": rules.label(p, m),
                    **dict.fromkeys(("outcome", "distance", "trap")),
                    "reasons": [],
                }
                for m in (rules.moves(p) if over is None else ())
            ],
            "verdict": words.result(rules, p, seat) or f"{seat} to move.",
        },
    )


def _placed(rules: Game[Any, Any], p: Any, seat: str, known: dict[str, Any]) -> dict[str, Any]:
    """Return an answer with what a page needs to draw it."""
    over = rules.primitive(p)
    moves = {} if over is not None else {rules.code(m): m for m in rules.moves(p)}
    for entry in known["moves"]:
        m = moves[entry["move"]]
        entry["cell"], entry["origin"] = rules.cell(p, m), rules.origin(p, m)
        child = rules.play(p, m)
        entry["position"] = text = rules.text(child, rules.other(seat))
        entry["marks"] = rules.marks(text) if rules.has_cells else None
        entry["replies"] = 0 if rules.primitive(child) is not None else len(rules.moves(child))
    decided = over in (Outcome.WIN, Outcome.LOSS)
    return known | {
        "marks": rules.marks(known["position"]) if rules.has_cells else None,
        "result": words.result(rules, p, seat),
        "winner": (seat if over is Outcome.WIN else rules.other(seat)) if decided else None,
        "won": sorted({cell for cells in won_lines(rules, p) for cell in cells}),
    }


def value_and_move(agent: TableAgent, p: Any) -> dict[str, Any]:
    """Return the outcome, the distance and the best move of a position."""
    move = agent.table.best(p)
    return _value_and_move(agent.table.probe(p), None if move is None else agent.game.code(move))


def _value_and_move(score: int, code: int | str | None) -> dict[str, Any]:
    return {"outcome": str(outcome(score)), "distance": distance(score), "move": code}


def look_up_mapped(agent: TableAgent, texts: Sequence[str]) -> dict[int, dict[str, Any]]:
    """Return the results of `value_and_move` for many texts at once, by the index of each text.

    Texts that `read_many` does not read and positions outside the table are left out. The result is
    empty unless this is a mapped table of Connect 4, whose moves are the columns of its kernel.
    """
    kernel = _kernel(agent)
    if kernel is None:
        return {}
    from solver.games.read_many import read_many

    table: Any = agent.table
    game: Any = agent.game
    scores, moves, known = table.lookup.best(kernel, read_many(game, texts))
    codes = [None if m < 0 else m for m in moves[known].tolist()]
    entry: Any = lru_cache(maxsize=None)(_value_and_move)  # few results differ
    places = known.nonzero()[0].tolist()
    found = zip(places, scores[known].tolist(), codes, strict=True)
    return {place: entry(score, code) for place, score, code in found}


@lru_cache
def _kernel(agent: TableAgent) -> Any:
    """Return the kernel of Connect 4 if the agent has a mapped table of that; None without one."""
    from solver.compiling.find import find_kernel

    is_connect4 = family_of(agent.game.spec) == "connect4" and is_shipped(agent.game)
    if not (is_connect4 and hasattr(agent.table, "probe_many")):
        return None
    return find_kernel(agent.game)[0]
