"""The complete strategy of one side as one nested picture, in the manner of xkcd 832.

Takes an agent for a game that fills the cells of a 3x3 board one by one; returns a plan, which has
one move of the reader for every reply of the opponent, and the plan's picture. In the picture each
cell that the opponent can take holds a smaller board with the reader's next move, and so on. All
moves of the reader are the agent's best, so who follows the plan never drops an outcome.
"""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from solver.pictures import svg as pictures
from solver.pictures.shapes import BLUE, ORANGE
from solver.rules import grid
from solver.value import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from solver.agent.agent import TableAgent
    from solver.rules.game import Game

SIDE = 3
MOST = 3_300  # boards in a picture, which then has about a megabyte
UNIT = 30.0  # a cell, in its own board's measure
WHOLE = SIDE * UNIT
INNER = 0.29  # a nested board's side, of the board around it
RAISED = 0.7  # how far above its cell's middle a nested board stands, for the word below it
PIXELS = 900  # the outermost board's side
MARGIN, TOP = 30, 104
LINES = grid.lines(SIDE, SIDE, SIDE)
TINTS = {Outcome.WIN: BLUE, Outcome.LOSS: ORANGE}
WORDS = {Outcome.WIN: "won", Outcome.DRAW: "draw", Outcome.LOSS: "lost"}
VALUES = {Outcome.WIN: "wins", Outcome.DRAW: "never loses", Outcome.LOSS: "can be beaten"}


class Plan(NamedTuple):
    """A position with the reader to move, what to play there and where every reply leads."""

    position: Any
    move: Any
    """The reader's move; None if the game is over, or at the start if the opponent begins."""
    after: Any
    """The position after the reader's move."""
    replies: tuple[tuple[Any, Plan], ...]
    """Every move of the opponent, with the plan for what follows; none if the game is over."""


def make_plan(agent: TableAgent, reader: str) -> Plan:
    """Return the plan of one side, named by its seat, from the start of the game.

    Raises ValueError if the game has no such side, or is not played by filling 3x3 cells.
    """
    game = agent.game
    if reader not in game.seats:
        sides = " or ".join(game.seats)
        raise ValueError(f"there is no side {reader!r} in {game.spec}; it must be {sides}")
    if game.board != (SIDE, SIDE):
        raise ValueError(f"{game.spec} has no map: its board is not one of 3x3 cells")
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
    """Return the empty cell that a move of the seat fills, and the mark that it sets there.

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
    """Return how many boards the picture of a plan has."""
    known: dict[Any, int] = {}

    def count(part: Plan) -> int:
        if part.position not in known:
            known[part.position] = 1 + sum(count(answer) for _, answer in part.replies)
        return known[part.position]

    return count(plan)


def draw_map(agent: TableAgent, reader: str) -> tuple[str, int]:
    """Return the plan of one side as an SVG picture, and how many boards it has.

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
    lines = _directions(agent, plan, reader)
    head = "".join(
        f'<text class="{kind}" x="{MARGIN}" y="{y}" font-size="{size}">{escape(line)}</text>'
        for kind, y, size, line in zip(
            ("text", "text", "note"), (38, 64, 86), (22, 15, 13), (title, *lines), strict=True
        )
    )
    body = "".join(_board(game, plan, reader))
    told = f"<desc>{escape(' '.join(lines))} {boards:,} boards in all.</desc>"
    drawn = (
        f'<g transform="translate({MARGIN} {TOP})scale({PIXELS / WHOLE:g})" fill="none"'
        f' stroke-linecap="round" font-size="6.5" text-anchor="middle">{body}</g>'
    )
    size = PIXELS + 2 * MARGIN
    return pictures.picture(
        size, size + TOP - MARGIN, f"{told}{_definitions()}{head}{drawn}", title
    ), boards


def _directions(agent: TableAgent, plan: Plan, reader: str) -> tuple[str, str]:
    """Return how to read the map, and what its colours mean."""
    other = agent.game.other(reader)
    find = f"the cell that {other} takes: the board in it shows"
    if plan.move is None:
        how = f"Find {find} how {reader} answers, in blue. Then look in that board, and so on."
    else:
        how = f"Play the largest mark. Then find {find} what to play next, and so on."
    held = agent.outcome(agent.game.initial())
    value = Outcome(held if reader == agent.game.seats[0] else -held)
    return how, (
        f"Who follows it {VALUES[value]}. Blue boards: {reader} has won; orange ones: {reader} has"
        " lost."
    )


def _board(game: Game[Any, Any], plan: Plan, reader: str) -> Iterator[str]:
    """Yield the drawing of a plan's board, in a square from 0 to WHOLE, and of those inside it."""
    other = game.other(reader)
    over = game.primitive(plan.after)
    if over is not None:
        yield from _end(game, plan, reader, over)
    yield '<use href="#grid"/>'
    marks = game.marks(game.text(plan.position, reader))
    for cell, mark in enumerate(marks):
        if mark != ".":
            yield f'<use href="#{_shape(mark)}{cell}"/>'
    if plan.move is not None:
        cell, mark = filled(game, plan.position, plan.move, reader)
        yield f'<use href="#new{_shape(mark)}{cell}"/>'
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
            yield f'<g transform="translate({x:.4g} {y:.4g})scale({scale:.4g})">'
            yield f"<title>{escape(_told(game, plan.after, reply, answer))}</title>"
            yield from _board(game, answer, reader)
            yield "</g>"


def _told(game: Game[Any, Any], p: Any, reply: Any, answer: Plan) -> str:
    """Return what a nested board says: the reply that leads there and the answer to it."""
    said = game.label(p, reply)
    if answer.move is None:
        return said
    return f"{said}: {game.label(answer.position, answer.move)}"


def _end(game: Game[Any, Any], plan: Plan, reader: str, over: Outcome) -> Iterator[str]:
    """Yield what marks the board of a finished game: its tint, its full line, and a word."""
    result = over if plan.move is None else Outcome(-over)  # `over` is for the side to move
    if result is not Outcome.DRAW:
        yield f'<use href="#{WORDS[result]}"/>'
        seat = reader if plan.move is None else game.other(reader)
        yield _struck(game.marks(game.text(plan.after, seat)), TINTS[result])
    yield f'<text class="text" x="45" y="96.6">{WORDS[result]}</text>'


def _struck(marks: str, colour: str) -> str:
    """Return strokes through the rows, columns and diagonals of three equal marks."""
    strokes = []
    for line in LINES:
        cells = [cell for cell in range(len(marks)) if line >> cell & 1]
        if marks[cells[0]] != "." and len({marks[cell] for cell in cells}) == 1:
            (x, y), (to_x, to_y) = (_middle(cell) for cell in (cells[0], cells[-1]))
            strokes.append(f"M{x:g} {y:g}L{to_x:g} {to_y:g}")
    return f'<path stroke="{colour}" stroke-width="3" d="{"".join(strokes)}"/>' if strokes else ""


def _middle(cell: int) -> tuple[float, float]:
    return cell % SIDE * UNIT + UNIT / 2, cell // SIDE * UNIT + UNIT / 2


def _shape(mark: str) -> str:
    return "x" if mark == "X" else "o"


def _definitions() -> str:
    """Return the parts that all boards use: the grid, tints, and marks for each cell."""
    parts = ['<path id="grid" class="ink" stroke-width=".7" d="M30 2V88M60 2V88M2 30H88M2 60H88"/>']
    parts += [
        f'<path id="{WORDS[result]}" fill="{colour}" fill-opacity=".25" d="M-1-1H91V91H-1z"/>'
        for result, colour in TINTS.items()
    ]
    for cell in range(SIDE * SIDE):
        x, y = _middle(cell)
        for shape, outline in (("x", _cross), ("o", _circle)):
            parts.append(
                f'<path id="{shape}{cell}" class="ink" stroke-width="2" d="{outline(x, y, 8)}"/>'
                f'<path id="new{shape}{cell}" stroke="{BLUE}" stroke-width="5"'
                f' d="{outline(x, y, 10)}"/>'
            )
    return f"<defs>{''.join(parts)}</defs>"


def _cross(x: float, y: float, r: float) -> str:
    return f"M{x - r:g} {y - r:g}L{x + r:g} {y + r:g}M{x + r:g} {y - r:g}L{x - r:g} {y + r:g}"


def _circle(x: float, y: float, r: float) -> str:
    return f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0-{2 * r:g} 0z"
