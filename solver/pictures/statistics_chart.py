"""The statistics of a table as one picture: a sheet of bar charts by ply and by distance.

Takes statistics; returns a Drawing. In each bar wins are solid, at the bottom, losses hatched, at
the top, and draws pale.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from solver.pictures.shapes import Drawing, Group, Line, Rectangle, Shape, Text
from solver.pictures.svg import HATCH
from solver.tables.statistics import Statistics, scope

WIDE, HIGH = 400, 170  # of the field of a chart
LEFT, TOP = 74, 122  # of the first chart's field
ACROSS, DOWN = WIDE + 94, HIGH + 86  # from chart to chart
MOST_TICKS = 14  # bars with a name below them
MOST_LABELS = 10  # bars with their height above them
WIN, DRAW, LOSS, PLAIN = "win", "draw", "loss", "plain"
FILLS = {WIN: ("good", 1), DRAW: ("note", 0.35), LOSS: (HATCH, 1), PLAIN: ("note", 1)}
"""The role and the opacity of each kind of bar."""


class Bar(NamedTuple):
    """One bar: its name, and its parts from the bottom up, each a height and a kind."""

    name: str
    parts: Sequence[tuple[float, str]]
    mark: float | None = None
    """A height at which a line crosses the bar."""


def draw_statistics(found: Statistics) -> Drawing:
    """Return the drawing of statistics."""
    charts = [*_by_number(found), _distances(found), _totals(found)]
    title = f"{found.game}: what the table says"
    shapes = (
        Text((24, 29), title, 20, "ink", align="start"),
        Text((24, 53.5), scope(found), 13, "note", align="start"),
        *_legend(),
        *(
            Group(tuple(chart), LEFT + i % 2 * ACROSS, TOP + i // 2 * DOWN)
            for i, chart in enumerate(charts)
        ),
    )
    width, height = LEFT + ACROSS + WIDE + 30, TOP + 3 * DOWN - 26
    description = " ".join(f"{name}: {value}." for name, value in _facts(found))
    return Drawing(width, height, shapes, title, description=description)


def _by_number(found: Statistics) -> list[list[Shape]]:
    """Return the charts with a bar for each ply or tier."""
    by = found.by
    counts, shares, moves, single = [], [], [], []
    for row in found.rows:
        name = str(row.number)
        parts = [(row.win, WIN), (row.draw, DRAW), (row.loss, LOSS)]
        counts.append(Bar(name, parts))
        shares.append(Bar(name, [(n / max(1, row.positions), kind) for n, kind in parts]))
        moves.append(Bar(name, [(row.branching or 0, PLAIN)], row.most))
        single.append(Bar(name, [(row.share or 0, PLAIN)]))
    return [
        _chart(f"{found.unit.capitalize()} by {by}", by, counts, None),
        _chart(f"Outcome for the side to move by {by}", by, shares, 1),
        _chart(f"Moves by {by}: on average, and the most (line)", by, moves, None),
        _chart(f"Only one good move among several, by {by}", by, single, 1),
    ]


def _distances(found: Statistics) -> list[Shape]:
    """Return the chart of positions by plies to the end."""
    wins, losses = found.distances["win"], found.distances["loss"]
    bars = [
        Bar(str(n), [(wins.get(n, 0), WIN), (losses.get(n, 0), LOSS)])
        for n in range(max(wins | losses, default=0) + 1)
    ]
    return _chart("Won and lost positions by plies to the end", "plies to the end", bars, None)


def _chart(title: str, axis: str, bars: Sequence[Bar], top: float | None) -> list[Shape]:
    """Return a bar chart in a field from (0, 0) to (WIDE, HIGH); a top of 1 is 100%."""
    highest = max((max(sum(n for n, _ in b.parts), b.mark or 0) for b in bars), default=0)
    step = 0.25 if top == 1 else _tick(highest)
    top = top or max(step, math.ceil(highest / step) * step)
    shapes: list[Shape] = [Text((0, -17), title, 14, "ink", align="start")]
    for number in range(round(top / step) + 1):
        tick = number * step
        y, label = HIGH - tick / top * HIGH, f"{tick:.0%}" if step < 1 else f"{tick:,.0f}"
        shapes.append(Line(((0, y), (WIDE, y)), "ink", 0.5, opacity=0.4))
        shapes.append(Text((-8, y), label, 11, "note", align="end"))
    room = WIDE / max(1, len(bars))
    every = math.ceil(len(bars) / MOST_TICKS)
    for i, bar in enumerate(bars):
        middle = (i + 0.5) * room
        shapes += _bar(bar, middle, room, HIGH / top)
        if step >= 1 and bar.mark is None and len(bars) <= MOST_LABELS:
            whole = sum(amount for amount, _ in bar.parts)
            shapes.append(
                Text((middle, HIGH - whole * HIGH / top - 7.5), f"{whole:,.0f}", 10, "ink")
            )
        if i % every == 0:
            shapes.append(Text((middle, HIGH + 12), bar.name, 11, "note"))
    shapes.append(Line(((0, HIGH), (WIDE, HIGH)), "ink", 1))
    shapes.append(Text((WIDE, HIGH + 28), axis, 11, "note", align="end"))
    return shapes


def _bar(bar: Bar, middle: float, room: float, unit: float) -> list[Shape]:
    """Return one bar; `unit` is the height of 1."""
    wide, y = min(34.0, room * 0.76), float(HIGH)
    shapes: list[Shape] = []
    for amount, kind in bar.parts:
        high = amount * unit
        y -= high
        if amount:
            role, opacity = FILLS[kind]
            shapes.append(Rectangle(middle - wide / 2, y, wide, high, role, opacity=opacity))
    if bar.mark is not None:
        at, half = HIGH - bar.mark * unit, min(wide / 2 + 3, room / 2)
        shapes.append(Line(((middle - half, at), (middle + half, at)), "ink", 2))
    return shapes


def _tick(highest: float) -> int:
    """Return the step of 1, 2 or 5 times a power of ten that makes up to five ticks."""
    rough = max(highest / 5, 1)
    power = int(10 ** math.floor(math.log10(rough)))
    return next(power * n for n in (1, 2, 5, 10) if power * n >= rough)


def _legend() -> list[Shape]:
    """Return the meaning of the fills."""
    shapes: list[Shape] = []
    for number, kind in enumerate((WIN, DRAW, LOSS)):
        x, (role, opacity) = 24 + number * 74, FILLS[kind]
        shapes.append(Rectangle(x, 72, 14, 14, role, opacity=opacity))
        shapes.append(Text((x + 20, 79.5), kind, 13, "ink", align="start"))
    return shapes


def _facts(found: Statistics) -> list[tuple[str, str]]:
    """Return the numbers of the whole table, each with its name."""
    whole = found.total
    parts = [("won", whole.win), ("drawn", whole.draw), ("lost", whole.loss)]
    facts = [(found.unit, f"{whole.positions:,}")]
    facts += [(f"{name} for the side to move", f"{n / whole.positions:.1%}") for name, n in parts]
    facts.append(("game over", f"{whole.over / whole.positions:.1%}"))
    if whole.branching is not None:
        facts.append(("moves of the others, on average", f"{whole.branching:.2f}"))
    if whole.share is not None:
        facts.append(("one good move among several", f"{whole.share:.1%}"))
    for outcome, plies in found.longest.items():
        facts.append((f"longest {outcome}", "-" if plies is None else f"{plies} plies"))
    return facts


def _totals(found: Statistics) -> list[Shape]:
    """Return the numbers of the whole table as lines of text."""
    shapes: list[Shape] = [Text((0, -17), "The whole table", 14, "ink", align="start")]
    for number, (name, value) in enumerate(_facts(found)):
        y = 7.5 + number * 20
        shapes.append(Text((0, y), name, 13, "note", align="start"))
        shapes.append(Text((250, y), value, 13, "ink", align="start"))
    return shapes
