"""What is known about a position, as data: what `--json` prints and the HTTP API sends.

Takes an agent, a position of its rules and the seat to move there; returns objects of JSON. Moves
are as tables write them, values those of the side to move.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from solver.agent import words
from solver.agent.agent import ties
from solver.errors import IllegalPositionError, UnknownPositionError, printable
from solver.games import FAMILIES, family_of
from solver.rules.grid import won_lines
from solver.value import Outcome, distance, outcome

if TYPE_CHECKING:
    from collections.abc import Sequence

    from solver.agent.agent import MoveScore, TableAgent
    from solver.rules.game import Game

MANY = 16  # positions from which on it is worth to ask about all at once
LONGEST = 4_000  # characters of a position's text from strangers
HEAD = ("game", "position", "turn", "outcome", "distance")  # of every answer


def read_position(rules: Game[Any, Any], position: str | None, turn: str | None) -> tuple[Any, str]:
    """Return the position asked about, the start if none is, and the seat to move there."""
    turn = None if turn is None else seat_named(rules, turn)
    p = rules.parse(rules.text(rules.initial()) if position is None else position, turn)
    return p, turn or rules.turn(p)


def read_strange(agent: TableAgent, position: str | None, turn: str | None) -> tuple[Any, str]:
    """Return the position that a stranger asks about, and the seat to move there.

    The rules of a user's own game may raise anything on a text that they did not write. Raises
    IllegalPositionError, and UnknownPositionError for a position outside the table.
    """
    rules = agent.game
    if position is not None and len(position) > LONGEST:
        raise IllegalPositionError(
            f"the position has {len(position):,} characters; at most {LONGEST:,} are read"
        )
    try:
        p, seat = read_position(rules, position, turn)
        agent.table.probe(p)
        kept = family_of(rules.spec) in FAMILIES or (
            seat in rules.seats and rules.parse(rules.text(p, seat), seat) == p
        )
    except (IllegalPositionError, UnknownPositionError):
        raise
    except (Exception, SystemExit) as error:
        raise IllegalPositionError(
            f"{printable(repr(position), 60)} is no position of {rules.spec}: reading it raises"
            f" {type(error).__name__}"
        ) from error
    if not kept:
        seats = " or ".join(rules.seats)
        raise IllegalPositionError(
            f"{printable(repr(position), 60)} with {printable(seat, 20)} to move is no position of"
            f" {rules.spec}; the side to move is {seats}"
        )
    return p, seat


def own_rules_fail(agent: TableAgent, error: Exception) -> str:
    """Return what to say of an error that a user's own rules raised; raises it if they are ours."""
    spec = agent.game.spec
    if family_of(spec) in FAMILIES:
        raise error
    return f"the rules of {spec} fail here: they raise {type(error).__name__}"


def seat_named(rules: Game[Any, Any], name: str) -> str:
    """Return the seat as the game writes it, in whichever case it was typed; else the name."""
    return next((seat for seat in rules.seats if seat.lower() == name.lower()), name)


def best(agent: TableAgent, p: Any, seat: str) -> dict[str, Any]:
    """Return what a position and its moves are worth, best first."""
    return _best(agent, p, seat, agent.scores_at(p))


def _best(agent: TableAgent, p: Any, seat: str, scores: list[MoveScore]) -> dict[str, Any]:
    game = agent.game
    held = agent.table.probe(p)
    return {
        "game": game.spec,
        "position": game.text(p, seat),
        "turn": seat,
        "outcome": str(outcome(held)),
        "distance": distance(held),
        "move": game.code(scores[0].move) if scores else None,
        "best": sorted(game.code(s.move) for s in ties(scores)),
        "moves": [
            s._asdict() | {"move": game.code(s.move), "outcome": str(s.outcome)} for s in scores
        ],
    }


def line(agent: TableAgent, p: Any, seat: str) -> dict[str, Any]:
    """Return the game to its end if both sides play the best moves.

    Its last step is a draw where the position repeats.
    """
    rules = agent.game
    held = agent.table.probe(p)
    values = (rules.spec, rules.text(p, seat), seat, str(outcome(held)), distance(held))
    steps = []
    for move in agent.line(p):
        step = {"turn": seat, "move": rules.code(move), "label": rules.label(p, move)}
        p, seat = rules.play(p, move), rules.other(seat)
        steps.append(step | {"position": rules.text(p, seat)})
    return dict(zip(HEAD, values, strict=True)) | {"line": steps}


def explain(agent: TableAgent, p: Any, seat: str) -> dict[str, Any]:
    """Return what `best` does, with each move's reasons and a sentence about the position."""
    rules = agent.game
    scores = agent.scores_at(p)
    known = _best(agent, p, seat, scores)
    for entry, score in zip(known["moves"], scores, strict=True):
        entry["reasons"] = words.reasons(agent, p, score, seat, rules.label)
    return known | {"verdict": words.verdict(agent, p, seat)}


def show(agent: TableAgent, p: Any, seat: str) -> dict[str, Any]:
    """Return what `explain` does, with what a page needs to show it on a board.

    Beside each move the cell on which it is shown, the cell that it leaves and the position after
    it; of the position its cells, and how the game ended: the result, the winner and the cells of
    the lines that ended it.
    """
    rules = agent.game
    known = explain(agent, p, seat)
    moves = {} if rules.primitive(p) is not None else {rules.code(m): m for m in rules.moves(p)}
    for entry in known["moves"]:
        m = moves[entry["move"]]
        entry["cell"], entry["origin"] = rules.cell(p, m), rules.origin(p, m)
        entry["position"] = rules.text(rules.play(p, m), rules.other(seat))
    over = rules.primitive(p)
    decided = over in (Outcome.WIN, Outcome.LOSS)
    return known | {
        "marks": None if rules.board is None else rules.marks(known["position"]),
        "result": words.result(rules, p, seat),
        "winner": (seat if over is Outcome.WIN else rules.other(seat)) if decided else None,
        "won": sorted({cell for cells in won_lines(rules, p) for cell in cells}),
    }


def look_up(agent: TableAgent, texts: Sequence[str]) -> list[dict[str, Any]]:
    """Return outcome, distance and best move for each text, or its error with an HTTP status.

    400 stands for a text that is no position, 404 for a position that the table does not hold. A
    mapped table of a game with a kernel is asked about all of them at once.
    """
    known = _look_up_all(agent, texts) if len(texts) >= MANY else {}
    return [known.get(i) or _look_up(agent, text) for i, text in enumerate(texts)]


def _look_up_all(agent: TableAgent, texts: Sequence[str]) -> dict[int, dict[str, Any]]:
    """Return what the kernel can tell, by place; the other texts are to be looked up one by one."""
    kernel = _kernel(agent)
    if kernel is None:
        return {}
    from solver.games.read_many import read_many
    from solver.tables.lookup import best_many

    game = agent.game
    keys = read_many(game, texts)
    table: Any = agent.table
    scores, moves, known = best_many(table, kernel, keys)
    places = known.nonzero()[0].tolist()
    worth: Any = lru_cache(maxsize=None)(_worth)  # few differ
    if kernel.coded:
        pairs = zip(scores[known].tolist(), moves[known].tolist(), strict=True)
        return {
            i: worth(held, None if m < 0 else m) for i, (held, m) in zip(places, pairs, strict=True)
        }
    found = {}
    for i in places:
        p, number = game.position(int(keys[i])), int(moves[i])
        found[i] = worth(int(scores[i]), None if number < 0 else game.code(game.moves(p)[number]))
    return found


@lru_cache
def _kernel(agent: TableAgent) -> Any:
    """Return the kernel of the agent's game if its table is mapped, and None without one."""
    from solver.rules.check_kernel import find_kernel

    return find_kernel(agent.game)[0] if hasattr(agent.table, "probe_many") else None


def _worth(held: int, code: int | str | None) -> dict[str, Any]:
    return {"outcome": str(outcome(held)), "distance": distance(held), "move": code}


def _look_up(agent: TableAgent, text: str) -> dict[str, Any]:
    try:
        p, _ = read_strange(agent, text, None)
        move = agent.table.best(p)
        return _worth(agent.table.probe(p), None if move is None else agent.game.code(move))
    except UnknownPositionError as error:
        return {"error": printable(str(error)), "status": 404}
    except IllegalPositionError as error:
        return {"error": printable(str(error)), "status": 400}
    except Exception as error:
        return {"error": own_rules_fail(agent, error), "status": 400}
