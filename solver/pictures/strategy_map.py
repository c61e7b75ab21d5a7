"""The complete strategy of one side as one nested picture, in the manner of xkcd 832.

Takes an agent for a game that fills the cells of a 3x3 board one by one; returns a plan, which has
one move of the reader for every reply of the opponent, and its Drawing. In the picture each cell
that the opponent can take holds a smaller board with the reader's next move, and so on. All moves
of the reader are the agent's best, so following the plan never gives up an outcome.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.pictures.marks import cross_or_ring
from solver.pictures.shapes import Drawing, Group, Line, Point, Rectangle, Shape, Text, Use
from solver.rules import grid
from solver.value import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from solver.agent.agent import TableAgent
    from solver.rules.game import Game

SIDE = 3
MOST = 3_300  # boards in a picture, which then has about a megabyte
UNIT = 30.0  # the side of a cell, in the units of its own board
WHOLE = SIDE * UNIT
INNER = 0.29  # the side of a nested board, as a share of the board around it
RAISED = 0.7  # how far above the middle of its cell a nested board is, for the word below it
PIXELS = 900  # the side of the outermost board
MARGIN, TOP = 30, 104
LINES = grid.lines(SIDE, SIDE, SIDE)
TINTS = {Outcome.WIN: "good", Outcome.LOSS: "bad"}
WORDS = {Outcome.WIN: "won", Outcome.DRAW: "draw", Outcome.LOSS: "lost"}
VALUES = {Outcome.WIN: "wins", Outcome.DRAW: "never loses", Outcome.LOSS: "can be beaten"}


class Plan(NamedTuple):
    """A position with the reader to move, the move to play and what follows each reply."""

    position: Any
    move: Any
    """The reader's move; None if the game is over, or at the start if the opponent begins."""
    after: Any
    """The position after the reader's move."""
    replies: tuple[tuple[Any, Plan], ...]
    """Every move of the opponent with the plan that follows; none if the game is over."""


def make_plan(agent: TableAgent, reader: str) -> Plan:
    """Return the plan of the side with this seat from the start of the game.

    Raises ValueError if the game has no such side, or is not played by filling 3x3 cells.
    """
    game = agent.game
    if reader not in game.seats:
        sides = " or ".join(game.seats)
        raise ValueError(f"there is no side {reader!r} in {game.spec}; it must be {sides}")
    if game.board != (SIDE, SIDE):
        raise ValueError(f"{game.spec} has no map: its board is not 3x3")
    made: dict[Any, Plan] = {}
    other = game.other(reader)

    def follow(p: Any, move: Any) -> Plan:
        after = p if move is None else game.play(p, move)
        over = game.primitive(after) is not None
        replies = () if over else tuple((m, plan(after, m)) for m in game.moves(after))
        return Plan(p, move, after, replies)

    def plan(before: Any, reply: Any) -> Plan:
        filled(game, before, reply, other)
        p = game.play(before, reply)
        if p not in made:
            made[p] = follow(p, choose(p))
        return made[p]

    def choose(p: Any) -> Any:
        best = agent.table.best(p)
        if best is not None:
            filled(game, p, best, reader)
        return best

    start = game.initial()
    return follow(start, choose(start) if reader == game.seats[0] else None)


def filled(game: Game[Any, Any], p: Any, m: Any, seat: str) -> tuple[int, str]:
    """Return the empty cell that the seat's move fills, and the mark it puts there.

    Raises ValueError if the move does anything else.
    """
    before = game.marks(game.text(p, seat))
    after = game.marks(game.text(game.play(p, m), game.other(seat)))
    changed = [i for i in range(len(before)) if before[i] != after[i : i + 1]]
    whole = len(before) == len(after) == SIDE * SIDE
    if not whole or len(changed) != 1 or before[changed[0]] != ".":
        raise ValueError(
            f"{game.spec} has no map: the move {game.label(p, m)} does not fill one empty cell"
        )
    return changed[0], after[changed[0]]


def count_boards(plan: Plan) -> int:
    """Return the number of boards in the picture of a plan."""
    known: dict[Any, int] = {}

    def count(part: Plan) -> int:
        if part.position not in known:
            known[part.position] = 1 + sum(count(answer) for _, answer in part.replies)
        return known[part.position]

    return count(plan)


def draw_map(agent: TableAgent, reader: str) -> tuple[Drawing, int]:
    """Return the drawing of one side's plan and the number of boards in it.

    Raises ValueError as `make_plan` does, and for a plan of too many boards.
    """
    plan = make_plan(agent, reader)
    boards = count_boards(plan)
    game = agent.game
    if boards > MOST:
        raise ValueError(
            f"the map of {game.spec} for {reader} would have {boards:,} boards; at most {MOST:,}"
            " are drawn"
        )
    title = f"{game.spec}: the perfect play of {reader}"
    how, legend = _directions(agent, plan, reader)
    shapes = (
        Text((MARGIN, 30.3), title, 22, "ink", align="start"),
        Text((MARGIN, 58.8), how, 15, "ink", align="start"),
        Text((MARGIN, 81.5), legend, 13, "note", align="start"),
        Group(tuple(_board(game, plan, reader)), MARGIN, TOP, PIXELS / WHOLE),
    )
    width, height = PIXELS + 2 * MARGIN, PIXELS + TOP + MARGIN
    told = f"{how} {legend} {boards:,} boards in all."
    drawing = Drawing(width, height, shapes, title, description=told, symbols=_symbols())
    return drawing, boards


def _directions(agent: TableAgent, plan: Plan, reader: str) -> tuple[str, str]:
    """Return how to read the map, and what its colours mean."""
    other = agent.game.other(reader)
    find = f"the cell that {other} takes: the board in it shows"
    if plan.move is None:
        how = f"Find {find} how {reader} answers, in blue. Then look in that board, and so on."
    else:
        how = f"Play the largest mark. Then find {find} what to play next, and so on."
    value = agent.outcome(agent.game.initial()) * (1 if reader == agent.game.seats[0] else -1)
    return how, (
        f"A player who follows it {VALUES[Outcome(value)]}. Blue boards: {reader} has won; orange"
        f" boards: {reader} has lost."
    )


def _board(game: Game[Any, Any], plan: Plan, reader: str) -> Iterator[Shape]:
    """Yield the board of a plan, in a square from 0 to WHOLE, and the boards inside it."""
    other = game.other(reader)
    over = game.primitive(plan.after)
    if over is not None:
        yield from _end(game, plan, reader, over)
    yield Use("grid")
    marks = game.marks(game.text(plan.position, reader))
    for cell, mark in enumerate(marks):
        if mark != ".":
            yield Use(f"{_sign(mark)}{cell}")
    if plan.move is not None:
        cell, mark = filled(game, plan.position, plan.move, reader)
        yield Use(f"new{_sign(mark)}{cell}")
    places: dict[int, list[tuple[Any, Plan]]] = {}
    for reply, answer in plan.replies:
        places.setdefault(filled(game, plan.after, reply, other)[0], []).append((reply, answer))
    for cell, inside in places.items():
        across = math.ceil(math.sqrt(len(inside)))
        part = UNIT / across
        scale = INNER / across
        for number, (reply, answer) in enumerate(inside):
            x = cell % SIDE * UNIT + (number % across + 0.5) * part - scale * WHOLE / 2
            y = cell // SIDE * UNIT + UNIT / 2 - scale * WHOLE / 2 - RAISED / across
            y += (number // across - (len(inside) - 1) // across / 2) * part
            title = game.label(plan.after, reply)
            if answer.move is not None:
                title += f": {game.label(answer.position, answer.move)}"
            yield Group(tuple(_board(game, answer, reader)), x, y, scale, title)


def _end(game: Game[Any, Any], plan: Plan, reader: str, over: Outcome) -> Iterator[Shape]:
    """Yield the signs of a finished game: a tint and a word, and its winning lines."""
    result = over if plan.move is None else Outcome(-over)  # `over` is for the side to move
    yield Use(WORDS[result])
    if result is Outcome.DRAW:
        return
    marks = game.marks(game.text(plan.after, reader if plan.move is None else game.other(reader)))
    for line in LINES:
        cells = [cell for cell in range(len(marks)) if line >> cell & 1]
        if marks[cells[0]] != "." and len({marks[cell] for cell in cells}) == 1:
            yield Line((_middle(cells[0]), _middle(cells[-1])), TINTS[result], 3)


def _middle(cell: int) -> Point:
    return cell % SIDE * UNIT + UNIT / 2, cell // SIDE * UNIT + UNIT / 2


def _sign(mark: str) -> str:
    return "x" if mark == "X" else "o"


def _symbols() -> dict[str, tuple[Shape, ...]]:
    """Return what many boards share: the grid, the signs of an end, and marks for each cell."""
    symbols: dict[str, tuple[Shape, ...]] = {
        "grid": tuple(
            Line(ends, "ink", 0.7)
            for at in (UNIT, 2 * UNIT)
            for ends in (((at, 2), (at, WHOLE - 2)), ((2, at), (WHOLE - 2, at)))
        )
    }
    for result, word in WORDS.items():
        text = Text((WHOLE / 2, 94.3), word, 6.5, "ink")
        tint = Rectangle(-1, -1, WHOLE + 2, WHOLE + 2, TINTS.get(result), opacity=0.25)
        symbols[word] = (text,) if result is Outcome.DRAW else (tint, text)
    for cell in range(SIDE * SIDE):
        for sign in "xo":
            old = cross_or_ring(sign.upper(), _middle(cell), 8, "ink", 2)
            new = cross_or_ring(sign.upper(), _middle(cell), 10, "good", 5)
            symbols |= {f"{sign}{cell}": tuple(old), f"new{sign}{cell}": tuple(new)}
    return symbols
