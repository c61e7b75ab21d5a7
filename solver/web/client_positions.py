"""Positions that clients send: parsing them, and looking them up.

Takes texts that anyone may have written; returns positions of the rules or JSON results. The rules
of a custom game may raise anything on such a text, so every error becomes a client's error.
"""

from __future__ import annotations

from typing import Any

from solver.agent.agent import TableAgent
from solver.agent.answers import Found, Refused
from solver.agent.facts import read_position, value_and_move
from solver.errors import IllegalPositionError, TableFormatError, UnknownPositionError, printable
from solver.games import is_shipped
from solver.tables.oracle import Oracle

LONGEST = 4_000  # characters of a position's text


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
        if not isinstance(agent.table, Oracle):  # which answers every position
            agent.table.probe(p)
        consistent = is_shipped(rules) or rules.parse(rules.text(p, seat), seat) == p
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


def custom_rules_error(agent: TableAgent, error: BaseException) -> str:
    """Return the message for an error raised by custom rules; reraise any other error."""
    spec = agent.game.spec
    if is_shipped(agent.game) or isinstance(error, TableFormatError):
        raise error
    return f"the rules of {spec} raised {type(error).__name__} on this position"


def look_up(agent: TableAgent, text: str) -> Found | Refused:
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
