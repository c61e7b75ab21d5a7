"""The complete strategy of one side as one nested picture, in the manner of xkcd 832.

Takes an agent for a game that fills the cells of a 3x3 board one by one; returns a plan, which has
one move of that side for every reply of the opponent, and its Drawing. In the picture each cell
that the opponent can take holds a smaller board with the side's next move, and so on. All moves
of that side are the agent's best, so following the plan never gives up an outcome.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from solver.agent.agent import TableAgent
from solver.pictures.marks import cross_or_ring
from solver.pictures.shapes import Drawing, Group, Line, Point, Rectangle, Shape, Text, Use
from solver.rules.game import Game
from solver.rules.grid import won_lines
from solver.value import Outcome, outcome

SIDE = 3
MOST = 3_300  # boards in a picture, which then has about a megabyte
UNIT = 30.0  # the side of a cell, in the units of its own board
WHOLE = SIDE * UNIT
INNER = 0.29  # the side of a nested board, as a share of the board around it
RAISED = 0.7  # how far above the middle of its cell a nested board is, for the word below it
PIXELS = 900  # the side of the outermost board
MARGIN, TOP = 30, 104
TINTS = {Outcome.WIN: "good", Outcome.LOSS: "bad"}
WORDS = {Outcome.WIN: "won", Outcome.DRAW: "draw", Outcome.LOSS: "lost"}
VALUES = {Outcome.WIN: "wins", Outcome.DRAW: "never loses", Outcome.LOSS: "can be beaten"}


class Plan(NamedTuple):
    """What the side plays at a position, and what follows each reply."""

    move: str
    """The name of the side's move; empty if the game is over, or the opponent begins."""
    cell: int
    """The cell that the move fills, or -1."""
    after: Any
    """The position after the move."""
    marks: str
    """The marks of that position."""
    replies: tuple[tuple[str, int, Plan], ...]
    """Every move of the opponent, its name and cell, with the plan that follows."""
    boards: int
    """The number of boards in its picture."""


def make_plan(agent: TableAgent, side: str) -> Plan:
    """Return the plan of the side with this seat from the start of the game.

    Raises ValueError if the game has no such side, or is not played by filling 3x3 cells, and for a
    plan of too many boards.
    """
    game = agent.game
    if side not in game.seats:
        sides = " or ".join(game.seats)
        raise ValueError(f"there is no side {side!r} in {game.spec}; it must be {sides}")
    if game.board != (SIDE, SIDE):
        raise ValueError(f"{game.spec} has no map: its board is not 3x3")
    made: dict[Any, Plan] = {}

    def follow(p: Any, move: Any) -> Plan:
        after, cell = (p, -1) if move is None else _fill(game, p, move, side)
        name, over = "" if cell < 0 else game.label(p, move), game.primitive(after) is not None
        replies = () if over else tuple(answer(after, m) for m in game.moves(after))
        marks = game.marks(game.text(after, side if cell < 0 else game.other(side)))
        return Plan(name, cell, after, marks, replies, 1 + sum(plan.boards for *_, plan in replies))

    def answer(before: Any, reply: Any) -> tuple[str, int, Plan]:
        p, cell = _fill(game, before, reply, game.other(side))
        if p not in made:
            made[p] = follow(p, agent.table.best(p))
        return game.label(before, reply), cell, made[p]

    start = game.initial()
    plan = follow(start, agent.table.best(start) if side == game.seats[0] else None)
    if plan.boards > MOST:
        raise ValueError(
            f"the map of {game.spec} for {side} would have {plan.boards:,} boards; at most"
            f" {MOST:,} are drawn"
        )
    return plan


def _fill(game: Game[Any, Any], p: Any, m: Any, seat: str) -> tuple[Any, int]:
    """Return the position after a move of the seat, and the cell that it fills.

    Raises ValueError if the move does anything other than fill one empty cell.
    """
    child = game.play(p, m)
    before, after = game.marks(game.text(p, seat)), game.marks(game.text(child, game.other(seat)))
    changed = [i for i in range(len(before)) if before[i] != after[i : i + 1]]
    whole = len(before) == len(after) == SIDE * SIDE
    if not whole or len(changed) != 1 or before[changed[0]] != ".":
        raise ValueError(
            f"{game.spec} has no map: the move {game.label(p, m)} does not fill one empty cell"
        )
    return child, changed[0]


def draw_map(agent: TableAgent, side: str) -> tuple[Drawing, int]:
    """Return the drawing of one side's plan and the number of boards in it; raises ValueError."""
    plan = make_plan(agent, side)
    boards, game = plan.boards, agent.game
    title = f"{game.spec}: the perfect play of {side}"
    how, legend = _directions(agent, plan, side)
    shapes = (
        Text((MARGIN, 30.3), title, 22, "ink", align="start"),
        Text((MARGIN, 58.8), how, 15, "ink", align="start"),
        Text((MARGIN, 81.5), legend, 13, "note", align="start"),
        Group(tuple(_board(game, plan)), MARGIN, TOP, PIXELS / WHOLE),
    )
    width, height = PIXELS + 2 * MARGIN, PIXELS + TOP + MARGIN
    description = f"{how} {legend} {boards:,} boards in all."
    drawing = Drawing(width, height, shapes, title, description=description, symbols=_symbols())
    return drawing, boards


def _directions(agent: TableAgent, plan: Plan, side: str) -> tuple[str, str]:
    """Return how to read the map, and what its colours mean."""
    other = agent.game.other(side)
    find = f"the cell that {other} takes: the board in it shows"
    if plan.cell < 0:
        how = f"Find {find} how {side} answers, in blue. Then look in that board, and so on."
    else:
        how = f"Play the largest mark. Then find {find} what to play next, and so on."
    score = agent.table.probe(agent.game.initial())
    value = outcome(score if side == agent.game.seats[0] else -score)
    lost = f"; orange boards: {side} has lost" if value is Outcome.LOSS else ""
    return how, f"A player who follows it {VALUES[value]}. Blue boards: {side} has won{lost}."


def _board(game: Game[Any, Any], plan: Plan) -> Iterator[Shape]:
    """Yield the board of a plan, in a square from 0 to WHOLE, and the boards inside it."""
    yield from _end(game, plan)
    yield Use("grid")
    for cell, mark in sorted(enumerate(plan.marks), key=lambda each: each[0] == plan.cell):
        if mark != ".":
            yield Use(f"{'new' * (cell == plan.cell)}{'x' if mark == 'X' else 'o'}{cell}")
    nested: dict[int, list[tuple[str, Plan]]] = {}
    for reply, cell, answer in plan.replies:
        nested.setdefault(cell, []).append((reply, answer))
    for cell, inside in nested.items():
        across = math.ceil(math.sqrt(len(inside)))
        part = UNIT / across
        scale = INNER / across
        for number, (reply, answer) in enumerate(inside):
            x = cell % SIDE * UNIT + (number % across + 0.5) * part - scale * WHOLE / 2
            y = cell // SIDE * UNIT + UNIT / 2 - scale * WHOLE / 2 - RAISED / across
            y += (number // across - (len(inside) - 1) // across / 2) * part
            title = f"{reply}: {answer.move}" if answer.move else reply
            yield Group(tuple(_board(game, answer)), x, y, scale, title)


def _end(game: Game[Any, Any], plan: Plan) -> Iterator[Shape]:
    """Yield the signs of a finished game: a tint and a word, and its winning lines."""
    over = game.primitive(plan.after)
    if over is None:
        return
    result = over if plan.cell < 0 else Outcome(-over)  # `over` is for the side to move
    yield Use(WORDS[result])
    for cells in won_lines(game, plan.after):
        yield Line((_middle(cells[0]), _middle(cells[-1])), TINTS[result], 3)


def _middle(cell: int) -> Point:
    return cell % SIDE * UNIT + UNIT / 2, cell // SIDE * UNIT + UNIT / 2


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
