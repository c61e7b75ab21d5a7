"""Facts about a position as JSON objects; `answers` says which fields they have.

Takes an agent, a position of its rules and the seat to move there.
"""

from __future__ import annotations

from collections.abc import Callable
from shlex import quote
from typing import TYPE_CHECKING, Any

from solver.agent import words
from solver.agent.agent import MoveScore, TableAgent, ties
from solver.errors import IllegalMoveError, IllegalPositionError, quoted
from solver.rules.game import Game, check_turn_at, seat_named
from solver.rules.grid import won_lines
from solver.rules.notation import replay
from solver.rules.packing import Packing
from solver.value import Outcome, distance, outcome, score

if TYPE_CHECKING:
    from solver.agent import answers

POSITION, MOVES = "position:", "moves:"  # before a text that could be both
WORDS: dict[int, answers.Outcome] = {1: "win", 0: "draw", -1: "loss"}


def read_position(rules: Game[Any, Any], position: str | None, turn: str | None) -> tuple[Any, str]:
    """Parse a position, by default the start; return it and the seat to move.

    A text that is no position may also be the record of a game from the start, as `replay` reads
    it. What begins with POSITION or with MOVES is only the one or the other.
    """
    turn = None if turn is None else seat_named(rules, turn)
    if position is not None and position.startswith(MOVES):
        played, reason = _played(rules, position.removeprefix(MOVES))
        if played is None:
            raise IllegalPositionError(f"{quoted(position)} is not a game: {reason}")
        if turn not in (None, played[1]):
            raise IllegalPositionError(f"it is {played[1]}'s turn after {quoted(position)}")
        return played
    text = rules.text(rules.initial()) if position is None else position.removeprefix(POSITION)
    try:
        p = rules.parse(text, turn)
        if position is not None and type(rules).parse is Game.parse:
            start = rules.initial()
            if type(p) in (str, tuple) and len(p) != len(start) and isinstance(rules.keys, Packing):
                units = "characters" if isinstance(p, str) else "items"
                raise IllegalPositionError(
                    f"{quoted(text)} has {len(p)} {units}; a position of {rules.spec} has"
                    f" {len(start)}, as in {start!r}"
                )
    except IllegalPositionError as error:
        if position is not None and position.startswith(POSITION):
            raise
        played, reason = _played(rules, position or "")
        if played is None or turn not in (None, played[1]):
            also = "" if reason is None or not reason.played else f"; read as a game, {reason}"
            raise IllegalPositionError(f"{error}{also}") from error
        return played
    check_turn_at(rules, p, turn)
    return p, turn or rules.turn(p)


def read_typed(
    rules: Game[Any, Any],
    typed: str | None,
    turn: str | None,
    is_met: Callable[[Any], bool] = lambda _: True,
) -> tuple[Any, str]:
    """Return what `read_position` does for a text that people write.

    A text that is both a position that games meet, as `is_met` says, and the record of a game that
    leads to another one is refused: raises IllegalPositionError, which says how to write either.
    """
    p, seat = read_position(rules, typed, turn)
    if typed is None or typed.startswith((POSITION, MOVES)):
        return p, seat
    played, _ = _played(rules, typed)
    if played is None or played[0] == p or (turn is not None and played[1] != seat):
        return p, seat
    if not is_met(p):
        return played
    forms = (quote(form + typed) for form in (POSITION, MOVES))
    raise IllegalPositionError(
        f"{quoted(typed)} can be a position or a game: write {' or '.join(forms)}"
    )


def _played(
    rules: Game[Any, Any], record: str
) -> tuple[tuple[Any, str] | None, IllegalMoveError | None]:
    """Return the position after a game and the side to move, or else what is wrong with it."""
    try:
        moves = replay(rules, rules.initial(), record)
    except IllegalMoveError as error:
        return None, error
    return (rules.play(*moves[-1]), rules.seats[len(moves) % 2]), None


def read_unreached(
    rules: Game[Any, Any], position: str | None, turn: str | None, error: IllegalPositionError
) -> tuple[Any, str, str]:
    """Read a board to which no game leads, as `error` says; return it, its side and a remark.

    Players that need no table can be asked about it. Raises the error if it is not such a board.
    """
    unreached = getattr(rules, "unreached", None)
    if unreached is None or position is None:
        raise error
    seat = rules.seats[0] if turn is None else seat_named(rules, turn)
    remark = f"no game leads to this board, but {seat} is taken to move: {error}"
    return unreached(position, seat), seat, remark


def best(agent: TableAgent, p: Any, seat: str) -> answers.Best:
    """Return the value of a position and of its moves, best first."""
    scores = agent.scores_at(p)
    moves = [_move(agent.game, s) for s in scores]
    return {**_evaluated(agent, p, seat, scores), "moves": moves}


def _evaluated(agent: TableAgent, p: Any, seat: str, scores: list[MoveScore]) -> answers.Evaluated:
    codes = [agent.game.code(s.move) for s in ties(scores)]
    return {
        **_position(agent.game, p, seat),
        **value_of(agent.table.probe(p)),
        "move": codes[0] if codes else None,
        "best": sorted(codes),
    }


def _position(game: Game[Any, Any], p: Any, seat: str) -> answers.Position:
    return {"game": game.spec, "position": game.text(p, seat), "turn": seat}


def value_of(score: int) -> answers.Value:
    """Return the value that a score says."""
    return {"outcome": WORDS[outcome(score)], "distance": distance(score)}


def _move(game: Game[Any, Any], s: MoveScore) -> answers.Move:
    return {
        "move": game.code(s.move),
        "label": s.label,
        **value_of(score(s.outcome, s.distance or 0)),
        "trap": s.trap,
    }


def outcomes(agent: TableAgent, p: Any, seat: str) -> answers.Outcomes:
    """Return the outcome of each move; where values are searched, it is known long before them."""
    outcomes: dict[str, Any] = {m: WORDS[o] for m, o in agent.table.outcomes(p).items()}
    return {**_position(agent.game, p, seat), "outcomes": outcomes}


def line(agent: TableAgent, p: Any, seat: str) -> answers.Line:
    """Return the moves to the end of the game if both sides play their best moves.

    If a position repeats, the line ends there, in a draw.
    """
    game = agent.game
    start = _position(game, p, seat)
    value = value_of(agent.table.probe(p))
    steps: list[answers.Step] = []
    for m in agent.line_at(p):
        turn, code, label = seat, game.code(m), game.label(p, m)
        p, seat = game.play(p, m), game.other(seat)
        steps.append({"turn": turn, "move": code, "label": label, "position": game.text(p, seat)})
    return {**start, **value, "line": steps}


def explain(agent: TableAgent, p: Any, seat: str) -> answers.Explained:
    """Return the result of `best` with reasons and a verdict, and what a page needs to draw it."""
    scores, game = agent.scores_at(p), agent.game
    return {
        **_evaluated(agent, p, seat, scores),
        "moves": [
            {
                **_move(game, s),
                "reasons": words.reasons(agent, p, s, seat, game.label),
                **_display(game, p, seat, s.move),
            }
            for s in scores
        ],
        **_presentation(game, p, seat, words.verdict(agent, p, seat)),
    }


def outline(game: Game[Any, Any], p: Any, seat: str) -> answers.Outlined:
    """Return what `explain` returns as far as the rules alone tell; other values are None."""
    over = game.primitive(p)
    return {
        **_position(game, p, seat),
        "outcome": None if over is None else WORDS[over],
        "distance": None if over in (None, Outcome.DRAW) else 0,
        "move": None,
        "best": [],
        "moves": [
            {
                "move": game.code(m),
                "label": game.label(p, m),
                "outcome": None,
                "distance": None,
                "trap": None,
                "reasons": [],
                **_display(game, p, seat, m),
            }
            for m in (game.moves(p) if over is None else ())
        ],
        **_presentation(game, p, seat, words.result(game, p, seat) or f"{seat} to move."),
    }


def _display(game: Game[Any, Any], p: Any, seat: str, m: Any) -> answers.Display:
    child = game.play(p, m)
    text = game.text(child, game.other(seat))
    return {
        "cell": game.cell(p, m),
        "origin": game.origin(p, m),
        "position": text,
        "marks": game.marks(text) if game.has_cells else None,
        "replies": 0 if game.primitive(child) is not None else len(game.moves(child)),
    }


def _presentation(game: Game[Any, Any], p: Any, seat: str, verdict: str) -> answers.Presentation:
    over = game.primitive(p)
    return {
        "verdict": verdict,
        "marks": game.marks(game.text(p, seat)) if game.has_cells else None,
        "result": words.result(game, p, seat),
        "winner": None if not over else seat if over is Outcome.WIN else game.other(seat),
        "won": sorted({cell for cells in won_lines(game, p) for cell in cells}),
    }


def value_and_move(agent: TableAgent, p: Any) -> answers.BestMove:
    """Return the outcome, the distance and the best move of a position."""
    move = agent.table.best(p)
    code = None if move is None else agent.game.code(move)
    return {**value_of(agent.table.probe(p)), "move": code}
