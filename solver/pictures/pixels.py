"""Drawings as PNG and animated GIF, with resvg and Pillow, which the extra `pictures` installs.

Takes drawings; returns the bytes of a file. Text is set in the font that Pillow ships, so that a
picture is the same on every machine.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from itertools import combinations
from operator import sub
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from solver.errors import needs_extra
from solver.pictures.colours import LIGHT
from solver.pictures.shapes import Drawing
from solver.pictures.svg import svg

if TYPE_CHECKING:
    from PIL import Image

PAUSE, LAST_PAUSE = 800, 2400  # milliseconds for which a GIF shows a move, and the last one
DISTINCT = 8  # of 255: how far the colours of a palette differ so that Pillow tells them apart


def png(drawing: Drawing, width: int) -> bytes:
    """Return a drawing as a PNG file; raises ImportError without resvg and Pillow."""
    with needs_extra("drawing PNG and GIF", "pictures"):
        from PIL import ImageFont
        from resvg_py import svg_to_bytes
    font = ImageFont.load_default(1)
    assert isinstance(font, ImageFont.FreeTypeFont)
    # That font has no bold weight; an outline stands in for it.
    bold = f"text[font-weight]{{stroke:{LIGHT['on-value']};stroke-width:.07em}}"
    with TemporaryDirectory() as folder:  # resvg reads fonts from files only
        path = Path(folder, "font.ttf")
        path.write_bytes(font.font_bytes)
        return svg_to_bytes(
            svg(drawing, width, plain=True),
            skip_system_fonts=True,
            font_files=[str(path)],
            sans_serif_family=font.getname()[0],
            style_sheet=bold,
        )


def pixels(drawing: Drawing, width: int) -> Any:
    """Return a drawing as a numpy array of shape (height, width, 3); raises ImportError."""
    data = png(drawing, width)
    import numpy as np
    from PIL import Image

    return np.array(Image.open(io.BytesIO(data)).convert("RGB"))


def gif(drawings: Sequence[Drawing], width: int) -> bytes:
    """Return drawings of one size as an animated GIF that repeats forever.

    Raises ImportError without resvg and Pillow.
    """
    first = png(drawings[0], width)
    from PIL import Image

    palette = _palette(drawings)

    def frame(data: bytes) -> Image.Image:
        image = Image.open(io.BytesIO(data)).convert("RGB")
        return image.quantize(palette=palette, dither=Image.Dither.NONE)

    rest = (frame(png(drawing, width)) for drawing in drawings[1:])
    out = io.BytesIO()
    pauses = [PAUSE] * (len(drawings) - 1) + [LAST_PAUSE]
    frame(first).save(out, "GIF", save_all=True, append_images=rest, duration=pauses, loop=0)
    return out.getvalue()


def _palette(drawings: Sequence[Drawing]) -> Image.Image:
    """Return an image whose palette has every colour of the drawings, and blends of every two.

    Pillow finds the nearest colour by rounded values, so blends keep a distance from the others.
    """
    from PIL import Image

    found = {
        colour for d in drawings for colour in re.findall('"#([0-9a-fA-F]{6})"', svg(d, plain=True))
    }
    plain = [tuple(bytes.fromhex(colour)) for colour in sorted(found)]
    colours = list(plain)
    for share in (1 / 2, 1 / 4, 3 / 4):
        for one, other in combinations(plain, 2):
            blend = tuple(round(x + (y - x) * share) for x, y in zip(one, other, strict=True))
            if all(max(map(abs, map(sub, blend, colour))) >= DISTINCT for colour in colours):
                colours.append(blend)
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in colours[:256] for part in colour])
    return image
