"""Drawings of positions, maps and figures: golden SVG files, and what a drawing shows.

`tests/pictures/golden` has pictures that were found good by eye. To accept new ones after a
deliberate change, run `python -m tests.pictures.test_position` and look at them.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import partial

import pytest

from solver import NoBoardError, TableAgent, load_game
from solver.games.mnk import Mnk
from solver.pictures.board_layout import layout_of
from solver.pictures.marks import board
from solver.pictures.position import draw_position
from solver.pictures.shapes import Circle, Drawing, Group, Polygon, Shape, Text
from solver.pictures.strategy_map import draw_map
from solver.pictures.svg import DARK, LIGHT, svg
from tests.conftest import ROOT
from tests.support.boards import PICTURES, drawn
from tests.support.solved import solved_agent

FOLDER = ROOT / "tests" / "pictures" / "golden"
SVG = "{http://www.w3.org/2000/svg}"


def strategy(name: str, seat: int) -> Drawing:
    agent = solved_agent(name)
    return draw_map(agent, agent.game.seats[seat])[0]


GOLDEN: dict[str, Callable[[], Drawing]] = {
    **{f"board-{name}": draw for name, draw in PICTURES.items()},
    "map-tictactoe-x": partial(strategy, "tictactoe", 0),
    "map-connect4-3x3-o": partial(strategy, "connect4:3x3", 1),
    "figure-tictactoe": lambda: Drawing(120, 120, board("XO.X.O...", 3, 2, [4, 8]), "a blunder"),
    "figure-chess": lambda: Drawing(160, 160, board("k...p...P..Q..aX", 4), "pieces"),
}


@pytest.mark.parametrize("name", GOLDEN)
def test_golden_pictures(name: str) -> None:
    assert svg(GOLDEN[name]()) == (FOLDER / f"{name}.svg").read_text()


def test_there_are_no_other_golden_pictures() -> None:
    assert {path.stem for path in FOLDER.iterdir()} == GOLDEN.keys()


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("plain", [False, True])
@pytest.mark.thinned(4)
def test_pictures_are_self_contained(name: str, plain: bool) -> None:
    """Well-formed, as wide as requested, titled, and without references to other files."""
    text = svg(PICTURES[name](), 120, plain=plain)
    root = ET.fromstring(text)
    assert (root.tag, root.get("width"), root.get("role")) == (f"{SVG}svg", "120", "img")
    assert root.find(f"{SVG}title") is not None
    assert text.count("http") == 1
    assert "href" not in text
    assert ("pp-" in text) != plain
    for element in root.iter():
        for part in (element.get("class") or "").split():
            assert f".{part}{{" in text


def test_text_is_escaped() -> None:
    words = "<b> & 'c'"
    group = Group((Text((1, 2), words, 10, "ink"),), title=words)
    drawing = Drawing(40, 20, (group,), words)._replace(description=words)
    root = ET.fromstring(svg(drawing))
    texts = [root.findtext(f"{SVG}{name}") for name in ("title", "desc")]
    assert texts == [words, words]
    assert [e.text for e in root.iter(f"{SVG}title")] == [words, words]
    assert [e.text for e in root.iter(f"{SVG}text")] == [words]


def test_a_plain_document_has_the_light_colours() -> None:
    drawing = Drawing(40, 20, (Circle((1, 2), 3, "tint", "ink"),), "a circle")
    circle = ET.fromstring(svg(drawing, plain=True)).find(f"{SVG}circle")
    assert circle is not None
    assert (circle.get("fill"), circle.get("stroke")) == (LIGHT["tint"], LIGHT["ink"])


def words_in(drawing: Drawing) -> list[str]:
    return [shape.text for shape in drawing.shapes if isinstance(shape, Text)]


def filled(drawing: Drawing, role: str) -> list[Shape]:
    shapes = drawing.shapes
    return [s for s in shapes if isinstance(s, Circle | Polygon) and s.fill == role]


def test_values_differ_by_word_shape_and_colour() -> None:
    """XO.X..O.. has every outcome; only the best move has a second outline."""
    drawing = PICTURES["tictactoe-values"]()
    assert [w for w in words_in(drawing) if w[0] in "WDL"] == ["W2", "D", "L2", "L2", "L2"]
    (win,), (draw,), losses = (filled(drawing, role) for role in ("win", "draw", "loss"))
    assert isinstance(win, Circle)
    assert win.centre == layout_of(load_game("tictactoe")).centre(4)
    assert isinstance(draw, Polygon)
    assert [len({x for x, _ in s.points}) for s in (draw, *losses) if isinstance(s, Polygon)] == [
        *(2, 3, 3, 3)  # the corners of a square have two x, those of a diamond three
    ]
    outlined = [s for s in filled(drawing, "paper") if isinstance(s, Circle) and s.line == "ink"]
    assert [s.centre for s in outlined] == [win.centre]


def test_equal_moves_have_no_second_outline(agent: TableAgent) -> None:
    drawing = draw_position(agent.game, 0, scores=agent.scores_at(0))
    assert len(filled(drawing, "draw")) == 9
    assert filled(drawing, "paper") == []


@pytest.mark.slow
def test_of_several_placings_on_a_cell_the_best_is_shown() -> None:
    """In wild tic-tac-toe a cell takes an X or an O; it has one badge."""
    agent = solved_agent("wild")
    scores = agent.scores_at(agent.game.initial())
    assert len(scores) == 18
    drawing = draw_position(agent.game, agent.game.initial(), scores=scores)
    shown = [w for w in words_in(drawing) if w[0] in "WDL"]
    assert len(shown) == 9
    assert shown.count("W4") == 1


def test_the_winning_line_is_marked() -> None:
    rack = PICTURES["connect4-won"]()
    rings = [s for s in rack.shapes if getattr(s, "line", None) == "sign"]
    layout = layout_of(load_game("connect4:5x4"))
    assert {s.centre for s in rings if isinstance(s, Circle)} == {
        layout.centre(cell) for cell in (0, 5, 10, 15)
    }
    for spec, text in [("tictactoe", "XOXXOOOXX"), ("hexapawn:3x3", "P../.../..P b")]:
        drawing = drawn(spec, text)  # a draw, and a game without lines
        assert not [s for s in drawing.shapes if getattr(s, "line", None) == "sign"]


def test_the_style_follows_from_the_rules() -> None:
    styles = {
        "cells": ("tictactoe", "mnk:4,1,3", "wild", "notakto"),
        "rack": ("connect4:5x4", "connect4:3x3,3"),
        "points": ("morris", "achi", "ponghauki", "mutorere"),
        "squares": ("hexapawn:3x3", "kingspawns"),
        "heaps": ("nim:3,4,5", "nim:1"),
    }
    for style, specs in styles.items():
        assert {layout_of(load_game(spec)).style for spec in specs} == {style}


def test_the_lines_between_points_follow_from_the_rules() -> None:
    """`solver.games.morris` draws a board with 16 lines; morris:any has four more."""
    drawn_lines = "12 14 15 23 25 35 36 45 47 56 57 58 59 69 78 89"
    expected = {(int(pair[0]) - 1, int(pair[1]) - 1) for pair in drawn_lines.split()}
    edges = {(1, 3), (1, 5), (3, 7), (5, 7)}
    assert layout_of(load_game("morris")).joined == expected
    assert layout_of(load_game("achi")).joined == expected
    assert layout_of(load_game("morris:any")).joined == expected | edges


def test_heaps_of_more_than_twenty_are_not_drawn() -> None:
    assert layout_of(load_game("nim:20")).style == "heaps"
    with pytest.raises(NoBoardError):
        layout_of(load_game("nim:21"))


class Letters(Mnk):
    """Tic-tac-toe with a and B in place of X and O, whose `board` may claim more rows."""

    def __init__(self, rows: int = 3) -> None:
        super().__init__(3, 3, 3)
        self.board = 3, rows

    def marks(self, text: str) -> str:
        return text.replace("X", "a").replace("O", "B")


def test_unknown_letters_are_drawn_on_discs() -> None:
    game = Letters()
    drawing = draw_position(game, game.parse("X...O...."))
    assert words_in(drawing)[:2] == ["A", "B"]
    assert len(filled(drawing, "black")) == len(filled(drawing, "white")) == 1
    with pytest.raises(ValueError, match=r"does not fit its 12 cells"):
        draw_position(Letters(4), 0)


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        r, g, b = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * r + 0.7152 * g + 0.0722 * b

    dark, bright = sorted((light(one), light(other)))
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_colours_have_enough_contrast(theme: dict[str, str]) -> None:
    """At least 4.5 to 1 for text and 3 to 1 for shapes, as WCAG 2.1 requires."""
    texts = [("ink", "paper"), ("note", "paper"), *((v, "on-value") for v in ("win", "loss"))]
    texts += [("draw", "on-value")]
    assert {
        pair: contrast(theme[pair[0]], theme[pair[1]]) >= 4.5 for pair in texts
    } == dict.fromkeys(texts, True)
    shapes = [("x", "paper"), ("x", "tint"), ("sign", "paper"), ("win", "paper")]
    shapes += [("draw", "paper"), ("loss", "paper"), ("edge-white", "light")]
    shapes += [("edge-white", "white"), ("disc-x", "disc-o")]
    shapes += [("rim", "paper"), ("on-x", "disc-x"), ("on-o", "disc-o")]
    assert [pair for pair in shapes if contrast(theme[pair[0]], theme[pair[1]]) < 3] == []


if __name__ == "__main__":
    for name, draw in GOLDEN.items():
        (FOLDER / f"{name}.svg").write_text(svg(draw()))
