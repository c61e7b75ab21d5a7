"""Published grades of bots: each lost game is lost by our rules, and the page shows them all."""

from __future__ import annotations

import re
from typing import Any

import pytest

from examples.unbeatable import page as unbeatable
from scripts.sections import DOCS, README
from solver import Outcome, load_game
from solver.rules.notation import replay

ROWS = unbeatable.rows()
BEATEN = unbeatable.beaten()
PAGE = (DOCS / "unbeatable.md").read_text(encoding="utf-8")


def test_the_published_games_are_lost() -> None:
    game = load_game("tictactoe")
    seats = {"first": "X", "second": "O", "both": "XO"}
    for row in BEATEN:
        p = game.initial()
        for before, move in replay(game, p, " ".join(row["lost_game"])):
            p = game.play(before, move)
        expected = None if "fault" in row else Outcome.LOSS  # for the side that would be to move
        assert (game.primitive(p), game.turn(p)) == (expected, row["seat"]), row["name"]
        assert row["seat"] in seats[row["seats"]]


@pytest.mark.parametrize("row", BEATEN, ids=lambda row: str(row["name"]))
@pytest.mark.thinned(3)
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
