"""Grades as text and as a web page."""

from __future__ import annotations

import csv
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from solver import Grade, TableAgent, grade
from solver.arena.grade import Rates, ungraded
from solver.reports.grade_files import csv_text, page
from solver.reports.grade_text import summary, summary_remarks, text
from tests.support import bots
from tests.support.solved import graded


@pytest.fixture(scope="module")
def grades(agent: TableAgent) -> list[Grade]:
    cheats = grade(bots.cheats, agent, "second", deterministic=True)
    return [graded("winblock", "second"), graded("perfect", "second"), cheats]


@pytest.mark.slow
def test_the_summary_ranks_players(grades: list[Grade]) -> None:
    rows = summary(grades)
    assert [row[0] for row in rows] == ["player", "perfect", "winblock", "cheats"]
    assert rows[1] == ("perfect", "exact", "yes", "100.0%", "100.0%", "0.000", "0")


def parsed(html: str) -> ET.Element:
    """Return a page, which is well-formed but for what has no end tag, as elements."""
    body = html.removeprefix("<!doctype html>\n").replace('<meta charset="utf-8">', "")
    body = body.replace('content="width=device-width, initial-scale=1">', 'content=""/>')
    return ET.fromstring(body)


@pytest.mark.slow
def test_the_page_stands_alone(grades: list[Grade], agent: TableAgent) -> None:
    """Well-formed, with pictures, and without a reference to anything outside."""
    for chosen in (grades, grades[:1]):
        html = page(chosen, agent.game)
        root = parsed(html)
        assert root.find(".//{http://www.w3.org/2000/svg}svg") is not None
        assert "src=" not in html
        targets = [a.attrib["href"] for a in root.iter("a")]
        assert targets == [f"#{h.attrib['id']}" for h in root.iter("h2")]  # of the ranking
        assert "winblock" in html


def test_no_text_of_a_bot_is_markup_in_a_page(grades: list[Grade], agent: TableAgent) -> None:
    """The class of a bot's exception, in a remark, once ran as a script in the teacher's page."""
    script = "<img src=x onerror=alert(1)>\x1b[31m\ud800"
    asked = grades[2].all
    assert asked is not None
    kinds = [("exception", f"{script}: no", ""), ("illegal move", script, script)]
    faults = [
        grades[2].faults[0]._replace(kind=kind, detail=detail, hint=hint, position=script)
        for kind, detail, hint in kinds
    ]
    for fault in faults:
        many: Any = grades[2]._replace(
            player=script, faults=[fault] * asked.positions, ended=script, left_out=[script]
        )
        for shown in (page([many], agent.game), page([many, grades[0]], agent.game)):
            assert "<img" not in shown
            assert not re.search("[\x00-\x09\x0b-\x1f\ud800-\udfff]", shown)
            ET.fromstring(re.sub("<meta[^>]*>|<!doctype html>", "", shown))


def test_no_cell_of_a_csv_file_is_a_formula(grades: list[Grade]) -> None:
    for start in "=+-@":
        named: Any = grades[0]._replace(player=f"{start}cmd|'x'!A1\r.py:move")
        line = [step._replace(label=f"{start}1") for step in grades[0].losing_line or []]
        (row,) = csv.DictReader(csv_text([named._replace(losing_line=line)]).splitlines())
        assert row["player"] == f"'{start}cmd|'x'!A1\\r.py:move"
        assert row["verdict"].startswith(f"'{start}cmd")
        assert row["losing_line"].startswith(f"'{start}1 ")
        assert float(row["mean_regret"]) > 0


@pytest.mark.slow
def test_hints_at_conventions(agent: TableAgent) -> None:
    """In the report on one player, and below the summary of several."""

    def from_one(rows: bots.Rows, side: str) -> Any:
        row, column = bots.empties(rows)[0]
        return row + 1, column + 1

    found = grade(from_one, agent, "first", deterministic=True)
    hint = (
        "Its illegal answers are legal in another convention: if it counts from 1, it must count"
        " from 0. See perfectplay players."
    )
    assert hint in " ".join(text(found).split())
    assert f"from_one: {hint}" in summary_remarks([found])


def test_a_mistake_is_one_row_whatever_was_returned(grades: list[Grade]) -> None:
    details = (
        *("(1, 1) is not an empty cell", "5 is not an empty cell", "None is not a move"),
        *("KeyError: 3", "KeyError: 'x'", "4 is not a move", "[0, None] is not a move"),
    )
    faults = [grades[2].faults[0]._replace(detail=detail) for detail in details]
    many: Any = grades[2]._replace(faults=faults)
    rows = text(many).partition("Faults: 7 positions")[2].partition("\n\n")[0].splitlines()[2:]
    assert [re.findall(r"move +(\d) ", row) for row in rows] == [["3"], ["2"], ["2"]]


def test_what_is_not_known_is_a_dash(grades: list[Grade], agent: TableAgent) -> None:
    rates = Rates(3, 0, 1.0, 1.0, 0.0)
    single: Any = grades[0]._replace(all=rates, reachable=rates)
    unloaded = ungraded("none.py:move", "tictactoe", "both", "it is not there")
    board = grade(lambda rows, side: rows, agent, "first", deterministic=True, name="board")
    assert summary([single])[1] == ("winblock", "exact", "no", "-", "-", "-", "0")
    assert re.search(r"it can reach +3 +0 +- +- +-\n", text(single))
    for one in (unloaded, board):
        assert summary([one])[1] == (one.player, *"------")
    assert "Faults" not in text(unloaded)
    assert "Faults" not in page([unloaded], agent.game)
    rows = [*csv.DictReader(csv_text([single, unloaded, board]).splitlines())]
    assert [row["method"] for row in rows] == ["exact", "", ""]
    assert [row["positions"] for row in rows] == ["3", "", ""]
    assert {row["good_move_rate"] for row in rows} == {""}
    sampled: Any = grade("winblock", agent, sample=2)._replace(all=rates)
    assert re.search(r"good move rate +- +[\d.]+% to [\d.]+%\n", text(sampled))
