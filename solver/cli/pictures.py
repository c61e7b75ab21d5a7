"""Files of pictures that the user names: SVG or PNG, as the name says."""

from __future__ import annotations

from solver.files import check_writable, save
from solver.pictures.pixels import png
from solver.pictures.shapes import Drawing
from solver.pictures.svg import svg


def check_picture(path: str | None, *others: str) -> None:
    """Raise ValueError unless a file's name ends in .svg or .png, and OSError if it is unwritable.

    `others` are suffixes that the user may write instead.
    """
    suffixes = (".svg", ".png", *others)
    if path is not None and not path.lower().endswith(suffixes):
        raise ValueError(f"{path!r}: the name of the picture must end in {' or '.join(suffixes)}")
    check_writable(path)


def save_picture(path: str, drawing: Drawing, width: int | None = None) -> None:
    """Write a drawing as PNG or SVG, as the file's name says; `width` is in pixels."""
    if path.lower().endswith(".png"):
        save(path, png(drawing, width or round(drawing.width)))
    else:
        save(path, svg(drawing, width).encode())
