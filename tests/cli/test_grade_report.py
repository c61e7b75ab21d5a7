"""Grades as text and as a web page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from solver import Grade, TableAgent, grade
from solver.cli.grade_page import page
from solver.cli.grade_report import summary, text
from tests.support import bots
from tests.support.solved import graded


@pytest.fixture(scope="module")
def grades(agent: TableAgent) -> list[Grade]:
    return [graded("winblock"), graded("perfect"), grade(bots.cheats, agent, deterministic=True)]


def test_the_text_of_a_grade(grades: list[Grade]) -> None:
    report = text(grades[0])
    assert "winblock can be beaten." in report
    assert "To replay it: printf '%s\\n' 1 2 3 4 5 7 9 | perfectplay play --o human" in report
    assert re.search(r"it can reach +4,382 +3,491 ", report)
    assert re.search(r"perfect +0\.00% ", report)
    assert "plays perfectly" in text(grades[1])
    assert re.search(
        r"illegal move +2,637 +[XO.]{9} +\(1, 1\) is not an empty cell", text(grades[2])
    )


def test_the_summary_ranks_players(grades: list[Grade]) -> None:
    rows = summary(grades)
    assert [row[0] for row in rows] == [
        "player",
        "perfect",
        "winblock",
        "cheats",
    ]
    assert rows[1] == ("perfect", "exact", "yes", "100.0%", "100.0%", "0.000", "0")


def test_the_page_stands_alone(grades: list[Grade], agent: TableAgent) -> None:
    """Well-formed, with pictures, and without a reference to anything outside."""
    for chosen in (grades, grades[:1]):
        html = page(chosen, agent.game)
        body = html.removeprefix("<!doctype html>\n").replace('<meta charset="utf-8">', "")
        body = body.replace('content="width=device-width, initial-scale=1">', 'content=""/>')
        root = ET.fromstring(body)
        assert root.find(".//{http://www.w3.org/2000/svg}svg") is not None
        assert "src=" not in html
        assert "href=" not in html
        assert "winblock" in html


def test_names_in_a_page_are_escaped(agent: TableAgent) -> None:
    named: Any = graded("perfect")._replace(player="<script>alert(1)</script>")
    assert "<script>" not in page([named], agent.game)


def test_lists_that_are_cut_say_so(grades: list[Grade], agent: TableAgent) -> None:
    winblock, _, cheats = grades
    assert f"\n  ...        and {winblock.blunder_count - 10:,} more" in text(winblock)
    different = [f._replace(detail=str(n)) for n, f in enumerate(cheats.faults[:30])]
    many: Any = cheats._replace(faults=different)
    assert "and 20 more" in text(many)
    assert f"<p>... and {winblock.blunder_count - 10:,} more</p>" in page([winblock], agent.game)
    few: Any = winblock._replace(blunders=winblock.blunders[:3], blunder_count=3)
    assert " more" not in text(few).partition("Blunders: 3")[2]


def test_one_fault_is_one_position(grades: list[Grade]) -> None:
    one: Any = grades[2]._replace(faults=grades[2].faults[:1])
    assert "Faults: 1 position without a legal answer" in text(one)


def test_best_moves_are_listed_in_order(grades: list[Grade]) -> None:
    blunder = grades[0].blunders[0]._replace(best_labels=["10", "1", "7", "5"])
    one: Any = grades[0]._replace(blunders=[blunder], blunder_count=1)
    assert "best 1 or 5 or 7 or 10" in text(one)
