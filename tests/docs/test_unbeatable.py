"""Published grades of bots: each lost game is lost by our rules, and the page shows them all."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from examples.unbeatable import grade_all
from examples.unbeatable import page as unbeatable
from scripts.sections import DOCS, README
from solver import Outcome, load_game
from solver.rules.notation import replay
from tests.conftest import ROOT

ROWS = unbeatable.rows()
BEATEN = unbeatable.beaten()
PAGE = (DOCS / "unbeatable.md").read_text(encoding="utf-8")


def name_of(row: dict[str, Any]) -> str:
    return str(row["name"])


@pytest.mark.every
@pytest.mark.parametrize("row", BEATEN, ids=name_of)
def test_a_published_game_is_lost(row: dict[str, Any]) -> None:
    game = load_game("tictactoe")
    p = game.initial()
    for before, move in replay(game, p, " ".join(row["lost_game"])):
        p = game.play(before, move)
    if "fault" in row:
        assert game.primitive(p) is None
        assert game.turn(p) == row["seat"]
    else:
        assert game.primitive(p) is Outcome.LOSS  # for the side that would be to move
        assert game.turn(p) == row["seat"]
    seats = {"first": "X", "second": "O", "both": "XO"}
    assert row["seat"] in seats[row["seats"]]


@pytest.mark.every
@pytest.mark.parametrize("row", BEATEN, ids=name_of)
def test_a_lost_game_is_drawn_as_published(row: dict[str, Any]) -> None:
    """If this fails, run `python -m examples.unbeatable.page` and look at the pictures."""
    name = unbeatable.picture_name(row)
    text = (DOCS / "pictures" / name).read_text(encoding="utf-8")
    assert text == unbeatable.draw_lost_game(row)
    assert f"](pictures/{name})" in PAGE
    shown = re.findall(r">([XO]\d)<", text)
    assert shown == [f"{'XO'[i % 2]}{move}" for i, move in enumerate(row["lost_game"])]
    assert "prefers-color-scheme" in text


def test_verdicts_follow_from_the_results() -> None:
    assert len(ROWS) >= 25
    for row in ROWS:
        assert row["never_loses"] == ("lost_game" not in row), row["name"]
        assert row["optimal"] <= row["never_loses"], row["name"]
        assert row["optimal"] == (row["perfect_move_rate"] == 1), row["name"]
        exact = unbeatable.verdict(row) in ("never loses", "perfect")
        assert not (exact and row["method"] == "sampled"), row["name"]


def test_the_page_has_every_bot_with_its_version_and_verdict() -> None:
    table = PAGE.partition("<!-- graded -->")[2].partition("<!-- /graded -->")[0]
    lines = [line.strip("| ").split(" | ") for line in table.strip().splitlines()[4:]]
    assert [line[0] for line in lines] == [unbeatable.title(row) for row in ROWS]
    for line, row in zip(lines, ROWS, strict=True):
        assert row["version"] in line[0]
        assert unbeatable.verdict(row) in line[4]
    for row in BEATEN:
        assert unbeatable.moves(row) in PAGE


def test_the_readme_counts_the_bots() -> None:
    text = " ".join(README.read_text(encoding="utf-8").split())
    assert f"Of {len(ROWS)} bots, {len(BEATEN)} can be beaten" in text
    claimed = [row for row in BEATEN if row["claim"]]
    assert claimed
    assert all(row["claim"] in text and unbeatable.moves(row) in text for row in claimed)


def test_every_bot_has_a_result_and_an_adapter() -> None:
    folder = ROOT / "examples" / "unbeatable"
    python = (folder / "python_bots.py").read_text(encoding="utf-8")
    node = (folder / "npm_bots.js").read_text(encoding="utf-8")
    bots = unbeatable.read()["bot"]
    assert list(json.loads((folder / "results.json").read_text(encoding="utf-8"))) == list(bots)
    for name, bot in bots.items():
        if bot["language"] == "Python":
            assert f"\ndef {name}(board: str, moves: list[int], side: str)" in python
        elif bot["language"] == "JavaScript":
            assert f'\n  "{name}": (board' in node


BOT = """
import os

def first(board, moves, side):
    assert os.environ["BOT_FOLDER"]
    return moves[0]
"""
LISTED = """
[bot.first]
package = "first"
version = "1"
language = "Python"
seats = "second"
deterministic = true
"""


@pytest.mark.slow
def test_the_script_grades_what_has_no_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bots.toml").write_text(LISTED)
    (tmp_path / "python_bots.py").write_text(BOT)
    (tmp_path / "first-1").mkdir()  # it is installed
    for name, place in (("HERE", tmp_path), ("BUILD", tmp_path), ("RESULTS", tmp_path / "r.json")):
        monkeypatch.setattr(grade_all, name, place)
    pages: list[tuple[str, ...]] = []
    monkeypatch.setattr(grade_all, "run", lambda *command, cwd: pages.append(command[1:]))
    monkeypatch.setenv("BOT_FOLDER", "")
    monkeypatch.setenv("NODE_PATH", "")
    grade_all.main([])
    written = (tmp_path / "r.json").read_text()
    result = json.loads(written)["first"]
    assert (result["never_loses"], result["optimal"], result["method"]) == (False, False, "exact")
    assert (result["seat"], result["lost_game"]) == ("O", ["1", "2", "4", "3", "7"])
    assert pages == [("-m", "examples.unbeatable.page"), ("-m", "scripts.docs")]
    (tmp_path / "python_bots.py").unlink()  # so that it could not be graded again
    grade_all.main([])
    assert (tmp_path / "r.json").read_text() == written
    with pytest.raises(SystemExit, match="no bot 'second'; the bots are: first"):
        grade_all.main(["second"])


def test_a_package_that_cannot_be_installed_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*command: str) -> None:
        raise FileNotFoundError("no pip")

    monkeypatch.setattr(grade_all, "BUILD", tmp_path)
    monkeypatch.setattr(grade_all, "run", fail)
    bot = {"package": "first", "version": "1", "language": "Python"}
    with pytest.raises(SystemExit, match="first cannot be installed: no pip"):
        grade_all.install(bot)
    assert not grade_all.folder_of(bot).exists()
