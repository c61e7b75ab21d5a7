"""What the docs say follows from the code, the measured tables and the published grades of bots."""

from __future__ import annotations

import json
import re
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import pytest

import solver
from examples.unbeatable import page as unbeatable
from scripts import bench, docs
from scripts.bench import Row
from scripts.sections import DOCS, MEASUREMENTS, README, read_table
from solver import Outcome, Result, TableAgent, load_game, load_player, play_exact
from solver.rules.notation import replay
from tests.conftest import ROOT, Command

PAGES = [README, *sorted(DOCS.rglob("*.md"))]
FAST = ("board-tictactoe.svg", "map.svg")
EVERYWHERE = "\n".join(path.read_text() for path in PAGES)


def test_generated_sections_are_up_to_date() -> None:
    """If this fails, run `python -m scripts.docs` and look at what it changes."""
    pages = [*PAGES, *(ROOT / name for name in docs.TYPES)]
    stale = [page.name for page in pages if docs.generated(page) != page.read_text()]
    assert stale == []


def test_pictures_are_as_the_commands_draw_them(tmp_path: Path) -> None:
    """If this fails, run `python -m scripts.docs --pictures` and look at them."""
    docs.draw(FAST, tmp_path)
    for name in FAST:
        assert (tmp_path / name).read_bytes() == (DOCS / "pictures" / name).read_bytes(), name


def test_every_command_is_explained_beyond_the_reference(command: Command) -> None:
    """The reference lists all of them; a tutorial, a guide or README shows each in use."""
    command("--help")
    names = re.findall(r"^  ([a-z]+) ", command.out.split("Solve:")[1], re.MULTILINE)
    assert len(names) >= 8
    reference = (DOCS / "reference" / "commands.md").read_text()
    assert [name for name in names if f"\n## {name}\n" not in reference] == []
    guides = EVERYWHERE.replace(reference, "")
    assert [name for name in names if f"perfectplay {name}" not in guides] == []


def test_every_make_target_is_explained() -> None:
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    text = README.read_text() + (ROOT / "CONTRIBUTING.md").read_text()
    assert [name for name in targets if f"make {name}" not in text and name != "clean"] == []


def test_every_public_name_is_in_the_python_reference() -> None:
    listed = docs.API.findall((DOCS / "reference" / "python.md").read_text())
    assert [name for name in solver.__all__ if f"solver.{name}" not in listed] == []
    assert all(resolve_name(name) for name in listed)
    assert len(set(listed)) == len(listed)


def test_numbers_in_the_text_are_those_of_the_table() -> None:
    table = json.loads((ROOT / "data" / "tictactoe.json").read_text())
    assert f"{table['canonical']} positions up to symmetry" in EVERYWHERE
    assert f"the {table['positions']:,} positions of tic-tac-toe" in EVERYWHERE
    traps = {row[0]: row[3] for row in table["entries"]["........."][3]}
    assert (traps[0], traps[4], traps[1]) == (7 / 8, 4 / 8, 4 / 8)
    text = (DOCS / "explanation" / "tables.md").read_text()
    assert "After a corner, 7 of 8 replies lose" in text
    assert "after the centre or a side, 4 of 8 do" in text


def test_every_measurement_has_a_row_and_its_target() -> None:
    """A row of the page that a row of the bench no longer measures would stay for ever."""
    rows = {row.name: row for group in bench.read_groups().values() for row in group["row"]}
    for section in ("bench", "large", "search", "own games", "weak"):
        for name, _, _, target in read_table(MEASUREMENTS, section):
            assert target.removesuffix(" (missed)") == (rows[name].target or "-"), name


def test_a_row_that_misses_its_target_is_found() -> None:
    row = Row("a", "", beside="b", target="the same bytes; at most 1.5x; at least 2 /s")
    peer = {"s": 2.0, "/s": 0.5, "same": 1}
    good = {"s": 3.0, "/s": 2.0, "same": 1}
    assert bench.compare(row, good, peer) == (["the same bytes", "1.50x b"], [])
    bad = {"s": 3.1, "/s": 1.9, "same": 2}
    assert bench.compare(row, bad, peer)[1] == row.target.split("; ")


def exact(agent: TableAgent, a: str, b: str) -> tuple[Result, Result, Result]:
    match = play_exact(agent.game, load_player(a, agent), load_player(b, agent))
    return match.a_first, match.a_second, match.both


def percent(result: Result) -> str:
    return ", ".join(f"{share:.2%}" for share in result)


@pytest.mark.large
def test_printed_results_beside_exact_ones(agent: TableAgent) -> None:
    rows = read_table(DOCS / "explanation" / "exact-matches.md", "printed")
    assert len(rows) > 5
    for match, _, _, shown, _ in rows:
        players, _, seats = match.partition(", ")
        first, _, both = exact(agent, *players.split(" v "))
        assert shown == percent(both if seats == "half first" else first), match


@pytest.mark.large
def test_results_of_the_street_smart_player(agent: TableAgent) -> None:
    rows = read_table(DOCS / "explanation" / "tables.md", "street-smart")
    assert len(rows) > 5
    for against, *shown in rows:
        ours = ("minimax", "perfect")
        assert shown == [percent(exact(agent, one, against)[2]) for one in ours], against


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


def test_the_readme_counts_the_bots() -> None:
    text = " ".join(README.read_text(encoding="utf-8").split())
    assert f"Of {len(ROWS)} bots, {len(BEATEN)} can be beaten" in text
    claimed = [row for row in BEATEN if row["claim"]]
    assert claimed
    assert all(row["claim"] in text and unbeatable.moves(row) in text for row in claimed)
