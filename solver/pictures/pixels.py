"""Drawings as PNG, with resvg and Pillow, which the extra `pictures` installs.

Takes drawings; returns the bytes of a file. Text is set in the font that Pillow ships, so that a
picture is the same on every machine.
"""

from __future__ import annotations

import io
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from solver.errors import needs_extra
from solver.pictures.colours import LIGHT
from solver.pictures.shapes import Drawing
from solver.pictures.svg import svg


def png(drawing: Drawing, width: int) -> bytes:
    """Return a drawing as a PNG file; raises ImportError without resvg and Pillow."""
    with needs_extra("drawing PNG", "pictures"):
        from PIL import ImageFont
        from resvg_py import svg_to_bytes
    font = ImageFont.load_default(1)
    assert isinstance(font, ImageFont.FreeTypeFont)
    # That font has no bold weight; an outline in the colour of the text stands in for it.
    colours = {LIGHT[role] for role in ("ink", "on-value")}
    bold = "".join(
        f'text[font-weight][fill="{c}"]{{stroke:{c};stroke-width:.07em}}' for c in colours
    )
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
