"""The report on a game as a web page that needs no other file: words, tables and two pictures."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from solver.agent.agent import MoveScore
from solver.arena.report import MatchUp, Report
from solver.errors import NoBoardError
from solver.pictures.position import draw_position
from solver.pictures.shapes import Drawing, Rectangle, Shape, Text
from solver.pictures.svg import svg
from solver.reports.game_words import Section, percent
from solver.reports.html import document, element, table_of
from solver.rules.game import Game

WIDE, ROW, BAR = 360, 48, 20  # of the picture of results, which fits a phone
NARROW = 44  # too narrow for a label
ROLES = ("win", "draw", "loss")


def page(
    report: Report, parts: list[Section], game: Game[Any, Any], scores: list[MoveScore]
) -> str:
    """Return the web page about the report on a game; `scores` are those of the first moves."""
    pictures = {"How games end": svg(draw_results([*report.matches.values()]))}
    with suppress(NoBoardError):
        board = draw_position(game, game.initial(), game.seats[0], scores=scores)
        pictures["First moves"] = svg(board)
    title = f"{game.title or report.game}: a report"
    body = [element("h1", title)]
    for part in parts:
        body.append(element("h2", part.title))
        body += [f"<p>{element('strong', line)}</p>" for line in part.found]
        body.append(pictures.get(part.title, ""))
        body.append(table_of(part.rows) if part.rows else "")
        body.append(element("p", part.meaning))
    return document(title, body)


def draw_results(matches: list[MatchUp]) -> Drawing:
    """Return bars of how often the first player wins, of draws, and of the second player's wins."""
    shapes: list[Shape] = []
    for number, m in enumerate(matches):
        x, y = 0.0, ROW * number + ROW - BAR / 2
        label = f"{m.first} against {m.second}" + (" (sampled)" if m.games else "")
        shapes.append(Text((x, y - BAR), label, 12, "ink", align="start"))
        for share, role in zip(m.result, ROLES, strict=True):
            wide = WIDE * share
            shapes.append(Rectangle(x, y - BAR / 2, wide, BAR, role))
            if wide >= NARROW:
                shapes.append(Text((x + wide / 2, y), percent(share), 11, "on-value"))
            x += wide
    words = "blue: the first wins; grey: a draw; orange: the second wins"
    y = ROW * len(matches) + 20
    shapes.append(Text((0, y), words, 12, "note", align="start"))
    return Drawing(WIDE, y + 14, tuple(shapes), f"How games end: {words}")
