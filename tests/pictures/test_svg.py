"""SVG documents, written from shapes; their golden files are beside those of the boards."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from solver.pictures.colours import LIGHT
from solver.pictures.shapes import Circle, Drawing, Group, Text
from solver.pictures.svg import svg

SVG = "{http://www.w3.org/2000/svg}"


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
