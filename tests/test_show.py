"""What public objects show: pictures in notebooks, and one short line at a prompt."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

from solver import NoBoardError, Table, TableAgent, load_game, show
from tests.support.solved import graded, player, solved_agent
from tests.support.tables import mapped_table


def test_boards_show_in_notebooks(agent: TableAgent) -> None:
    board = show.Board(agent, "X...O....")
    text = board._repr_svg_()
    assert text is not None
    assert ET.fromstring(text).get("width") == "240"
    assert "tictactoe X...O....: X to move" in text
    assert repr(board) == "Board('tictactoe', 'X...O....')"
    game = load_game("kingspawns")
    assert show.Board(game)._repr_svg_() == show.Board(game, game.initial())._repr_svg_()
    assert "X to move" in str(show.Board(agent, "O........", "X")._repr_svg_())
    heaps = show.Board(load_game("nim:21"))
    assert heaps._repr_svg_() is None  # shows as text
    with pytest.raises(NoBoardError, match="no board of cells"):
        print(heaps.drawing)


def test_scores_are_a_list_that_shows(agent: TableAgent) -> None:
    scores = show.Board("tictactoe", "XO.X..O..").scores(agent)
    assert scores == agent.scores("XO.X..O..")
    text = scores._repr_svg_()
    assert text is not None
    assert re.findall(r">([WDL]\d*)<", text) == ["W2", "D", "L2", "L2", "L2"]
    assert show.Board("nim:21").scores(solved_agent("nim:21"))._repr_svg_() is None


TABLE = "<Table of tictactoe: 5,478 positions, 765 up to symmetry>"


def test_tables_show_their_game_and_counts(table: Table) -> None:
    assert repr(table) == TABLE
    assert repr(TableAgent()) == f"TableAgent({TABLE})"
    assert repr(mapped_table("tictactoe")) == TABLE.replace("Table", "MappedTable")


@pytest.mark.slow
def test_players_and_grades_show_what_they_found() -> None:
    assert repr(player("random")) == "<Player random>"
    assert repr(graded("perfect", "both")) == (
        "<Grade of perfect at tictactoe: never_loses=True, optimal=True, blunder_count=0>"
    )
