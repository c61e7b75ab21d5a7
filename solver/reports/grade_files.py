"""Grades as files: a web page that needs no other file, and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from solver.arena.grade import Grade
from solver.errors import one_line
from solver.pictures.marks import CELL, board
from solver.pictures.shapes import Drawing
from solver.pictures.svg import escaped, svg
from solver.reports.grade_text import (
    SHOWN,
    blunder_text,
    blunders_title,
    losing_line,
    ranked,
    remarks,
    summary,
    tables,
    verdict,
)
from solver.reports.html import document, element, table_of
from solver.rules.game import Game


def page(grades: list[Grade], game: Game[Any, Any], source: str = "") -> str:
    """Return the web page about the grades of players at a game, which the options name."""
    title = grades[0].player if len(grades) == 1 else f"{len(grades)} players"
    parts = [element("h1", f"{title} at {grades[0].game}")]
    if len(grades) > 1:
        parts.append(table_of(summary(grades), "player"))
    for number, grade in enumerate(ranked(grades), 1):
        if len(grades) > 1:
            parts.append(f'<h2 id="player-{number}">{escaped(grade.player)}</h2>')
        parts.append(_section(grade, game, source))
    return document(f"{title}: grade", parts)


def _section(grade: Grade, game: Game[Any, Any], source: str) -> str:
    """Return the report on one player."""
    parts = [f"<p>{element('strong', verdict(grade))}</p>"]
    parts += [element("p", line) for line in losing_line(grade, source)]
    if grade.losing_line is not None:
        steps = [(step.position, f"{step.turn} plays {step.label}") for step in grade.losing_line]
        parts.append(_boards(_figure(game, text, caption) for text, caption in steps))
    for table in tables(grade):
        note = element("p", table.note) if table.note else ""
        parts.append(element("h3", table.title) + table_of(table.rows) + note)
    if grade.blunders:
        figures = (
            _figure(game, b.position, blunder_text(b), b.turn, b.move, b.best)
            for b in grade.blunders[:SHOWN]
        )
        parts.append(element("h3", blunders_title(grade)) + _boards(figures))
        if grade.blunder_count > SHOWN:
            parts.append(element("p", f"... and {grade.blunder_count - SHOWN:,} more"))
    return "".join([*parts, *(element("p", remark) for remark in remarks(grade))])


def _figure(
    game: Game[Any, Any],
    text: str,
    caption: str,
    turn: str | None = None,
    bad: Any = None,
    good: Iterable[Any] = (),
) -> str:
    """Return a position with a caption: a picture of its board, or its text without a board.

    The picture marks the bad move and the good moves of the side `turn`, if given.
    """
    if game.board is None:
        return f"<figure>{element('code', text)}{element('figcaption', caption)}</figure>"
    columns, rows = game.board
    cells = {}
    if turn is not None:
        p = game.parse(text, turn)
        cells = {game.code(m): game.cell(p, m) for m in game.moves(p)}
    best = [cell for cell in (cells.get(move) for move in good) if cell is not None]
    shapes = board(game.marks(text), columns, cells.get(bad), best)
    drawn = svg(Drawing(columns * CELL, rows * CELL, shapes, caption))
    return f"<figure>{drawn}{element('figcaption', caption)}</figure>"


def _boards(figures: Iterable[str]) -> str:
    return f'<div class="boards">{"".join(figures)}</div>'


def csv_text(grades: list[Grade]) -> str:
    """Return the grades as CSV, a line for each player in the order in which they were named."""
    file = io.StringIO()
    rates = ("positions", "good_move_rate", "perfect_move_rate", "mean_regret")
    facts = ("player", "game", "seats", "method", "never_loses", "optimal", "blunder_count")
    names = [*facts, "faults", "not_asked", *rates, "losing_line", "verdict"]
    lines = csv.DictWriter(file, names, lineterminator="\n")
    lines.writeheader()
    for grade in grades:
        row = grade._asdict() | {"faults": len(grade.faults), "verdict": verdict(grade)}
        row["method"] = grade.basis
        row["losing_line"] = " ".join(step.label for step in grade.losing_line or [])
        shown = grade.reachable or grade.all
        if shown and grade.is_graded:
            row |= shown._asdict() if shown.choices else {"positions": shown.positions}
        lines.writerow({name: _cell(row.get(name)) for name in names})
    return file.getvalue()


def _cell(value: object) -> object:
    """Return what a cell holds: a text that spreadsheets do not take for a formula."""
    if not isinstance(value, str):
        return value
    return "'" * value.startswith(("=", "+", "-", "@")) + one_line(value)
