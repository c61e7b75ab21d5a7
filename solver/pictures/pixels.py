"""Drawings as pixels: PNG and animated GIF, with Pillow, which the extra `pictures` installs.

Takes drawings; returns the bytes of a file. The shapes are those that `pictures` writes as SVG;
they are drawn several times as large and then made smaller, so that edges are smooth.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from itertools import combinations
from operator import sub
from typing import TYPE_CHECKING, Any

from solver.pictures.shapes import THEMES, Circle, Drawing, Line, Point, Shape, Text, rectangle
from solver.pictures.svg import BASE

if TYPE_CHECKING:
    from PIL import Image, ImageDraw

FINE, LARGEST = 4, 8192  # how many times as large, up to which number of pixels across
APART = 8  # of 255, how far colours of a palette differ so that Pillow tells them apart
STEP, END = 800, 2400  # milliseconds for which an animation shows a move, and the last one


def png(drawing: Drawing, width: int, theme: str = "light") -> bytes:
    """Return a drawing as a PNG file; raises ImportError without Pillow."""
    out = io.BytesIO()
    pixels(drawing, width, theme).save(out, "PNG", optimize=True)
    return out.getvalue()


def gif(drawings: Sequence[Drawing], width: int, theme: str = "light") -> bytes:
    """Return drawings of one size as an animated GIF that begins anew after the last one.

    Raises ImportError without Pillow.
    """
    wheel = _wheel(drawings, theme)
    image_module, _ = _pillow()

    def frames() -> Iterator[Image.Image]:
        for drawing in drawings:
            yield pixels(drawing, width, theme).quantize(
                palette=wheel, dither=image_module.Dither.NONE
            )

    rest = frames()
    out = io.BytesIO()
    pauses = [STEP] * (len(drawings) - 1) + [END]
    next(rest).save(out, "GIF", save_all=True, append_images=rest, duration=pauses, loop=0)
    return out.getvalue()


def pixels(drawing: Drawing, width: int, theme: str = "light") -> Image.Image:
    """Return a drawing as an image of this width; raises ImportError without Pillow."""
    image_module, draw_module = _pillow()
    palette = {**THEMES[theme], **drawing.colours}
    fine = max(1, min(FINE, LARGEST // width))
    height = round(drawing.height * width / drawing.width)
    scale = fine * width / drawing.width
    image = image_module.new("RGB", (fine * width, fine * height), palette["paper"])
    brush = Brush(draw_module.Draw(image), scale, palette)
    for shape in (rectangle(0, 0, drawing.width, drawing.height, "paper"), *drawing.shapes):
        brush.draw(shape)
    smooth: Image.Image = image.resize((width, height), image_module.Resampling.LANCZOS)
    return smooth


def _pillow() -> tuple[Any, Any]:
    """Return Pillow's modules Image and ImageDraw; raises ImportError without them."""
    try:
        from PIL import Image, ImageDraw
    except ImportError as error:
        raise ImportError(
            "PNG and GIF need Pillow: pip install 'perfectplay[pictures]'; SVG needs nothing"
        ) from error
    return Image, ImageDraw


def _wheel(drawings: Sequence[Drawing], theme: str) -> Image.Image:
    """Return an image whose palette has every colour of the drawings, and blends of every two.

    Pillow finds the nearest colour by rounded values, so a blend keeps its distance from others.
    """
    image_module, _ = _pillow()
    palette = {**THEMES[theme], **drawings[0].colours}
    roles = {"paper"}.union(*(_roles(shape) for d in drawings for shape in d.shapes))
    plain = sorted({palette[role] for role in roles})
    colours = [tuple(bytes.fromhex(colour[1:])) for colour in plain]
    for share in (1 / 2, 1 / 4, 3 / 4):
        for one, other in combinations(colours[: len(plain)], 2):
            blend = tuple(round(x + (y - x) * share) for x, y in zip(one, other, strict=True))
            if all(max(map(abs, map(sub, blend, colour))) >= APART for colour in colours):
                colours.append(blend)
    wheel: Image.Image = image_module.new("P", (1, 1))
    wheel.putpalette([part for colour in colours[:256] for part in colour])
    return wheel


def _roles(shape: Shape) -> set[str]:
    """Return the roles of the colours that a shape has."""
    return {role for role in (getattr(shape, "fill", None), getattr(shape, "line", None)) if role}


class Brush:
    """Draws shapes at a scale, in a theme's colours."""

    def __init__(self, canvas: ImageDraw.ImageDraw, scale: float, palette: dict[str, str]) -> None:
        self.canvas, self.scale, self.palette = canvas, scale, palette

    def draw(self, shape: Shape) -> None:
        """Draw one shape."""
        if isinstance(shape, Line):
            self._stroke([shape.start, shape.end], shape.line, shape.width)
        elif isinstance(shape, Circle):
            self._circle(shape)
        elif isinstance(shape, Text):
            self._text(shape)
        else:
            if shape.fill is not None:
                points = [self._at(point) for point in shape.points]
                self.canvas.polygon(points, fill=self.palette[shape.fill])
            if shape.line is not None:
                self._stroke([*shape.points, shape.points[0]], shape.line, shape.width)

    def _at(self, point: Point) -> Point:
        return point[0] * self.scale, point[1] * self.scale

    def _stroke(self, points: Sequence[Point], role: str, width: float) -> None:
        """Draw lines from point to point, with round ends and joints."""
        places, colour = [self._at(point) for point in points], self.palette[role]
        thick, r = max(1, round(width * self.scale)), width * self.scale / 2
        self.canvas.line(places, fill=colour, width=thick)
        for x, y in places:
            self.canvas.ellipse((x - r, y - r, x + r, y + r), fill=colour)

    def _circle(self, shape: Circle) -> None:
        (x, y), scale = self._at(shape.centre), self.scale
        fill = None if shape.fill is None else self.palette[shape.fill]
        if shape.line is None:
            r = shape.radius * scale
            self.canvas.ellipse((x - r, y - r, x + r, y + r), fill=fill)
            return
        r = (shape.radius + shape.width / 2) * scale  # its outline lies half outside, as in SVG
        width = max(1, round(shape.width * scale))
        box = (x - r, y - r, x + r, y + r)
        self.canvas.ellipse(box, fill=fill, outline=self.palette[shape.line], width=width)

    def _text(self, shape: Text) -> None:
        from PIL import ImageFont

        x, y = self._at((shape.centre[0], shape.centre[1] + BASE * shape.size))
        font = ImageFont.load_default(shape.size * self.scale)
        bold = shape.size * self.scale * 0.035 * shape.bold
        colour = self.palette[shape.fill]
        self.canvas.text((x, y), shape.text, colour, font, "ms", stroke_width=bold)
