"""The chart of a table's statistics."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from solver import Table, load_game
from solver.pictures.statistics_chart import draw_statistics
from solver.pictures.svg import svg
from solver.tables.statistics import compute_statistics
from tests.conftest import SHIPPED, Command, solved

SVG = "{http://www.w3.org/2000/svg}"


def test_the_chart_has_a_bar_for_every_number(table: Table) -> None:
    found = compute_statistics(table)
    root = ET.fromstring(svg(draw_statistics(found)))
    charts = root.findall(f"{SVG}g")
    assert len(charts) == 6
    texts = [[text.text for text in chart.iter(f"{SVG}text")] for chart in charts]
    assert all(f"{row.positions:,}" in texts[0] for row in found.rows)
    assert "50.8%" in texts[5]
    first = charts[0].findall(f"{SVG}rect")
    assert len(first) == sum((r.win > 0) + (r.draw > 0) + (r.loss > 0) for r in found.rows)
    heights = sum(float(rect.attrib["height"]) for rect in first)
    assert heights == pytest.approx(5478 * 170 / 2000, rel=0.001)
    for rect in root.iter(f"{SVG}rect"):
        assert float(rect.get("y", "0")) >= -0.01


@pytest.mark.parametrize(
    ("name", "words"), [("tictactoe", "Estimated from 40 of 765"), ("nim:3,4,5", "by tier")]
)
def test_the_chart_of_a_sample(name: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.tables.statistics.MOST_EXACT", 10)
    monkeypatch.setattr("solver.tables.statistics.SAMPLE", 40)
    assert words in svg(draw_statistics(compute_statistics(solved(load_game(name)))))


def test_info_draws_the_chart(command: Command, tmp_path: Path) -> None:
    assert command("info", str(SHIPPED), "--detail") == 0
    detail = command.out
    assert command("info", str(SHIPPED), "-o", "chart.svg") == 0
    assert command.out == f"{detail}\nwrote chart.svg\n"
    ET.fromstring((tmp_path / "chart.svg").read_text())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-o", "chart.png"], "must end in .svg"),
        (["-o", "missing/chart.svg"], "no file can be written there"),
    ],
)
def test_info_refuses(command: Command, arguments: list[str], message: str) -> None:
    assert message in command.refuses("info", str(SHIPPED), *arguments)
