"""SVG documents, written from shapes."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from typing import Any

from solver.pictures.colours import DARK, LIGHT
from solver.pictures.shapes import Circle, Drawing, Group, Line, Rectangle, Shape, Text, Use
from solver.pictures.svg import svg

SVG = "{http://www.w3.org/2000/svg}"


def document(*shapes: Shape, plain: bool = False, **more: Any) -> ET.Element:
    drawing = Drawing(40, 20, shapes, "a title")._replace(**more)
    return ET.fromstring(svg(drawing, plain=plain))


def test_text_is_escaped() -> None:
    words = "<b> & 'c'"
    group = Group((Text((1, 2), words, 10, "ink"),), title=words)
    root = document(group, title=words, description=words)
    texts = [root.findtext(f"{SVG}{name}") for name in ("title", "desc")]
    assert texts == [words, words]
    assert [e.text for e in root.iter(f"{SVG}title")] == [words, words]
    assert [e.text for e in root.iter(f"{SVG}text")] == [words]


def test_a_plain_document_has_the_light_colours() -> None:
    root = document(Circle((1, 2), 3, "tint", "ink"), plain=True)
    circle = root.find(f"{SVG}circle")
    assert circle is not None
    assert (circle.get("fill"), circle.get("stroke")) == (LIGHT["tint"], LIGHT["ink"])
    assert root.find(f"{SVG}style") is None


def test_there_is_a_rule_for_each_colour_that_changes() -> None:
    root = document(Line(((0, 0), (9, 9)), "ink", 1), Rectangle(0, 0, 9, 9, "good"))
    style = root.findtext(f"{SVG}style") or ""
    light, dark = style.split("@media(prefers-color-scheme:dark)")
    assert f".pp-line-ink{{stroke:{LIGHT['ink']}}}" in light
    assert f".pp-line-ink{{stroke:{DARK['ink']}}}" in dark
    assert f".pp-fill-good{{fill:{LIGHT['good']}}}" in light
    assert "good" not in dark
    assert "tint" not in style


def test_groups_are_moved_and_scaled() -> None:
    inner = Group((Rectangle(0, 0, 1, 1, "ink"),), 1, 2.345)
    (outer,) = document(Group((inner,), 5, 6, 0.29)).findall(f"{SVG}g")
    assert outer.get("transform") == "translate(5 6)scale(0.29)"
    assert [g.get("transform") for g in outer] == ["translate(1 2.35)"]


def test_symbols_are_defined_and_used() -> None:
    dot = {"dot": (Circle((1, 1), 1, "good"),)}
    root = document(Use("dot"), Group((Use("dot"),), 5), symbols=dot)
    assert [e.get("id") for e in root.findall(f"{SVG}defs/{SVG}g")] == ["dot"]
    assert [e.get("href") for e in root.iter(f"{SVG}use")] == ["#dot", "#dot"]
    assert ".pp-fill-good" in (root.findtext(f"{SVG}style") or "")


def test_text_is_aligned() -> None:
    root = document(
        Text((10, 10), "a", 10, "ink"),
        Text((10, 10), "b", 10, "ink", bold=True, align="start"),
    )
    names = ("y", "text-anchor", "font-weight")
    assert [[e.get(name) for name in names] for e in root.iter(f"{SVG}text")] == [
        ["13.5", "middle", None],
        ["13.5", None, "700"],
    ]
