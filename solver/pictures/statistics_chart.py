"""The statistics of a table as one picture: a sheet of bar charts by ply and by distance.

Takes statistics; returns SVG. Wins are solid, losses hatched, draws pale, in this order from below.
"""

from __future__ import annotations

import math
from html import escape
from typing import TYPE_CHECKING, NamedTuple

from solver.pictures import svg as pictures
from solver.pictures.shapes import BLUE, ORANGE
from solver.tables.statistics import scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from solver.tables.statistics import Statistics

WIDE, HIGH = 400, 170  # a chart's own field, in pixels
LEFT, TOP = 74, 122  # of the first chart
ACROSS, DOWN = WIDE + 94, HIGH + 86  # from chart to chart
MOST_TICKS = 14  # numbers below a chart
MOST_SAID = 10  # bars that have their height written above them
WIN, DRAW, LOSS, PLAIN = "win", "draw", "loss", "plain"
HATCH = (
    '<defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse"'
    f' patternTransform="rotate(45)"><rect width="5" height="5" fill="{ORANGE}"/>'
    '<rect class="paper" width="1.6" height="5"/></pattern></defs>'
)
FILLS = {
    WIN: f'fill="{BLUE}"',
    DRAW: 'class="note" fill-opacity=".35"',
    LOSS: 'fill="url(#hatch)"',
    PLAIN: 'class="note"',
}


class Bar(NamedTuple):
    """One bar: its name, and its parts from below, each a height and a kind."""

    name: str
    parts: Sequence[tuple[float, str]]
    mark: float | None = None
    """A height at which a line stands across the bar."""


def draw_statistics(found: Statistics) -> str:
    """Return statistics as an SVG picture."""
    charts = [*_by_number(found), _distances(found), _numbers(found)]
    placed = [
        f'<g transform="translate({LEFT + i % 2 * ACROSS} {TOP + i // 2 * DOWN})">{chart}</g>'
        for i, chart in enumerate(charts)
    ]
    title = f"{found.game}: what the table says"
    told = f"<desc>{escape(' '.join(f'{name}: {value}.' for name, value in _facts(found)))}</desc>"
    head = (
        f'<text class="text" x="24" y="36" font-size="20">{escape(title)}</text>'
        f'<text class="note" x="24" y="58" font-size="13">{escape(scope(found))}</text>{_key()}'
    )
    width, height = LEFT + ACROSS + WIDE + 30, TOP + 3 * DOWN - 26
    return pictures.picture(width, height, f"{told}{HATCH}{head}{''.join(placed)}", title)


def _by_number(found: Statistics) -> list[str]:
    """Return the charts that have a bar for each ply or tier."""
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


def _distances(found: Statistics) -> str:
    """Return the chart of how far off the end is."""
    wins, losses = found.distances["win"], found.distances["loss"]
    bars = [
        Bar(str(n), [(wins.get(n, 0), WIN), (losses.get(n, 0), LOSS)])
        for n in range(max(wins | losses, default=0) + 1)
    ]
    return _chart("Won and lost positions by plies to the end", "plies to the end", bars, None)


def _chart(title: str, axis: str, bars: Sequence[Bar], top: float | None) -> str:
    """Return a bar chart in a field from (0, 0) to (WIDE, HIGH); a top of 1 stands for 100%."""
    highest = max((max(sum(n for n, _ in b.parts), b.mark or 0) for b in bars), default=0)
    step = 0.25 if top == 1 else _tick(highest)
    top = top or max(step, math.ceil(highest / step) * step)
    parts = [f'<text class="text" x="0" y="-12" font-size="14">{escape(title)}</text>']
    for number in range(round(top / step) + 1):
        y = HIGH - number * step / top * HIGH
        tick = number * step
        said = f"{tick:.0%}" if step < 1 else f"{tick:,.0f}"
        parts.append(
            f'<path class="ink" stroke-width=".5" stroke-opacity=".4" d="M0 {y:.1f}H{WIDE}"/>'
            f'<text class="note" x="-8" y="{y + 4:.1f}" font-size="11" text-anchor="end">'
            f"{said}</text>"
        )
    room = WIDE / max(1, len(bars))
    every = math.ceil(len(bars) / MOST_TICKS)
    for i, bar in enumerate(bars):
        middle = (i + 0.5) * room
        parts.append(_bar(bar, middle, room, HIGH / top))
        if step >= 1 and bar.mark is None and len(bars) <= MOST_SAID:
            whole = sum(amount for amount, _ in bar.parts)
            parts.append(
                f'<text class="text" x="{middle:.1f}" y="{HIGH - whole * HIGH / top - 4:.1f}"'
                f' font-size="10" text-anchor="middle">{whole:,.0f}</text>'
            )
        if i % every == 0:
            parts.append(
                f'<text class="note" x="{middle:.1f}" y="{HIGH + 16}" font-size="11"'
                f' text-anchor="middle">{bar.name}</text>'
            )
    parts.append(
        f'<path class="ink" stroke-width="1" d="M0 {HIGH}H{WIDE}"/><text class="note"'
        f' x="{WIDE}" y="{HIGH + 32}" font-size="11" text-anchor="end">{escape(axis)}</text>'
    )
    return "".join(parts)


def _bar(bar: Bar, middle: float, room: float, unit: float) -> str:
    """Return one bar around a middle, `unit` pixels high for each one of what it counts."""
    wide, y = min(34.0, room * 0.76), float(HIGH)
    parts = []
    for amount, kind in bar.parts:
        high = amount * unit
        y -= high
        if amount:
            parts.append(
                f'<rect {FILLS[kind]} x="{middle - wide / 2:.1f}" y="{y:.2f}" width="{wide:.1f}"'
                f' height="{high:.2f}"/>'
            )
    if bar.mark is not None:
        at, half = HIGH - bar.mark * unit, min(wide / 2 + 3, room / 2)
        parts.append(
            f'<path class="ink" stroke-width="2" d="M{middle - half:.1f} {at:.1f}h{2 * half:.1f}"/>'
        )
    return "".join(parts)


def _tick(highest: float) -> int:
    """Return the step of 1, 2 or 5 times a power of ten that makes up to five ticks."""
    rough = max(highest / 5, 1)
    power = int(10 ** math.floor(math.log10(rough)))
    return next(power * n for n in (1, 2, 5, 10) if power * n >= rough)


def _key() -> str:
    """Return what the fillings mean."""
    parts = []
    for number, kind in enumerate((WIN, DRAW, LOSS)):
        x = 24 + number * 74
        parts.append(
            f'<rect {FILLS[kind]} x="{x}" y="72" width="14" height="14"/>'
            f'<text class="text" x="{x + 20}" y="84" font-size="13">{kind}</text>'
        )
    return "".join(parts)


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


def _numbers(found: Statistics) -> str:
    """Return the numbers of the whole table as lines of text."""
    parts = ['<text class="text" x="0" y="-12" font-size="14">The whole table</text>']
    for number, (name, value) in enumerate(_facts(found)):
        y = 12 + number * 20
        parts.append(
            f'<text class="note" x="0" y="{y}" font-size="13">{escape(name)}</text>'
            f'<text class="text" x="250" y="{y}" font-size="13">{escape(value)}</text>'
        )
    return "".join(parts)
