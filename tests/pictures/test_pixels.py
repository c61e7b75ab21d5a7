"""PNG, decoded."""

from __future__ import annotations

import io
import sys
from typing import Any

import pytest
from PIL import Image, ImageChops

from solver import load_game
from solver.pictures.board_layout import layout_of
from solver.pictures.shapes import Drawing, Text
from solver.pictures.svg import LIGHT, png
from tests.conftest import Command
from tests.support.boards import PICTURES


def decoded(data: bytes) -> Any:
    image = Image.open(io.BytesIO(data))
    image.load()
    return image


def pixel(image: Any, drawing: Drawing, place: tuple[float, float]) -> tuple[int, ...]:
    scale = image.width / drawing.width
    found: tuple[int, ...] = image.convert("RGB").getpixel(
        (int(place[0] * scale), int(place[1] * scale))
    )
    return found


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(colour[1:]))


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.thinned(4)
def test_png_size_and_background(name: str) -> None:
    drawing = PICTURES[name]()
    image = decoded(png(drawing, 200))
    assert image.format == "PNG"
    assert image.size == (200, round(200 * drawing.height / drawing.width))
    assert pixel(image, drawing, (1, 1)) == rgb(LIGHT["paper"])
    assert len(image.getcolors(100_000)) > 20  # smooth edges
    assert decoded(png(drawing, 40)).width == 40


def test_png_colours_of_cells() -> None:
    drawing = PICTURES["connect4-won"]()
    image = decoded(png(drawing, 400))
    plan = layout_of(load_game("connect4:5x4"))
    for cell, colour in ((5, LIGHT["disc-x"]), (16, LIGHT["disc-o"]), (1, LIGHT["paper"])):
        x, y = plan.centre(cell)
        assert pixel(image, drawing, (x, y + 10)) == rgb(colour)
    drawing = PICTURES["tictactoe-values"]()
    image = decoded(png(drawing, 400))
    plan = layout_of(load_game("tictactoe"))
    for cell, role in ((4, "win"), (7, "draw"), (8, "loss"), (0, "x"), (6, "tint")):
        x, y = plan.centre(cell)
        place = (x, y) if role in ("x", "tint") else (x, y - 7)
        assert pixel(image, drawing, place) == rgb(LIGHT[role])


def test_without_pillow(monkeypatch: pytest.MonkeyPatch, command: Command) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    error = command.refuses("render", "-o", "b.png")
    assert "python -m pip install pillow resvg-py" in error
    assert command("render", "-o", "b.svg") == 0


@pytest.mark.slow
def test_png_has_its_text_and_its_bold_text() -> None:
    """A renderer without the font would leave both out; it has no letter of other scripts."""
    one, other = (
        png(Drawing(40, 40, (Text((20, 20), letter, 20, "ink"),), "a letter"), 40)
        for letter in "\u0416\u042f"
    )
    assert one == other, "the fonts of the machine are used"
    drawing = PICTURES["tictactoe-values"]()
    words = [shape for shape in drawing.shapes if isinstance(shape, Text)]
    assert {text.bold for text in words} == {True, False}
    whole = decoded(png(drawing, 400)).convert("RGB")
    for text in words:
        others = tuple(shape for shape in drawing.shapes if shape != text)
        without = decoded(png(drawing._replace(shapes=others), 400)).convert("RGB")
        box = ImageChops.difference(whole, without).getbbox()
        assert box is not None
        x, y = (place * 400 / drawing.width for place in text.at)
        assert box[0] < x < box[2]
        assert box[1] < y < box[3]
