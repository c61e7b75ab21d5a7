"""Positions and games that clients send: parsing them, and looking positions up, one or many.

Takes texts that anyone may have written; returns positions of the rules or JSON results. The rules
of a custom game may raise anything on such a text, so every error becomes a client's error.
"""

from __future__ import annotations

from typing import Annotated, Any

from solver.agent.agent import TableAgent
from solver.agent.answers import BestMove
from solver.agent.facts import read_position, value_and_move
from solver.errors import (
    IllegalMoveError,
    IllegalPositionError,
    TableFormatError,
    UnknownPositionError,
    printable,
)
from solver.rules.game import Game
from solver.rules.notation import replay
from solver.tables.json_table import Table
from solver.web.answers import Refusal
from solver.web.endpoint import object_of
from solver.web.messages import parse_json, to_json

LONGEST = 4_000  # characters of a position's text
MOST_PLIES = 300  # of a record


def parse_position(agent: TableAgent, position: str | None, turn: str | None) -> tuple[Any, str]:
    """Parse a client's position; return it and the seat to move.

    Raises IllegalPositionError, and UnknownPositionError for a position outside the table.
    """
    rules = agent.game
    if position is not None and len(position) > LONGEST:
        raise IllegalPositionError(
            f"the position has {len(position):,} characters; the limit is {LONGEST:,}"
        )
    try:
        p, seat = read_position(rules, position, turn)
        table: Any = agent.table
        if not table.is_searched:  # of which any position may be asked
            table.probe(p)
        consistent = not agent.is_custom or rules.parse(rules.text(p, seat), seat) == p
    except (IllegalPositionError, UnknownPositionError, TableFormatError):
        raise
    except Exception as error:
        raise IllegalPositionError(
            f"{printable(repr(position), 60)} is not a position of {rules.spec}: reading it raises"
            f" {type(error).__name__}"
        ) from error
    if not consistent:
        raise IllegalPositionError(
            f"{printable(repr(position), 60)} with {printable(seat, 20)} to move is not a position"
            f" of {rules.spec}"
        )
    return p, seat


def positions_of(
    agent: TableAgent, position: str | None, turn: str | None, moves: str | None
) -> tuple[list[tuple[Any, str, list[int | None]]], str | None]:
    """Return each position of a game, its side to move and the cells of the move that led there.

    The moves are codes, or else a record that people write. The second value is what is wrong with
    the first move that is illegal, or None.
    """
    game, rest = agent.game, moves or ""
    p, seat = parse_position(agent, position, turn)
    plies: list[tuple[Any, str, list[int | None]]] = [(p, seat, [])]
    if rest and _first_move(game, p, rest) is None:
        try:
            rest = ",".join(str(game.code(m)) for _, m in replay(game, p, rest))
        except IllegalMoveError as error:
            return plies, str(error)
    while rest:
        m, where = _first_move(game, p, rest), f"move {len(plies)}, "
        where += printable(rest.partition(",")[0], 60)
        if m is None:
            return plies, f"{where}, is no move: {_moves_there(game, p)}"
        if len(plies) > MOST_PLIES:
            return plies, f"{where}, is one too many; the limit is {MOST_PLIES}"
        rest = rest[len(str(game.code(m))) + 1 :]
        cells = [game.origin(p, m), game.cell(p, m)]
        p, seat = game.play(p, m), game.other(seat)
        plies.append((p, seat, cells))
    return plies, None


def _first_move(game: Game[Any, Any], p: Any, text: str) -> Any:
    """Return the move at the start of a list of codes; None if there is none.

    A code may contain commas itself, so the longest counts.
    """
    if game.primitive(p) is not None:
        return None
    codes = {f"{game.code(m)},": m for m in game.moves(p)}
    fits = [code for code in codes if f"{text},".startswith(code)]
    return codes[max(fits, key=len)] if fits else None


def _moves_there(game: Game[Any, Any], p: Any) -> str:
    if game.primitive(p) is not None:
        return "the game is over there"
    return f"the moves there are {', '.join(sorted(str(game.code(m)) for m in game.moves(p)))}"


def custom_rules_error(agent: TableAgent, error: BaseException) -> str:
    """Return the message for an error raised by custom rules; reraise any other error."""
    spec = agent.game.spec
    if not agent.is_custom or isinstance(error, TableFormatError):
        raise error
    return f"the rules of {spec} raised {type(error).__name__} on this position"


def look_up(agent: TableAgent, text: str) -> BestMove | Refusal:
    """Return a position's outcome, distance and best move, or its error with an HTTP status.

    The status is 400 for a text that is not a position, and 404 for a position outside the table.
    """
    try:
        return value_and_move(agent, parse_position(agent, text, None)[0])
    except UnknownPositionError as error:
        return {"error": printable(str(error)), "status": 404}
    except IllegalPositionError as error:
        return {"error": printable(str(error)), "status": 400}
    except Exception as error:
        return {"error": custom_rules_error(agent, error), "status": 400}


MAX_POSITIONS = 10_000
MAX_CACHED = 100_000  # results
POSITIONS = object_of({"positions": Annotated[list[str | list[Any]], ("maxItems", MAX_POSITIONS)]})
EXAMPLE = '{"positions": ["X...O...."]}'


class Batches:
    """Answers the batches about one game.

    Results are cached as JSON by the text of the position, except those of a mapped table, which
    has too many positions.
    """

    def __init__(self, agent: TableAgent) -> None:
        self.agent = agent
        self._cached: dict[str, bytes] = {}
        self._caches = isinstance(agent.table, Table)
        self._head = b'{"game":' + to_json(agent.game.spec) + b',"results":['

    def answer(self, body: bytes) -> bytes:
        """Return the answer to a body as JSON; raises ValueError for a malformed body."""
        texts = parse_texts(body)
        results = self._recall(texts) if self._caches else self._look_up(texts)
        return self._head + b",".join(results) + b"]}"

    def _recall(self, texts: list[str]) -> list[bytes]:
        """Return results as JSON, from the cache where they are there."""
        cached = self._cached
        missing = [text for text in dict.fromkeys(texts) if text not in cached]
        if len(cached) + len(missing) > MAX_CACHED:
            cached, missing = {}, [*dict.fromkeys(texts)]
        latest = dict(zip(missing, self._look_up(missing), strict=True))
        cached |= {text: result for text, result in latest.items() if b'"error"' not in result}
        self._cached = cached
        return [cached.get(text) or latest[text] for text in texts]

    def _look_up(self, texts: list[str]) -> list[bytes]:
        """Return results as JSON."""
        return [to_json(look_up(self.agent, text)) for text in texts]


def parse_texts(body: bytes) -> list[str]:
    """Return the positions in a body; raises ValueError."""
    value = parse_json(body, EXAMPLE)
    if not isinstance(value, dict) or list(value) != ["positions"]:
        raise ValueError(f"the body must be an object with only the field positions: {EXAMPLE}")
    texts = value["positions"]
    if not isinstance(texts, list):
        raise ValueError(f"positions must be a list of texts or arrays, as in {EXAMPLE}")
    if len(texts) > MAX_POSITIONS:
        raise ValueError(f"expected at most {MAX_POSITIONS:,} positions, got {len(texts):,}")
    wrong = next((i for i, text in enumerate(texts) if not isinstance(text, str | list)), None)
    if wrong is not None:
        raise ValueError(f"position {wrong} (counted from 0) is not a text or an array")
    return [text if isinstance(text, str) else to_json(text).decode() for text in texts]
